// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Changes of tables driven by any events: links and switches fail and return, Sets take effect, are
 * confirmed, lost, refused, or sent twice and take effect late, sweeps begin in the middle of a
 * change, other tables are wanted, another subnet manager was there. The machine is that of the
 * plug-in (change/rollout.h, manager/node_tables.h, manager/repeated_sets.h) without OpenSM; the
 * driver is that of opensm/transition.c. After each event must hold what docs/changes.md promises:
 *
 *	- no mixture of a round has a loop, by a graph that shares no code with check/
 *	- a round begins when switches hold all of those before it
 *	- what is planned from is what switches hold
 *	- nothing of a later round is sent, and nothing of the round is left out
 *	- after a round as many pairs of hosts lose packets as the plan says
 *	- a change that was not confirmed, or not proved, does not say that it was
 *	- in the end switches hold the goal
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/rollout.h"
#include "change/rounds.h"
#include "manager/node_tables.h"
#include "manager/repeated_sets.h"
#include "manager/unconfirmed_switches.h"
#include "support/error.h"
#include "tests/fuzz/lost_pairs.h"
#include "tests/fuzz/small_world.h"

#define TIMEOUT     0.2 /* seconds of the subnet manager's clock */
#define RETRIES     2
#define PAUSE       0.01
#define MOST_EVENTS 96
#define MOST_SETS   (GRAPH_SWITCHES * (1 + GRAPH_PORTS * GRAPH_PORTS))
#define MOST_COPIES 16
#define MOST_STEPS  100 /* to the goal, once nothing is lost any more */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A block of an LFT, or one row: whoever sends it says what is in it. */
struct item {
	uint8_t s;
	bool is_lft;
	uint8_t in, out; /* of a row */
};

struct set {
	struct item item;
	enum { SENT, APPLIED, CONFIRMED, FAILED } state;
	bool is_doubled; /* it was sent twice: a copy is under way when it is answered */
};

/* It takes effect at any time before `until`, or never. */
struct copy {
	struct item item;
	struct switch_state content;
	double until;
};

struct run {
	const struct small_world *world;
	double now;

	/* The fabric. */
	const struct world_variant *wired; /* the links and switches that are there */
	struct mixture_graph graph;        /* with the links that carry packets */
	/* links that were down since the last sweep, which does not know; port 0: switches */
	bool was_down[GRAPH_SWITCHES][GRAPH_PORTS];
	struct switch_state held[GRAPH_SWITCHES];

	/* The subnet manager. */
	struct hd_rollout rollout;
	struct hd_repeated_sets repeated;
	const struct world_variant *swept; /* what the last sweep has found */
	unsigned engine, lane;
	struct hd_tables *goal, *handed; /* shared */
	bool wants_sweep;

	/* What was handed out last is being sent. */
	struct switch_state sent[GRAPH_SWITCHES], believed[GRAPH_SWITCHES];
	struct hd_unconfirmed_switch unconfirmed[GRAPH_SWITCHES];
	double down_since[GRAPH_SWITCHES]; /* links of a switch wait; 0: none do */
	struct set sets[MOST_SETS];
	unsigned n_sets;
	struct copy copies[MOST_COPIES];
	unsigned n_copies;

	struct mixture_values round; /* what switches held since the round began, and its tables */
	bool is_doubtful;            /* something of this change was not proved */
};

static void die(const struct run *run, const char *what)
{
	fprintf(stderr, "%s: in state %s, round %u of %u\n", what,
		hd_rollout_state_name(run->rollout.state), run->rollout.round,
		run->rollout.schedule.n_rounds);
	abort();
}

static void demand(const struct run *run, bool holds, const char *what)
{
	if (!holds)
		die(run, what);
}

/* What packets meet */

static bool is_up(const struct run *run, unsigned s)
{
	return run->wired->index[s] != HD_NONE;
}

static bool is_found(const struct run *run, unsigned s)
{
	return run->swept->index[s] != HD_NONE;
}

