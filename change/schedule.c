// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "change/mixtures.h"
#include "change/plan.h"
#include "support/error.h"
#include "tables/onto.h"

/* How often a step is split by halves: the first of these that comes to few rounds. */
static const unsigned most_splits[] = { 7, 6, 5, 4, 3, 2, 0 };
#define FEW_ROUNDS 16

static struct hd_part all_rows(const struct hd_plan *plan, unsigned step)
{
	return (struct hd_part){ .step = step, .end = plan->now->fabric->n_nodes };
}

/* Sets what is HD_PLAN_DROPPED to lead nowhere, from round @round on. */
static void drop(struct hd_plan *plan, uint8_t round)
{
	const struct hd_change *change = &plan->change;

	hd_for_each_changed_entry(k, change)
		if (plan->entry_step[k] == HD_PLAN_DROPPED) {
			plan->next.entry[k] = HD_NO_PATH;
			plan->schedule->entries.drop[k] = round;
		}
	hd_for_each_changed_row(k, change)
		if (plan->row_step[k] == HD_PLAN_DROPPED) {
			plan->next.row[k] =
				hd_rounds_drop_row(change->before.row[k], change->now.row[k]);
			plan->schedule->rows.drop[k] = round;
		}
}

/* The first round, in which what is HD_PLAN_DROPPED is dropped. */
static int place_drops(struct hd_plan *plan)
{
	bool is_sound = true;
	int ret = hd_plan_begin_round(plan);

	drop(plan, 1);
	/* ways are taken away: nothing is to be feared but of old tables that loop anyway */
	if (!ret && !plan->schedule->old_loops)
		ret = hd_plan_prove(plan, &plan->next, &plan->base, &is_sound);
	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED, "no order of rounds was found");
	hd_values_copy(&plan->change, &plan->base, &plan->next);
	plan->is_open = false;
	return ret;
}

static void begin_rounds(struct hd_plan *plan)
{
	plan->schedule->n_rounds = 0;
	plan->schedule->is_out_of_order = false;
	plan->is_open = false;
	plan->any_again = false;
	hd_values_copy(&plan->change, &plan->base, &plan->change.before);
	hd_values_copy(&plan->change, &plan->next, &plan->change.before);
}

/*
 * Puts all steps into rounds, behind that in which what is HD_PLAN_DROPPED is dropped, if any is.
 */
static int place_all(struct hd_plan *plan, bool any_dropped)
{
	const struct hd_plan_lids all = { .end = plan->now->fabric->top_lid + 1,
					  .hosts = true,
					  .switches = true };
	int ret = 0;

	begin_rounds(plan);
	if (any_dropped)
		ret = place_drops(plan);
	if (!ret)
		ret = hd_plan_place(plan, all_rows(plan, HD_STEP_EARLY_ROWS), plan->n_splits,
				    HD_PLAN_AGAIN);
	if (!ret)
		ret = hd_plan_place_lids(plan, all, plan->n_splits, HD_PLAN_AGAIN);
	for (unsigned step = HD_STEP_ROWS; !ret && step <= HD_STEP_LATE_ROWS; step++)
		ret = hd_plan_place(plan, all_rows(plan, step), plan->n_splits, HD_PLAN_AGAIN);
	if (ret || !plan->any_again)
		return ret;
	plan->any_again = false;
	plan->schedule->is_out_of_order = true;
	hd_for_each_changed_entry(k, &plan->change)
		if (plan->entry_step[k] == HD_PLAN_AGAIN)
			plan->entry_step[k] = plan->due.entry[k];
	ret = hd_plan_place(plan, all_rows(plan, HD_PLAN_AGAIN), plan->n_splits, HD_PLAN_DROPPED);
	return ret ? ret : hd_plan_place_lids(plan, all, plan->n_splits, HD_PLAN_DROPPED);
}

/* The last round of tables: what was dropped gets its new values. */
static int place_dropped(struct hd_plan *plan)
{
	const struct hd_part part = {
		.step = HD_PLAN_DROPPED,
		.end = plan->now->fabric->n_nodes,
		.end_lid = plan->now->fabric->top_lid + 1,
	};
	bool is_sound;
	int ret;

	hd_values_copy(&plan->change, &plan->base, &plan->next);
	hd_plan_apply(plan, &part, &plan->change.now);
	ret = hd_plan_prove(plan, &plan->next, &plan->base, &is_sound);
	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED, "no order of rounds was found");
	if (!ret)
		ret = hd_plan_begin_round(plan);
	if (!ret)
		hd_plan_note(plan, &part, (uint8_t)plan->schedule->n_rounds, 0);
	return ret;
}

/* Takes everything out of its round but what is HD_PLAN_DROPPED, for another try. */
static void begin_again(struct hd_plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;

	hd_for_each_changed_entry(k, &plan->change) {
		schedule->entries.new[k] = 0;
		if (plan->entry_step[k] != HD_PLAN_DROPPED)
			plan->entry_step[k] = plan->due.entry[k];
	}
	hd_for_each_changed_row(k, &plan->change) {
		schedule->rows.new[k] = 0;
		if (plan->row_step[k] != HD_PLAN_DROPPED)
			plan->row_step[k] = plan->due.row[k];
	}
}

