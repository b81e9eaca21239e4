# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_la_SOURCES += engines/candidates.c engines/candidates.h
libheddle_la_SOURCES += engines/dfval.c
libheddle_la_SOURCES += engines/dimension_order.c engines/dimension_order.h
libheddle_la_SOURCES += engines/dla.c
libheddle_la_SOURCES += engines/engine.h
libheddle_la_SOURCES += engines/engines.h
libheddle_la_SOURCES += engines/group_routes.c engines/group_routes.h
libheddle_la_SOURCES += engines/group_shape.c
libheddle_la_SOURCES += engines/hdor.c
libheddle_la_SOURCES += engines/minhop.c
libheddle_la_SOURCES += engines/osha.c
libheddle_la_SOURCES += engines/registry.c
libheddle_la_SOURCES += engines/sasha.c
libheddle_la_SOURCES += engines/targets.c engines/targets.h
libheddle_la_SOURCES += engines/trunks.c engines/trunks.h
libheddle_la_SOURCES += engines/two_orders.c engines/two_orders.h
libheddle_la_SOURCES += engines/updn.c
