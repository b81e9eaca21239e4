/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rounds while they are made (change/schedule.h): what is to change, the round that is open, and how
 * parts of the change get into it once they are proved. Internal to check/.
 */
#ifndef HD_CHANGE_PLAN_H
#define HD_CHANGE_PLAN_H

#include "change/rounds.h"
#include "change/steps.h"

/* Steps beside those of change/steps.h. */
enum {
	HD_PLAN_AGAIN = HD_STEPS, /* what was not proved when its turn came */
	HD_PLAN_DROPPED,
};

struct hd_plan {
	const struct hd_tables *now, *before;
	struct hd_schedule *schedule;
	struct hd_change change;
	bool is_prepared;
	struct hd_steps due;
	uint8_t *entry_step; /* [as lft] 0: it has a round */
	uint8_t *row_step;   /* [as sl2vl] */

	struct hd_tables *base; /* behind the last round that is closed */
	struct hd_tables *next; /* with the round that is open */
	bool is_open;           /* the open round, schedule->n_rounds, has changes */
	bool any_again;
	bool old_judged; /* whether the old tables loop by themselves is known */
	unsigned n_splits, most_rounds;
	struct hd_error *err;
};

/* What changes in one step: the rows of some nodes, or their entries for some LIDs. */
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
 * In place of an error: the old tables loop by themselves. No mixture with them is sound then, and
 * splitting would go on for long.
 */
#define HD_PLAN_OLD_LOOPS 1

/* Gets plan->change ready, if it is not. HD_EINVAL: no end port has a LID; HD_ENOMEM. */
int hd_plan_prepare(struct hd_plan *plan);

/*
 * *@is_sound: all mixtures of @a and @b are, tables with entries and rows of now or before or
 * dropped ones, and the path SLs of before. HD_EINVAL: no end port has a LID; HD_ENOMEM.
 */
int hd_plan_prove(struct hd_plan *plan, const struct hd_tables *a, const struct hd_tables *b,
		  bool *is_sound);

/* Copies entries and rows, where tables of a plan can differ. */
void hd_plan_copy(const struct hd_plan *plan, struct hd_tables *to, const struct hd_tables *from);

/* Opens a round. HD_EREFUSED: there are plan->most_rounds of them. */
int hd_plan_begin_round(struct hd_plan *plan);

/* Gives what changes in @part its values of @from in the round that is open; false: nothing does. */
bool hd_plan_apply(struct hd_plan *plan, const struct hd_part *part, const struct hd_tables *from);

/* Whether anything changes in @part. */
bool hd_plan_has_any(const struct hd_plan *plan, const struct hd_part *part);

/* Notes what changes in @part, now that it is proved: its round, or that it is another step. */
void hd_plan_note(struct hd_plan *plan, const struct hd_part *part, uint8_t round, uint8_t step);

/*
 * Adds @part to the round that is open, or else to a new one; *@done: it is proved. HD_EREFUSED,
 * HD_ENOMEM, HD_PLAN_OLD_LOOPS.
 */
int hd_plan_add(struct hd_plan *plan, const struct hd_part *part, bool *done);

/*
 * Puts @part into rounds, in halves if need be, @n_splits times. What is not proved alone becomes
 * step @failed, and plan->any_again. Errors: as above.
 */
int hd_plan_place(struct hd_plan *plan, struct hd_part part, unsigned n_splits, uint8_t failed);

/*
 * Puts the entries for @lids into rounds. If not all distances of all of them are proved, one half
 * of the LIDs goes through all distances, then the other: as long as some switches forward by new
 * entries and some by old ones, packets make turns that no routing has, and the fewer LIDs do so
 * together, the fewer such turns meet. LIDs that are not proved and not split any more go step by
 * step, split by switches. Errors: as above.
 */
int hd_plan_place_lids(struct hd_plan *plan, struct hd_plan_lids lids, unsigned n_splits,
		       uint8_t failed);

/*
 * Puts all entries into rounds, as many of them into each as go together: what comes first may
 * keep others out, so the order of LIDs matters, upward or @is_backward. HD_EREFUSED: some do not
 * go alone, too many rounds, too many proofs; HD_ENOMEM.
 */
int hd_plan_place_greedily(struct hd_plan *plan, bool is_backward);

#endif
