// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/setup.h"

#include <stdlib.h>
#include <string.h>

#include "engines/engine.h"
#include "sim/adaptive/routing.h"
#include "sim/measure/series.h"
#include "sim/scenario/host_choice.h"
#include "sim/scenario/host_list.h"
#include "sim/scenario/phases.h"
#include "sim/scenario/scheduling.h"
#include "support/error.h"

/* What is being made, and from what. */
struct making {
	const struct hd_scenario *scenario;
	size_t point;
	struct hd_setup *setup;
	struct hd_error *err;
};

static const struct hd_quantity *get(const struct making *m, enum hd_key key)
{
	return hd_scenario_quantity(m->scenario, m->point, key);
}

static const char *text(const struct making *m, enum hd_key key)
{
	return hd_scenario_value(m->scenario, m->point, key);
}

/* @key, or @general where it is empty. */
static enum hd_key or_general(const struct making *m, enum hd_key key, enum hd_key general)
{
	return get(m, key)->is_empty ? general : key;
}

static int refuse(const struct making *m, enum hd_key key, const char *what)
{
	hd_error_set(m->err, HD_EINVAL, "%s", what);
	return hd_scenario_blame(m->scenario, key, m->err);
}

static const struct hd_policy *policy(const struct making *m, enum hd_key key)
{
	return get(m, key)->policy;
}

static void make_network(const struct making *m)
{
	m->setup->network = (struct hd_network_setup){
		.given = m->scenario->given,
		.topology = text(m, HD_FABRIC_TOPOLOGY),
		.file = text(m, HD_FABRIC_FILE),
		.strict = get(m, HD_FABRIC_STRICT)->whole,
		.name_map = text(m, HD_FABRIC_NODE_NAME_MAP),
		.engine = text(m, HD_ROUTING_ENGINE),
		.options = text(m, HD_ROUTING_OPTIONS),
		.layers = text(m, HD_ROUTING_LAYERS),
		.queues = text(m, HD_ROUTING_QUEUES),
		.snapshot = text(m, HD_ROUTING_SNAPSHOT),
		.classes = text(m, HD_ROUTING_CLASSES),
		.vlarb = (enum hd_vlarb_policy)get(m, HD_ROUTING_VLARB)->whole,
		.max_vls = (unsigned)get(m, HD_ROUTING_MAX_VLS)->whole,
		.has_lmc = !get(m, HD_ROUTING_LMC)->is_empty,
		.lmc = (unsigned)get(m, HD_ROUTING_LMC)->whole,
		.adaptive =
			hd_routed_adaptive(text(m, HD_ROUTING_ADAPTIVE), text(m, HD_ROUTING_VCS)),
		.trigger = text(m, HD_ROUTING_TRIGGER),
		.vcs = text(m, HD_ROUTING_VCS),
		.proves = get(m, HD_ROUTING_PROOF)->whole,
		.hosts_wait = get(m, HD_HOST_REPLIES)->whole > 0,
		.bubble = get(m, HD_SWITCH_BUBBLE)->whole,
		.by_destination = policy(m, HD_SWITCH_BUFFERING) == &hd_buffering_voqnet.policy,
		.in_cycles = m->scenario->clock == HD_CLOCK_CYCLES,
	};
}

/* Keys of a class of links. */
struct link_keys {
	enum hd_key bandwidth, propagation, buffer, vcs;
};

static const struct link_keys link_keys[HD_LINK_CLASSES] = {
	[HD_LINK_TERMINAL] = { HD_LINK_BANDWIDTH_TERMINAL, HD_LINK_PROPAGATION_TERMINAL,
			       HD_SWITCH_BUFFER_TERMINAL, HD_SWITCH_VCS_TERMINAL },
	[HD_LINK_LOCAL] = { HD_LINK_BANDWIDTH_LOCAL, HD_LINK_PROPAGATION_LOCAL,
			    HD_SWITCH_BUFFER_LOCAL, HD_SWITCH_VCS_LOCAL },
	[HD_LINK_GLOBAL] = { HD_LINK_BANDWIDTH_GLOBAL, HD_LINK_PROPAGATION_GLOBAL,
			     HD_SWITCH_BUFFER_GLOBAL, HD_SWITCH_VCS_GLOBAL },
};

