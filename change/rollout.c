// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/rollout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/lid_changes.h"
#include "change/rounds.h"
#include "change/send_order.h"
#include "change/lid_ways.h"
#include "support/error.h"
#include "tables/classes.h"

static const struct {
	const char *name, *waits_for;
} words[] = {
	[HD_ROLLOUT_IDLE] = { "idle", "nothing" },
	[HD_ROLLOUT_LINKS] = { "links", "new links to become active" },
	[HD_ROLLOUT_URGENT] = { "urgent", "switches to confirm entries that stop losses" },
	[HD_ROLLOUT_ROUND] = { "round", "switches to confirm the round" },
	[HD_ROLLOUT_STOPPED] = { "stopped", "the next sweep, which reads what switches hold" },
};

const char *hd_rollout_state_name(enum hd_rollout_state state)
{
	return words[state].name;
}

const char *hd_rollout_waits_for(enum hd_rollout_state state)
{
	return words[state].waits_for;
}

static void enter(struct hd_rollout *rollout, enum hd_rollout_state state, double now)
{
	rollout->state = state;
	rollout->since = now;
}

static void drop_plan(struct hd_rollout *rollout)
{
	hd_schedule_clear(&rollout->schedule);
	hd_tables_free(rollout->before);
	rollout->before = NULL;
	rollout->round = 0;
}

void hd_rollout_stop(struct hd_rollout *rollout, double now)
{
	drop_plan(rollout);
	if (rollout->state != HD_ROLLOUT_IDLE && rollout->state != HD_ROLLOUT_STOPPED)
		enter(rollout, HD_ROLLOUT_STOPPED, now);
}

void hd_rollout_clear(struct hd_rollout *rollout)
{
	drop_plan(rollout);
}

void hd_rollout_end(struct hd_rollout *rollout, double now)
{
	drop_plan(rollout);
	rollout->n_waits = 0;
	rollout->n_failures = 0;
	rollout->doubt[0] = '\0';
	if (rollout->state != HD_ROLLOUT_IDLE)
		enter(rollout, HD_ROLLOUT_IDLE, now);
}

static bool nothing_changes(const struct hd_tables *now, const struct hd_tables *before)
{
	const struct hd_fabric *fabric = now->fabric;

	return memcmp(now->lft, before->lft, fabric->n_switches * now->lft_stride) == 0 &&
	       memcmp(now->sl2vl, before->sl2vl,
		      now->sl2vl_first[fabric->n_nodes] * sizeof(*now->sl2vl)) == 0;
}

/* Notes what is not proved of a schedule that has rounds for @cause, or NULL. */
static void note_doubt(struct hd_rollout *rollout, const char *cause, bool is_proved)
{
	const bool old_loops = rollout->schedule.old_loops;
	const char *doubt = "";

	if (!is_proved && old_loops)
		doubt = "neither dropping nor the new tables with the old path SLs are proved";
	else if (!is_proved)
		doubt = "the new tables with the old path SLs are not proved";
	else if (old_loops)
		doubt = "the old tables have a loop: packets in it may deadlock";
	snprintf(rollout->doubt, sizeof(rollout->doubt), "%s%s%s", cause ? cause : "",
		 cause && *doubt ? "; " : "", doubt);
}

/* A schedule of rounds, or else of dropping. */
static int make_schedule(struct hd_rollout *rollout, const struct hd_rollout_request *request,
			 struct hd_error *err)
{
	struct hd_schedule *schedule = &rollout->schedule;
	const char *cause = request->cause;
	bool is_proved = true;
	int ret = 0;

