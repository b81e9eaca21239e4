# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += \
	engines/targets.c engines/targets.h \
	engines/dfval.c \
	engines/dla.c \
	engines/group_routes.c engines/group_routes.h \
	engines/group_shape.c \
	engines/engine.h engines/engines.h \
	engines/candidates.c engines/candidates.h \
	engines/minhop.c \
	engines/registry.c \
	engines/translate.c engines/translate.h \
	engines/updn.c
