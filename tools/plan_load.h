/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which mends matter most to the load: the flows of the busiest link, by the engine that engine
 * heddle takes, of a fabric, of the same with the moves of one finding, and with all moves.
 */
#ifndef HD_TOOLS_PLAN_LOAD_H
#define HD_TOOLS_PLAN_LOAD_H

#include "plan/differ.h"

#define HD_MOST_MENDS 10 /* findings that are tried */

/* The result of routing a fabric. */
struct hd_routed_load {
	const char *engine; /* NULL: none is known, or all refuse */
	uint64_t busiest;   /* flows (engines/busiest.h) */
	uint32_t finding;   /* whose moves are made */
};

struct hd_loads_after_moves {
	bool is_known; /* they were asked for */
	struct hd_routed_load now, all;
	unsigned n;
	struct hd_routed_load
		mends[HD_MOST_MENDS]; /* those that lower the busiest link most first */
};

/*
 * Routes with the moves of each of the first findings whose moves the fabric has the nodes for.
 * HD_ENOMEM.
 */
int hd_loads_after_moves_find(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			      const struct hd_differences *differences,
			      struct hd_loads_after_moves *loads, struct hd_error *err);

#endif
