// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/traffic/carried.h"

#include <stdio.h>
#include <stdlib.h>

#include "simfabric/traffic/carried_private.h"
#include "support/error.h"

/*
 * A slice of work: about a millisecond of a core in small fabrics, more in large ones, which caches
 * do not hold. MADs are delayed by no more, and get as much time for themselves. Work is counted in
 * events, and in steps of simulated time, in which nothing may happen.
 */
#define SLICE_WORK        16384
#define STEP_WORK         16
#define LONGEST_STEP      10000000 /* ps */
#define SLICE_NS          2000000
#define SLICE_NS_PER_PORT 100
#define COUNT_SLICES      25  /* between counts at ports */
#define PAGE_SLICES       5   /* between readings of agents' pages: a page takes 2 us */
#define FIND_SLICES       250 /* between looks for those that were not there */

/*
 * Tables are compared again after so long for each port, since taking them takes time.
 */
#define LOOK_NS_PER_PORT 4000

/*
 * Events that a packet may need per hop to arrive. A route with more links than there are switches,
 * or than directed SMPs can take, is a circle.
 */
#define EVENTS_PER_HOP 4
#define MOST_HOPS      64

#define PS_PER_NS 1000

struct hd_carried *hd_carried_new(struct hd_emulator *emulator)
{
	struct hd_carried *carried = calloc(1, sizeof(*carried));

	if (carried)
		carried->emulator = emulator;
	return carried;
}

void hd_carried_end(struct hd_carried *carried)
{
	hd_carried_forget_model(carried);
	hd_carried_view_free(carried->sls);
	hd_traffic_free(carried->traffic);
	hd_structure_clear(&carried->structure);
	free(carried->host_of);
	carried->sls = NULL;
	carried->traffic = NULL;
	carried->host_of = NULL;
	carried->ended = carried->emulator->until;
	carried->state = HD_CARRIED_OVER;
}

void hd_carried_free(struct hd_carried *carried)
{
	if (!carried)
		return;
	hd_carried_end(carried);
	hd_carried_options_clear(&carried->options);
	hd_carried_forget_tallies(carried);
	free(carried->hosts);
	free(carried->host_ports);
	free(carried);
}

static void give_up(struct hd_carried *carried, const char *why)
{
	snprintf(carried->trouble, sizeof(carried->trouble), "%s", why);
	hd_carried_end(carried);
}

/* Makes hosts pause until all packets that were generated have arrived. */
static void drain(struct hd_carried *carried, enum hd_carried_state state)
{
	struct hd_model_census census = hd_carried_census(carried);
	uint64_t hops = carried->emulator->fabric->n_switches + UINT64_C(2);

	carried->state = state;
	if (carried->is_paused)
		return;
	carried->is_paused = true;
	carried->drain_left = SLICE_WORK + (census.queued + census.under_way + carried->n_hosts) *
						   EVENTS_PER_HOP *
						   (hops < MOST_HOPS ? hops : MOST_HOPS);
}

static void look_for_changes(struct hd_carried *carried)
{
	const struct hd_emulator *emulator = carried->emulator;
	uint64_t pause = (uint64_t)emulator->fabric->n_ports * LOOK_NS_PER_PORT;
	struct hd_carried_view *view;
	bool is_renewed;
	struct hd_error err;

	if (carried->changes == emulator->changes || emulator->until < carried->next_look)
		return;
	carried->changes = emulator->changes;
	carried->next_look = emulator->until + pause;
	if (hd_carried_make_view(carried, &view, &err)) {
		give_up(carried, err.text);
		return;
	}
	if (!hd_carried_view_equal(view, carried->view)) {
		if (hd_carried_renew(carried, view, &is_renewed, &err))
			give_up(carried, err.text);
		else if (is_renewed)
			carried->before.tables++;
		else if (carried->state == HD_CARRIED_RUNNING)
			drain(carried, HD_CARRIED_CHANGES);
	}
	hd_carried_view_free(view);
}

/* The model's time until which it has to go on now; while it drains, until it is empty. */
static uint64_t target(const struct hd_carried *carried)
{
	double due = (double)(carried->emulator->until - carried->started) * PS_PER_NS *
		     carried->options.rate;
	uint64_t until = carried->options.end;

	if (carried->is_paused)
		return UINT64_MAX;
	if (carried->options.rate > 0 && due < (double)until)
		until = (uint64_t)due;
	return until > carried->base ? until - carried->base : 0;
}

static bool is_empty(const struct hd_carried *carried)
{
	struct hd_model_census census = hd_carried_census(carried);

	return !census.queued && !census.under_way;
}

static void tell_deadlock(struct hd_carried *carried)
{
	size_t n, used = 0;
	const struct hd_channel *cycle = hd_model_deadlock(carried->model, &n);
	char text[sizeof(carried->trouble)], label[320];

	used = (size_t)snprintf(text, sizeof(text), "deadlock of %zu channels:", n);
	for (size_t i = 0; i < n && used < sizeof(text); i++) {
		hd_port_label(carried->emulator->fabric, cycle[i].port, label, sizeof(label));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %s VL %u",
					 i ? "," : "", label, cycle[i].vl);
	}
	give_up(carried, text);
}

