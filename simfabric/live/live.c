// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/live/live.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/live/links.h"
#include "simfabric/live/state.h"
#include "support/error.h"
#include "tables/dumps.h"
#include "tables/snapshot.h"
#include "topologies/dragonfly.h"

/*
 * A slice: about a millisecond of a core, so that MADs wait no longer, and as much for them. Work is
 * events, and steps of simulated time, in which nothing may happen.
 */
#define SLICE_WORK   16384
#define STEP_WORK    16
#define LONGEST_STEP 10000000 /* ps */
#define SLICE_NS     2000000
#define COUNT_SLICES 25 /* between counts at ports */

/* Tables are looked at again after so long for each port, since a model of them takes its time. */
#define LOOK_NS_PER_PORT 4000
#define LEAST_LOOK_NS    10000000

/*
 * Events that a packet may need to arrive; routes of more links than there are switches, or than
 * directed SMPs can take, circle.
 */
#define EVENTS_PER_HOP 4
#define MOST_HOPS      64

#define PS_PER_NS 1000

struct hd_live *hd_live_new(struct hd_emulator *emulator)
{
	struct hd_live *live = calloc(1, sizeof(*live));

	if (live)
		live->emulator = emulator;
	return live;
}

static struct hd_model_census census_of(const struct hd_live *live)
{
	return live->model ? hd_model_census(live->model) : (struct hd_model_census){ 0 };
}

/* Frees the model of now; what it did is counted, what is still in it is lost. */
static void forget_model(struct hd_live *live)
{
	struct hd_model_census census = census_of(live);
	struct hd_live_status *before = &live->before;

	if (live->model)
		hd_live_counters_add(live->counters, live->model);
	before->generated += census.generated;
	before->delivered += census.delivered;
	before->dropped += census.dropped;
	before->unsent += live->n_unsent;
	before->lost += census.waiting + census.under_way;
	before->simulated = live->base + live->now;
	live->n_unsent = 0;
	hd_model_free(live->model);
	hd_live_counters_free(live->counters);
	hd_live_view_free(live->view);
	live->model = NULL;
	live->counters = NULL;
	live->view = NULL;
}

/* Frees what only traffic under way needs; what it was remains known. */
static void end(struct hd_live *live)
{
	forget_model(live);
	hd_live_view_free(live->sls);
	hd_traffic_free(live->traffic);
	hd_dragonfly_free(live->dragonfly);
	free(live->host_of);
	live->sls = NULL;
	live->traffic = NULL;
	live->dragonfly = NULL;
	live->host_of = NULL;
	live->ended = live->emulator->until;
	live->state = HD_LIVE_OVER;
}

void hd_live_free(struct hd_live *live)
{
	if (!live)
		return;
	end(live);
	hd_live_options_clear(&live->options);
	free(live->hosts);
	free(live->host_ports);
	free(live);
}

/* Making a model of what is there now */

static int make_view(struct hd_live *live, struct hd_live_view **view, struct hd_error *err)
{
	int ret = hd_live_view_new(live->emulator, view, err);

	if (ret)
		return ret;
	if (!live->sls)
		hd_live_view_set_sl(*view, live->options.sl);
	else
		ret = hd_live_view_copy_sls(*view, live->sls, err);
	if (ret) {
		hd_live_view_free(*view);
		*view = NULL;
	}
	return ret;
}

static const uint8_t *port_class(const struct hd_live *live)
{
	return live->dragonfly ? live->dragonfly->port_class : NULL;
}