/* What switches hold now, beside what they held since the round began. */
static void look(struct run *run)
{
	const char *loop;

	for (unsigned s = 0; s < run->graph.n_switches; s++)
		switch_state_add(&run->graph, s, &run->held[s], &run->round);
	loop = run->is_doubtful ? NULL : mixture_loop(&run->graph, &run->round);
	if (loop)
		die(run, loop);
}

/* Packets of before have left: those of now have what switches hold. */
static void forget_round(struct run *run)
{
	memset(&run->round, 0, sizeof(run->round));
}

static bool carries(const struct run *run, unsigned s)
{
	for (unsigned port = 1; port < run->graph.n_ports; port++)
		if (run->graph.active[s][port])
			return true;
	return false;
}

static void take_effect(struct run *run, struct item item, const struct switch_state *content)
{
	struct switch_state *held = &run->held[item.s];

	if (!is_up(run, item.s))
		return;
	if (item.is_lft)
		memcpy(held->lft, content->lft, sizeof(held->lft));
	else
		held->rows[item.in][item.out] = content->rows[item.in][item.out];
}

/* Links and switches are those of @wired from now on; what has come back carries nothing yet. */
static void wire(struct run *run, const struct world_variant *wired)
{
	run->wired = wired;
	for (unsigned s = 0; s < run->graph.n_switches; s++) {
		for (unsigned port = 1; port < run->graph.n_ports; port++) {
			run->graph.active[s][port] &= wired->is_there[s][port];
			run->was_down[s][port] |= !wired->is_there[s][port];
		}
		if (is_up(run, s))
			continue;
		switch_state_clear(&run->held[s]);
		run->was_down[s][0] = true;
	}
	for (unsigned i = 0; i < run->n_sets; i++)
		if (!is_up(run, run->sets[i].item.s) && run->sets[i].state != CONFIRMED)
			run->sets[i].state = FAILED;
}

/* Sets */

static void push(struct run *run, struct item item)
{
	run->sets[run->n_sets++] =
		(struct set){ .item = item, .state = is_up(run, item.s) ? SENT : FAILED };
}

/* Rows between links that the sweep has found. */
static bool is_row(const struct run *run, unsigned s, unsigned in, unsigned out)
{
	return run->swept->is_there[s][out] && (in == 0 || run->swept->is_there[s][in]);
}

/* Whether @state is what was sent to switch @s, which the last sweep has found. */
static bool is_as_sent(const struct run *run, unsigned s, const struct switch_state *state)
{
	const struct switch_state *sent = &run->sent[s];

	if (memcmp(state->lft, sent->lft, sizeof(sent->lft)) != 0)
		return false;
	for (unsigned in = 0; in < run->graph.n_ports; in++)
		for (unsigned out = 0; out < run->graph.n_ports; out++)
			if (is_row(run, s, in, out) && state->rows[in][out] != sent->rows[in][out])
				return false;
	return true;
}

/* Whether the switch has confirmed all that it was sent. */
static bool is_sure(const struct run *run, unsigned s)
{
	return !is_found(run, s) || is_as_sent(run, s, &run->believed[s]);
}

/* Whether the link has been found by the last sweep, and is there. */
static bool may_come_up(const struct run *run, unsigned s, unsigned port)
{
	return run->swept->is_there[s][port] && !run->was_down[s][port];
}

/* Whether links of the switch stay down: nobody knows what it holds. For a while, but not for ever. */
static bool stay_down(struct run *run, unsigned s)
{
	bool any = false, stay;

	if (is_sure(run, s)) {
		run->unconfirmed[s] = (struct hd_unconfirmed_switch){ .guid = 0 };
		run->down_since[s] = 0;
		return false;
	}
	for (unsigned port = 1; port < run->graph.n_ports; port++)
		any |= may_come_up(run, s, port) && !run->graph.active[s][port] &&
		       run->graph.far[s][port].node != GRAPH_NONE;
	stay = hd_unconfirmed_stay_down(&run->unconfirmed[s], any, run->now);
	if (!any || run->down_since[s] <= 0)
		run->down_since[s] = any ? run->now : 0;
	any &= run->now - run->down_since[s] >= HD_UNCONFIRMED_SECONDS;
	demand(run, !any || !stay, "links stay down for too long");
	/* then nothing is promised */
	run->is_doubtful |= any;
	return stay;
}

