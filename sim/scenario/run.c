// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engines/engine.h"
#include "sim/model/ranks.h"
#include "sim/scenario/fabric_rates.h"
#include "sim/scenario/jobs.h"
#include "sim/scenario/run_domains.h"
#include "support/error.h"

static bool next(void *context, uint32_t host, struct hd_message *message)
{
	struct run *run = context;

	if (!hd_concurrent_next(run->traffic.concurrent, host, message)) {
		run->done++;
		return false;
	}
	run->given++;
	hd_measure_generated(run->measure, message);
	if (run->series)
		hd_series_generated(run->series, message);
	return true;
}

static void ahead(void *context, uint32_t host)
{
	hd_concurrent_ahead(((struct run *)context)->traffic.concurrent, host);
}

static void inject(void *context, const struct hd_message *message)
{
	struct run *run = context;

	run->given++;
	hd_measure_generated(run->measure, message);
	if (run->series)
		hd_series_generated(run->series, message);
	hd_model_inject(run->model, message);
}

static void wake(void *context, uint32_t host, uint64_t time)
{
	hd_model_wake(((struct run *)context)->model, host, time);
}

static void completed(void *context, uint64_t now, uint64_t time, uint64_t bytes)
{
	struct run *run = context;
	struct hd_completions *flows = &run->flows;

	hd_measure_message(run->measure, now, time, bytes);
	flows->n_seen++;
	if (flows->n < flows->most)
		flows->list[flows->n++] = (struct hd_completion){
			time, now, bytes, run->arriving->from, run->arriving->to, run->arriving->tag
		};
}

/* Room for the flows that are listed. */
static int make_flows(struct run *run, struct hd_error *err)
{
	run->flows.most = run->setup->flows;
	if (!run->flows.most)
		return 0;
	run->flows.list = malloc(run->flows.most * sizeof(*run->flows.list));
	return run->flows.list ? 0 : hd_error_nomem(err);
}

static void exhausted(void *context)
{
	hd_model_fail(((struct run *)context)->model);
}

static void entered(void *context, uint64_t now, const struct hd_message *message)
{
	struct run *run = context;

	hd_concurrent_entered(run->traffic.concurrent, now, message, &run->actions);
}

static void woken(void *context, uint64_t now, uint32_t host)
{
	struct run *run = context;

	hd_concurrent_woken(run->traffic.concurrent, now, host, &run->actions);
}

/* What the packet that was delivered at @now carried. */
static void count_way(struct run *run, uint64_t now, const struct hd_header *header)
{
	if (!header || now < run->measure->options.begin || now >= run->measure->options.end)
		return;
	run->ways.misrouted += (header->flags & HD_MISROUTED) != 0;
	run->ways.at_source += (header->flags & HD_MISROUTED_FIRST) != 0;
	run->ways.out_of_order += (header->flags & HD_OUT_OF_ORDER) != 0;
}

static void delivered(void *context, uint64_t now, const struct hd_message *message,
		      uint64_t entered, unsigned hops)
{
	struct run *run = context;
	const struct hd_header *header = hd_model_delivered_header(run->model);
	struct hd_concurrent *concurrent = run->traffic.concurrent;
	struct hd_message reply;

	run->last = now;
	run->arriving = message;
	hd_measure_delivered(run->measure, now, message, entered, hops);
	count_way(run, now, header);
	if (run->series)
		hd_series_delivered(run->series, now, message, entered,
				    header && header->flags & HD_MISROUTED);
	hd_concurrent_received(concurrent, now, message, &run->actions);
	if (hd_concurrent_ends(concurrent, now, message)) {
		run->done = 0;
		hd_model_restart(run->model);
	}
	if (!hd_concurrent_reply(concurrent, now, message, &reply))
		return;
	inject(run, &reply);
}

static void dropped(void *context, uint64_t now, const struct hd_message *message)
{
	struct run *run = context;

	hd_measure_dropped(run->measure, now, message);
	if (run->series)
		hd_series_dropped(run->series, message);
}

/* The engine that made the tables; NULL: a snapshot does not say. */
static const struct hd_engine *engine_of(const struct run *run)
{
	const struct hd_snapshot *snapshot = run->network->snapshot;

	if (!snapshot)
		return hd_network_engine(&run->setup->network);
	return snapshot->provenance.engine ? hd_engine_find(snapshot->provenance.engine) : NULL;
}