static int make_model(struct hd_live *live, struct hd_error *err)
{
	const struct hd_model_user user = { hd_live_next, hd_live_delivered, hd_live_dropped,
					    live };
	struct hd_model_options options = live->options.setup.model;
	int ret;

	options.port_class = port_class(live);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		options.links[i].unit_ticks = live->unit_ticks[i];
	live->base += live->now;
	live->now = 0;
	live->is_paused = false;
	live->changes = live->emulator->changes;
	ret = make_view(live, &live->view, err);
	if (!ret)
		ret = hd_live_counters_new(live->emulator, live->view, options.port_class,
					   live->unit_ticks, &live->counters, err);
	if (!ret)
		ret = hd_model_new(live->view->tables, &options, &user, &live->model, err);
	if (!ret)
		ret = hd_live_meet_hosts(live, err);
	live->before.models += !ret;
	return ret;
}

/* Starting */

static int find_hosts(struct hd_live *live, struct hd_error *err)
{
	const struct hd_fabric *fabric = live->emulator->fabric;

	free(live->hosts);
	free(live->host_ports);
	live->n_hosts = 0;
	live->hosts = calloc(fabric->n_ports + (size_t)1, sizeof(*live->hosts));
	live->host_ports = malloc((fabric->n_ports + (size_t)1) * sizeof(*live->host_ports));
	if (!live->hosts || !live->host_ports)
		return hd_error_nomem(err);
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		if (hd_is_switch(fabric, fabric->ports[p].node) || fabric->ports[p].peer == HD_NONE)
			continue;
		live->hosts[live->n_hosts].port = p;
		live->host_ports[live->n_hosts++] = p;
	}
	return live->n_hosts > 1 ? 0 : hd_error_set(err, HD_EINVAL, "the fabric has no two hosts");
}

static int recognise(struct hd_live *live, struct hd_error *err)
{
	struct hd_error cause;
	int ret = hd_dragonfly_recognise(live->emulator->fabric, NULL, &live->dragonfly, &cause);

	if (ret == HD_ENOMEM)
		return hd_error_nomem(err);
	if (ret)
		live->dragonfly = NULL; /* another shape */
	return 0;
}

/* Rates of links where the user does not say; matchings as `heddle sim` has them. */
static void set_rates(struct hd_live *live)
{
	const struct hd_scenario *scenario = live->options.scenario;
	struct hd_setup *setup = &live->options.setup;
	uint32_t fastest = UINT32_MAX;

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		live->unit_ticks[i] = setup->model.links[i].unit_ticks;
	if (scenario->keys[HD_LINK_BANDWIDTH].is_set)
		return;
	hd_live_unit_ticks(live->emulator, port_class(live), live->unit_ticks);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (live->unit_ticks[i] < fastest)
			fastest = live->unit_ticks[i];
	if (hd_scenario_quantity(scenario, 0, HD_SWITCH_CYCLE)->is_empty)
		setup->model.cycle = fastest;
}

static int make_traffic(struct hd_live *live, struct hd_error *err)
{
	const struct hd_traffic_setting setting = {
		.fabric = live->emulator->fabric,
		.n_hosts = live->n_hosts,
		.host_ports = live->host_ports,
		.dragonfly = live->dragonfly,
		.unit_ticks = live->unit_ticks[HD_LINK_TERMINAL],
		.seed = live->options.seed,
	};

	return hd_traffic_new(&setting, live->options.setup.phases, live->options.setup.n_phases,
			      &live->traffic, err);
}

/* Path SLs are a file's, and fit the LIDs of now. */
static int read_sls(struct hd_live *live, struct hd_error *err)
{
	const char *given = live->options.path_sls;
	char *path;
	int ret;

	if (!given)
		return 0;
	if (hd_snapshot_is_directory(given)) {
		if (asprintf(&path, "%s/%s", given, hd_dump_path_sl.file) < 0)
			return hd_error_nomem(err);
	} else {
		path = strdup(given);
		if (!path)
			return hd_error_nomem(err);
	}
	ret = hd_live_view_new(live->emulator, &live->sls, err);
	if (!ret)
		ret = hd_dump_read(&hd_dump_path_sl, live->sls->tables, path, err);
	free(path);
	return ret;
}

static void slice(void *context, uint64_t argument);

