/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Up/down paths on a fat tree as it is cabled, free of cycles with one VL, to switches of any
 * level. (In names, a "way" is such a path.)
 *
 * Between leaves, a packet goes up and then down. From one spine to another, a packet may have to
 * go down and then up, which closes cycles if every leaf lets it turn. So one leaf, the "middle",
 * and all switches above it, the "crown", have the opposite direction: in the crown, a hop towards
 * the middle rises and a hop away from it falls. Everywhere else a hop up rises. That gives one
 * order of all switches: the middle, the crown by level, the other switches by level from the
 * highest down. Up*-down* by an order has no cycles (engines/updn.c). Paths of hosts on an intact
 * tree fit into the order: they rise to the crown and fall from it, whether they go up or down
 * there.
 *
 * A switch above the leaves that is not in the crown, and has no switch of the crown above itself,
 * is at the end of the order: packets may start and end there, and none pass.
 */
#ifndef HD_ENGINES_TREE_WAYS_H
#define HD_ENGINES_TREE_WAYS_H

#include "topologies/fat_tree.h"

struct hd_error;

/*
 * Goes before a loop over rows, because gcc -O2 does not vectorise loops of unknown length. Clang
 * does so by itself, and warns if instrumentation prevents it.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define HD_TREE_ROWS _Pragma("omp simd")
#else
#define HD_TREE_ROWS
#endif

#define HD_TREE_FAR 254 /* no path */

/* All cables from one switch to another. */
struct hd_tree_group {
	uint32_t peer;
	uint32_t first_cable; /* in cable[] */
	uint8_t n_cables;
	bool is_up;     /* the peer is of a higher level */
	bool is_rising; /* the peer is before the switch in the order */
};

struct hd_tree_ways {
	uint32_t n;
	uint32_t *order;             /* switches, the middle first */
	uint32_t *rank;              /* [switch] in order[] */
	uint32_t *first_group;       /* [switch + 1] in group[] */
	struct hd_tree_group *group; /* of a switch: by peer, ascending */
	uint8_t *cable;              /* port numbers, ascending in each group */
	uint8_t *fall;               /* [from n + to] links of the shortest path that only falls, or
			  HD_TREE_FAR */
	uint8_t *way; /* the same if there is one; else of the shortest path that rises first */
};

/* Finds only the order, no paths. HD_EREFUSED: in parts; HD_ENOMEM. Clear also after an error. */
int hd_tree_ways_order(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
		       struct hd_tree_ways *ways, struct hd_error *err);

/* The same with paths. */
int hd_tree_ways_find(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
		      struct hd_tree_ways *ways, struct hd_error *err);
void hd_tree_ways_clear(struct hd_tree_ways *ways);

#endif
