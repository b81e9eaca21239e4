# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# libheddle.so: the interface for programs (docs/library.md). Its file has the name that programs are
# linked to (soname), and a link without a number stands beside it for the linker.
module_PROGRAMS += libheddle.so.0
libheddle_so_0_SOURCES = \
	api/api.h \
	api/api_change.c \
	api/api_check.c \
	api/api_error.c \
	api/api_fabric.c \
	api/api_make.c \
	api/api_route.c \
	api/api_shape.c \
	api/api_sim.c \
	api/api_tables.c
libheddle_so_0_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/include
libheddle_so_0_LDADD = $(sim_libs)
libheddle_so_0_LDFLAGS = $(module_ldflags) -Wl,-soname,libheddle.so.0 \
	-Wl,--version-script=$(srcdir)/api/libheddle.map
EXTRA_libheddle_so_0_DEPENDENCIES = api/libheddle.map
pkginclude_HEADERS += include/heddle/heddle.h
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = api/heddle.pc
EXTRA_DIST += api/libheddle.map api/libheddle.abi docs/library.md docs/examples/route.c

# for programs that are linked to the build: -L. -lheddle
all-local: libheddle.so
libheddle.so: libheddle.so.0
	$(AM_V_GEN)ln -sf libheddle.so.0 $@
CLEANFILES += libheddle.so

install-data-hook:
	ln -sf libheddle.so.0 $(DESTDIR)$(libdir)/libheddle.so
uninstall-hook:
	rm -f $(DESTDIR)$(libdir)/libheddle.so
