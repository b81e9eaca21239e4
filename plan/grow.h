/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Grows a match of switches along cables. Each cable of a matched node of the plan whose other end
 * is a switch is a vote: for the switch that the same port leads to now, if it arrives there at
 * the planned port number. The pair with the most votes is matched next, the first voted among
 * equals, so the result depends on nothing but the two fabrics.
 */
#ifndef HD_PLAN_GROW_H
#define HD_PLAN_GROW_H

#include "plan/pairs.h"

/* The votes of one pair, and what is found by its key: a hash table. */
struct hd_vote {
	uint64_t pair; /* switch of the plan, switch of now */
	uint32_t n;
	uint32_t run; /* that it belongs to: of another run, the slot is free */
};

/* A heap of pairs, the most votes first. */
struct hd_ballot {
	uint64_t pair;
	uint32_t n, turn;
};

struct hd_grow {
	struct hd_plan_match *match;
	struct hd_vote *votes;
	uint32_t n_slots, n_votes; /* slots: a power of 2 */
	uint32_t run;
	struct hd_ballot *heap;
	uint32_t n_heap, heap_room;
	uint32_t turn;
	uint32_t *grown; /* switches of the plan that this growth has matched, in order */
	uint32_t n_grown;
	uint64_t n_agreed, n_against; /* cables of matched pairs to pairs matched before */
};

/* HD_ENOMEM. End with hd_grow_end(), also after an error. */
int hd_grow_begin(struct hd_grow *grow, struct hd_plan_match *match, struct hd_error *err);
void hd_grow_end(struct hd_grow *grow);

/* Lets the cables of the matched @planned, a switch or an end node, vote. */
int hd_grow_vote(struct hd_grow *grow, uint32_t planned);

/*
 * Matches a pair to start from, unless it is HD_NONE, then at most @most pairs altogether.
 * HD_ENOMEM.
 */
int hd_grow_run(struct hd_grow *grow, uint32_t planned, uint32_t present, uint32_t most);

/* Forgets all votes; hd_grow_undo() also undoes the pairs of this growth. */
void hd_grow_forget(struct hd_grow *grow);
void hd_grow_undo(struct hd_grow *grow);

/*
 * Gives switches of the plan to those of now for which more of their matched neighbours vote,
 * until none is left that would be better elsewhere. Only pairs by structure change. HD_ENOMEM.
 */
int hd_grow_correct(struct hd_plan_match *match);

#endif