/* Links that the last sweep has found come up. */
static void raise_links(struct run *run)
{
	bool stays[GRAPH_SWITCHES];

	for (unsigned s = 0; s < run->graph.n_switches; s++)
		stays[s] = stay_down(run, s);
	for (unsigned s = 0; s < run->graph.n_switches; s++)
		for (unsigned port = 1; port < run->graph.n_ports; port++) {
			const unsigned peer = run->graph.far[s][port].node;
			const bool waits = peer != GRAPH_NONE && (stays[s] || stays[peer]);

			run->graph.active[s][port] =
				may_come_up(run, s, port) && (run->graph.active[s][port] || !waits);
		}
	look(run);
}

static void send_switch(struct run *run, unsigned s)
{
	const struct switch_state *is = &run->believed[s], *wanted = &run->sent[s];

	if (memcmp(is->lft, wanted->lft, sizeof(is->lft)) != 0)
		push(run, (struct item){ .s = (uint8_t)s, .is_lft = true });
	for (unsigned in = 0; in < run->graph.n_ports; in++)
		for (unsigned out = 0; out < run->graph.n_ports; out++)
			if (is->rows[in][out] != wanted->rows[in][out] && is_row(run, s, in, out))
				push(run, (struct item){ .s = (uint8_t)s,
							 .in = (uint8_t)in,
							 .out = (uint8_t)out });
}

/* What a switch is to hold after round @round of the plan, for packets on SL 0. */
static uint8_t due_entry(const struct run *run, unsigned round, size_t i)
{
	const struct hd_schedule *schedule = &run->rollout.schedule;
	const unsigned new_round = hd_schedule_new_round(&schedule->entries, i);
	const unsigned drop_round = hd_schedule_drop_round(&schedule->entries, i);

	if (new_round && new_round <= round)
		return run->goal->lft[i];
	if (drop_round && drop_round <= round)
		return HD_NO_PATH;
	return run->rollout.before->lft[i];
}

static unsigned due_vl(const struct run *run, unsigned round, size_t i)
{
	const struct hd_schedule *schedule = &run->rollout.schedule;
	const unsigned new = hd_row_vl(run->goal->sl2vl[i], 0);
	const unsigned old = hd_row_vl(run->rollout.before->sl2vl[i], 0);
	const unsigned new_round = hd_schedule_new_round(&schedule->rows, i);
	const unsigned drop_round = hd_schedule_drop_round(&schedule->rows, i);

	if (new_round && new_round <= round)
		return new;
	if (drop_round && drop_round <= round && old != new)
		return HD_VL_DROP;
	return old;
}

/* While links come up, nodes hold what they held, without entries for LIDs that nobody has. */
static bool is_kept(const struct run *run, size_t i)
{
	const struct hd_tables *before = run->rollout.before, *goal = run->goal;
	const struct hd_fabric *fabric = goal->fabric;
	const size_t lid = i % goal->lft_stride;
	const bool is_vacant = hd_rounds_is_vacant(fabric, (uint32_t)lid);

	return run->handed->lft[i] == (is_vacant ? goal : before)->lft[i];
}

