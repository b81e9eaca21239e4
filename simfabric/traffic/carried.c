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

struct hd_haul *hd_haul_new(struct hd_emulator *emulator)
{
	struct hd_haul *haul = calloc(1, sizeof(*haul));

	if (haul)
		haul->emulator = emulator;
	return haul;
}

void hd_haul_end(struct hd_haul *haul)
{
	hd_haul_forget_model(haul);
	hd_haul_view_free(haul->sls);
	hd_traffic_free(haul->traffic);
	hd_structure_clear(&haul->structure);
	free(haul->host_of);
	haul->sls = NULL;
	haul->traffic = NULL;
	haul->host_of = NULL;
	haul->ended = haul->emulator->until;
	haul->state = HD_HAUL_OVER;
}

void hd_haul_free(struct hd_haul *haul)
{
	if (!haul)
		return;
	hd_haul_end(haul);
	hd_haul_options_clear(&haul->options);
	hd_haul_forget_tallies(haul);
	free(haul->hosts);
	free(haul->host_ports);
	free(haul);
}

static void give_up(struct hd_haul *haul, const char *why)
{
	snprintf(haul->trouble, sizeof(haul->trouble), "%s", why);
	hd_haul_end(haul);
}

/* Makes hosts pause until all packets that were generated have arrived. */
static void drain(struct hd_haul *haul, enum hd_haul_state state)
{
	struct hd_model_census census = hd_haul_census(haul);
	uint64_t hops = haul->emulator->fabric->n_switches + UINT64_C(2);

	haul->state = state;
	if (haul->is_paused)
		return;
	haul->is_paused = true;
	haul->drain_left = SLICE_WORK + (census.queued + census.under_way + haul->n_hosts) *
						EVENTS_PER_HOP *
						(hops < MOST_HOPS ? hops : MOST_HOPS);
}

static void look_for_changes(struct hd_haul *haul)
{
	const struct hd_emulator *emulator = haul->emulator;
	uint64_t pause = (uint64_t)emulator->fabric->n_ports * LOOK_NS_PER_PORT;
	struct hd_haul_view *view;
	bool is_renewed;
	struct hd_error err;

	if (haul->changes == emulator->changes || emulator->until < haul->next_look)
		return;
	haul->changes = emulator->changes;
	haul->next_look = emulator->until + pause;
	if (hd_haul_make_view(haul, &view, &err)) {
		give_up(haul, err.text);
		return;
	}
	if (!hd_haul_view_equal(view, haul->view)) {
		if (hd_haul_renew(haul, view, &is_renewed, &err))
			give_up(haul, err.text);
		else if (is_renewed)
			haul->before.tables++;
		else if (haul->state == HD_HAUL_RUNNING)
			drain(haul, HD_HAUL_CHANGES);
	}
	hd_haul_view_free(view);
}

/* The model's time until which it has to go on now; while it drains, until it is empty. */
static uint64_t target(const struct hd_haul *haul)
{
	double due =
		(double)(haul->emulator->until - haul->started) * PS_PER_NS * haul->options.rate;
	uint64_t until = haul->options.end;

	if (haul->is_paused)
		return UINT64_MAX;
	if (haul->options.rate > 0 && due < (double)until)
		until = (uint64_t)due;
	return until > haul->base ? until - haul->base : 0;
}

static bool is_empty(const struct hd_haul *haul)
{
	struct hd_model_census census = hd_haul_census(haul);

	return !census.queued && !census.under_way;
}

static void tell_deadlock(struct hd_haul *haul)
{
	size_t n, used = 0;
	const struct hd_channel *cycle = hd_model_deadlock(haul->model, &n);
	char text[sizeof(haul->trouble)], label[320];

	used = (size_t)snprintf(text, sizeof(text), "deadlock of %zu channels:", n);
	for (size_t i = 0; i < n && used < sizeof(text); i++) {
		hd_port_label(haul->emulator->fabric, cycle[i].port, label, sizeof(label));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %s VL %u",
					 i ? "," : "", label, cycle[i].vl);
	}
	give_up(haul, text);
}

/* Simulates a step; false: something is wrong, and traffic has ended. */
static bool step(struct hd_haul *haul, uint64_t until)
{
	struct hd_error err;
	int ret = hd_model_run(haul->model, until, &err);

	haul->now = until;
	if (!ret)
		return true;
	if (ret == HD_EREFUSED)
		tell_deadlock(haul);
	else
		give_up(haul, err.text);
	return false;
}

