// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "check/mixtures.h"
#include "check/rounds.h"
#include "check/steps.h"
#include "support/error.h"
#include "tables/classes.h"
#include "tables/onto.h"

/* Steps beside those of check/steps.h. */
enum {
	AGAIN = HD_STEPS, /* what was not proved when its turn came */
	DROPPED,
};

/* How often a step is split by halves: the first of these that comes to few rounds. */
static const unsigned most_splits[] = { 7, 6, 5, 4, 3, 2, 0 };
#define FEW_ROUNDS 16

struct plan {
	const struct hd_tables *now, *before;
	struct hd_schedule *schedule;
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
struct part {
	unsigned step;
	uint32_t first, end; /* nodes */
	uint32_t first_lid, end_lid;
};

/* Behind the last switch of @part. */
static uint32_t end_switch(const struct plan *plan, const struct part *part)
{
	const uint32_t n = plan->now->fabric->n_switches;

	return part->end < n ? part->end : n;
}

/* Gives what changes in @part its values of @from in the round that is open; false: nothing does. */
static bool apply(struct plan *plan, const struct part *part, const struct hd_tables *from)
{
	const size_t *first_row = plan->now->sl2vl_first;
	bool any = false;

	for (uint32_t s = part->first; s < end_switch(plan, part); s++) {
		const size_t row = s * plan->now->lft_stride;

		for (size_t i = row + part->first_lid; i < row + part->end_lid; i++) {
			if (plan->entry_step[i] != part->step)
				continue;
			plan->next->lft[i] = from->lft[i];
			any = true;
		}
	}
	for (size_t i = first_row[part->first]; i < first_row[part->end]; i++) {
		if (plan->row_step[i] != part->step)
			continue;
		plan->next->sl2vl[i] = from->sl2vl[i];
		any = true;
	}
	return any;
}

/* Notes what changes in @part, now that it is proved: its round, or that it is another step. */
static void note(struct plan *plan, const struct part *part, uint8_t round, uint8_t step)
{
	const size_t *first_row = plan->now->sl2vl_first;

	for (uint32_t s = part->first; s < end_switch(plan, part); s++) {
		const size_t row = s * plan->now->lft_stride;

		for (size_t i = row + part->first_lid; i < row + part->end_lid; i++) {
			if (plan->entry_step[i] != part->step)
				continue;
			plan->schedule->entry_new[i] = round;
			plan->entry_step[i] = step;
		}
	}
	for (size_t i = first_row[part->first]; i < first_row[part->end]; i++) {
		if (plan->row_step[i] != part->step)
			continue;
		plan->schedule->row_new[i] = round;
		plan->row_step[i] = step;
	}
}

static int begin_round(struct plan *plan)
{
	if (plan->schedule->n_rounds == plan->most_rounds)
		return hd_error_set(plan->err, HD_EREFUSED, "it takes more than %u rounds",
				    plan->most_rounds);
	plan->schedule->n_rounds++;
	plan->is_open = true;
	return 0;
}

/* In place of an error: the old tables loop by themselves. */
#define OLD_LOOPS 1

/*
 * Something was not proved, for the first time: whether that is because the old tables loop by
 * themselves. No mixture with them is sound then, and splitting would go on for long.
 */
static int judge_old(struct plan *plan)
{
	bool is_sound;
	int ret;

	if (plan->old_judged)
		return 0;
	plan->old_judged = true;
	ret = hd_mixtures_are_sound(plan->before, plan->before, &is_sound, plan->err);
	plan->schedule->old_loops = !ret && !is_sound;
	return ret ? ret : is_sound ? 0 : OLD_LOOPS;
}

/* Adds @part to the round that is open, or else to a new one; *@done: it is proved. */
static int add(struct plan *plan, const struct part *part, bool *done)
{
	int ret;

	*done = true;
	if (!apply(plan, part, plan->now))
		return 0;
	ret = hd_mixtures_are_sound(plan->next, plan->base, done, plan->err);
	if (!ret && !*done && plan->is_open) {
		/* the round is closed without it */
		apply(plan, part, plan->before);
		hd_rounds_copy(plan->base, plan->next);
		plan->is_open = false;
		apply(plan, part, plan->now);
		ret = hd_mixtures_are_sound(plan->next, plan->base, done, plan->err);
	}
	if (ret)
		return ret;
	if (!*done) {
		apply(plan, part, plan->before);
		return judge_old(plan);
	}
	if (!plan->is_open)
		ret = begin_round(plan);
	if (!ret)
		note(plan, part, (uint8_t)plan->schedule->n_rounds, 0);
	return ret;
}

/* Whether anything changes in @part. */
static bool has_any(const struct plan *plan, const struct part *part)
{
	const size_t *first_row = plan->now->sl2vl_first;

	for (uint32_t s = part->first; s < end_switch(plan, part); s++)
		if (memchr(plan->entry_step + s * plan->now->lft_stride + part->first_lid,
			   (int)part->step, part->end_lid - part->first_lid))
			return true;
	return memchr(plan->row_step + first_row[part->first], (int)part->step,
		      first_row[part->end] - first_row[part->first]);
}

/*
 * Halves @part at the middle of its nodes, and so on in the half that has all that changes,
 * until both have something: the second is returned, with a step of 0 if there is no such middle.
 */
static struct part split(const struct plan *plan, struct part *part)
{
	while (part->end - part->first > 1) {
		struct part low = *part, high = *part;

		low.end = high.first = part->first + (part->end - part->first) / 2;
		if (has_any(plan, &low) && has_any(plan, &high)) {
			*part = low;
			return high;
		}
		*part = has_any(plan, &low) ? low : high;
	}
	return (struct part){ .step = 0 };
}

/* Puts @part into rounds, in halves if need be. What is not proved alone becomes step @failed. */
static int place(struct plan *plan, struct part part, unsigned n_splits, uint8_t failed)
{
	struct part rest;
	bool done;
	int ret = add(plan, &part, &done);

	if (ret || done)
		return ret;
	rest = n_splits ? split(plan, &part) : (struct part){ .step = 0 };
	if (!rest.step) {
		note(plan, &part, 0, failed);
		plan->any_again = true;
		return 0;
	}
	ret = place(plan, part, n_splits - 1, failed);
	return ret ? ret : place(plan, rest, n_splits - 1, failed);
}

static struct part all_rows(const struct plan *plan, unsigned step)
{
	return (struct part){ .step = step, .end = plan->now->fabric->n_nodes };
}

/* LIDs from `first` to `end`: those of hosts, those of switches, or both. */
struct lids {
	uint32_t first, end;
	bool hosts, switches;
};

static bool has_lid(const struct plan *plan, const struct lids *lids, uint32_t lid)
{
	return hd_steps_is_of_switch(plan->now->fabric, lid) ? lids->switches : lids->hosts;
}

/* Takes the entries for @lids out of their rounds again. */
static void take_back(struct plan *plan, const struct lids *lids, unsigned n_rounds, bool is_open)
{
	struct hd_schedule *schedule = plan->schedule;

	for (uint32_t lid = lids->first; lid < lids->end; lid++) {
		if (!plan->due.changes[lid] || !has_lid(plan, lids, lid))
			continue;
		hd_for_each_switch(s, plan->now->fabric) {
			const size_t i = s * plan->now->lft_stride + lid;

			if (!schedule->entry_new[i])
				continue;
			schedule->entry_new[i] = 0;
			plan->entry_step[i] = plan->due.entry[i];
		}
	}
	schedule->n_rounds = n_rounds;
	plan->is_open = is_open;
	hd_rounds_fill(schedule, plan->now, plan->before, n_rounds, plan->next);
	hd_rounds_fill(schedule, plan->now, plan->before, is_open ? n_rounds - 1 : n_rounds,
		       plan->base);
}

/*
 * The steps of entries for @lids, hosts' and switches' of each distance in turn: that behind @step,
 * or the first; 0: there is none.
 */
static unsigned next_step(const struct plan *plan, const struct lids *lids, unsigned step)
{
	const unsigned apart = HD_STEP_SWITCH_ENTRIES - HD_STEP_ENTRIES;

	do {
		if (!step)
			step = HD_STEP_ENTRIES;
		else if (step < HD_STEP_SWITCH_ENTRIES)
			step += apart;
		else if (step - apart + 1 < HD_STEP_SWITCH_ENTRIES)
			step -= apart - 1;
		else
			return 0;
	} while (!plan->due.present[step] ||
		 !(step < HD_STEP_SWITCH_ENTRIES ? lids->hosts : lids->switches));
	return step;
}

/* All nodes' entries of step @step for @lids. */
static struct part entries_of(const struct plan *plan, const struct lids *lids, unsigned step)
{
	return (struct part){ .step = step,
			      .end = plan->now->fabric->n_nodes,
			      .first_lid = lids->first,
			      .end_lid = lids->end };
}

/* Adds entries for @lids, distance by distance; *@done: all are proved. */
static int add_lids(struct plan *plan, const struct lids *lids, bool *done)
{
	unsigned step = next_step(plan, lids, 0);
	int ret = 0;

	for (*done = true; !ret && *done && step; step = next_step(plan, lids, step)) {
		const struct part part = entries_of(plan, lids, step);

		ret = add(plan, &part, done);
	}
	return ret;
}

/* The LID below which half of those of @lids are that have changes; `first`: there are too few. */
static uint32_t find_middle(const struct plan *plan, const struct lids *lids)
{
	uint32_t n = 0;

	for (uint32_t lid = lids->first; lid < lids->end; lid++)
		n += plan->due.changes[lid] && has_lid(plan, lids, lid);
	if (n < 2)
		return lids->first;
	n /= 2;
	for (uint32_t lid = lids->first; lid < lids->end; lid++) {
		if (!n)
			return lid;
		n -= plan->due.changes[lid] && has_lid(plan, lids, lid);
	}
	return lids->first;
}

/* Halves @lids: hosts and switches, or else by number; false: there is but one. */
static bool split_lids(const struct plan *plan, struct lids *lids, struct lids *rest)
{
	const uint32_t middle = find_middle(plan, lids);

	*rest = *lids;
	if (lids->hosts && lids->switches) {
		lids->switches = rest->hosts = false;
		return true;
	}
	lids->end = rest->first = middle;
	return middle != rest->end && lids->end != lids->first;
}

/*
 * Puts the entries for @lids into rounds. If not all distances of all of them are proved, one half
 * of the LIDs goes through all distances, then the other: as long as some switches forward by new
 * entries and some by old ones, packets make turns that no routing has, and the fewer LIDs do so
 * together, the fewer such turns meet. LIDs that are not proved and not split any more go step by
 * step, split by switches.
 */
static int place_lids(struct plan *plan, struct lids lids, unsigned n_splits, uint8_t failed)
{
	const unsigned n_rounds = plan->schedule->n_rounds;
	const bool is_open = plan->is_open;
	struct lids half = lids, rest;
	bool done;
	int ret = add_lids(plan, &lids, &done);

	if (ret || done)
		return ret;
	take_back(plan, &lids, n_rounds, is_open);
	/* that hosts and switches part costs no split */
	if (lids.hosts && lids.switches)
		n_splits++;
	if (n_splits && split_lids(plan, &half, &rest)) {
		ret = place_lids(plan, half, n_splits - 1, failed);
		return ret ? ret : place_lids(plan, rest, n_splits - 1, failed);
	}
	for (unsigned step = next_step(plan, &lids, 0); !ret && step;
	     step = next_step(plan, &lids, step))
		ret = place(plan, entries_of(plan, &lids, step), plan->n_splits, failed);
	return ret;
}

/* Sets what is DROPPED to lead nowhere, from round @round on. */
static void drop(struct plan *plan, uint8_t round)
{
	for (size_t i = 0; i < hd_rounds_lft_size(plan->now); i++)
		if (plan->entry_step[i] == DROPPED) {
			plan->next->lft[i] = HD_NO_PATH;
			plan->schedule->entry_drop[i] = round;
		}
	for (size_t i = 0; i < hd_rounds_n_rows(plan->now); i++)
		if (plan->row_step[i] == DROPPED) {
			plan->next->sl2vl[i] =
				hd_rounds_drop_row(plan->before->sl2vl[i], plan->now->sl2vl[i]);
			plan->schedule->row_drop[i] = round;
		}
}

/* The first round, in which what is DROPPED is dropped. */
static int place_drops(struct plan *plan)
{
	bool is_sound = true;
	int ret = begin_round(plan);

	drop(plan, 1);
	/* ways are taken away: nothing is to be feared but of old tables that loop anyway */
	if (!ret && !plan->schedule->old_loops)
		ret = hd_mixtures_are_sound(plan->next, plan->base, &is_sound, plan->err);
	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED, "no order of rounds was found");
	hd_rounds_copy(plan->base, plan->next);
	plan->is_open = false;
	return ret;
}