/* The tables that are handed out are those of the state, entry by entry. */
static void try_handed(const struct run *run)
{
	const struct hd_tables *handed = run->handed, *goal = run->goal;
	const struct hd_rollout *rollout = &run->rollout;
	const size_t n = goal->fabric->n_switches * goal->lft_stride;
	const size_t n_rows = goal->sl2vl_first[goal->fabric->n_switches];
	const bool is_urgent = rollout->state == HD_ROLLOUT_URGENT;
	const bool is_waiting = rollout->state == HD_ROLLOUT_LINKS;

	if (rollout->state == HD_ROLLOUT_IDLE) {
		demand(run, handed == goal, "something else than the goal is sent");
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const uint8_t entry = handed->lft[i];

		demand(run,
		       (is_waiting ? is_kept(run, i)
				   : entry == due_entry(run, rollout->round, i)) ||
			       (is_urgent && entry == due_entry(run, rollout->round - 1, i)),
		       "an entry of another round is sent, or one of this round is not");
		demand(run, due_entry(run, rollout->schedule.n_rounds, i) == goal->lft[i],
		       "an entry is in no round");
	}
	for (size_t i = 0; i < n_rows; i++) {
		demand(run, hd_row_vl(handed->sl2vl[i], 0) == due_vl(run, rollout->round, i),
		       "a row of another round is sent, or one of this round is not");
		demand(run,
		       due_vl(run, rollout->schedule.n_rounds, i) == hd_row_vl(goal->sl2vl[i], 0),
		       "a row is in no round");
	}
}

/* Sends @tables, which are taken over; NULL: the goal. @is_same_round: the rest of a round. */
static void send(struct run *run, struct hd_tables *tables, bool is_same_round)
{
	hd_tables_free(run->handed);
	run->handed = tables ? tables : hd_tables_share(run->goal);
	try_handed(run);
	if (!is_same_round)
		forget_round(run);
	run->n_sets = 0;
	run->repeated.begin = run->now;
	for (unsigned s = 0; s < run->graph.n_switches; s++) {
		if (!is_found(run, s))
			continue;
		switch_state_of(run->swept, run->handed, s, &run->sent[s]);
		switch_state_add(&run->graph, s, &run->sent[s], &run->round);
		send_switch(run, s);
	}
	look(run);
}

/* Whether all that the last sweep has found, and that was there since, holds what was sent. */
static bool is_held(const struct run *run)
{
	for (unsigned s = 0; s < run->graph.n_switches; s++)
		if (is_found(run, s) && !run->was_down[s][0] && !is_as_sent(run, s, &run->held[s]))
			return false;
	return true;
}

static void confirm(struct run *run, struct set *set)
{
	struct switch_state *believed = &run->believed[set->item.s];
	const struct switch_state *sent = &run->sent[set->item.s];

	set->state = CONFIRMED;
	if (set->item.is_lft)
		memcpy(believed->lft, sent->lft, sizeof(believed->lft));
	else
		believed->rows[set->item.in][set->item.out] =
			sent->rows[set->item.in][set->item.out];
}

static void apply(struct run *run, struct set *set)
{
	if (set->state != SENT)
		return;
	take_effect(run, set->item, &run->sent[set->item.s]);
	set->state = APPLIED;
}

/* The @choice-th of the Sets that are not answered yet; NULL: all are. */
static struct set *choose(struct run *run, unsigned choice)
{
	unsigned n = 0;

	for (unsigned i = 0; i < run->n_sets; i++)
		n += run->sets[i].state <= APPLIED;
	for (unsigned i = 0; n && i < run->n_sets; i++)
		if (run->sets[i].state <= APPLIED && choice % n == 0)
			return &run->sets[i];
		else if (run->sets[i].state <= APPLIED)
			choice--;
	return NULL;
}

/* Copies */

static void act(struct run *run, unsigned i)
{
	take_effect(run, run->copies[i].item, &run->copies[i].content);
	run->copies[i] = run->copies[--run->n_copies];
	look(run);
}

/* The clock is @now; copies that are late by then are gone, each @act_too before or not. */
static void wait_until(struct run *run, double now, bool act_too)
{
	if (now > run->now)
		run->now = now;
	for (unsigned i = run->n_copies; i--;) {
		if (run->copies[i].until > run->now)
			continue;
		if (act_too)
			act(run, i);
		else
			run->copies[i] = run->copies[--run->n_copies];
	}
}

/*
 * All Sets are answered, or have timed out. A copy is under way no longer than the round has taken,
 * and there is none of a round that took less than a time-out.
 */