/*
 * Simulates until @until, or for a slice's work. Steps become longer or shorter, so that there are
 * several in a slice.
 */
static bool simulate(struct hd_haul *haul, uint64_t until)
{
	uint64_t events = hd_haul_census(haul).events, work = 0, last;

	while (haul->now < until && work < SLICE_WORK && !(haul->is_paused && is_empty(haul))) {
		uint64_t left = until - haul->now;

		if (!step(haul, haul->now + (left < haul->step ? left : haul->step)))
			return false;
		last = events;
		events = hd_haul_census(haul).events;
		work += events - last + STEP_WORK;
		if (events - last > SLICE_WORK / 8)
			haul->step = haul->step / 2 + 1;
		else if (events - last < SLICE_WORK / 64 && haul->step < LONGEST_STEP)
			haul->step *= 2;
	}
	if (haul->is_paused)
		haul->drain_left -= work < haul->drain_left ? work : haul->drain_left;
	return true;
}

/* All packets under way have arrived, or never will. */
static void drained(struct hd_haul *haul)
{
	struct hd_error err;
	int ret;

	if (haul->state == HD_HAUL_ENDS) {
		hd_haul_end(haul);
		return;
	}
	hd_haul_forget_model(haul);
	ret = hd_haul_make_model(haul, &err);
	haul->state = HD_HAUL_RUNNING;
	if (ret)
		give_up(haul, err.text);
}

static void slice(void *context, uint64_t argument);

bool hd_haul_arm(struct hd_haul *haul)
{
	/*
	 * counted from the beginning of this slice: its own length does not make the next one late
	 */
	const struct hd_timer timer = {
		.time = haul->emulator->until + SLICE_NS +
			(uint64_t)haul->emulator->fabric->n_ports * SLICE_NS_PER_PORT,
		.expire = slice,
		.context = haul,
	};

	if (!haul->is_armed)
		haul->is_armed = hd_timers_add(&haul->emulator->timers, &timer);
	return haul->is_armed;
}

static void slice(void *context, uint64_t argument)
{
	struct hd_haul *haul = context;

	(void)argument;
	haul->is_armed = false;
	if (haul->state == HD_HAUL_RUNNING || haul->state == HD_HAUL_ENDS)
		look_for_changes(haul);
	if (!hd_haul_is_on(haul->state))
		return;
	if (haul->n_slices % PAGE_SLICES == 0)
		hd_haul_read_pages(haul, haul->n_slices % FIND_SLICES == 0);
	hd_haul_follow_agents(haul, false);
	if (!simulate(haul, target(haul)))
		return;
	if (haul->is_paused && (is_empty(haul) || !haul->drain_left))
		drained(haul);
	else if (!haul->is_paused && haul->base + haul->now >= haul->options.end)
		drain(haul, HD_HAUL_ENDS);
	if (!hd_haul_is_on(haul->state))
		return;
	if (++haul->n_slices % COUNT_SLICES == 0)
		hd_haul_counters_add(haul->counters, haul->model);
	if (!hd_haul_arm(haul))
		give_up(haul, "out of memory");
}

bool hd_haul_stop(struct hd_haul *haul)
{
	if (!hd_haul_is_on(haul->state))
		return false;
	drain(haul, HD_HAUL_ENDS);
	return true;
}

struct hd_haul_status hd_haul_status(const struct hd_haul *haul)
{
	struct hd_model_census census = hd_haul_census(haul);
	struct hd_model_circling circling = hd_haul_circling(haul);
	struct hd_haul_status status = haul->before;
	bool is_on = hd_haul_is_on(haul->state);

	status.state = haul->state;
	status.options = haul->state == HD_HAUL_NONE ? NULL : &haul->options;
	if (is_on)
		status.simulated = haul->base + haul->now;
	status.real = (is_on ? haul->emulator->until : haul->ended) - haul->started;
	status.generated += census.generated;
	status.queued = census.queued;
	status.under_way = census.under_way;
	status.delivered += census.delivered;
	status.dropped += census.dropped;
	status.unsent += haul->n_unsent;
	status.broken += haul->n_broken;
	status.looped += circling.packets;
	status.circled += circling.lost;
	status.n_hosts = haul->n_hosts;
	for (uint32_t i = 0; i < haul->n_hosts; i++)
		status.n_up += haul->hosts[i].is_up;
	status.trouble = haul->trouble;
	return status;
}
