/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The trees of up to 64 destinations, followed together: a set of destinations is a word. Switches
 * forward to most destinations of one part of the fabric alike, so one step takes packets to all
 * destinations that leave a switch by one port and the next switch by one port. check/states.h does
 * the same for one destination, switch by switch.
 *
 * This serves only destinations that packets of every source reach. Those with holes or circles on
 * the way are left to check/states.h. Internal to check/.
 */
#ifndef HD_CHECK_FOREST_H
#define HD_CHECK_FOREST_H

#include "check/states.h"

#define HD_FOREST_TREES 64 /* at most */

/* A set of destinations at a switch whose packets have all come in. */
struct hd_forest_step {
	uint64_t trees;
	uint32_t node;
};

struct hd_forest {
	const struct hd_check_network *network;
	const struct hd_destinations *destinations;

	/* Set by the caller. */
	unsigned n;
	const struct hd_destination *trees[HD_FOREST_TREES];
	const uint8_t *next; /* [switch * HD_FOREST_TREES + tree] LFT entry */
	const uint8_t *sl;   /* [SL row * HD_FOREST_TREES + tree] path SL; of trees with any_source
				not read */

	/* Found. */
	uint64_t whole;    /* trees that packets of all sources reach the root of */
	unsigned max_hops; /* links between switches on the longest path to the root of such a tree,
			      now or before */

	/* Private. */
	uint8_t vl[HD_MAX_VLS * HD_MAX_SLS], place[HD_MAX_VLS * HD_MAX_SLS]; /* of a state */
	unsigned n_states;                                                   /* SLs times VLs */
	uint64_t by_row;          /* trees whose SLs depend on the source's row */
	uint64_t sls[HD_MAX_SLS]; /* [place] the others with that SL */
	uint64_t *roots;          /* [switch] trees that it is the root of */
	uint64_t *live;           /* [switch] trees for which packets come to it */
	uint64_t *open;           /* [switch] of these, those for which not all have come yet */
	uint64_t *sends;          /* [port] trees for which its switch forwards by it */
	uint8_t *outs, *ins;      /* [port] the switch's ports with trees: out, in */
	uint8_t *n_outs, *n_ins;  /* [switch] */
	uint64_t *states;         /* [switch * n_states + VL * SLs + place] trees with packets in
					that state on the next link, from other switches */
	uint64_t *used; /* [switch * HD_STATE_WORDS] bits of states that have trees; others are not
			   set */
	uint64_t *sent; /* [group * SLs + place] what the groups of a switch send */
	struct hd_forest_step *steps; /* each after all that lead to it */
	size_t n_steps;
	uint32_t *queue[2];              /* switches to look at in this round and in the next one */
	bool *is_queued;                 /* [switch] for the next one */
	unsigned depth[HD_FOREST_TREES]; /* links on the longest path to the root */
};

/* HD_ENOMEM. Clear also after an error. */
int hd_forest_init(struct hd_forest *forest, const struct hd_check_network *network,
		   const struct hd_destinations *destinations, struct hd_error *err);
void hd_forest_clear(struct hd_forest *forest);

/*
 * Follows the trees, and adds the states of those that are whole to @usage. Several threads may
 * call this at once, each with its own forest.
 */
void hd_forest_follow(struct hd_forest *forest, struct hd_usage *usage);

#endif