static void end_sets(struct run *run)
{
	const double most = TIMEOUT * (1 + RETRIES), lasted = run->now - run->repeated.begin;

	for (unsigned i = 0; i < run->n_sets; i++) {
		const struct set *set = &run->sets[i];

		if (set->is_doubled && lasted >= TIMEOUT && run->n_copies < MOST_COPIES)
			run->copies[run->n_copies++] = (struct copy){
				.item = set->item,
				.content = run->sent[set->item.s],
				.until = run->now + (lasted < most ? lasted : most),
			};
	}
	hd_repeated_sets_note(&run->repeated, run->now, TIMEOUT, RETRIES);
}

/* What a switch holds of it is not known: whatever is wanted next is sent. */
static void forget(struct run *run, const struct item *item)
{
	struct switch_state *believed = &run->believed[item->s];

	/* ports and a VL that no tables have */
	if (item->is_lft)
		memset(believed->lft, HD_NO_PATH - 1, sizeof(believed->lft));
	else
		believed->rows[item->in][item->out] = hd_row_all(HD_VL_DROP - 1);
}

/* Those that are not answered have timed out, whether they took effect or not. */
static bool are_confirmed(struct run *run, bool takes_effect)
{
	bool all = true;

	for (unsigned i = 0; i < run->n_sets; i++) {
		struct set *set = &run->sets[i];

		if (set->state == SENT && takes_effect)
			apply(run, set);
		if (set->state <= APPLIED) {
			set->state = FAILED;
			wait_until(run, run->repeated.begin + TIMEOUT * (1 + RETRIES), false);
		}
		if (set->state == CONFIRMED)
			continue;
		forget(run, &set->item);
		all = false;
	}
	look(run);
	return all;
}

/* Plans */

static bool port_is_up(void *context, const struct hd_fabric *fabric, uint32_t port)
{
	const struct run *run = context;

	for (unsigned s = 0; s < run->graph.n_switches; s++)
		if (run->swept->index[s] == fabric->ports[port].node)
			return run->graph.active[s][fabric->ports[port].number];
	return true;
}

/* Reads what switches hold. */
static struct hd_tables *read_nodes(struct run *run)
{
	struct hd_tables *tables, *goal = run->goal;
	struct hd_error err;

	demand(run, !hd_node_tables(goal, run->handed, &tables, &err), "no tables of nodes");
	for (unsigned s = 0; s < run->graph.n_switches; s++) {
		const uint32_t here = run->swept->index[s];
		const bool any = carries(run, s);

		if (here == HD_NONE)
			continue;
		run->believed[s] = run->held[s];
		hd_node_tables_set_lft(tables, goal, here, any ? run->held[s].lft : NULL,
				       GRAPH_LIDS);
		for (unsigned in = 0; any && in < run->graph.n_ports; in++)
			for (unsigned out = 1; out < run->graph.n_ports; out++)
				if (run->graph.active[s][out] && (!in || run->graph.active[s][in]))
					hd_node_tables_set_row(
						tables, goal, hd_sl2vl_index(tables, here, in, out),
						run->held[s].rows[in][out], 0xFFFF);
	}
	return tables;
}

/* A plan begins with rows that switches hold, where packets may take them. */
static void try_plan_rows(const struct run *run, unsigned s, const struct hd_tables *before)
{
	const uint32_t here = run->swept->index[s];

	for (unsigned in = 0; in < run->graph.n_ports; in++)
		for (unsigned out = 1; out < run->graph.n_ports; out++)
			demand(run,
			       !run->graph.active[s][out] || (in && !run->graph.active[s][in]) ||
				       hd_row_vl(
					       before->sl2vl[hd_sl2vl_index(before, here, in, out)],
					       0) == hd_row_vl(run->held[s].rows[in][out], 0),
			       "a plan begins with rows that switches do not hold");
}