/* Simulates a step; false: something is wrong, and traffic has ended. */
static bool step(struct hd_carried *carried, uint64_t until)
{
	struct hd_error err;
	int ret = hd_model_run(carried->model, until, &err);

	carried->now = until;
	if (!ret)
		return true;
	if (ret == HD_EREFUSED)
		tell_deadlock(carried);
	else
		give_up(carried, err.text);
	return false;
}

/*
 * Simulates until @until, or for a slice's work. Steps become longer or shorter, so that there are
 * several in a slice.
 */
static bool simulate(struct hd_carried *carried, uint64_t until)
{
	uint64_t events = hd_carried_census(carried).events, work = 0, last;

	while (carried->now < until && work < SLICE_WORK &&
	       !(carried->is_paused && is_empty(carried))) {
		uint64_t left = until - carried->now;

		if (!step(carried, carried->now + (left < carried->step ? left : carried->step)))
			return false;
		last = events;
		events = hd_carried_census(carried).events;
		work += events - last + STEP_WORK;
		if (events - last > SLICE_WORK / 8)
			carried->step = carried->step / 2 + 1;
		else if (events - last < SLICE_WORK / 64 && carried->step < LONGEST_STEP)
			carried->step *= 2;
	}
	if (carried->is_paused)
		carried->drain_left -= work < carried->drain_left ? work : carried->drain_left;
	return true;
}

/* All packets under way have arrived, or never will. */
static void drained(struct hd_carried *carried)
{
	struct hd_error err;
	int ret;

	if (carried->state == HD_CARRIED_ENDS) {
		hd_carried_end(carried);
		return;
	}
	hd_carried_forget_model(carried);
	ret = hd_carried_make_model(carried, &err);
	carried->state = HD_CARRIED_RUNNING;
	if (ret)
		give_up(carried, err.text);
}

static void slice(void *context, uint64_t argument);

bool hd_carried_arm(struct hd_carried *carried)
{
	/*
	 * counted from the beginning of this slice: its own length does not make the next one late
	 */
	const struct hd_timer timer = {
		.time = carried->emulator->until + SLICE_NS +
			(uint64_t)carried->emulator->fabric->n_ports * SLICE_NS_PER_PORT,
		.expire = slice,
		.context = carried,
	};

	if (!carried->is_armed)
		carried->is_armed = hd_timers_add(&carried->emulator->timers, &timer);
	return carried->is_armed;
}

static void slice(void *context, uint64_t argument)
{
	struct hd_carried *carried = context;

	(void)argument;
	carried->is_armed = false;
	if (carried->state == HD_CARRIED_RUNNING || carried->state == HD_CARRIED_ENDS)
		look_for_changes(carried);
	if (!hd_carried_is_on(carried->state))
		return;
	if (carried->n_slices % PAGE_SLICES == 0)
		hd_carried_read_pages(carried, carried->n_slices % FIND_SLICES == 0);
	hd_carried_follow_agents(carried, false);
	if (!simulate(carried, target(carried)))
		return;
	if (carried->is_paused && (is_empty(carried) || !carried->drain_left))
		drained(carried);
	else if (!carried->is_paused && carried->base + carried->now >= carried->options.end)
		drain(carried, HD_CARRIED_ENDS);
	if (!hd_carried_is_on(carried->state))
		return;
	if (++carried->n_slices % COUNT_SLICES == 0)
		hd_carried_counters_add(carried->counters, carried->model);
	if (!hd_carried_arm(carried))
		give_up(carried, "out of memory");
}

bool hd_carried_stop(struct hd_carried *carried)
{
	if (!hd_carried_is_on(carried->state))
		return false;
	drain(carried, HD_CARRIED_ENDS);
	return true;
}

struct hd_carried_status hd_carried_status(const struct hd_carried *carried)
{
	struct hd_model_census census = hd_carried_census(carried);
	struct hd_model_circling circling = hd_carried_circling(carried);
	struct hd_carried_status status = carried->before;
	bool is_on = hd_carried_is_on(carried->state);

	status.state = carried->state;
	status.options = carried->state == HD_CARRIED_NONE ? NULL : &carried->options;
	if (is_on)
		status.simulated = carried->base + carried->now;
	status.real = (is_on ? carried->emulator->until : carried->ended) - carried->started;
	status.generated += census.generated;
	status.queued = census.queued;
	status.under_way = census.under_way;
	status.delivered += census.delivered;
	status.dropped += census.dropped;
	status.unsent += carried->n_unsent;
	status.broken += carried->n_broken;
	status.looped += circling.packets;
	status.circled += circling.lost;
	status.n_hosts = carried->n_hosts;
	for (uint32_t i = 0; i < carried->n_hosts; i++)
		status.n_up += carried->hosts[i].is_up;
	status.trouble = carried->trouble;
	return status;
}