/* Of an output buffer, where neither the scenario nor the switch model says what it has. */
#define OUTPUT_PACKETS 4

/* Units of the longest packet of all traffic. */
static uint32_t longest_packet(const struct hd_setup *setup)
{
	uint32_t shortest, longest;

	hd_traffic_sizes(setup, &shortest, &longest);
	return longest;
}

/* A buffer that must take a packet; with "per port" one of all VLs. */
static int make_buffer(const struct making *m, enum hd_key key, uint32_t *buffer)
{
	uint64_t units = get(m, key)->whole;

	if (get(m, key)->is_packets)
		units *= get(m, HD_TRAFFIC_PACKET)->whole;
	if (units > UINT32_MAX)
		return refuse(m, key, "the buffer is too large");
	if (units < longest_packet(m->setup) && !m->setup->model.model->moves_flits)
		return refuse(m, key, "a packet does not fit the buffer");
	*buffer = (uint32_t)units;
	return 0;
}

/* Whether the scenario itself says what @key is. */
static bool is_given(const struct making *m, enum hd_key key)
{
	return m->scenario->keys[key].is_set && !get(m, key)->is_empty;
}

/* Units of @bytes, which a flit has 8 of, as in Omni-Path. */
static uint32_t units_of(const struct making *m, uint32_t bytes)
{
	return bytes / (m->scenario->clock == HD_CLOCK_CYCLES ? 8 : 64);
}

/* The buffer behind links whose own key is @key: for each VL, or for a port. */
static int make_input(const struct making *m, enum hd_key key, struct hd_link_options *link)
{
	enum hd_key per_vl = or_general(m, key, HD_SWITCH_BUFFER);

	if (!get(m, HD_SWITCH_PORT_BUFFER)->is_empty) {
		if (is_given(m, per_vl))
			return refuse(m, HD_SWITCH_PORT_BUFFER,
				      "there is a buffer for each VL, too");
		return make_buffer(m, HD_SWITCH_PORT_BUFFER, &link->port_buffer);
	}
	if (m->setup->model.model->input_bytes && !is_given(m, per_vl)) {
		link->port_buffer = units_of(m, m->setup->model.model->input_bytes);
		return 0;
	}
	if (!get(m, per_vl)->is_of_port)
		return make_buffer(m, per_vl, &link->buffer);
	link->packet = longest_packet(m->setup);
	return make_buffer(m, per_vl, &link->port_buffer);
}

/* Output buffers and central ones: what the switch model has where @key says nothing. */
static int make_inner(const struct making *m, enum hd_key key, uint32_t bytes, uint32_t *buffer)
{
	if (!get(m, key)->is_empty)
		return make_buffer(m, key, buffer);
	*buffer = units_of(m, bytes);
	if (!bytes)
		*buffer = OUTPUT_PACKETS * (uint32_t)get(m, HD_TRAFFIC_PACKET)->whole;
	return *buffer < longest_packet(m->setup)
		       ? refuse(m, key, "a packet does not fit the buffer")
		       : 0;
}

static int make_link(const struct making *m, enum hd_link_class class)
{
	struct hd_link_options *link = &m->setup->model.links[class];
	const struct link_keys *keys = &link_keys[class];
	int ret = make_input(m, keys->buffer, link);

	if (!ret)
		ret = make_inner(m, HD_SWITCH_OUTPUT, m->setup->model.model->output_bytes,
				 &link->output);
	link->unit_ticks =
		(uint32_t)get(m, or_general(m, keys->bandwidth, HD_LINK_BANDWIDTH))->whole;
	m->setup->has_bandwidth[class] = !get(m, keys->bandwidth)->is_empty;
	link->vcs = (unsigned)get(m, keys->vcs)->whole;
	link->propagation = get(m, or_general(m, keys->propagation, HD_LINK_PROPAGATION))->whole;
	return ret;
}

