/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The levels of one search of the Graph500 model, drawn before it begins. */
#ifndef HD_TRAFFIC_GRAPH500_PLAN_H
#define HD_TRAFFIC_GRAPH500_PLAN_H

#include "sim/traffic/graph500_equations.h"
#include "sim/traffic/traffic.h"
#include "support/random.h"

/*
 * Draws the levels of a search over @graph into @application, whose n_processes and degree are set:
 * edges are normally distributed, drawn again while they are negative, and no more than are left.
 * The rest goes to the first level from 4 on whose mean is below one edge for each process, or else
 * to level 6: after a small draw, the means of levels fall faster than the rest.
 */
void hd_graph500_plan(enum hd_graph500_set set, const struct hd_graph500_graph *graph,
		      double coalescing, struct hd_random *random,
		      struct hd_application *application);

/* The degree of a root, drawn from its lognormal distribution and rounded up. */
uint64_t hd_graph500_draw_root(enum hd_graph500_set set, const struct hd_graph500_graph *graph,
			       struct hd_random *random);

/* The messages of process @rank of @application at @level; the root is process @root. */
struct hd_graph500_share {
	uint64_t queries, messages;
	uint64_t full; /* messages of @coalescing queries; the others share the rest */
};

struct hd_graph500_share hd_graph500_share(const struct hd_application *application, unsigned level,
					   uint32_t rank, uint32_t root, uint32_t coalescing);

#endif