static void refused(void *context, uint64_t now, const struct hd_message *message)
{
	struct run *run = context;

	(void)now;
	run->given--;
	hd_measure_refused(run->measure, message);
	if (run->series)
		hd_series_refused(run->series, message);
}

static bool stale(void *context, const struct hd_message *message)
{
	struct run *run = context;

	if (!hd_concurrent_is_stale(run->traffic.concurrent, message))
		return false;
	refused(run, message->time, message);
	return true;
}

/* Whether a phase of traffic ends when so many packets were delivered. */
static bool counts_deliveries(const struct hd_setup *setup)
{
	bool counts = false;

	for (size_t i = 0; i < setup->n_phases; i++)
		counts |= setup->phases[i].deliveries > 0;
	return counts;
}

/* Whether hosts send replies to what is delivered. */
static bool has_replies(const struct hd_setup *setup)
{
	bool replies = false;

	for (size_t i = 0; i < setup->n_phases; i++)
		replies |= setup->phases[i].request_reply;
	return replies;
}

/* The key that an error of the model is about. */
static enum hd_key find_culprit(const struct hd_setup *setup,
				const struct hd_model_options *options)
{
	if (setup->model.n_slow_hosts)
		return HD_HOST_SLOW;
	if (options->n_weights && (options->scheduler == &hd_scheduler_sbt ||
				   options->scheduler == &hd_scheduler_sbt_literal))
		return HD_SWITCH_WEIGHTS;
	if (options->scheduler == &hd_scheduler_dtable)
		return HD_SWITCH_DTABLE;
	if (options->class_of_tag)
		return HD_TRAFFIC_CLASSES;
	if (options->model->arbitrate || options->model->run)
		return HD_SWITCH_MODEL;
	if (options->links[HD_LINK_LOCAL].packet)
		return HD_SWITCH_BUFFER;
	if (options->port_injection)
		return HD_HOST_INJECTION;
	return HD_FABRIC_TOPOLOGY;
}

static int make_model(struct run *run, const uint32_t *port_ticks, uint64_t seed,
		      enum hd_key *culprit, struct hd_error *err)
{
	const struct hd_model_user user = {
		next,
		delivered,
		dropped,
		run,
		ahead,
		refused,
		counts_deliveries(run->setup) ? stale : NULL,
		hd_run_traffic_any(run->setup, hd_traffic_keeps_time) ? entered : NULL,
		woken,
	};
	struct hd_model_options options = run->setup->model;
	uint32_t n;
	int ret;

	options.port_class = run->network->structure.port_class;
	options.routed = run->network->routed;
	options.bubble = run->setup->network.bubble ? &run->network->rings : NULL;
	options.seed = seed;
	if (hd_run_traffic_any(run->setup, hd_traffic_has_own_sizes))
		options.least_packet = 1;
	options.answers = has_replies(run->setup);
	ret = hd_setup_follow_engine(engine_of(run), &options, err);
	hd_setup_follow_tables(run->network->tables, &options);
	options.port_ticks = port_ticks;
	run->has_own_rates = port_ticks != NULL;
	if (ret)
		return ret;
	*culprit = hd_run_traffic_culprit(run->setup);
	ret = hd_run_traffic_prepare(run->network, run->setup, &run->traffic, &options, err);
	if (ret)
		return ret;
	*culprit = find_culprit(run->setup, &options);
	ret = hd_model_new(run->network->tables, &options, &user, &run->model, err);
	if (ret)
		return ret;
	n = hd_model_hosts(run->model);
	if (n < 2)
		return hd_error_set(err, HD_EINVAL, "the fabric has no two hosts with LIDs");
	run->host_ports = malloc(n * sizeof(*run->host_ports));
	if (!run->host_ports)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < n; host++)
		run->host_ports[host] = hd_model_host_port(run->model, host);
	return 0;
}

static int make_traffic(struct run *run, uint64_t seed, struct hd_error *err)
{
	const struct hd_traffic_setting setting = {
		.fabric = run->network->fabric,
		.n_hosts = hd_model_hosts(run->model),
		.host_ports = run->host_ports,
		.structure = &run->network->structure,
		.unit_ticks = run->setup->model.links[HD_LINK_TERMINAL].unit_ticks,
		.seed = seed,
		.cycle_ticks = run->setup->network.in_cycles ? HD_TICKS_PER_CYCLE : 0,
		.host_model = run->setup->host_model,
		.interleaves = run->setup->interleaves,
		.has_actions = true,
	};

	return hd_run_traffic_make(&setting, run->network, run->setup, &run->traffic, err);
}