/* Puts all steps into rounds, behind that in which what is DROPPED is dropped, if any is. */
static int place_all(struct plan *plan, bool any_dropped)
{
	const struct lids all = { .end = plan->now->fabric->top_lid + 1,
				  .hosts = true,
				  .switches = true };
	int ret = 0;

	plan->schedule->n_rounds = 0;
	plan->is_open = false;
	plan->any_again = false;
	hd_rounds_copy(plan->base, plan->before);
	hd_rounds_copy(plan->next, plan->before);
	if (any_dropped)
		ret = place_drops(plan);
	if (!ret)
		ret = place(plan, all_rows(plan, HD_STEP_EARLY_ROWS), plan->n_splits, AGAIN);
	if (!ret)
		ret = place_lids(plan, all, plan->n_splits, AGAIN);
	for (unsigned step = HD_STEP_ROWS; !ret && step <= HD_STEP_LATE_ROWS; step++)
		ret = place(plan, all_rows(plan, step), plan->n_splits, AGAIN);
	if (ret || !plan->any_again)
		return ret;
	plan->any_again = false;
	for (size_t i = 0; i < hd_rounds_lft_size(plan->now); i++)
		if (plan->entry_step[i] == AGAIN)
			plan->entry_step[i] = plan->due.entry[i];
	ret = place(plan, all_rows(plan, AGAIN), plan->n_splits, DROPPED);
	return ret ? ret : place_lids(plan, all, plan->n_splits, DROPPED);
}

