// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "support/error.h"
#include "tables/snapshot.h"
#include "tools/open_input.h"
#include "tools/watch/watch_state.h"

#define NS_PER_S UINT64_C(1000000000)

const char *const hd_watch_step_names[HD_WATCH_N_STEPS] = {
	[HD_WATCH_DISCOVERY] = "discovery",
	[HD_WATCH_TABLES] = "tables",
	[HD_WATCH_PROOF] = "proof",
	[HD_WATCH_COMPARISON] = "comparison",
};

const char *const hd_watch_scope_names[HD_WATCH_N_SCOPES] = {
	[HD_CHECK_ALL] = "all",
	[HD_CHECK_HOSTS] = "hosts",
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void reading_clear(struct hd_watch_reading *reading)
{
	hd_tables_free(reading->tables);
	hd_fabric_free(reading->fabric);
	*reading = (struct hd_watch_reading){ 0 };
}

static int compare(const struct hd_watch *watch, const struct hd_watch_reading *reading,
		   struct hd_watch_facts *facts, struct hd_watch_changes *changes,
		   struct hd_error *err)
{
	int ret = 0;

	if (watch->last.tables)
		ret = hd_watch_compare(&watch->last, reading, changes, err);
	if (ret || !watch->plan)
		return ret;
	ret = hd_watch_compare_plan(watch->plan, reading->fabric, &facts->plan, err);
	facts->has_plan = !ret;
	return ret;
}

/* One look at the fabric: returns the step that failed. */
static enum hd_watch_step look(struct hd_watch *watch, struct hd_watch_reading *reading,
			       struct hd_watch_facts *facts)
{
	const struct hd_watch_options *options = watch->options;
	struct hd_error *err = &watch->err;
	bool is_discovered;

	watch->changes = (struct hd_watch_changes){ 0 };
	*facts = (struct hd_watch_facts){ 0 };
	if (hd_live_read_apart(&options->live, !options->common.verbose, watch->ends,
			       watch->guard.hold ? &watch->guard : NULL, &reading->fabric,
			       &reading->tables, &is_discovered, err))
		return is_discovered ? HD_WATCH_TABLES : HD_WATCH_DISCOVERY;
	if (hd_input_name(reading->fabric, &options->common, err))
		return HD_WATCH_TABLES;
	if (hd_watch_judge(reading, facts, err))
		return HD_WATCH_PROOF;
	if (compare(watch, reading, facts, &watch->changes, err))
		return HD_WATCH_COMPARISON;
	return HD_WATCH_N_STEPS;
}

/* A tenth of the interval, a second at most. */
static void pause_shortly(const struct hd_watch *watch)
{
	const uint64_t tenth = watch->options->interval / 10;
	const uint64_t ns = tenth < NS_PER_S ? tenth : NS_PER_S;
	const struct timespec time = { .tv_sec = (time_t)(ns / NS_PER_S),
				       .tv_nsec = (long)(ns % NS_PER_S) };

	nanosleep(&time, NULL);
}

/* Whether a signal wants the rounds to end. */
static bool is_ending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1;
}

/*
 * Whether to look once more: what is wrong was not so before. Tables that are read while they
 * change are some of before and some of after the change.
 */
static bool is_doubtful(const struct hd_watch *watch, enum hd_watch_step step,
			const struct hd_watch_facts *facts)
{
	const enum hd_check_scope scope = watch->options->scope;

	if (is_ending())
		return false;
	if (step <= HD_WATCH_TABLES)
		return hd_watch_is_done(watch);
	return step == HD_WATCH_N_STEPS && !facts->is_sound[scope] &&
	       (!watch->has_facts || watch->facts.is_sound[scope]);
}

static void add_changes(struct hd_watch_totals *totals, const struct hd_diff *diff)
{
	totals->nodes_added += diff->nodes_added;
	totals->nodes_removed += diff->nodes_removed;
	totals->links_added += diff->links_added;
	totals->links_removed += diff->links_removed;
	totals->ports_moved += diff->ports_moved;
	totals->lids_changed += diff->lids_changed;
	totals->lft_entries += diff->lft_entries;
	totals->sl2vl_rows += diff->sl2vl_rows;
	totals->pairs_changed += diff->pairs_changed;
	totals->pairs_lost += diff->pairs_lost;
}

static void count_round(struct hd_watch *watch)
{
	watch->totals.rounds++;
	if (!hd_watch_is_done(watch))
		watch->totals.failed[watch->step]++;
	watch->totals.changed += watch->changes.is_any;
	add_changes(&watch->totals, &watch->changes.diff);
}

/* A fabric that cannot be compared with its plan is known all the same. */
static void keep(struct hd_watch *watch, struct hd_watch_reading *reading,
		 const struct hd_watch_facts *facts)
{
	if (watch->step < HD_WATCH_COMPARISON) {
		reading_clear(reading);
		return;
	}
	reading_clear(&watch->last);
	watch->last = *reading;
	watch->facts = *facts;
	watch->has_facts = true;
	watch->judged = watch->ended;
}

static void read_status(struct hd_watch *watch)
{
	struct hd_error err;

	if (watch->options->status)
		watch->has_status = !hd_status_read(watch->options->status, &watch->status, &err);
}

bool hd_watch_round(struct hd_watch *watch)
{
	struct hd_watch_reading reading = { 0 };
	struct hd_watch_facts facts;
	enum hd_watch_step step;

	watch->begun = now();
	step = look(watch, &reading, &facts);
	if (is_doubtful(watch, step, &facts)) {
		reading_clear(&reading);
		pause_shortly(watch);
		step = look(watch, &reading, &facts);
	}
	if (step <= HD_WATCH_TABLES && is_ending())
		return false;
	watch->step = step;
	watch->ended = now();
	read_status(watch);
	count_round(watch);
	keep(watch, &reading, &facts);
	return true;
}

bool hd_watch_is_as_planned(const struct hd_watch_facts *facts)
{
	for (int kind = 0; kind < HD_N_FINDINGS; kind++)
		if (facts->plan.n_of[kind])
			return false;
	return true;
}

int hd_watch_verdict(const struct hd_watch *watch)
{
	const struct hd_watch_facts *facts = &watch->facts;

	if (!hd_watch_is_done(watch))
		return HD_EXIT_UNUSABLE;
	return facts->is_sound[watch->options->scope] && hd_watch_is_as_planned(facts) ? HD_EXIT_YES
										       : HD_EXIT_NO;
}

void hd_watch_clear(struct hd_watch *watch)
{
	reading_clear(&watch->last);
	hd_cable_plan_free(watch->plan);
	free(watch->said);
}
