/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All paths to one LID: where each switch sends its packets, how far it is, and what packets pass
 * from there on. One pass over the switches, the nearest first, gives this for all of them; so
 * rules cost a step for each pair of switch and LID, not a walk for each pair of ports.
 */
#ifndef HD_INTENT_LID_TREE_H
#define HD_INTENT_LID_TREE_H

#include "intent/tree_view.h"

struct hd_error;

/* In place of a number of hops. */
#define HD_TREE_LOST    0xFFFFu /* packets do not arrive */
#define HD_TREE_UNKNOWN 0xFFFEu /* packets come to a switch whose LFT is not known */
/* and while the tree grows */
#define HD_TREE_UNSEEN  0xFFFDu
#define HD_TREE_ON_PATH 0xFFFCu

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

/* HD_ENOMEM. Clear in any case. */
int hd_lid_tree_init(struct hd_lid_tree *tree, const struct hd_tree_view *view,
		     struct hd_error *err);
void hd_lid_tree_clear(struct hd_lid_tree *tree);

/* Grows the tree of @lid, whose column is loaded and whose owner a switch leads to. */
void hd_lid_tree_grow(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t lid);

/* What is common to the @n switches @at. Gives no more than all_arrive if some do not. */
void hd_lid_tree_sum_up(struct hd_lid_tree *tree, const struct hd_tree_view *view,
			const uint32_t *at, uint32_t n);

/* The same of a tree with choices. Internal to hd_lid_tree_grow(). */
void hd_lid_tree_grow_choices(struct hd_lid_tree *tree, const struct hd_tree_view *view);

/*
 * The next switch from @s towards the LID by LFTs; HD_NONE: the LID is there, or packets are lost.
 */
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

/* A choice of @s, whose packets arrive, behind which packets may pass @mark; HD_NONE: none. */
uint32_t hd_lid_tree_towards(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t s,
			     uint32_t mark);

#endif
