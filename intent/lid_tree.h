/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All paths to one LID: where each switch sends its packets, how far it is, and what packets pass
 * from there on. One pass over the switches, the nearest first, gives this for all of them; so
 * rules cost a step for each pair of switch and LID, not a walk for each pair of ports.
 */
#ifndef HD_INTENT_LID_TREE_H
#define HD_INTENT_LID_TREE_H

#include "intent/rule_sets.h"
#include "tables/tables.h"

struct hd_error;

/* In place of a number of hops. */
#define HD_TREE_LOST    0xFFFFu /* packets do not arrive */
#define HD_TREE_UNKNOWN 0xFFFEu /* packets come to a switch whose LFT is not known */
/* and while the tree grows */
#define HD_TREE_UNSEEN  0xFFFDu
#define HD_TREE_ON_PATH 0xFFFCu

/* What is the same for all LIDs. */
struct hd_tree_view {
	const struct hd_tables *tables;
	const struct hd_members *members;
	uint32_t stride; /* ports of the largest switch, and one */
	uint32_t *to;    /* [switch * stride + port] the switch at the other end; HD_NONE */
	uint32_t *link;  /* [likewise] the lower port of the two ends */
	unsigned words;  /* of marks */
	uint64_t *marks; /* [switch * words] what a packet has passed that comes to the switch */
	/* bits of marks that depend on the LID: another rail, another group. HD_NONE: nobody asks */
	uint32_t rail_bit, group_bit;
	uint32_t first_lid, n_lids; /* those whose columns are here */
	uint8_t *columns;           /* [(LID - first_lid) * n_switches + switch] */
};

struct hd_lid_tree {
	uint32_t lid;
	const uint8_t *out; /* [switch] entry for the LID */
	/* [switch] links between switches from there on, by the longest and the shortest choice */
	uint16_t *longest, *shortest;
	/* [switch * words] what packets pass by some choice, and by every choice */
	uint64_t *some, *every;
	uint32_t *order; /* switches whose packets arrive, the nearest first */
	uint32_t n_order;
	uint32_t *stack;
	uint64_t *own; /* [words] */
	/* of the switches that hd_lid_tree_sum_up() was given */
	struct hd_tree_sum {
		bool all_arrive;
		uint16_t longest, shortest;
		uint64_t *some, *every; /* [words] */
	} sum;
	bool shares; /* there is no choice: the pairs above are the same arrays */
};

/* Makes room for @n_marks marks, all 0. HD_ENOMEM. Clear in any case. */
int hd_tree_view_init(struct hd_tree_view *view, const struct hd_tables *tables,
		      const struct hd_members *members, uint32_t n_marks, struct hd_error *err);
void hd_tree_view_clear(struct hd_tree_view *view);

/* HD_ENOMEM. Clear in any case. */
int hd_lid_tree_init(struct hd_lid_tree *tree, const struct hd_tree_view *view,
		     struct hd_error *err);
void hd_lid_tree_clear(struct hd_lid_tree *tree);

/* The columns of @n LIDs from @lid on stay until the next call. */
void hd_tree_view_load(struct hd_tree_view *view, uint32_t lid, uint32_t n);

/* Grows the tree of @lid, whose column is loaded and whose owner a switch leads to. */
void hd_lid_tree_grow(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t lid);

/* What is common to the @n switches @at. Gives no more than all_arrive if some do not. */
void hd_lid_tree_sum_up(struct hd_lid_tree *tree, const struct hd_tree_view *view,
			const uint32_t *at, uint32_t n);

/* The same of a tree with choices. Internal to hd_lid_tree_grow(). */
void hd_lid_tree_grow_choices(struct hd_lid_tree *tree, const struct hd_tree_view *view);

/* What packets to the LIDs of port @owner pass when they come to switch @s. */
void hd_tree_take_marks(const struct hd_tree_view *view, uint32_t owner, uint32_t s,
			uint64_t *marks);

/* The next switch from @s towards the LID by LFTs; HD_NONE: the LID is there, or packets are lost. */
static inline uint32_t hd_tree_next(const struct hd_tree_view *view, const struct hd_lid_tree *tree,
				    uint32_t s)
{
	const uint8_t out = tree->out[s];

	return out < view->stride ? view->to[s * (size_t)view->stride + out] : HD_NONE;
}

static inline bool hd_tree_arrives(const struct hd_lid_tree *tree, uint32_t s)
{
	return tree->longest[s] < HD_TREE_UNKNOWN;
}

static inline bool hd_marks_have(const struct hd_tree_view *view, const uint64_t *marks, uint32_t s,
				 uint32_t bit)
{
	return marks[s * (size_t)view->words + bit / 64] >> bit % 64 & 1;
}

/* A choice of @s, whose packets arrive, behind which packets may pass @mark; HD_NONE: none. */
uint32_t hd_lid_tree_towards(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t s,
			     uint32_t mark);

#endif