static int make_measure(struct run *run, struct hd_error *err)
{
	const struct hd_measure_options options = {
		.begin = run->setup->warmup,
		.end = run->setup->warmup + run->setup->window,
		.slices = run->setup->slices,
		.n_hosts = hd_model_hosts(run->model),
		.n_classes = hd_concurrent_flows(run->traffic.concurrent),
		.unit_ticks = run->setup->model.links[HD_LINK_TERMINAL].unit_ticks,
	};

	return hd_measure_new(&options, &run->measure, err);
}

static int make_series(struct run *run, struct hd_error *err)
{
	const struct hd_series_options options = {
		.begin = run->setup->warmup,
		.end = run->setup->warmup + run->setup->window,
		.step = run->setup->series,
		.origin = run->setup->origin,
		.n_hosts = hd_model_hosts(run->model),
		.unit_ticks = run->setup->model.links[HD_LINK_TERMINAL].unit_ticks,
	};

	return hd_series_new(&options, &run->series, err);
}

/* Runs until @until. A deadlock is a result and no error: 0, and @is_deadlocked is set. */
static int advance(struct run *run, uint64_t until, bool *is_deadlocked, struct hd_error *err)
{
	struct hd_error cause;
	int ret = hd_model_run(run->model, until, &cause);

	hd_run_join(run);
	*is_deadlocked = ret == HD_EREFUSED;
	if (ret && !*is_deadlocked && err)
		*err = cause;
	return *is_deadlocked ? 0 : ret;
}

/* Passes the window slice by slice, to read how full buffers are in each slice. */
static int advance_slices(struct run *run, struct hd_result *result, struct hd_error *err)
{
	const struct hd_measure_options *o = &run->measure->options;
	int ret = 0;

	free(result->buffer_slices);
	result->buffers = (struct hd_buffers){ 0 };
	result->buffer_slices = calloc(o->slices, sizeof(*result->buffer_slices));
	if (!result->buffer_slices)
		return hd_error_nomem(err);
	for (unsigned i = 0; i < o->slices && !ret && !result->is_deadlocked; i++) {
		uint64_t window = o->end - o->begin;
		uint64_t until = o->begin + window / o->slices * (i + 1) +
				 window % o->slices * (i + 1) / o->slices;
		struct hd_buffers slice;

		hd_model_restart_gauges(run->model);
		ret = advance(run, until, &result->is_deadlocked, err);
		hd_buffers_read(run->model, run->network->fabric,
				run->network->structure.port_class, &slice);
		result->buffer_slices[i] = slice.switches;
		hd_buffers_append(&result->buffers, &slice);
	}
	return ret;
}

/* Passes the window. */
static int pass_window(struct run *run, struct hd_result *result, struct hd_error *err)
{
	struct hd_model_census before = hd_model_census(run->model);
	int ret = 0;

	run->ways = (struct hd_ways){ 0 };
	hd_model_restart_parts(run->model);
	free(run->busy);
	run->busy = hd_links_snapshot(run->model, run->network->fabric);
	if (!run->busy)
		return hd_error_nomem(err);
	if (!result->is_deadlocked)
		ret = run->setup->model.gauge ? advance_slices(run, result, err)
					      : advance(run, run->measure->options.end,
							&result->is_deadlocked, err);
	if (ret)
		return ret;
	result->census = hd_model_census(run->model);
	result->packet_hops = result->census.packet_hops - before.packet_hops;
	result->dropped = result->census.dropped - before.dropped;
	result->lid_changes = result->census.lid_changes - before.lid_changes;
	return 0;
}

/* Whether hosts generate nothing more, and all packets arrived. */
static bool has_ended(const struct run *run, const struct hd_result *result)
{
	return run->done == run->measure->options.n_hosts &&
	       !hd_concurrent_waiting(run->traffic.concurrent) &&
	       run->given == result->census.delivered + result->census.dropped;
}

/* Whether another window is to follow the one that was passed. */
static bool goes_on(const struct run *run, const struct hd_result *result)
{
	const struct hd_measure_options *o = &run->measure->options;

	if (result->is_deadlocked || has_ended(run, result) || o->end > run->setup->longest / 2)
		return false;
	return o->begin == run->setup->warmup || !hd_measure_is_steady(run->measure);
}