/* The switch model with its options, which make_switch() has looked at. */
static const struct hd_switch_model *variant_of(const struct hd_setup *setup)
{
	const struct hd_switch_model *model = setup->model.model;
	struct hd_error ignored;

	return model->variant ? model->variant(setup->switch_params, &ignored) : model;
}

/* Two packets fit what a packet enters a ring by, behind a link of @class or before it. */
static int check_entry(const struct making *m, enum hd_link_class class, uint32_t packet)
{
	const struct hd_link_options *link = &m->setup->model.links[class];

	if (variant_of(m->setup)->queue_room)
		return link->output / 2 >= packet
			       ? 0
			       : refuse(m, HD_SWITCH_OUTPUT,
					"two packets do not fit the queue of a VL, as "
					"switch.bubble needs");
	/* what is given for a port is known when the VLs are, and then refused by the model */
	if (!link->port_buffer && link->buffer / 2 < packet)
		return refuse(m, or_general(m, link_keys[class].buffer, HD_SWITCH_BUFFER),
			      "two packets do not fit the buffer, as switch.bubble needs");
	return 0;
}

/* What bubble flow control cannot be with; its rings come with the network. */
static int check_bubble(const struct making *m)
{
	const struct hd_setup *setup = m->setup;
	uint32_t packet, longest;

	if (!setup->network.bubble)
		return 0;
	hd_traffic_sizes(setup, &packet, &longest);
	if (setup->model.damq)
		return refuse(m, HD_SWITCH_BUBBLE,
			      "with switch.damq a ring's free packet is not its own");
	if (packet != longest)
		return refuse(m, HD_SWITCH_BUBBLE,
			      "packets are of several sizes: a ring's free packet would be in "
			      "pieces");
	for (unsigned i = HD_LINK_LOCAL; i < HD_LINK_CLASSES; i++)
		if (check_entry(m, i, packet))
			return m->err->code;
	return 0;
}

/* The bound on what may wait at a host, in packets. */
static int make_host_queue(const struct making *m)
{
	const struct hd_quantity *queue = get(m, HD_HOST_QUEUE);
	uint64_t packet = get(m, HD_TRAFFIC_PACKET)->whole, packets;

	if (queue->is_empty)
		return 0;
	packets = queue->is_packets ? queue->whole : queue->whole / packet;
	if (!packets || packets > UINT32_MAX)
		return refuse(m, HD_HOST_QUEUE, "a packet does not fit the queue");
	m->setup->model.host_queue = (unsigned)packets;
	return 0;
}

/* Injection queues, in packets: each, or all of a host. */
static int make_injection(const struct making *m)
{
	const struct hd_quantity *injection = get(m, HD_HOST_INJECTION);
	uint64_t packets = injection->whole;

	if (!injection->is_packets)
		packets /= longest_packet(m->setup);
	if (!packets || packets > INT32_MAX)
		return refuse(m, HD_HOST_INJECTION, "a packet does not fit the queue");
	if (injection->is_of_port)
		m->setup->model.port_injection = (unsigned)packets;
	else
		m->setup->model.injection = (unsigned)packets;
	return 0;
}

static int make_hosts(const struct making *m)
{
	struct hd_model_options *model = &m->setup->model;

	model->admittance = (const struct hd_admittance *)policy(m, HD_HOST_ADMITTANCE);
	if (hd_host_choice_make(m->scenario, m->point, model, m->err) || make_injection(m))
		return m->err->code;
	model->host_vc = (const struct hd_host_vc *)policy(m, HD_HOST_VC);
	if (make_host_queue(m))
		return m->err->code;
	model->host_replies = (unsigned)get(m, HD_HOST_REPLIES)->whole;
	if (model->host_replies && !get(m, HD_TRAFFIC_REPLY)->whole)
		return refuse(m, HD_HOST_REPLIES, "there are no replies: traffic.reply = no");
	model->consumption = get(m, HD_HOST_CONSUMPTION)->real;
	if (hd_hosts_parse(text(m, HD_HOST_SLOW), &m->setup->slow_hosts, &model->n_slow_hosts,
			   m->err))
		return hd_scenario_blame(m->scenario, HD_HOST_SLOW, m->err);
	model->slow_hosts = m->setup->slow_hosts;
	m->setup->host_model = text(m, HD_HOST_MODEL);
	m->setup->interleaves = get(m, HD_HOST_INTERLEAVE)->whole;
	return 0;
}

