# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += \
	engines/targets.c engines/targets.h \
	engines/trunks.c engines/trunks.h \
	engines/dimension_order.c engines/dimension_order.h \
	engines/dla.c \
	engines/engine.h engines/engines.h \
	engines/hdor.c \
	engines/minhop.c \
	engines/osha.c \
	engines/registry.c \
	engines/sasha.c \
	engines/two_orders.c engines/two_orders.h