/* From old tables that loop, nothing but dropping all that changes leads away. */
static void drop_everything(struct hd_plan *plan)
{
	hd_for_each_changed_entry(k, &plan->change)
		if (plan->entry_step[k])
			plan->entry_step[k] = HD_PLAN_DROPPED;
	hd_for_each_changed_row(k, &plan->change)
		if (plan->row_step[k])
			plan->row_step[k] = HD_PLAN_DROPPED;
}

/*
 * Why something is not proved, if it is that the new tables have a loop by themselves. The rounds
 * of a schedule prove them by the way, so nobody asks before.
 */
static int blame_new(struct hd_plan *plan)
{
	bool is_sound;
	int ret = hd_mixtures_are_sound(plan->now, plan->now, &is_sound, plan->err);

	if (!ret && !is_sound)
		ret = hd_error_set(plan->err, HD_EREFUSED,
				   "the new tables have a loop by themselves");
	return ret;
}

/* Takes everything out of its round. */
static void begin(struct hd_plan *plan)
{
	const struct hd_schedule *schedule = plan->schedule;

	memset(schedule->entries.drop, 0, schedule->entries.n);
	memset(schedule->rows.drop, 0, schedule->rows.n);
	memset(plan->entry_step, 0, plan->change.n_entries);
	memset(plan->row_step, 0, plan->change.n_rows);
}

/* Rounds, with ever more that is dropped, until all are proved; *@dropped: something is. */
static int make_rounds(struct hd_plan *plan, bool *dropped)
{
	bool any_dropped = false;
	int ret = 0;

	begin(plan);
	while (!ret) {
		begin_again(plan);
		if (any_dropped && plan->schedule->old_loops)
			drop_everything(plan);
		ret = place_all(plan, any_dropped);
		if (!ret && !plan->any_again)
			break;
		if (ret == HD_PLAN_OLD_LOOPS)
			ret = 0;
		if (!ret && !any_dropped)
			ret = blame_new(plan);
		any_dropped = true;
	}
	if (!ret && any_dropped)
		ret = place_dropped(plan);
	*dropped = any_dropped;
	return ret;
}

/*
 * Rounds in which an entry follows only those that change on its way, so that there are few.
 * Nothing is split, tried again or dropped: HD_EREFUSED, if any step is not proved.
 */
static int make_fewest_rounds(struct hd_plan *plan)
{
	const struct hd_plan_lids all = { .end = plan->now->fabric->top_lid + 1,
					  .hosts = true,
					  .switches = true };
	const struct hd_part early = all_rows(plan, HD_STEP_EARLY_ROWS);
	bool done;
	int ret;

	begin(plan);
	begin_again(plan);
	begin_rounds(plan);
	ret = hd_plan_add(plan, &early, &done);
	if (!ret && done)
		ret = hd_plan_add_lids(plan, &all, &done);
	for (unsigned step = HD_STEP_ROWS; !ret && done && step <= HD_STEP_LATE_ROWS; step++) {
		const struct hd_part rows = all_rows(plan, step);

		ret = hd_plan_add(plan, &rows, &done);
	}
	if (ret == HD_PLAN_OLD_LOOPS)
		plan->old_judged = false;
	return ret == HD_PLAN_OLD_LOOPS || (!ret && !done) ? HD_EREFUSED : ret;
}

/*
 * Rounds in which nothing is dropped, by many proofs (change/plan_greedy.c). HD_EREFUSED: none are
 * found.
 */
static int make_greedy_rounds(struct hd_plan *plan, bool is_backward)
{
	const unsigned most_rounds = plan->most_rounds;
	int ret;

	begin(plan);
	begin_again(plan);
	begin_rounds(plan);
	plan->most_rounds = FEW_ROUNDS;
	ret = hd_plan_place(plan, all_rows(plan, HD_STEP_EARLY_ROWS), plan->n_splits,
			    HD_PLAN_AGAIN);
	if (!ret)
		ret = hd_plan_place_greedily(plan, is_backward);
	for (unsigned step = HD_STEP_ROWS; !ret && step <= HD_STEP_LATE_ROWS; step++)
		ret = hd_plan_place(plan, all_rows(plan, step), plan->n_splits, HD_PLAN_AGAIN);
	plan->most_rounds = most_rounds;
	return !ret && plan->any_again ? HD_EREFUSED : ret;
}

/*
 * Rounds in the order of distances in links, without drops, fewer than the @n that there are by
 * distances in entries that change; if none are found, these @n again.
 */
static int make_fewer_rounds(struct hd_plan *plan, unsigned n)
{
	int ret = hd_steps_by_links(&plan->change, plan->now, &plan->due, plan->err);

	plan->most_rounds = n - 1;
	plan->n_splits = most_splits[0];
	begin(plan);
	begin_again(plan);
	if (!ret)
		ret = place_all(plan, false);
	plan->most_rounds = FEW_ROUNDS;
	if (ret && ret != HD_EREFUSED)
		return ret;
	if (!ret && !plan->any_again)
		return 0;
	hd_steps_clear(&plan->due);
	ret = hd_steps_find(&plan->change, plan->now, plan->before, &plan->due, plan->err);
	return ret ? ret : make_fewest_rounds(plan);
}