/* switch.voq is the short way to say switch.buffering = voq. */
static int make_buffering(const struct making *m)
{
	struct hd_model_options *model = &m->setup->model;

	model->buffering = (const struct hd_buffering *)policy(m, HD_SWITCH_BUFFERING);
	if (model->buffering && model->buffering->by_destination &&
	    variant_of(m->setup)->queue_room)
		return refuse(m, HD_SWITCH_MODEL,
			      "queues by destination have credits of their own at the crossbar: "
			      "cioq with queues=port");
	if (!get(m, HD_SWITCH_VOQ)->whole)
		return 0;
	if (model->buffering && model->buffering != &hd_buffering_voq)
		return refuse(m, HD_SWITCH_BUFFERING, "switch.voq = yes says otherwise");
	model->buffering = &hd_buffering_voq;
	return 0;
}

/* The switch model with its options, and how VLs share its buffers. */
static int make_switch(const struct making *m)
{
	struct hd_model_options *model = &m->setup->model;
	const struct hd_policy *policy;
	int ret = hd_policy_parse(&hd_switch_models, text(m, HD_SWITCH_MODEL), &policy,
				  &m->setup->switch_params, m->err);

	if (ret)
		return hd_scenario_blame(m->scenario, HD_SWITCH_MODEL, m->err);
	model->model = (const struct hd_switch_model *)policy;
	model->switch_params = m->setup->switch_params;
	if (model->model->variant && !model->model->variant(model->switch_params, m->err))
		return hd_scenario_blame(m->scenario, HD_SWITCH_MODEL, m->err);
	model->speedup = (unsigned)get(m, HD_SWITCH_SPEEDUP)->whole;
	model->reads = (unsigned)get(m, HD_SWITCH_READS)->whole;
	if (model->reads > 1 && model->model->arbitrate)
		return refuse(m, HD_SWITCH_READS,
			      "switch model hierarchical moves packets by its own crossbars");
	model->damq = get(m, HD_SWITCH_DAMQ)->is_empty ? model->model->shares
						       : get(m, HD_SWITCH_DAMQ)->whole;
	model->damq_reserved = get(m, HD_SWITCH_DAMQ_RESERVED)->real;
	model->damq_most = get(m, HD_SWITCH_DAMQ_MAX)->is_empty ? model->model->damq_most
								: get(m, HD_SWITCH_DAMQ_MAX)->real;
	if (model->model->shares)
		model->damq_least = longest_packet(m->setup);
	if (!model->model->central_bytes)
		return get(m, HD_SWITCH_CENTRAL)->is_empty
			       ? 0
			       : refuse(m, HD_SWITCH_CENTRAL, "the switch model has none");
	return make_inner(m, HD_SWITCH_CENTRAL, model->model->central_bytes, &model->central);
}

/*
 * In-ports that propose a packet choose its VL: what a scenario says of schedulers would be
 * ignored.
 */
static int check_allocator(const struct making *m)
{
	static const char text[] = "with switch.allocator = input the in-ports choose the VLs";
	const struct hd_model_options *model = &m->setup->model;
	const struct hd_arbiter *arbiter = model->arbiter;

	if (!model->allocator || !model->allocator->input_first)
		return 0;
	if (model->scheduler && model->scheduler->next)
		return refuse(m, HD_SWITCH_SCHEDULER, text);
	if (!model->scheduler && arbiter && arbiter->scheduler)
		return refuse(m, HD_SWITCH_ARBITER, text);
	return 0;
}

/* What each packet takes on links beside its units. */
static int make_packet_costs(const struct making *m)
{
	struct hd_model_options *model = &m->setup->model;
	const bool in_time = m->scenario->clock == HD_CLOCK_TIME;

	model->header = (uint32_t)get(m, HD_TRAFFIC_HEADER)->whole;
	model->header_unit = in_time ? HD_UNIT_BYTES : 1;
	model->gap = get(m, HD_LINK_GAP)->whole;
	if (model->model == &hd_switch_cioq && (model->header || model->gap))
		return refuse(m, model->header ? HD_TRAFFIC_HEADER : HD_LINK_GAP,
			      "switch model cioq counts units on links, and neither headers nor "
			      "gaps");
	return 0;
}