/* A plan begins with what switches hold, and is over only where that is the goal. */
static void try_plan(const struct run *run)
{
	const bool is_idle = run->rollout.state == HD_ROLLOUT_IDLE;
	const struct hd_tables *before = is_idle ? run->goal : run->rollout.before;

	for (unsigned s = 0; s < run->graph.n_switches; s++) {
		if (is_found(run, s))
			try_plan_rows(run, s, before);
		for (unsigned lid = 1; is_found(run, s) && lid < run->graph.n_lids; lid++) {
			const uint8_t is = hd_lft(before, run->swept->index[s])[lid];
			const uint8_t held = carries(run, s) ? run->held[s].lft[lid] : HD_NO_PATH;

			demand(run, is == held || (held == 0 && is == HD_NO_PATH),
			       is_idle ? "a change is over before the goal is there"
				       : "a plan begins with what switches do not hold");
		}
	}
}

static void plan(struct run *run, bool is_goal_of_last)
{
	struct hd_rollout_request request = {
		.goal = run->goal,
		.before = read_nodes(run),
		.is_goal_of_last = is_goal_of_last,
		.is_up = port_is_up,
		.context = run,
	};
	struct hd_tables *first;
	struct hd_error err;

	if (hd_rollout_plan(&run->rollout, &request, run->now, &first, &err))
		run->is_doubtful = true;
	else
		try_plan(run);
	run->is_doubtful |= run->rollout.doubt[0] != '\0';
	send(run, first, false);
}

/* A sweep finds what is wired now, and wants the tables of the engine for that. */
static void sweep(struct run *run, bool takes_effect)
{
	are_confirmed(run, takes_effect);
	end_sets(run);
	wait_until(run, run->repeated.end, takes_effect);
	wait_until(run, run->rollout.drained, takes_effect);
	run->swept = run->wired;
	memset(run->was_down, 0, sizeof(run->was_down));
	run->wants_sweep = false;
	hd_tables_free(run->goal);
	run->goal = hd_tables_share(run->swept->goals[run->engine][run->lane]);
	hd_rollout_stop(&run->rollout, run->now);
	plan(run, false);
}

/* The sweep goes on without the rollout: in the end links come up. */
static void end_sweep(struct run *run, bool is_over)
{
	if (is_over) {
		demand(run, is_held(run), "a change is over before all switches hold the goal");
		demand(run, run->handed == run->goal, "a change is over without the goal");
		run->is_doubtful = false;
	}
	forget_round(run);
	raise_links(run);
	run->n_sets = 0;
	run->wants_sweep |= !is_over;
}

/* Also within a round: its rest sends blocks again that what came first has sent. */
static void wait_for_copies(struct run *run, bool act_too)
{
	wait_until(run, run->repeated.end, act_too);
	demand(run, run->n_copies == 0, "copies of Sets may come with what is sent next");
}

/* What the plan counts of packets that are lost after each round, over links that are up. */
static void count_told(const struct run *run, uint64_t *told)
{
	const struct hd_rollout *rollout = &run->rollout;
	const struct hd_fabric *fabric = run->goal->fabric;
	bool is_dark[2 * GRAPH_SWITCHES * GRAPH_PORTS] = { false }, any = false;
	struct hd_error err;

	hd_for_each_port(p, fabric)
		if (hd_is_switch_link(fabric, p)) {
			is_dark[p] = !port_is_up((void *)run, fabric, p);
			any |= is_dark[p];
		}
	demand(run,
	       !hd_schedule_count_lost(&rollout->schedule, run->goal, rollout->before,
				       any ? is_dark : NULL, told, &err),
	       "no count of who loses packets");
}

