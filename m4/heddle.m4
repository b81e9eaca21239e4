# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause

# HEDDLE_PKG(PREFIX, MODULE, DEBIAN-PACKAGE): a library that pkg-config knows, required.
AC_DEFUN([HEDDLE_PKG],
	[PKG_CHECK_MODULES([$1], [$2], [],
		[AC_MSG_ERROR([$2 is missing; on Debian: apt-get install $3])])])

# HEDDLE_PKG_OPTIONAL(PREFIX, MODULE, DEBIAN-PACKAGE): the same, only the tests need it.
AC_DEFUN([HEDDLE_PKG_OPTIONAL],
	[PKG_CHECK_MODULES([$1], [$2], [have_$1=yes],
		[have_$1="no ($2 is missing; on Debian: apt-get install $3)"])
	AM_CONDITIONAL([HAVE_$1], [test "x$have_$1" = xyes])])

# HEDDLE_PKG_WITH(NAME, PREFIX, MODULE, DEBIAN-PACKAGE, WHAT): a library that heddle can do without;
# HAVE_PREFIX is defined where it is there.
AC_DEFUN([HEDDLE_PKG_WITH], [
	AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [do without $5])], [], [with_$1=yes])
	AS_IF([test "x$with_$1" = xno], [have_$2="no (--without-$1)"],
		[PKG_CHECK_MODULES([$2], [$3],
			[have_$2=yes
			AC_DEFINE([HAVE_$2], [1], [Whether there is $5])],
			[have_$2="no ($3 is missing; on Debian: apt-get install $4)"])])])

# HEDDLE_UNPACK(NAME, PREFIX, MODULE, DEBIAN-PACKAGE): a library that unpacks files, which heddle
# can do without; HAVE_PREFIX is defined where it is there.
AC_DEFUN([HEDDLE_UNPACK], [
	AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [do not read files that need $3])],
		[], [with_$1=yes])
	AS_IF([test "x$with_$1" = xno], [have_$2="no (--without-$1)"],
		[PKG_CHECK_MODULES([$2], [$3],
			[have_$2=yes
			AC_DEFINE([HAVE_$2], [1], [Whether $3 unpacks files])],
			[have_$2="no ($3 is missing; on Debian: apt-get install $4)"])])])

# HEDDLE_HEADER(HEADER, DEBIAN-PACKAGE): a header, required.
AC_DEFUN([HEDDLE_HEADER],
	[AC_CHECK_HEADER([$1], [],
		[AC_MSG_ERROR([$1 is missing; on Debian: apt-get install $2])])])

AC_DEFUN([HEDDLE_TRY_CFLAG],
	[AC_MSG_CHECKING([whether $CC accepts $1])
	heddle_save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $1"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes]); HEDDLE_CFLAGS="$HEDDLE_CFLAGS $1"],
		[AC_MSG_RESULT([no])])
	CFLAGS=$heddle_save_CFLAGS])

AC_DEFUN([HEDDLE_WARNINGS], [
	HEDDLE_CFLAGS="-std=gnu11"
	m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
			-Wconversion -Wno-sign-conversion -Wno-unused-parameter -fvisibility=hidden], [HEDDLE_TRY_CFLAG(flag)
])
	# With -flto or -O3 the compiler sees through functions, but not that errors are looked at: it warns of
	# variables that are only set on success, and of sizes below zero.
	AS_IF([test "x$enable_werror" != xno],
		[HEDDLE_CFLAGS="$HEDDLE_CFLAGS -Werror"
		AS_CASE([" $CFLAGS "], [*" -flto"* | *" -O3"*],
			[m4_foreach_w([flag], [-Wno-error=maybe-uninitialized
					-Wno-error=stringop-overread -Wno-error=stringop-overflow], [HEDDLE_TRY_CFLAG(flag)
])])])
	AC_SUBST([HEDDLE_CFLAGS])])

# Counters lie in a file that processes share, so that what a process ran before a signal killed it counts as well. Objects
# know neither the directory of the build nor a file of counts in it (LLVM_PROFILE_FILE names that): ccache then has them for
# whichever folder the tree lies in.
AC_DEFUN([HEDDLE_COVERAGE], [
	AS_IF([test "x$enable_coverage" = xyes], [
		COVERAGE_FLAGS="-fprofile-instr-generate=/dev/null -fcoverage-mapping -fcoverage-compilation-dir=. -mllvm -runtime-counter-relocation"
		heddle_save_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS $COVERAGE_FLAGS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [],
			[AC_MSG_ERROR([$CC cannot count what runs; on Debian: apt-get install clang libclang-rt-14-dev, and CC=clang])])
		CFLAGS=$heddle_save_CFLAGS])
	AM_CONDITIONAL([COVERAGE], [test "x$enable_coverage" = xyes])
	# the linker's command has the compiler's flags, too
	AS_IF([test "x$enable_coverage" = xyes],
		[COVERAGE_LDFLAGS="-fprofile-instr-generate -Wno-unused-command-line-argument"])
	AC_SUBST([COVERAGE_FLAGS])
	AC_SUBST([COVERAGE_LDFLAGS])])

