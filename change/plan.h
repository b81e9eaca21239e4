/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Planning of rounds (change/schedule.h): the rest of the change, the open round, and the functions
 * that prove a part of the change and add it to the round. Internal to change/.
 */
#ifndef HD_CHANGE_PLAN_H
#define HD_CHANGE_PLAN_H

#include "change/rounds.h"
#include "change/steps.h"

/* Steps beside those of change/steps.h. */
enum {
	HD_PLAN_AGAIN = HD_STEPS, /* parts that were not proved when their step came */
	HD_PLAN_DROPPED,
};

struct hd_plan {
	const struct hd_tables *now, *before;
	struct hd_schedule *schedule;
	struct hd_change change;
	bool is_prepared;
	struct hd_steps due;
	/* [place in the lists of what changes] 0: it has a round */
	uint8_t *entry_step, *row_step;

	struct hd_values base; /* after the last closed round */
	struct hd_values next; /* with the open round */
	bool is_open;          /* the open round, schedule->n_rounds, has changes */
	bool any_again;
	bool old_judged; /* it is known whether the old tables loop by themselves */
	unsigned n_splits, most_rounds;
	struct hd_error *err;
};

/* A part of one step: the rows of some nodes, or their entries for some LIDs. */
struct hd_part {
	unsigned step;
	uint32_t first, end; /* nodes */
	uint32_t first_lid, end_lid;
};

/* LIDs from `first` to `end`: those of hosts, those of switches, or both. */
struct hd_plan_lids {
	uint32_t first, end;
	bool hosts, switches;
};

/*
 * Result in place of an error: the old tables loop by themselves. Then no mixture with them is
 * sound, and splitting would take long in vain.
 */
#define HD_PLAN_OLD_LOOPS 1

/* Prepares plan->change, if it is not prepared. HD_EINVAL: no end port has a LID; HD_ENOMEM. */
int hd_plan_prepare(struct hd_plan *plan);

/*
 * *@is_sound: all mixtures of @a and @b are sound. Entries and rows of @a and @b are old, new or
 * dropped; path SLs are old. HD_EINVAL: no end port has a LID; HD_ENOMEM.
 */
int hd_plan_prove(struct hd_plan *plan, const struct hd_values *a, const struct hd_values *b,
		  bool *is_sound);

/* Opens a round. HD_EREFUSED: there are plan->most_rounds already. */
int hd_plan_begin_round(struct hd_plan *plan);

/*
 * Gives entries and rows of @part that change their values of @from, in the open round; false: none
 * changes.
 */
bool hd_plan_apply(struct hd_plan *plan, const struct hd_part *part, const struct hd_values *from);

/* Whether anything changes in @part. */
bool hd_plan_has_any(const struct hd_plan *plan, const struct hd_part *part);

/* Notes that @part is proved: its round, or else its new step. */
void hd_plan_note(struct hd_plan *plan, const struct hd_part *part, uint8_t round, uint8_t step);

/*
 * Adds @part to the open round, or else to a new one; *@done: @part is proved. HD_EREFUSED,
 * HD_ENOMEM, HD_PLAN_OLD_LOOPS.
 */
int hd_plan_add(struct hd_plan *plan, const struct hd_part *part, bool *done);

/*
 * Puts @part into rounds, if necessary in halves, split @n_splits times. Parts that are not proved
 * alone get step @failed, and plan->any_again is set. Errors: as above.
 */
int hd_plan_place(struct hd_plan *plan, struct hd_part part, unsigned n_splits, uint8_t failed);

/*
 * Adds the entries for @lids, distance by distance, hosts' first; *@done: all are proved. Errors:
 * as above.
 */
int hd_plan_add_lids(struct hd_plan *plan, const struct hd_plan_lids *lids, bool *done);

/*
 * Puts the entries for @lids into rounds. If not all distances of all of them are proved, one half
 * of the LIDs goes through all distances, then the other half. The reason: while some switches
 * forward by new entries and some by old ones, packets make turns that neither routing has; with
 * fewer LIDs at once, fewer such turns meet. LIDs that are neither proved nor split any more go
 * step by step, split by switches. Errors: as above.
 */
int hd_plan_place_lids(struct hd_plan *plan, struct hd_plan_lids lids, unsigned n_splits,
		       uint8_t failed);

/*
 * Puts all entries into rounds, as many into each as are proved together. Entries that come first
 * may keep others out, so the order of LIDs matters: upward, or downward if @is_backward.
 * HD_EREFUSED: an entry is not proved alone, too many rounds, too many proofs; HD_ENOMEM.
 */
int hd_plan_place_greedily(struct hd_plan *plan, bool is_backward);

#endif