	if (!cause && rollout->n_failures >= HD_ROLLOUT_MOST_FAILURES)
		cause = "Sets of earlier rounds were lost or refused several times";
	rollout->way = cause || request->drops ? HD_ROLLOUT_BY_DROPS : HD_ROLLOUT_IN_ROUNDS;
	if (rollout->way == HD_ROLLOUT_IN_ROUNDS) {
		ret = hd_schedule_make(request->goal, rollout->before, schedule, err);
		if (ret == HD_EREFUSED || ret == HD_EINVAL)
			cause = err->text;
		else if (ret)
			return ret;
		else if (schedule->needs_new_sls)
			cause = "the new tables have a credit loop with the path SLs that hosts "
				"cache";
		if (cause)
			rollout->way = HD_ROLLOUT_BY_DROPS;
	}
	if (rollout->way == HD_ROLLOUT_BY_DROPS) {
		hd_schedule_clear(schedule);
		ret = hd_schedule_drop(request->goal, rollout->before, schedule, &is_proved, err);
	}
	if (!ret)
		note_doubt(rollout, cause, is_proved);
	return ret;
}

/* Pairs of hosts that lose packets meanwhile, where any do; those of links that are not up, too. */
static int count_lost(struct hd_rollout *rollout, const struct hd_tables *goal, const bool *is_dark,
		      struct hd_error *err)
{
	uint64_t lost[HD_MAX_ROUNDS];
	int ret = hd_schedule_count_lost(&rollout->schedule, goal, rollout->before, is_dark, lost,
					 err);

	for (unsigned r = 0; !ret && r < rollout->schedule.n_rounds; r++)
		if (lost[r] > rollout->pairs_lost)
			rollout->pairs_lost = lost[r];
	return ret;
}

/* Whether both ends of the link at @port are active. */
static bool link_is_up(const struct hd_rollout_request *request, uint32_t port)
{
	const struct hd_fabric *fabric = request->goal->fabric;

	return request->is_up(request->context, fabric, port) &&
	       request->is_up(request->context, fabric, fabric->ports[port].peer);
}

/* Notes in @is_coming, by port, links between switches that are not up yet; false: none. */
static bool find_coming(const struct hd_rollout_request *request, bool *is_coming)
{
	const struct hd_fabric *fabric = request->goal->fabric;
	bool any = false;

	hd_for_each_port(p, fabric) {
		const uint32_t peer = fabric->ports[p].peer;

		/* each link from its lower end */
		if (p > peer || !hd_is_switch_link(fabric, p) || link_is_up(request, p))
			continue;
		is_coming[p] = is_coming[peer] = true;
		any = true;
	}
	return any;
}

/* Whether packets that a switch forwards now are to take links instead that are not up yet. */
static bool any_meets_dark(struct hd_lid_changes *changes, struct hd_ways *new,
			   const struct hd_tables *before)
{
	hd_for_each_changed_lid(lid, changes)
	{
		size_t n;
		const uint32_t *switches = hd_lid_changes_switches(changes, lid, &n);

		hd_ways_to(new, lid);
		for (size_t i = 0; i < n; i++)
			if (hd_lft(before, switches[i])[lid] != HD_NO_PATH &&
			    hd_ways_from(new, switches[i]) == HD_WAY_DARK)
				return true;
	}
	return false;
}

static int moves_onto_coming(const struct hd_tables *goal, const struct hd_tables *before,
			     const bool *is_coming, bool *moves, struct hd_error *err)
{
	struct hd_lid_changes changes;
	struct hd_ways new = { .tables = NULL };
	int ret = hd_lid_changes_find(&changes, goal, before, err);

	if (!ret)
		ret = hd_ways_init(&new, goal, is_coming, err);
	*moves = !ret && any_meets_dark(&changes, &new, before);
	hd_ways_clear(&new);
	hd_lid_changes_clear(&changes);
	return ret;
}

/*
 * Whether rounds wait for links that are to come up; if not, counts who loses packets, also for
 * want of these.
 */
static int find_needs_links(struct hd_rollout *rollout, const struct hd_rollout_request *request,
			    bool *needs_links, struct hd_error *err)
{
	const struct hd_tables *goal = request->goal;
	bool *is_coming = calloc(goal->fabric->n_ports + (size_t)1, sizeof(*is_coming));
	bool any;
	int ret = 0;

	if (!is_coming)
		return hd_error_nomem(err);
	*needs_links = false;
	any = find_coming(request, is_coming);
	if (any && !rollout->schedule.old_loops && rollout->n_waits < HD_ROLLOUT_MOST_WAITS)
		ret = moves_onto_coming(goal, rollout->before, is_coming, needs_links, err);
	if (!ret && !*needs_links)
		ret = count_lost(rollout, goal, any ? is_coming : NULL, err);
	free(is_coming);
	return ret;
}