/* Round @round is over, and nothing has failed since the sweep: who loses packets was told. */
static void try_losses(const struct run *run, unsigned round)
{
	const struct hd_rollout *rollout = &run->rollout;
	struct switch_state old[GRAPH_SWITCHES], new[GRAPH_SWITCHES];
	uint64_t told[HD_MAX_ROUNDS], lost;
	unsigned for_links;

	if (run->wired != run->swept)
		return;
	for (unsigned s = 0; s < run->graph.n_switches; s++) {
		switch_state_clear(&old[s]);
		switch_state_clear(&new[s]);
		if (run->was_down[s][0])
			return;
		for (unsigned port = 1; port < run->graph.n_ports; port++)
			if (run->was_down[s][port])
				return;
		if (!is_found(run, s))
			continue;
		switch_state_of(run->swept, rollout->before, s, &old[s]);
		switch_state_of(run->swept, run->goal, s, &new[s]);
	}
	count_told(run, told);
	lost = lost_pairs(&run->graph, run->swept, old, new, run->held, &for_links);
	demand(run, lost <= told[round - 1], "more pairs lose packets than were counted");
	demand(run, lost >= told[round - 1], "fewer pairs lose packets than were counted");
	demand(run, lost <= rollout->pairs_lost, "more pairs lose packets than were told");
	demand(run,
	       !for_links || rollout->n_waits >= HD_ROLLOUT_MOST_WAITS ||
		       rollout->schedule.old_loops,
	       "packets are led onto links that are not up");
}

/* The next tables of the change: a round, or its rest. */
static void go_on(struct run *run, struct hd_tables *next, bool was_round, unsigned round,
		  bool is_confirmed, bool act_too)
{
	const struct hd_rollout *rollout = &run->rollout;

	demand(run, rollout->round == round + was_round, "a round is left out");
	run->is_doubtful |= !is_confirmed;
	if (was_round) {
		demand(run, rollout->drained >= run->now + PAUSE, "there is no pause");
		wait_until(run, rollout->drained, act_too);
	}
	wait_for_copies(run, act_too);
	demand(run, is_held(run) || run->is_doubtful,
	       "a round begins before switches hold those before it");
	demand(run, is_confirmed || rollout->way == HD_ROLLOUT_BY_DROPS,
	       "what follows from rounds that were not confirmed is sent");
	if (was_round && is_confirmed && !run->is_doubtful)
		try_losses(run, round);
	send(run, next, !was_round);
}

/* All Sets are answered or have timed out. */
static void step(struct run *run, bool takes_effect)
{
	struct hd_rollout *rollout = &run->rollout;
	const bool was_round = rollout->state == HD_ROLLOUT_ROUND;
	const bool is_confirmed = are_confirmed(run, takes_effect);
	const unsigned round = rollout->round;
	const bool has_doubt = rollout->doubt[0];
	const bool may_go_on = is_confirmed || rollout->n_failures >= HD_ROLLOUT_MOST_FAILURES;
	struct hd_rollout_outcome outcome;
	enum hd_rollout_action action;
	struct hd_tables *next;

	end_sets(run);
	if (rollout->state == HD_ROLLOUT_IDLE || rollout->state == HD_ROLLOUT_STOPPED) {
		/* Sets that a step before has lost are not sent again until the next sweep */
		end_sweep(run,
			  rollout->state == HD_ROLLOUT_IDLE && is_confirmed && !run->wants_sweep);
		return;
	}
	action = hd_rollout_step(rollout, run->goal, run->handed, is_confirmed, run->now, PAUSE,
				 &next, &outcome);
	demand(run, may_go_on || action == HD_ROLLOUT_READ, "what was lost is taken to be there");
	demand(run, rollout->drained >= run->now + PAUSE, "what was sent is not waited for");
	switch (action) {
	case HD_ROLLOUT_SEND:
		go_on(run, next, was_round, round, is_confirmed, takes_effect);
		break;
	case HD_ROLLOUT_AGAIN:
		/* what the next sweep is left to is waited for there */
		if (is_confirmed || rollout->n_waits == 1)
			wait_for_copies(run, takes_effect);
		demand(run, is_held(run) || !is_confirmed, "links come up too early");
		forget_round(run);
		raise_links(run);
		if (rollout->n_waits == 1)
			plan(run, true);
		else
			end_sweep(run, false);
		break;
	case HD_ROLLOUT_READ:
		end_sweep(run, false);
		break;
	case HD_ROLLOUT_OVER:
		demand(run, (is_confirmed && !has_doubt) == !strstr(outcome.verdict, "not "),
		       "the outcome tells something else");
		end_sweep(run, is_confirmed);
		break;
	}
}

