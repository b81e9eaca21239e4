# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += \
	engines/targets.c engines/targets.h \
	engines/dfval.c \
	engines/trunks.c engines/trunks.h \
	engines/dimension_order.c engines/dimension_order.h \
	engines/dla.c \
	engines/group_routes.c engines/group_routes.h \
	engines/group_shape.c \
	engines/engine.h engines/engines.h \
	engines/candidates.c engines/candidates.h \
	engines/lft_column.c engines/lft_column.h \
	engines/hdor.c \
	engines/minhop.c \
	engines/osha.c \
	engines/registry.c \
	engines/repair.c engines/repair.h \
	engines/sasha.c \
	engines/two_orders.c engines/two_orders.h \
	engines/updn.c