# HEDDLE_TRY_HARDENING(VARIABLE, AUTOCONF-VARIABLE, FLAGS): adds FLAGS to VARIABLE when programs link with them and
# AUTOCONF-VARIABLE, CFLAGS or LDFLAGS.
AC_DEFUN([HEDDLE_TRY_HARDENING],
	[AC_MSG_CHECKING([whether $CC hardens with $3])
	heddle_save_$2=$$2
	$2="$$2 -Werror $3"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <string.h>]], [[char text[16]; return (int)strlen(strcpy(text, ""));]])],
		[AC_MSG_RESULT([yes]); $1="$$1 $3"; heddle_hardening="$heddle_hardening $3"],
		[AC_MSG_RESULT([no])])
	$2=$heddle_save_$2])

# As Debian builds its packages. What the compiler does by itself, or CFLAGS and CPPFLAGS have already, is left to
# them. Sanitizers see more than fortified functions let them.
AC_DEFUN([HEDDLE_HARDENING], [
	heddle_hardening=
	AS_IF([test "x$enable_hardening" != xno && test "x$enable_sanitizers" != xyes && test "x$enable_fuzzing" != xyes], [
		HEDDLE_TRY_HARDENING([HARDENING_CFLAGS], [CFLAGS], [-fstack-protector-strong])
		HEDDLE_TRY_HARDENING([HARDENING_CFLAGS], [CFLAGS], [-Wformat -Werror=format-security])
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#ifdef _FORTIFY_SOURCE
#error
#endif
]], [])], [HEDDLE_TRY_HARDENING([HARDENING_CFLAGS], [CFLAGS], [-D_FORTIFY_SOURCE=2])],
			[heddle_hardening="$heddle_hardening -D_FORTIFY_SOURCE"])
		HEDDLE_TRY_HARDENING([HARDENING_LDFLAGS], [LDFLAGS], [-Wl,-z,relro])
		HEDDLE_TRY_HARDENING([HARDENING_LDFLAGS], [LDFLAGS], [-Wl,-z,now])
		# most compilers make such programs by themselves
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[
#ifndef __PIE__
#error
#endif
]], [])], [heddle_hardening="$heddle_hardening PIE"],
			[HEDDLE_TRY_HARDENING([PIE_FLAGS], [CFLAGS], [-fPIE -pie])
			AS_IF([test -n "$PIE_FLAGS"], [HARDENING_CFLAGS="$HARDENING_CFLAGS -fPIE"; PIE_LDFLAGS=-pie])])])
	AC_SUBST([HARDENING_CFLAGS])
	AC_SUBST([HARDENING_LDFLAGS])
	AC_SUBST([PIE_LDFLAGS])])

AC_DEFUN([HEDDLE_SANITIZERS], [
	AS_IF([test "x$enable_sanitizers" = xyes], [
		SANITIZER_FLAGS="-fsanitize=address,undefined"
		SANITIZER_FLAGS="$SANITIZER_FLAGS -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
		heddle_save_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS $SANITIZER_FLAGS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [],
			[AC_MSG_ERROR([$CC cannot link with $SANITIZER_FLAGS; on Debian: apt-get install gcc or clang with libclang-rt-dev])])
		CFLAGS=$heddle_save_CFLAGS])
	AM_CONDITIONAL([SANITIZERS], [test "x$enable_sanitizers" = xyes])
	AC_SUBST([SANITIZER_FLAGS])])

AC_DEFUN([HEDDLE_FUZZING], [
	AS_IF([test "x$enable_fuzzing" = xyes], [
		FUZZER_FLAGS="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
		# full tables are within reach of short inputs, and nothing large is laid out for each of them
		FUZZER_FLAGS="$FUZZER_FLAGS -DHD_TRANSACTIONS_MAX=16"
		heddle_save_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS -fsanitize=fuzzer,address,undefined"
		AC_LINK_IFELSE([AC_LANG_SOURCE([[
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return data == NULL && size; }
]])], [], [AC_MSG_ERROR([$CC has no libFuzzer; use CC=clang (on Debian: apt-get install clang)])])
		CFLAGS=$heddle_save_CFLAGS])
	AM_CONDITIONAL([FUZZING], [test "x$enable_fuzzing" = xyes])
	AC_SUBST([FUZZER_FLAGS])])

# Values that an implicit conversion changes: clang alone looks for them. After HEDDLE_SANITIZERS and HEDDLE_FUZZING.
AC_DEFUN([HEDDLE_CONVERSIONS], [
	AS_IF([test "x$enable_sanitizers" = xyes || test "x$enable_fuzzing" = xyes], [
		CONVERSION_FLAGS="-fsanitize=implicit-conversion -fno-sanitize-recover=implicit-conversion"
		heddle_save_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS $SANITIZER_FLAGS $CONVERSION_FLAGS"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [], [CONVERSION_FLAGS=])
		CFLAGS=$heddle_save_CFLAGS])
	AC_SUBST([CONVERSION_FLAGS])])

