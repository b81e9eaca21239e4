# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	plan/after_moves.c plan/after_moves.h \
	plan/anchor.c plan/anchor.h \
	plan/cable_list.c plan/cable_list.h \
	plan/cable_plan.c plan/cable_plan.h \
	plan/chains.c plan/chains.h \
	plan/device.c plan/device.h \
	plan/differ.c plan/differ.h \
	plan/edges.c plan/edges.h \
	plan/free_ports.c plan/free_ports.h \
	plan/gaps.c plan/gaps.h \
	plan/grow.c plan/grow.h \
	plan/infer.c plan/infer.h \
	plan/match.c plan/match.h \
	plan/match_names.c plan/match_names.h \
	plan/meet.c plan/meet.h \
	plan/pairs.c plan/pairs.h \
	plan/read_csv.c plan/read_csv.h \
	plan/read_topo.c plan/read_topo.h \
	plan/suspects.c plan/suspects.h \
	plan/usual.c plan/usual.h