static int make_model(const struct making *m)
{
	struct hd_model_options *model = &m->setup->model;
	int ret = make_switch(m);

	for (unsigned i = 0; i < HD_LINK_CLASSES && !ret; i++)
		ret = make_link(m, i);
	if (ret)
		return ret;
	hd_traffic_sizes(m->setup, &model->least_packet, &model->most_packet);
	m->setup->own_rates = get(m, HD_LINK_RATES)->whole == 0;
	if (check_bubble(m))
		return m->err->code;
	if (make_packet_costs(m))
		return m->err->code;
	model->latency = get(m, HD_SWITCH_LATENCY)->whole;
	model->crossbar_latency = get(m, HD_SWITCH_CROSSBAR_LATENCY)->whole;
	model->allocator = (const struct hd_allocator *)policy(m, HD_SWITCH_ALLOCATOR);
	model->iterations = (unsigned)get(m, HD_SWITCH_ITERATIONS)->whole;
	model->cycle = get(m, HD_SWITCH_CYCLE)->is_empty ? get(m, HD_LINK_BANDWIDTH)->whole
							 : get(m, HD_SWITCH_CYCLE)->whole;
	if (!model->cycle)
		return refuse(m, HD_SWITCH_CYCLE, "matchings must take time");
	if (make_buffering(m))
		return m->err->code;
	model->arbiter = (const struct hd_arbiter *)policy(m, HD_SWITCH_ARBITER);
	model->selection = (const struct hd_selection *)policy(m, HD_ROUTING_SELECT);
	model->transit = get(m, HD_SWITCH_TRANSIT)->whole;
	model->scheduler = (const struct hd_scheduler *)policy(m, HD_SWITCH_SCHEDULER);
	if (check_allocator(m))
		return m->err->code;
	if (hd_scheduling_make(m->scenario, m->point, model, m->err))
		return m->err->code;
	return make_hosts(m);
}

/* Names that a scenario gives: wrong ones are told before anything runs. */
static int check_names(const struct making *m)
{
	const struct hd_setup *setup = m->setup;

	if (!setup->network.given && !*setup->network.snapshot &&
	    !hd_network_engine(&setup->network)) {
		hd_error_set(m->err, HD_EINVAL, "no engine '%s' (see heddle list engines)",
			     setup->network.engine);
		return hd_scenario_blame(m->scenario, HD_ROUTING_ENGINE, m->err);
	}
	for (size_t i = 0; i < setup->n_phases; i++) {
		const struct hd_traffic_phase *phase = &setup->phases[i];
		bool in_phase = phase->pattern != text(m, HD_TRAFFIC_PATTERN);

		if (!hd_policy_of_spec(&hd_patterns, phase->pattern)) {
			hd_error_set(m->err, HD_EINVAL,
				     "no traffic pattern '%s' (see heddle list patterns)",
				     phase->pattern);
			return hd_scenario_blame(m->scenario,
						 in_phase ? HD_TRAFFIC_PHASES : HD_TRAFFIC_PATTERN,
						 m->err);
		}
		in_phase = phase->arrival != text(m, HD_TRAFFIC_ARRIVAL);
		if (!hd_policy_of_spec(&hd_arrivals, phase->arrival)) {
			hd_error_set(m->err, HD_EINVAL,
				     "no arrival process '%s' (see heddle list arrivals)",
				     phase->arrival);
			return hd_scenario_blame(m->scenario,
						 in_phase ? HD_TRAFFIC_PHASES : HD_TRAFFIC_ARRIVAL,
						 m->err);
		}
	}
	for (unsigned c = 0; c < setup->n_classes; c++) {
		const struct hd_traffic_class *class = &setup->classes[c];

		if (class->pattern && !hd_policy_of_spec(&hd_patterns, class->pattern))
			hd_error_set(m->err, HD_EINVAL,
				     "class %s: no traffic pattern '%s' (see heddle list patterns)",
				     class->name, class->pattern);
		else if (class->arrival && !hd_policy_of_spec(&hd_arrivals, class->arrival))
			hd_error_set(m->err, HD_EINVAL,
				     "class %s: no arrival process '%s' (see heddle list arrivals)",
				     class->name, class->arrival);
		else
			continue;
		return hd_scenario_blame(m->scenario, HD_TRAFFIC_CLASSES, m->err);
	}
	return 0;
}