/* The last round of tables: what was dropped gets its new values. */
static int place_dropped(struct plan *plan)
{
	const struct part part = {
		.step = DROPPED,
		.end = plan->now->fabric->n_nodes,
		.end_lid = plan->now->fabric->top_lid + 1,
	};
	bool is_sound;
	int ret;

	hd_rounds_copy(plan->base, plan->next);
	apply(plan, &part, plan->now);
	ret = hd_mixtures_are_sound(plan->next, plan->base, &is_sound, plan->err);
	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED, "no order of rounds was found");
	if (!ret)
		ret = begin_round(plan);
	if (!ret)
		note(plan, &part, (uint8_t)plan->schedule->n_rounds, 0);
	return ret;
}

/* Takes everything out of its round but what is DROPPED, for another try. */
static void begin_again(struct plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;

	memset(schedule->entry_new, 0, hd_rounds_lft_size(plan->now));
	memset(schedule->row_new, 0, hd_rounds_n_rows(plan->now));
	for (size_t i = 0; i < hd_rounds_lft_size(plan->now); i++)
		if (plan->entry_step[i] != DROPPED)
			plan->entry_step[i] = plan->due.entry[i];
	for (size_t i = 0; i < hd_rounds_n_rows(plan->now); i++)
		if (plan->row_step[i] != DROPPED)
			plan->row_step[i] = plan->due.row[i];
}