static bool arm(struct hd_live *live)
{
	/* from when this turn began: what it takes itself does not make the next one late */
	const struct hd_timer timer = {
		.time = live->emulator->until + SLICE_NS,
		.expire = slice,
		.context = live,
	};

	if (!live->is_armed)
		live->is_armed = hd_timers_add(&live->emulator->timers, &timer);
	return live->is_armed;
}

int hd_live_start(struct hd_live *live, struct hd_live_options *options, struct hd_error *err)
{
	int ret;

	if (hd_live_is_on(live->state)) {
		hd_live_options_clear(options);
		return hd_error_set(err, HD_EINVAL, "there is traffic already");
	}
	hd_live_options_clear(&live->options);
	live->options = *options;
	*options = (struct hd_live_options){ 0 };
	live->before = (struct hd_live_status){ 0 };
	live->base = live->now = 0;
	live->n_slices = 0;
	live->trouble[0] = '\0';
	live->started = live->emulator->until;
	live->next_look = 0;
	ret = find_hosts(live, err);
	if (!ret)
		ret = recognise(live, err);
	if (!ret) {
		set_rates(live);
		live->step = live->unit_ticks[HD_LINK_TERMINAL];
		ret = make_traffic(live, err);
	}
	if (!ret)
		ret = read_sls(live, err);
	if (!ret)
		ret = make_model(live, err);
	if (!ret && !arm(live))
		ret = hd_error_nomem(err);
	if (ret) {
		end(live);
		hd_live_options_clear(&live->options);
		live->state = HD_LIVE_NONE;
		return ret;
	}
	live->state = HD_LIVE_RUNNING;
	return 0;
}

/* Slices */

static void give_up(struct hd_live *live, const char *why)
{
	snprintf(live->trouble, sizeof(live->trouble), "%s", why);
	end(live);
}

/* Hosts pause until all that was generated has arrived. */
static void drain(struct hd_live *live, enum hd_live_state state)
{
	struct hd_model_census census = census_of(live);
	uint64_t hops = live->emulator->fabric->n_switches + UINT64_C(2);

	live->state = state;
	if (live->is_paused)
		return;
	live->is_paused = true;
	live->drain_left = SLICE_WORK + (census.waiting + census.under_way + live->n_hosts) *
						EVENTS_PER_HOP *
						(hops < MOST_HOPS ? hops : MOST_HOPS);
}

static void look_for_changes(struct hd_live *live)
{
	const struct hd_emulator *emulator = live->emulator;
	uint64_t pause = (uint64_t)emulator->fabric->n_ports * LOOK_NS_PER_PORT;
	struct hd_live_view *view;
	struct hd_error err;

	if (live->changes == emulator->changes || emulator->until < live->next_look)
		return;
	live->changes = emulator->changes;
	live->next_look = emulator->until + (pause > LEAST_LOOK_NS ? pause : LEAST_LOOK_NS);
	if (make_view(live, &view, &err)) {
		give_up(live, err.text);
		return;
	}
	if (!hd_live_view_equal(view, live->view))
		drain(live, HD_LIVE_CHANGES);
	hd_live_view_free(view);
}

/* Until when the model has to go on in its own time; while it drains, until it is empty. */
static uint64_t target(const struct hd_live *live)
{
	double due =
		(double)(live->emulator->until - live->started) * PS_PER_NS * live->options.rate;
	uint64_t until = live->options.end;

	if (live->is_paused)
		return UINT64_MAX;
	if (live->options.rate > 0 && due < (double)until)
		until = (uint64_t)due;
	return until > live->base ? until - live->base : 0;
}

static bool is_empty(const struct hd_live *live)
{
	struct hd_model_census census = census_of(live);

	return !census.waiting && !census.under_way;
}