static int simulate(struct run *run, struct hd_result *result, struct hd_error *err)
{
	int ret;

	hd_concurrent_begin(run->traffic.concurrent, &run->actions);
	ret = advance(run, run->measure->options.begin, &result->is_deadlocked, err);
	if (!ret)
		ret = pass_window(run, result, err);
	while (!ret && goes_on(run, result)) {
		ret = hd_measure_extend(run->measure, err);
		hd_run_follow(run);
		if (!ret)
			ret = pass_window(run, result, err);
	}
	return ret;
}

/* No packet is lost or made on the way, or the model is wrong. */
static int check_census(const struct hd_model_census *c, struct hd_error *err)
{
	if (c->generated == c->queued + c->under_way + c->delivered + c->dropped)
		return 0;
	return hd_error_set(err, HD_EINVAL, "packets are not conserved: this is a bug");
}

static int copy_cycle(const struct run *run, struct hd_result *result, struct hd_error *err)
{
	const struct hd_channel *cycle = hd_model_deadlock(run->model, &result->n_cycle);

	if (!result->n_cycle)
		return 0;
	result->cycle = malloc(result->n_cycle * sizeof(*result->cycle));
	if (!result->cycle)
		return hd_error_nomem(err);
	memcpy(result->cycle, cycle, result->n_cycle * sizeof(*result->cycle));
	return 0;
}

static int copy_names(const struct run *run, struct hd_result *result, struct hd_error *err)
{
	unsigned n = run->measure->options.n_classes;

	result->class_names = calloc(n + (size_t)1, sizeof(*result->class_names));
	if (!result->class_names)
		return hd_error_nomem(err);
	for (unsigned i = 0; i < n; i++) {
		result->class_names[i] =
			strdup(hd_concurrent_flow_name(run->traffic.concurrent, i));
		if (!result->class_names[i])
			return hd_error_nomem(err);
	}
	return 0;
}

/* Adds up throughput by the switch that sources are at. */
static int compare_switches(const struct run *run, struct hd_result *result, struct hd_error *err)
{
	const struct hd_fabric *fabric = run->network->fabric;
	uint32_t n_hosts = run->measure->options.n_hosts;
	uint32_t *switch_of = malloc((n_hosts + (size_t)1) * sizeof(*switch_of));
	int ret;

	result->n_switches = fabric->n_switches;
	result->switches = malloc((fabric->n_switches + (size_t)1) * sizeof(*result->switches));
	if (!switch_of || !result->switches) {
		free(switch_of);
		return hd_error_nomem(err);
	}
	for (uint32_t host = 0; host < n_hosts; host++) {
		uint32_t peer = fabric->ports[run->host_ports[host]].peer;

		/* two hosts back to back have no switch: they count as one */
		switch_of[host] = fabric->ports[peer].node < fabric->n_switches
					  ? fabric->ports[peer].node
					  : fabric->n_switches;
	}
	ret = hd_measure_shares(run->measure, switch_of, fabric->n_switches + 1, result->switches,
				err);
	if (!ret)
		ret = hd_measure_fairness(run->measure, switch_of, fabric->n_switches + 1,
					  &result->switch_fairness, err);
	free(switch_of);
	return ret;
}

/* Links that the units which arrived crossed, by class: what passed those within the window. */
static void count_hops(const struct run *run, struct hd_result *result)
{
	static const struct {
		enum hd_link_kind kind;
		enum hd_link_class link_class;
	} of[] = { { HD_KIND_EJECTION, HD_LINK_TERMINAL },
		   { HD_KIND_LOCAL, HD_LINK_LOCAL },
		   { HD_KIND_GLOBAL, HD_LINK_GLOBAL } };
	const struct hd_measure_options *o = &run->measure->options;
	uint64_t accepted = hd_measure_all(run->measure)->accepted;

	for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]) && accepted; i++) {
		const struct hd_utilisation *links = &result->utilisation[of[i].kind];

		if (run->has_own_rates) {
			result->hops[of[i].link_class] = links->units / (double)accepted;
			continue;
		}
		result->hops[of[i].link_class] =
			links->mean * links->n_ports * (double)(o->end - o->begin) /
			run->setup->model.links[of[i].link_class].unit_ticks / (double)accepted;
	}
}

/* Operations have their own ends, too, and units that are no other traffic's. */
static int conclude_collectives(const struct run *run, struct hd_result *result,
				struct hd_error *err)
{
	const uint32_t unit_ticks = run->setup->model.links[HD_LINK_TERMINAL].unit_ticks;
	const struct hd_collective_result *first;
	int ret =
		hd_collectives_copy(run->traffic.concurrent, unit_ticks, &result->collectives, err);