/*
 * What is to be sent of the current round where switches have @now: what stops losses, or all.
 * *@tables NULL: @goal itself.
 */
static int take_step(struct hd_rollout *rollout, const struct hd_tables *goal,
		     const struct hd_tables *now, bool may_be_urgent, double time,
		     struct hd_tables **tables, struct hd_error *err)
{
	const bool is_last = rollout->round == rollout->schedule.n_rounds;
	bool is_urgent = false;
	int ret = 0;

	*tables = NULL;
	/* the rest behind an urgent part is made anew: tables are large, and not kept meanwhile */
	if (!is_last)
		ret = hd_schedule_tables(&rollout->schedule, goal, rollout->before, rollout->round,
					 tables, err);
	if (!ret && may_be_urgent && rollout->way == HD_ROLLOUT_IN_ROUNDS)
		ret = hd_send_first(goal, now, tables, &is_urgent, err);
	if (ret) {
		hd_tables_free(*tables);
		*tables = NULL;
	}
	enter(rollout, is_urgent ? HD_ROLLOUT_URGENT : HD_ROLLOUT_ROUND, time);
	return ret;
}

/*
 * What nodes hold while links come up, without entries for vacant LIDs: these were sound without
 * the links, and nothing proves them with the links.
 */
static int hold(const struct hd_rollout *rollout, const struct hd_tables *goal,
		struct hd_tables **tables, struct hd_error *err)
{
	int ret;

	if (!hd_rounds_any_vacated(goal, rollout->before)) {
		*tables = hd_tables_share(rollout->before);
		return 0;
	}
	ret = hd_schedule_tables(&rollout->schedule, goal, rollout->before, 0, tables, err);
	if (!ret)
		hd_rounds_vacate(*tables, goal, rollout->before);
	return ret;
}

/*
 * The tables of the first round, or of none as long as links are to come up that any round needs:
 * they do at the end of a sweep, and all rounds are of one.
 */
static int take_first(struct hd_rollout *rollout, const struct hd_rollout_request *request,
		      double now, struct hd_tables **first, struct hd_error *err)
{
	bool needs_links = false;
	int ret = find_needs_links(rollout, request, &needs_links, err);

	if (ret)
		return ret;
	if (needs_links) {
		enter(rollout, HD_ROLLOUT_LINKS, now);
		return hold(rollout, request->goal, first, err);
	}
	rollout->round = 1;
	return take_step(rollout, request->goal, rollout->before, true, now, first, err);
}

/* Whether both have the same path SLs, and number their rows in the same way. */
static bool have_same_sls(const struct hd_tables *a, const struct hd_tables *b)
{
	return a->n_sl_rows == b->n_sl_rows &&
	       memcmp(a->sl_rows, b->sl_rows, a->n_sl_rows * a->lft_stride) == 0 &&
	       memcmp(a->sl_row_of_port, b->sl_row_of_port,
		      a->fabric->n_ports * sizeof(*a->sl_row_of_port)) == 0;
}

/* Whether rounds that waited for links are still those of what nodes hold and of the goal. */
static bool keeps_schedule(const struct hd_rollout *rollout,
			   const struct hd_rollout_request *request)
{
	const struct hd_tables *was = rollout->before, *is = request->before;

	return request->is_goal_of_last && rollout->state == HD_ROLLOUT_STOPPED && was && is &&
	       rollout->way == HD_ROLLOUT_IN_ROUNDS && !request->drops && !request->cause &&
	       (is == was ||
		(was->fabric == is->fabric && nothing_changes(is, was) && have_same_sls(is, was) &&
		 !hd_classes_count_changes(was->classes, is->classes)));
}

