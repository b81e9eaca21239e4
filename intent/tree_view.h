/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What trees of paths (intent/lid_tree.h) have in common: links, marks of switches, columns of
 * LFTs.
 */
#ifndef HD_INTENT_TREE_VIEW_H
#define HD_INTENT_TREE_VIEW_H

#include "intent/rule_sets.h"
#include "tables/tables.h"

struct hd_error;

struct hd_tree_view {
	const struct hd_tables *tables;
	const struct hd_members *members;
	uint32_t stride; /* ports of the largest switch, and one */
	uint32_t *to;    /* [switch * stride + port] the switch at the other end; HD_NONE */
	uint32_t *link;  /* [likewise] the lower port of the two ends */
	unsigned words;  /* of marks */
	uint64_t *marks; /* [switch * words] what a packet has passed that comes to the switch */
	/*
	 * bits of marks that depend on the LID: another rail, another group. HD_NONE: nobody asks
	 */
	uint32_t rail_bit, group_bit;
	uint32_t first_lid, n_lids; /* those whose columns are here */
	uint8_t *columns;           /* [(LID - first_lid) * n_switches + switch] */
};

/* Makes room for @n_marks marks, all 0. HD_ENOMEM. Clear in any case. */
int hd_tree_view_init(struct hd_tree_view *view, const struct hd_tables *tables,
		      const struct hd_members *members, uint32_t n_marks, struct hd_error *err);
void hd_tree_view_clear(struct hd_tree_view *view);

/* The columns of @n LIDs from @lid on stay until the next call. */
void hd_tree_view_load(struct hd_tree_view *view, uint32_t lid, uint32_t n);

/* What packets to the LIDs of port @owner pass when they come to switch @s. */
void hd_tree_take_marks(const struct hd_tree_view *view, uint32_t owner, uint32_t s,
			uint64_t *marks);

static inline bool hd_marks_have(const struct hd_tree_view *view, const uint64_t *marks, uint32_t s,
				 uint32_t bit)
{
	return marks[s * (size_t)view->words + bit / 64] >> bit % 64 & 1;
}

#endif