/*
 * Whether some traffic heeds host.interleave; the phases' patterns are of classes without their
 * own.
 */
static bool can_interleave(const struct hd_setup *setup)
{
	bool of_phases = !setup->n_classes, can = false;

	for (unsigned c = 0; c < setup->n_classes; c++)
		if (setup->classes[c].pattern)
			can |= hd_traffic_interleaves(setup->classes[c].pattern);
		else
			of_phases = true;
	for (size_t i = 0; of_phases && i < setup->n_phases; i++)
		can |= hd_traffic_interleaves(setup->phases[i].pattern);
	return can;
}

static int make_traffic(const struct making *m)
{
	struct hd_setup *setup = m->setup;
	const struct hd_traffic_phase whole = {
		.pattern = text(m, HD_TRAFFIC_PATTERN),
		.arrival = text(m, HD_TRAFFIC_ARRIVAL),
		.load = get(m, HD_TRAFFIC_LOAD)->real,
		.size = (uint32_t)get(m, HD_TRAFFIC_PACKET)->whole,
		.request_reply = get(m, HD_TRAFFIC_REPLY)->whole,
		.until = UINT64_MAX,
	};

	if (get(m, HD_TRAFFIC_PHASES)->is_empty) {
		setup->phases[0] = whole;
		setup->n_phases = 1;
		return 0;
	}
	setup->phase_text = strdup(text(m, HD_TRAFFIC_PHASES));
	if (!setup->phase_text)
		return hd_error_nomem(m->err);
	if (hd_phases_parse(setup->phase_text, m->scenario->clock, &whole, setup->phases,
			    &setup->n_phases, m->err))
		return hd_scenario_blame(m->scenario, HD_TRAFFIC_PHASES, m->err);
	return 0;
}

/*
 * Windows double from the warm-up on; with several phases of traffic all windows are in the last
 * phase.
 */
static int make_windows(const struct making *m)
{
	struct hd_setup *setup = m->setup;
	uint64_t longest = get(m, HD_RUN_LONGEST)->whole;

	for (size_t i = 0; i < setup->n_phases; i++)
		if (setup->phases[i].deliveries)
			return refuse(
				m, HD_RUN_MEASURE,
				"auto begins with the last phase of traffic, and when that is "
				"hangs on deliveries");
	if (setup->n_phases > 1 && setup->phases[setup->n_phases - 2].until > setup->warmup)
		setup->warmup = setup->phases[setup->n_phases - 2].until;
	if (!setup->warmup)
		return refuse(m, HD_RUN_WARMUP, "run.measure = auto needs one to begin with");
	if (setup->warmup > longest / 4)
		return refuse(m, HD_RUN_LONGEST,
			      "no room for two windows: they take four times the warm-up");
	setup->window = setup->warmup;
	setup->longest = longest;
	return 0;
}

static int make_times(const struct making *m)
{
	const struct hd_quantity *measure = get(m, HD_RUN_MEASURE);

	m->setup->warmup = get(m, HD_RUN_WARMUP)->whole;
	m->setup->window = measure->whole;
	if (measure->is_auto)
		return make_windows(m);
	return m->setup->window ? 0
				: refuse(m, HD_RUN_MEASURE, "the window of measurement is empty");
}

