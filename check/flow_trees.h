/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Flows to one destination from many switches, summed up where their ways meet: where lanes do not
 * matter, or there is a single lane and a single class. Internal to check/baseline.h.
 */
#ifndef HD_CHECK_FLOW_TREES_H
#define HD_CHECK_FLOW_TREES_H

#include "check/flow_sums.h"

/* The flows that come to a switch. */
struct hd_flow_node {
	uint32_t stamp; /* other than the tree's: it is not in the tree */
	uint32_t n_hops;
	uint32_t load;   /* flows of hosts */
	uint32_t n_uses; /* flows that have come on the lane */
};

/* The ways from some switches to one destination. */
struct hd_flow_tree {
	struct hd_flow_node *nodes; /* [switch] */
	uint32_t *order;            /* the switches of the tree, each behind the next on its way */
	uint32_t *stack;
	uint32_t n, stamp;
};

/* HD_ENOMEM. Clear in any case. */
int hd_flow_tree_init(struct hd_flow_tree *tree, uint32_t n_switches, struct hd_error *err);
void hd_flow_tree_clear(struct hd_flow_tree *tree);

static inline bool hd_flow_tree_serves(const struct hd_flow_view *view,
				       const struct hd_flow_lanes *lanes)
{
	return !lanes->rows || view->n_states == 1;
}

/*
 * Does what hd_flow_sums_add() does for each of the @n switches in @from, none of which delivers to
 * the single LID of @column, and whose class is 0. False: packets from some do not arrive, and
 * nothing is added.
 */
bool hd_flow_tree_add(struct hd_flow_tree *tree, struct hd_flow_sums *sums,
		      const struct hd_flow_view *view, const struct hd_flow_lanes *lanes,
		      const struct hd_flow_column *column, const uint32_t *from, uint32_t n,
		      bool take_away, struct hd_flow_scratch *scratch);

#endif