/* From old tables that loop, nothing but dropping all that changes leads away. */
static void drop_everything(struct plan *plan)
{
	for (size_t i = 0; i < hd_rounds_lft_size(plan->now); i++)
		if (plan->entry_step[i])
			plan->entry_step[i] = DROPPED;
	for (size_t i = 0; i < hd_rounds_n_rows(plan->now); i++)
		if (plan->row_step[i])
			plan->row_step[i] = DROPPED;
}

/*
 * Why something is not proved, if it is that the new tables have a loop by themselves. The rounds
 * of a schedule prove them by the way, so nobody asks before.
 */
static int blame_new(struct plan *plan)
{
	bool is_sound;
	int ret = hd_mixtures_are_sound(plan->now, plan->now, &is_sound, plan->err);

	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED,
				   "the new tables have a loop by themselves");
	return ret;
}

/* Rounds, with ever more that is dropped, until all are proved. */
static int make_rounds(struct plan *plan)
{
	bool any_dropped = false;
	int ret = 0;

	memset(plan->schedule->entry_drop, 0, hd_rounds_lft_size(plan->now));
	memset(plan->schedule->row_drop, 0, hd_rounds_n_rows(plan->now));
	memset(plan->entry_step, 0, hd_rounds_lft_size(plan->now));
	memset(plan->row_step, 0, hd_rounds_n_rows(plan->now));
	while (!ret) {
		begin_again(plan);
		if (any_dropped && plan->schedule->old_loops)
			drop_everything(plan);
		ret = place_all(plan, any_dropped);
		if (!ret && !plan->any_again)
			break;
		if (ret == OLD_LOOPS)
			ret = 0;
		if (!ret && !any_dropped)
			ret = blame_new(plan);
		any_dropped = true;
	}
	if (!ret && any_dropped)
		ret = place_dropped(plan);
	return ret;
}