int hd_rollout_plan(struct hd_rollout *rollout, const struct hd_rollout_request *request,
		    double now, struct hd_tables **first, struct hd_error *err)
{
	int ret = 0;

	*first = NULL;
	if (keeps_schedule(rollout, request)) {
		hd_tables_free(request->before);
		ret = take_first(rollout, request, now, first, err);
		if (ret)
			hd_rollout_end(rollout, now);
		return ret;
	}
	hd_rollout_stop(rollout, now);
	if (rollout->state == HD_ROLLOUT_IDLE) {
		rollout->start = now;
		rollout->pairs_lost = 0;
	}
	rollout->before = request->before;
	if (rollout->before && !nothing_changes(request->goal, rollout->before)) {
		ret = make_schedule(rollout, request, err);
		if (!ret && rollout->schedule.n_rounds)
			ret = take_first(rollout, request, now, first, err);
	}
	if (ret || !rollout->schedule.n_rounds)
		hd_rollout_end(rollout, now);
	return ret;
}

static void describe(const struct hd_rollout *rollout, bool is_confirmed, double now,
		     struct hd_rollout_outcome *outcome)
{
	const struct hd_schedule *schedule = &rollout->schedule;

	*outcome = (struct hd_rollout_outcome){
		.n_rounds = schedule->n_rounds,
		.pairs_lost = rollout->pairs_lost,
		.seconds = now - rollout->start,
		.verdict = schedule->is_at_once ? "any order is safe" : "every mixture proved",
	};
	if (!is_confirmed)
		outcome->verdict = "not confirmed, transient loops are possible";
	else if (rollout->doubt[0])
		outcome->verdict = "not fully proved";
}

static enum hd_rollout_action fail(struct hd_rollout *rollout, double now)
{
	rollout->n_failures++;
	hd_rollout_stop(rollout, now);
	return HD_ROLLOUT_READ;
}

enum hd_rollout_action hd_rollout_step(struct hd_rollout *rollout, const struct hd_tables *goal,
				       const struct hd_tables *sent, bool is_confirmed, double now,
				       double pause, struct hd_tables **next,
				       struct hd_rollout_outcome *outcome)
{
	const bool is_round = rollout->state == HD_ROLLOUT_ROUND;
	struct hd_error err;

	*next = NULL;
	/* also where the round is given up: some of it was sent */
	rollout->drained = now + pause;
	/* where it was tried often enough, whoever can go on does: all that changes is dropped */
	if (!is_confirmed && rollout->n_failures < HD_ROLLOUT_MOST_FAILURES)
		return fail(rollout, now);
	if (rollout->state == HD_ROLLOUT_LINKS) {
		rollout->n_waits++;
		/* its schedule may serve when links are up */
		enter(rollout, HD_ROLLOUT_STOPPED, now);
		return HD_ROLLOUT_AGAIN;
	}
	if (is_round && rollout->round >= rollout->schedule.n_rounds) {
		describe(rollout, is_confirmed, now, outcome);
		if (is_confirmed)
			hd_rollout_end(rollout, now);
		else
			hd_rollout_stop(rollout, now);
		return HD_ROLLOUT_OVER;
	}
	rollout->round += is_round;
	if (take_step(rollout, goal, sent, is_round, now, next, &err))
		return fail(rollout, now);
	return HD_ROLLOUT_SEND;
}

void hd_rollout_describe_plan(const struct hd_rollout *rollout, double seconds, char *text,
			      size_t size)
{
	const unsigned n = rollout->schedule.n_rounds;

	snprintf(text, size, "change planned in %.3f s: %u round%s%s", seconds, n,
		 n == 1 ? "" : "s",
		 rollout->state == HD_ROLLOUT_LINKS ? ", when new links are up" : "");
}

void hd_rollout_describe_outcome(const struct hd_rollout_outcome *outcome, char *text, size_t size)
{
	snprintf(text, size,
		 "change over: %u round%s, %" PRIu64
		 " pairs of hosts dropped meanwhile, %.0f ms: %s",
		 outcome->n_rounds, outcome->n_rounds == 1 ? "" : "s", outcome->pairs_lost,
		 outcome->seconds * 1e3, outcome->verdict);
}