	first = hd_collectives_first(result->collectives, run->measure->options.n_classes);
	if (ret || !(hd_collective_makespan(first) > 0) || run->traffic.concurrent->n > 1)
		return ret;
	result->makespan = (uint64_t)hd_collective_makespan(first);
	result->network_use = (double)first->of.units * unit_ticks /
			      ((double)first->of.n_ranks * (double)result->makespan);
	return 0;
}

/* An application has an end of its own: hosts beside it may send a little longer. */
static void conclude_application(const struct run *run, struct hd_result *result)
{
	const struct hd_application *application =
		hd_concurrent_application(run->traffic.concurrent);

	if (!application)
		return;
	result->has_application = true;
	result->application = *application;
	if (application->end == UINT64_MAX)
		return;
	result->makespan = application->end - application->begin;
	result->network_use = (double)application->units *
			      run->setup->model.links[HD_LINK_TERMINAL].unit_ticks /
			      ((double)application->n_processes * (double)result->makespan);
}

static int conclude(struct run *run, struct hd_result *result, struct hd_error *err)
{
	const struct hd_network *network = run->network;
	const struct hd_measure_options *o = &run->measure->options;
	int ret = run->measure->out_of_memory ? hd_error_nomem(err)
					      : check_census(&result->census, err);

	if (!ret)
		ret = copy_cycle(run, result, err);
	if (!ret)
		ret = copy_names(run, result, err);
	if (!ret)
		ret = hd_measure_fairness(run->measure, NULL, o->n_hosts, &result->fairness, err);
	if (!ret)
		ret = compare_switches(run, result, err);
	if (ret)
		return ret;
	hd_links_utilisation(run->model, network->fabric, network->structure.port_class, run->busy,
			     o->end - o->begin, result->utilisation);
	count_hops(run, result);
	if (!result->is_deadlocked && !result->census.dropped)
		ret = hd_concurrent_stuck(run->traffic.concurrent, err);
	if (ret)
		return ret;
	result->packet = run->setup->packet;
	result->ways = run->ways;
	result->parts = hd_model_parts(run->model);
	result->has_parts = run->setup->model.parts;
	result->chooses_ways = network->routed != NULL;
	result->counts_order = network->routed && network->routed->counts_order;
	result->is_complete = has_ended(run, result) && !result->census.dropped;
	result->makespan = hd_concurrent_last_local(run->traffic.concurrent);
	if (run->last > result->makespan)
		result->makespan = run->last;
	conclude_application(run, result);
	ret = conclude_collectives(run, result, err);
	if (ret)
		return ret;
	result->is_saturated = result->is_deadlocked || hd_measure_is_saturated(run->measure);
	result->is_steady = !result->is_deadlocked && hd_measure_is_steady(run->measure);
	return 0;
}

/* Goes on until the packets of the series have arrived. */
static int finish_series(struct run *run, const struct hd_result *result, struct hd_error *err)
{
	uint64_t end = run->series->options.end, stretch = end / 64 + 1, until = end;
	bool is_deadlocked = result->is_deadlocked;
	int ret = 0;

	while (!ret && run->series->pending && !is_deadlocked && until - end < end) {
		until += stretch;
		ret = advance(run, until, &is_deadlocked, err);
	}
	return ret;
}

static double seconds_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begin->tv_sec) + 1e-9 * (double)(now.tv_nsec - begin->tv_nsec);
}

/* hd_run(), on at most @threads threads. */
static int try(const struct hd_network *network, const struct hd_setup *setup, uint64_t seed,
	       const struct hd_trace_request *trace, struct hd_run_threads threads,
	       struct hd_result *result, bool *is_late, enum hd_key *culprit, struct hd_error *err)
{
	const enum hd_key traffic = hd_run_traffic_culprit(setup);
	struct run run = { .network = network,
			   .setup = setup,
			   .actions = { inject, wake, &run, completed, exhausted } };
	uint32_t *port_ticks;
	struct hd_tracer *tracer = NULL;
	struct timespec begin;
	int ret;