# OpenSM ships headers but no .pc file. Two kinds of them are known by what they declare, not by a version:
# OpenSM 3.3 has osm_register_external_routing_engine() since 3.3.21, OpenSM 5.x osm_routing_engine_create().
AC_DEFUN([HEDDLE_OPENSM], [
	heddle_opensm_summary="no (--without-opensm)"
	heddle_opensm_5=no
	AS_IF([test "x$with_opensm" != xno], [
		heddle_save_CPPFLAGS=$CPPFLAGS
		for dir in "${with_opensm_headers:-the default}" /usr/include/infiniband /usr/local/include/infiniband; do
			OPENSM_CPPFLAGS=
			AS_IF([test "$dir" != "the default"], [OPENSM_CPPFLAGS="-isystem $dir"])
			CPPFLAGS="$heddle_save_CPPFLAGS $OPENSM_CPPFLAGS"
			AS_UNSET([ac_cv_header_opensm_osm_opensm_h])
			AC_CHECK_HEADER([opensm/osm_opensm.h], [heddle_opensm_found=yes; break], [],
				[#include <opensm/osm_config.h>])
			AS_IF([test "x$with_opensm_headers" != x],
				[AC_MSG_ERROR([--with-opensm-headers: $dir has no opensm/osm_opensm.h that compiles])])
		done
		AS_IF([test "x$heddle_opensm_found" != xyes],
			[AC_MSG_ERROR([opensm/osm_opensm.h is missing: on Debian, apt-get install libopensm-dev libibumad-dev; or configure --without-opensm])])
		AC_CHECK_DECL([osm_routing_engine_create], [heddle_opensm_5=yes], [], [HEDDLE_OPENSM_HEADERS])
		AS_IF([test $heddle_opensm_5 = yes], [HEDDLE_OPENSM_5], [HEDDLE_OPENSM_3_3])
		CPPFLAGS=$heddle_save_CPPFLAGS
		heddle_opensm_summary="yes ($dir)"
		AS_IF([test $heddle_opensm_5 = yes], [heddle_opensm_summary="yes, for OpenSM 5.x ($dir)"])])
	AM_CONDITIONAL([WITH_OPENSM], [test "x$with_opensm" != xno])
	AM_CONDITIONAL([OPENSM_5], [test $heddle_opensm_5 = yes])
	AC_SUBST([OPENSM_CPPFLAGS])
	AC_SUBST([OPENSM_LIBS])])

m4_define([HEDDLE_OPENSM_HEADERS], [#include <opensm/osm_config.h>
#include <opensm/osm_opensm.h>])

AC_DEFUN([HEDDLE_OPENSM_3_3], [
	AC_CHECK_DECL([osm_register_external_routing_engine], [],
		[AC_MSG_ERROR([this OpenSM has no osm_register_external_routing_engine() (it came with 3.3.21): update libopensm-dev, or configure --without-opensm])],
		[HEDDLE_OPENSM_HEADERS])
	# osm_switch_...() and the like are the daemon's own symbols, found when it loads the plug-in
	OPENSM_LIBS="-lopensm -losmcomp"
	heddle_save_LIBS=$LIBS
	LIBS="$OPENSM_LIBS $LIBS"
	AC_MSG_CHECKING([for libopensm])
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <opensm/osm_config.h>
#include <opensm/osm_opensm.h>]], [[osm_log_t log; osm_log_v2(&log, 0, 0, ""); cl_qmap_init(0);]])],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		AC_MSG_ERROR([libopensm or libosmcomp is missing: on Debian, apt-get install libopensm-dev; or configure --without-opensm])])
	LIBS=$heddle_save_LIBS])

# Of OpenSM 5.x there are headers only: no library is linked, all symbols are the daemon's.
AC_DEFUN([HEDDLE_OPENSM_5], [
	OPENSM_LIBS=
	AC_CHECK_MEMBERS([struct osm_subn.sm_state, struct osm_routing_engine.get_ar_mask], [], [], [HEDDLE_OPENSM_HEADERS])
	AC_MSG_CHECKING([whether osm_req_get() takes the port])
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <opensm/osm_config.h>
#include <opensm/osm_opensm.h>]], [[osm_req_get((osm_sm_t *)0, (osm_dr_path_t *)0, (osm_physp_t *)0, 0, 0, 0, 0, 0, 0, (osm_madw_context_t *)0);]])],
		[AC_MSG_RESULT([yes])
		AC_DEFINE([OSM_REQ_GET_HAS_PHYSP], [1], [Whether osm_req_get() of OpenSM 5.x takes the port])],
		[AC_MSG_RESULT([no])])])

# The umad library of simfabric implements what libibumad's header declares, and links nothing of it.
AC_DEFUN([HEDDLE_UMAD], [
	AC_CHECK_HEADER([infiniband/umad.h], [have_UMAD=yes],
		[have_UMAD="no (infiniband/umad.h is missing; on Debian: apt-get install libibumad-dev)"])
	AM_CONDITIONAL([HAVE_UMAD], [test "x$have_UMAD" = xyes])])