/* Another subnet manager was there: switches have its tables, which have a credit loop. */
static void hand_over(struct run *run)
{
	run->is_doubtful = true;
	for (unsigned s = 0; s < run->graph.n_switches; s++)
		if (is_up(run, s))
			switch_state_of(&run->world->variants[0], run->world->loop, s,
					&run->held[s]);
}

/* Events */

static void answer(struct run *run, unsigned event, unsigned choice)
{
	struct set *set = choose(run, choice);

	if (!set)
		return;
	if (event != 3 && event != 4)
		apply(run, set); /* else the request is lost, or refused */
	if (event <= 1)
		confirm(run, set);
	else if (event >= 3)
		set->state = FAILED; /* with 5, the answer alone is lost */
	if (event == 1) {
		/* it was sent again when the first time-out was over */
		set->is_doubled = true;
		wait_until(run, run->repeated.begin + TIMEOUT, choice & 1);
	}
	look(run);
}

static void handle(struct run *run, unsigned event, unsigned choice)
{
	const struct small_world *world = run->world;

	switch (event) {
	case 6:
		if (run->n_copies)
			act(run, choice % run->n_copies);
		break;
	case 7:
		wait_until(run, run->now + choice * 0.004, choice & 1);
		break;
	case 8:
		wire(run, &world->variants[choice % world->n_variants]);
		look(run);
		break;
	case 9:
		sweep(run, choice & 1);
		break;
	case 10:
		run->engine = choice % WORLD_ENGINES;
		run->lane = choice / WORLD_ENGINES % WORLD_LANES;
		sweep(run, choice & 8);
		break;
	case 11:
		are_confirmed(run, choice & 1);
		hand_over(run);
		sweep(run, choice & 1);
		break;
	case 12:
		step(run, choice & 1);
		break;
	default:
		answer(run, event, choice);
		break;
	}
}

/* All that is under way is answered. */
static void answer_all(struct run *run)
{
	struct set *set;

	while ((set = choose(run, 0))) {
		apply(run, set);
		confirm(run, set);
	}
	look(run);
	step(run, true);
}

/* Nothing is lost any more, and nothing changes: then the goal gets there. */
static void settle(struct run *run)
{
	unsigned n = 0;

	sweep(run, true);
	do {
		demand(run, n++ < MOST_STEPS, "the change does not end");
		if (run->wants_sweep && run->rollout.state == HD_ROLLOUT_STOPPED)
			sweep(run, true);
		answer_all(run);
	} while (run->rollout.state != HD_ROLLOUT_IDLE);
	demand(run, !run->is_doubtful && is_held(run), "switches do not hold the goal");
}

/* Made once; the last input of the process does not free them. */
static const struct small_world *world_of(unsigned kind)
{
	static struct small_world *worlds[WORLD_KINDS];

	if (!worlds[kind])
		worlds[kind] = small_world_new(kind);
	return worlds[kind];
}

static void begin(struct run *run, const struct small_world *world)
{
	memset(run, 0, sizeof(*run));
	run->world = world;
	run->graph = world->graph;
	run->wired = run->swept = &world->variants[0];
	run->goal = hd_tables_share(run->wired->goals[0][0]);
	run->handed = hd_tables_share(run->goal);
	for (unsigned s = 0; s < run->graph.n_switches; s++) {
		switch_state_of(run->wired, run->goal, s, &run->held[s]);
		run->sent[s] = run->believed[s] = run->held[s];
	}
	raise_links(run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct run run; /* 20 kB that need no allocation */

	if (!size)
		return 0;
	begin(&run, world_of(data[0] % WORLD_KINDS));
	for (size_t i = 1; i + 1 < size && i < 2 * MOST_EVENTS; i += 2)
		if (data[i] & 0x10)
			answer_all(&run);
		else
			handle(&run, data[i] % 13, data[i + 1]);
	settle(&run);
	hd_rollout_clear(&run.rollout);
	hd_tables_free(run.goal);
	hd_tables_free(run.handed);
	return 0;
}