	*result = (struct hd_result){ 0 };
	clock_gettime(CLOCK_MONOTONIC, &begin);
	*culprit = HD_LINK_RATES;
	ret = hd_rates_make(setup, network->fabric, network->structure.port_class, &port_ticks,
			    err);
	if (!ret) {
		*culprit = HD_FABRIC_TOPOLOGY;
		ret = make_model(&run, port_ticks, seed, culprit, err);
	}
	free(port_ticks);
	if (!ret) {
		*culprit = traffic;
		ret = make_traffic(&run, seed, err);
	}
	if (!ret && trace) {
		*culprit = HD_N_KEYS;
		ret = hd_tracer_new(trace, network->fabric, run.model, &tracer, err);
	}
	if (!ret) {
		*culprit = HD_RUN_MEASURE;
		ret = make_measure(&run, err);
	}
	if (!ret && setup->series) {
		*culprit = HD_RUN_SERIES;
		ret = make_series(&run, err);
	}
	if (!ret) {
		*culprit = HD_RUN_FLOWS;
		ret = make_flows(&run, err);
	}
	if (!ret)
		*culprit = traffic; /* packets of a trace that fit no buffer */
	result->measure = run.measure;
	result->series = run.series;
	ret = hd_ranks_agree(threads.ranks, ret, err);
	if (!ret)
		ret = hd_ranks_agree(threads.ranks, hd_run_divide(&run, threads, err), err);
	result->why_whole = run.why_whole;
	if (!ret)
		ret = simulate(&run, result, err);
	if (!ret)
		ret = conclude(&run, result, err);
	if (!ret && run.series)
		ret = finish_series(&run, result, err);
	if (!ret && tracer) {
		*culprit = HD_N_KEYS;
		ret = hd_tracer_end(tracer, err);
	}
	result->wall_seconds = seconds_since(&begin);
	result->flows = run.flows;
	*is_late = run.model && hd_model_is_late(run.model);
	hd_run_unite(&run);
	hd_model_free(run.model);
	hd_tracer_free(tracer);
	hd_run_traffic_clear(&run.traffic);
	free(run.host_ports);
	free(run.busy);
	if (ret || *is_late)
		hd_result_clear(result);
	return ret;
}

static int try_again(const struct hd_network *network, const struct hd_setup *setup, uint64_t seed,
		     const struct hd_trace_request *trace, struct hd_run_threads threads,
		     struct hd_result *result, enum hd_key *culprit, struct hd_error *err)
{
	bool is_late;
	int ret = try(network, setup, seed, trace, threads, result, &is_late, culprit, err);

	if (!is_late)
		return ret;
	return try(network, setup, seed, trace, (struct hd_run_threads){ .n = 1 }, result, &is_late,
		   culprit, err);
}

/* How long a repetition of job @class takes alone: goes to its flow classes in @result. */
static int run_alone(const struct hd_network *network, const struct hd_setup *setup, uint64_t seed,
		     struct hd_run_threads threads, unsigned class, struct hd_result *result,
		     enum hd_key *culprit, struct hd_error *err)
{
	struct hd_setup own = *setup;
	struct hd_result alone;
	double repetition;
	int ret;

	own.is_alone = true;
	own.alone = class;
	own.series = 0;
	ret = try_again(network, &own, seed, NULL, threads, &alone, culprit, err);
	if (ret)
		return ret;
	repetition = hd_collective_repetition(
		hd_collectives_first(alone.collectives, alone.measure->options.n_classes));
	for (unsigned tag = 0; tag < result->measure->options.n_classes; tag++)
		if (result->collectives[tag].class == class)
			result->collectives[tag].alone = repetition;
	hd_result_clear(&alone);
	return 0;
}

int hd_run(const struct hd_network *network, const struct hd_setup *setup, uint64_t seed,
	   const struct hd_trace_request *trace, struct hd_run_threads threads,
	   struct hd_result *result, enum hd_key *culprit, struct hd_error *err)
{
	int ret = try_again(network, setup, seed, trace, threads, result, culprit, err);

	for (unsigned c = 0; !ret && c < setup->n_classes; c++)
		if (hd_jobs_has_others(setup, c)) {
			ret = run_alone(network, setup, seed, threads, c, result, culprit, err);
			if (ret)
				hd_result_clear(result);
		}
	return ret;
}

void hd_result_clear(struct hd_result *result)
{
	for (unsigned i = 0; result->class_names && i < result->measure->options.n_classes; i++)
		free(result->class_names[i]);
	free(result->class_names);
	free(result->cycle);
	free(result->buffer_slices);
	free(result->switches);
	free(result->series);
	free(result->flows.list);
	if (result->measure)
		hd_collectives_free(result->collectives, result->measure->options.n_classes);
	hd_measure_free(result->measure);
	*result = (struct hd_result){ 0 };
}