/* Rather more rounds than dropped packets, and rather dropped packets than very many rounds. */
static int make_few_rounds(struct plan *plan)
{
	const size_t n = sizeof(most_splits) / sizeof(most_splits[0]);
	int ret = hd_steps_find(plan->now, plan->before, &plan->due, plan->err);

	if (!ret)
		ret = HD_EREFUSED;
	for (size_t i = 0; i < n && ret == HD_EREFUSED; i++) {
		plan->n_splits = most_splits[i];
		plan->most_rounds = i + 1 < n ? FEW_ROUNDS : HD_MAX_ROUNDS;
		ret = make_rounds(plan);
	}
	plan->most_rounds = HD_MAX_ROUNDS;
	return ret;
}

/* All at once in one round, where all mixtures are sound. */
static void take_at_once(struct plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;
	bool any = false;

	for (size_t i = 0; i < hd_rounds_lft_size(plan->now); i++) {
		schedule->entry_new[i] = plan->now->lft[i] != plan->before->lft[i];
		any |= schedule->entry_new[i];
	}
	for (size_t i = 0; i < hd_rounds_n_rows(plan->now); i++) {
		schedule->row_new[i] = plan->now->sl2vl[i] != plan->before->sl2vl[i];
		any |= schedule->row_new[i];
	}
	schedule->n_rounds = any;
}

/* The new tables with the old path SLs, and with both. */
static int judge_sls(struct plan *plan, bool *is_sound)
{
	hd_rounds_copy(plan->next, plan->now);
	return hd_mixtures_are_sound(plan->now, plan->next, is_sound, plan->err);
}

static int make(struct plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;
	const bool differ = hd_rounds_sls_differ(plan->now, plan->before);
	bool is_sound = true;
	int ret = hd_mixtures_are_sound(plan->now, plan->before, &is_sound, plan->err);

	schedule->is_at_once = !ret && is_sound;
	if (schedule->is_at_once)
		take_at_once(plan);
	if (!ret && !is_sound && differ) {
		ret = judge_sls(plan, &is_sound);
		schedule->needs_new_sls = !ret && !is_sound;
		if (ret || schedule->needs_new_sls)
			return ret ? ret : blame_new(plan);
	}
	if (!ret && !schedule->is_at_once)
		ret = make_few_rounds(plan);
	if (!ret && differ) {
		if (!schedule->is_at_once || !schedule->n_rounds)
			ret = begin_round(plan);
		schedule->rounds[schedule->n_rounds - 1].path_sls = true;
	}
	if (!ret)
		hd_rounds_count(schedule, plan->now);
	return ret;
}

int hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, struct hd_error *err)
{
	struct plan plan = { .now = now,
			     .before = before,
			     .schedule = schedule,
			     .most_rounds = HD_MAX_ROUNDS,
			     .err = err };
	int ret = 0;

	*schedule = (struct hd_schedule){ .n_rounds = 0 };
	if (now->ar || before->ar)
		return hd_error_set(err, HD_EINVAL, "tables with AR sets are not scheduled");
	if (now->n_lft_unknown)
		return hd_error_set(err, HD_EINVAL, "the new tables lack LFTs");
	if (hd_classes_count_changes(before->classes, now->classes))
		return hd_error_set(err, HD_EINVAL,
				    "the service classes differ: that is not scheduled");
	plan.entry_step = calloc(hd_rounds_lft_size(now) + 1, 1);
	plan.row_step = calloc(hd_rounds_n_rows(now) + 1, 1);
	ret = plan.entry_step && plan.row_step ? hd_rounds_new(schedule, now, err)
					       : hd_error_nomem(err);
	if (!ret)
		ret = hd_tables_onto(before, before->fabric, &plan.base, NULL, err);
	if (!ret)
		ret = hd_tables_onto(before, before->fabric, &plan.next, NULL, err);
	if (!ret)
		ret = make(&plan);
	hd_tables_free(plan.base);
	hd_tables_free(plan.next);
	free(plan.entry_step);
	free(plan.row_step);
	hd_steps_clear(&plan.due);
	if (ret)
		hd_schedule_clear(schedule);
	return ret;
}
