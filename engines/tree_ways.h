/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Up/down ways on a fat tree as it is cabled, free of cycles with one VL, to switches of any level.
 *
 * Between leaves, a packet goes up and then down. To a spine from another spine it may have to go
 * down and then up, which closes cycles where every leaf lets it turn. So one leaf, the middle, and
 * what is above it - the crown - are turned over: in the crown, towards the middle counts as
 * rising, away from it as falling. Everywhere else up is rising. That is one order of all
 * switches: the middle, the crown by level, the other switches by level from the highest down; and
 * up*-down* by an order has no cycles (engines/updn.c). What packets of hosts do on an intact tree
 * is legal in it: they rise to the crown and fall from it, whether they go up or down there.
 *
 * A switch above the leaves that neither is in the crown nor has anything of it above itself stands
 * at the end of the order: packets start and end there, and none pass.
 */
#ifndef HD_ENGINES_TREE_WAYS_H
#define HD_ENGINES_TREE_WAYS_H

#include "topologies/fat_tree.h"

struct hd_error;

/*
 * Before a loop over rows: gcc -O2 leaves loops of unknown length as they are otherwise. Clang does
 * such loops by itself, and warns where instrumentation keeps it from doing so.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define HD_TREE_ROWS _Pragma("omp simd")
#else
#define HD_TREE_ROWS
#endif

#define HD_TREE_FAR 254 /* no way */

/* All cables from one switch to another. */
struct hd_tree_group {
	uint32_t peer;
	uint32_t first_cable; /* in cable[] */
	uint8_t n_cables;
	bool is_up;     /* the peer is of a higher level */
	bool is_rising; /* the peer stands before the switch in the order */
};

struct hd_tree_ways {
	uint32_t n;
	uint32_t *order;             /* switches, the middle first */
	uint32_t *rank;              /* [switch] in order[] */
	uint32_t *first_group;       /* [switch + 1] in group[] */
	struct hd_tree_group *group; /* of a switch: by peer, ascending */
	uint8_t *cable;              /* port numbers, ascending in each group */
	uint8_t *fall; /* [from * n + to] links of the shortest way that only falls, or HD_TREE_FAR
			*/
	uint8_t *way;  /* the same where there is one; else of the shortest that rises first */
};

/* Finds the order alone, and no ways. HD_EREFUSED: in parts; HD_ENOMEM. Clear also after an error. */
int hd_tree_ways_order(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
		       struct hd_tree_ways *ways, struct hd_error *err);

/* The same with the ways. */
int hd_tree_ways_find(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
		      struct hd_tree_ways *ways, struct hd_error *err);
void hd_tree_ways_clear(struct hd_tree_ways *ways);

#endif