static int make_series(const struct making *m)
{
	struct hd_setup *setup = m->setup;
	const struct hd_quantity *series = get(m, HD_RUN_SERIES);

	if (series->is_empty)
		return 0;
	if (!series->whole)
		return refuse(m, HD_RUN_SERIES, "steps take no time");
	if (setup->longest)
		return refuse(m, HD_RUN_SERIES, "run.measure = auto does not say when it ends");
	if (setup->window / series->whole >= HD_SERIES_STEPS)
		return refuse(m, HD_RUN_SERIES, "more than a million steps");
	setup->series = series->whole;
	setup->origin = setup->warmup;
	if (setup->n_phases > 1 && setup->phases[setup->n_phases - 2].until != UINT64_MAX)
		setup->origin = setup->phases[setup->n_phases - 2].until;
	return 0;
}

int hd_setup_make(const struct hd_scenario *scenario, size_t point, struct hd_setup *setup,
		  struct hd_error *err)
{
	const struct making m = { scenario, point, setup, err };
	int ret;

	*setup = (struct hd_setup){ 0 };
	make_network(&m);
	ret = make_traffic(&m);
	if (!ret)
		ret = hd_traffic_classes_make(scenario, point, setup, err);
	if (!ret)
		ret = check_names(&m);
	if (!ret)
		ret = make_model(&m);
	if (!ret && setup->interleaves && !can_interleave(setup))
		ret = refuse(
			&m, HD_HOST_INTERLEAVE,
			"no traffic has messages whose packets take turns: only schedules have "
			"(goal, chakra, trace:FILE.goal, .bin or .et)");
	setup->slices = (unsigned)get(&m, HD_RUN_SLICES)->whole;
	setup->packet = (uint32_t)get(&m, HD_TRAFFIC_PACKET)->whole;
	if (get(&m, HD_RUN_BUFFERS)->whole)
		setup->model.gauge = setup->packet;
	setup->model.parts = get(&m, HD_RUN_PARTS)->whole;
	setup->flows = (size_t)get(&m, HD_RUN_FLOWS)->whole;
	if (!ret)
		ret = make_times(&m);
	if (!ret)
		ret = make_series(&m);
	if (ret)
		hd_setup_clear(setup);
	return ret;
}

/* The policy that @engine names. A wrong name is told even where the scenario gives another one. */
static int find_named(const struct hd_engine *engine, const struct hd_registry *registry,
		      const char *name, const struct hd_policy **policy, struct hd_error *err)
{
	*policy = name ? hd_policy_find(registry, name) : NULL;
	if (!name || *policy)
		return 0;
	return hd_error_set(err, HD_EINVAL, "engine %s names %s '%s', which does not exist",
			    engine->policy.name, registry->singular, name);
}

int hd_setup_follow_engine(const struct hd_engine *engine, struct hd_model_options *model,
			   struct hd_error *err)
{
	const struct hd_policy *host_policy, *scheduler;
	int ret;

	/* an engine's wishes are about its own LIDs and lanes, and most of these have others */
	if (!engine || (model->routed && !model->routed->vcs.is_range))
		return 0;
	ret = find_named(engine, &hd_host_policies, engine->host_policy, &host_policy, err);
	if (!ret && model->routed) {
		if (!model->host_policy)
			model->host_policy = (const struct hd_host_policy *)host_policy;
		return 0;
	}
	if (!ret)
		ret = find_named(engine, &hd_schedulers, engine->scheduler, &scheduler, err);
	if (ret)
		return ret;
	if (!model->host_policy)
		model->host_policy = (const struct hd_host_policy *)host_policy;
	if (!model->scheduler && !(model->arbiter && model->arbiter->scheduler))
		model->scheduler = (const struct hd_scheduler *)scheduler;
	return 0;
}

void hd_setup_follow_tables(const struct hd_tables *tables, struct hd_model_options *model)
{
	if (!model->scheduler && !(model->arbiter && model->arbiter->scheduler) && !model->routed &&
	    tables->classes && tables->has_vlarb)
		model->scheduler = &hd_scheduler_vlarb;
}

void hd_setup_clear(struct hd_setup *setup)
{
	free(setup->phase_text);
	free(setup->classes);
	free(setup->class_text);
	free(setup->slow_hosts);
	hd_params_free(setup->switch_params);
	*setup = (struct hd_setup){ 0 };
}