static void tell_deadlock(struct hd_live *live)
{
	size_t n, used = 0;
	const struct hd_wait *cycle = hd_model_deadlock(live->model, &n);
	char text[sizeof(live->trouble)], label[320];

	used = (size_t)snprintf(text, sizeof(text), "deadlock of %zu channels:", n);
	for (size_t i = 0; i < n && used < sizeof(text); i++) {
		hd_port_label(live->emulator->fabric, cycle[i].port, label, sizeof(label));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %s VL %u",
					 i ? "," : "", label, cycle[i].vl);
	}
	give_up(live, text);
}

/* Simulates a step; false: there is trouble, and traffic is over. */
static bool step(struct hd_live *live, uint64_t until)
{
	struct hd_error err;
	int ret = hd_model_run(live->model, until, &err);

	live->now = until;
	if (!ret)
		return true;
	if (ret == HD_EREFUSED)
		tell_deadlock(live);
	else
		give_up(live, err.text);
	return false;
}

/*
 * Goes on until @until, or for a slice's work. Steps become longer or shorter, so that there are
 * some in a slice.
 */
static bool simulate(struct hd_live *live, uint64_t until)
{
	uint64_t events = census_of(live).events, work = 0, last;

	while (live->now < until && work < SLICE_WORK && !(live->is_paused && is_empty(live))) {
		uint64_t left = until - live->now;

		if (!step(live, live->now + (left < live->step ? left : live->step)))
			return false;
		last = events;
		events = census_of(live).events;
		work += events - last + STEP_WORK;
		if (events - last > SLICE_WORK / 8)
			live->step = live->step / 2 + 1;
		else if (events - last < SLICE_WORK / 64 && live->step < LONGEST_STEP)
			live->step *= 2;
	}
	if (live->is_paused)
		live->drain_left -= work < live->drain_left ? work : live->drain_left;
	return true;
}

/* All that was under way has arrived, or never will. */
static void drained(struct hd_live *live)
{
	struct hd_error err;
	int ret;

	if (live->state == HD_LIVE_ENDS) {
		end(live);
		return;
	}
	forget_model(live);
	ret = make_model(live, &err);
	live->state = HD_LIVE_RUNNING;
	if (ret)
		give_up(live, err.text);
}

static void slice(void *context, uint64_t argument)
{
	struct hd_live *live = context;

	(void)argument;
	live->is_armed = false;
	if (live->state == HD_LIVE_RUNNING)
		look_for_changes(live);
	if (!hd_live_is_on(live->state) || !simulate(live, target(live)))
		return;
	if (live->is_paused && (is_empty(live) || !live->drain_left))
		drained(live);
	else if (!live->is_paused && live->base + live->now >= live->options.end)
		drain(live, HD_LIVE_ENDS);
	if (!hd_live_is_on(live->state))
		return;
	if (++live->n_slices % COUNT_SLICES == 0)
		hd_live_counters_add(live->counters, live->model);
	if (!arm(live))
		give_up(live, "out of memory");
}

bool hd_live_stop(struct hd_live *live)
{
	if (!hd_live_is_on(live->state))
		return false;
	drain(live, HD_LIVE_ENDS);
	return true;
}

struct hd_live_status hd_live_status(struct hd_live *live)
{
	struct hd_model_census census = census_of(live);
	struct hd_live_status status = live->before;
	bool is_on = hd_live_is_on(live->state);

	if (live->model)
		hd_live_counters_add(live->counters, live->model);
	status.state = live->state;
	status.options = live->state == HD_LIVE_NONE ? NULL : &live->options;
	if (is_on)
		status.simulated = live->base + live->now;
	status.real = (is_on ? live->emulator->until : live->ended) - live->started;
	status.generated += census.generated;
	status.waiting = census.waiting;
	status.under_way = census.under_way;
	status.delivered += census.delivered;
	status.dropped += census.dropped;
	status.unsent += live->n_unsent;
	status.n_hosts = live->n_hosts;
	for (uint32_t i = 0; i < live->n_hosts; i++)
		status.n_up += live->hosts[i].in_model != HD_NONE;
	status.trouble = live->trouble;
	return status;
}
