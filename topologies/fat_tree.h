/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recognition of fat trees as they are cabled, in the bare graph; they need not be symmetric. The
 * level of a switch is its distance from the switches that have hosts. So trees may have any number
 * of levels, missing cables, islands with fewer uplinks, and end nodes on spines.
 *
 * Siblings are switches of a level that have most of their parents in common. A slot of siblings is
 * a cable that at least half of them have: the n-th parallel cable to a certain parent. A cable is
 * missing if a slot of its switch has none; a cable up that is in no slot is odd.
 */
#ifndef HD_TOPOLOGIES_FAT_TREE_H
#define HD_TOPOLOGIES_FAT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "fabric/fabric.h"

struct hd_error;

struct hd_siblings {
	uint32_t n_members;
	uint32_t n_parents;  /* slots of first cables */
	uint32_t first_slot; /* in slot_parent[]; first cables come before second ones, then by the
				plane of the parent, then by parent */
	uint32_t n_slots;
};

struct hd_fat_tree {
	unsigned n_levels;
	uint8_t *level;     /* [switch] 0: leaves */
	uint32_t *n_at;     /* [level] switches */
	uint32_t *order;    /* [n_switches] switches along the tree: leaves first, with those side
			       by side that share the lower levels; then the others */
	uint32_t *siblings; /* [switch] in sibling[]; HD_NONE: no parents */
	uint32_t *rank;     /* [switch] among its siblings */
	struct hd_siblings *sibling;
	uint32_t n_siblings;
	uint32_t *slot_parent; /* [slot] */
	uint32_t *divider;     /* [switch] destinations that differ below it: the product of
				  n_parents on a path up */

	uint32_t n_missing; /* cables that siblings have, and the first: */
	uint32_t missing[2];
	uint32_t n_odd; /* cables up that siblings do not have, and the first */
	uint32_t odd[2];
	uint32_t n_within; /* links within a level, and the first */
	uint32_t within[2];
	uint32_t n_above;       /* end nodes on switches that are not leaves */
	uint32_t n_aggregation; /* those of them that are SHARP aggregation nodes */
	uint32_t n_apart;       /* pairs of leaves without a path up and down */
};

/*
 * HD_EREFUSED: not a fat tree, with the reason: switches have no levels, or more than an eighth of
 * the pairs of leaves have no path up and down; HD_ENOMEM. Free with hd_fat_tree_free().
 */
int hd_fat_tree_recognise(const struct hd_fabric *fabric, struct hd_fat_tree **tree,
			  struct hd_error *err);

/*
 * The same; the file @no_hosts names end nodes that are no hosts: a switch with only such end nodes
 * is no leaf. Also returns what hd_no_hosts_find() returns.
 */
int hd_fat_tree_recognise_without(const struct hd_fabric *fabric, const char *no_hosts,
				  struct hd_fat_tree **tree, struct hd_error *err);
void hd_fat_tree_free(struct hd_fat_tree *tree);

/* Whether nothing is missing or odd. */
bool hd_fat_tree_is_perfect(const struct hd_fat_tree *tree);

#endif
