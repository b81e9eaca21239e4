/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The route to one destination: every switch forwards to one other, so the switches that reach the
 * root make a tree. Packets of other switches end in holes or circle. Internal to check/ and
 * vlarb/.
 */
#ifndef HD_CHECK_ROUTE_TREE_H
#define HD_CHECK_ROUTE_TREE_H

#include "check/destinations.h"

struct hd_tree {
	uint32_t root; /* HD_NONE: no packet arrives */
	uint32_t n_order;
	uint32_t *order;   /* switches that reach the root, farthest first, without the root */
	uint32_t *target;  /* [switch] the next switch; HD_NONE: none */
	uint32_t *waiting; /* [switch] upstream switches not in the order yet; > 0: on a circle */
	uint8_t *in;       /* [switch] in-port at the target */
	int32_t *depth;    /* [switch] links on the longest path from a source; -1: on no path from
			      a source */
	bool *arrives;     /* [switch] */

	uint32_t n_holes;    /* switches with an LFT that have no next hop for packets */
	uint32_t n_circling; /* switches on circles that packets reach */
	uint32_t n_looping;  /* sources whose packets reach circles, for each LID */
	unsigned max_hops;   /* links between switches on the longest path to the root */
};

/* Arrays for @n_switches. HD_ENOMEM. Clear also after an error. */
int hd_tree_init(struct hd_tree *tree, uint32_t n_switches, struct hd_error *err);
void hd_tree_clear(struct hd_tree *tree);

/* Makes the tree of @destination, whose out-ports are next[switch]. */
void hd_tree_build(struct hd_tree *tree, const struct hd_check_network *network,
		   const struct hd_destinations *destinations,
		   const struct hd_destination *destination);

/* The out-ports of all switches towards @destination. */
static inline const uint8_t *hd_destination_next(const struct hd_check_network *network,
						 const struct hd_destinations *destinations,
						 const struct hd_destination *destination)
{
	return destinations->next +
	       (size_t)(destination - destinations->list) * network->fabric->n_switches;
}

#endif