/* Rounds by many ways, the quickest and those that drop least first. */
static int search_rounds(struct hd_plan *plan)
{
	const size_t n = sizeof(most_splits) / sizeof(most_splits[0]);
	bool dropped = false;
	int ret = HD_EREFUSED;

	for (size_t i = 0; i < n && ret == HD_EREFUSED; i++) {
		plan->n_splits = most_splits[i];
		plan->most_rounds = i + 1 < n ? FEW_ROUNDS : HD_MAX_ROUNDS;
		ret = make_rounds(plan, &dropped);
		if (ret || !dropped || plan->schedule->old_loops)
			continue;
		ret = make_greedy_rounds(plan, false);
		if (ret == HD_EREFUSED)
			ret = make_greedy_rounds(plan, true);
		if (ret == HD_EREFUSED)
			ret = make_rounds(plan, &dropped);
	}
	return ret;
}

/* Rather more rounds than dropped packets, and rather dropped packets than very many rounds. */
static int make_few_rounds(struct hd_plan *plan)
{
	int ret = hd_plan_prepare(plan);

	if (!ret)
		ret = hd_steps_find(&plan->change, plan->now, plan->before, &plan->due, plan->err);
	plan->most_rounds = FEW_ROUNDS;
	if (!ret)
		ret = make_fewest_rounds(plan);
	/* what is not safe at once takes two */
	if (!ret && plan->schedule->n_rounds > 2)
		ret = make_fewer_rounds(plan, plan->schedule->n_rounds);
	if (ret == HD_EREFUSED) {
		ret = hd_steps_by_links(&plan->change, plan->now, &plan->due, plan->err);
		if (!ret)
			ret = search_rounds(plan);
	}
	plan->most_rounds = HD_MAX_ROUNDS;
	return ret;
}

/* All at once in one round, where all mixtures are sound. */
static void take_at_once(struct hd_plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;

	memset(schedule->entries.new, 1, schedule->entries.n);
	memset(schedule->rows.new, 1, schedule->rows.n);
	schedule->n_rounds = schedule->entries.n || schedule->rows.n;
}

/* The new tables with the old path SLs, and with both. */
static int judge_sls(struct hd_plan *plan, bool *is_sound)
{
	struct hd_tables *by_old_sls;
	int ret = hd_tables_onto_entries(plan->before, plan->now, &by_old_sls, plan->err);

	if (!ret)
		ret = hd_mixtures_are_sound(plan->now, by_old_sls, is_sound, plan->err);
	hd_tables_free(by_old_sls);
	return ret;
}

/* What rounds are tried in. */
static int make_values(struct hd_plan *plan)
{
	int ret = hd_values_of(&plan->change, plan->before, &plan->base, plan->err);

	return ret ? ret : hd_values_of(&plan->change, plan->before, &plan->next, plan->err);
}

static int make(struct hd_plan *plan)
{
	struct hd_schedule *schedule = plan->schedule;
	const bool differ = hd_rounds_sls_differ(plan->now, plan->before);
	bool is_sound = true;
	int ret = differ ? hd_mixtures_are_sound(plan->now, plan->before, &is_sound, plan->err)
			 : hd_plan_prove(plan, &plan->change.now, &plan->change.before, &is_sound);

	schedule->is_at_once = !ret && is_sound;
	if (schedule->is_at_once)
		take_at_once(plan);
	else if (!ret)
		ret = make_values(plan);
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
			ret = hd_plan_begin_round(plan);
		schedule->rounds[schedule->n_rounds - 1].path_sls = true;
	}
	if (!ret)
		hd_rounds_count(schedule, plan->now);
	return ret;
}

int hd_schedule_make_static(const struct hd_tables *now, const struct hd_tables *before,
			    struct hd_schedule *schedule, struct hd_error *err)
{
	struct hd_plan plan = { .now = now,
				.before = before,
				.schedule = schedule,
				.most_rounds = HD_MAX_ROUNDS,
				.err = err };
	int ret = hd_rounds_new(schedule, now, before, err);

	plan.entry_step = calloc(schedule->entries.n + 1, 1);
	plan.row_step = calloc(schedule->rows.n + 1, 1);
	if (!ret && (!plan.entry_step || !plan.row_step))
		ret = hd_error_nomem(err);
	if (!ret)
		ret = hd_change_init(&plan.change, schedule, now, before, err);
	if (!ret)
		ret = make(&plan);
	hd_values_clear(&plan.base);
	hd_values_clear(&plan.next);
	free(plan.entry_step);
	free(plan.row_step);
	hd_steps_clear(&plan.due);
	hd_change_clear(&plan.change);
	if (ret)
		hd_schedule_clear(schedule);
	return ret;
}
