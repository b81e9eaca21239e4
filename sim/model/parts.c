// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The waits of a packet are what it is told of at each switch: from when its head can leave until
 * it leaves, but for what it takes without others. What is left of its latency is the way's, and of
 * that the tables' quickest way takes a part which is computed from the way's links.
 */
#include "sim/model/parts.h"

#include <stdlib.h>

#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/model/transmission.h"
#include "support/error.h"

/* Switches of a way; tables that go round in circles have more. */
#define MOST_SWITCHES 256

/* A packet that is under way. */
struct delays {
	uint64_t since; /* when it was told of last: it could leave, or left */
	uint64_t waits[HD_LINK_CLASSES];
	uint32_t in; /* the in-port of the switch that it is in */
};

struct hd_parts {
	struct hd_model_observer observer;
	struct hd_model *model;
	struct delays *delays; /* [packet] */
	uint32_t n_delays;
	struct hd_model_parts sums;
};

static struct delays *delays_of(struct hd_parts *parts, uint32_t packet)
{
	struct delays *delays;
	uint32_t n = parts->model->buffers.size_packets;

	if (packet < parts->n_delays)
		return &parts->delays[packet];
	delays = realloc(parts->delays, n * sizeof(*delays));
	if (!delays) {
		parts->model->events.out_of_memory = true;
		return NULL;
	}
	parts->delays = delays;
	parts->n_delays = n;
	return &delays[packet];
}

/* From when a head can leave the switch by @out until it does, where nothing is in its way. */
static uint64_t ticks_within(const struct hd_parts *parts, uint32_t in, uint32_t out, uint32_t size)
{
	const struct hd_model *model = parts->model;
	uint64_t ticks =
		hd_switch_hooks(model) ? hd_switch_hooks(model)->crossing(model, in, out) : 0;
	uint32_t slow = unit_ticks(model, in);
	uint32_t fast = hd_has_routing(model) ? model->fastest : unit_ticks(model, out);

	return slow > fast ? ticks + (slow - fast) * (uint64_t)size : ticks;
}

/*
 * From when a head leaves by @out until it can leave the next switch, or until the tail is taken.
 */
static uint64_t ticks_between(const struct hd_model *model, uint32_t out, uint32_t size)
{
	const struct sender *sender = hd_sender(model, out);

	if (sender->to_host)
		return hd_ticks_to_arrive(model, sender->rate, size);
	return model->options.links[sender->link_class].propagation + model->options.latency;
}

/* What the tables' way to @lid takes without others; UINT64_MAX: there is none. */
static uint64_t ticks_to(const struct hd_parts *parts, uint32_t host, uint16_t lid, uint32_t size)
{
	const struct hd_model *model = parts->model;
	uint32_t out = model->injection.hosts[host].port;
	uint64_t ticks = ticks_between(model, out, size);

	for (unsigned i = 0; i < MOST_SWITCHES && !hd_sender(model, out)->to_host; i++) {
		uint32_t in = hd_sender(model, out)->peer, at = hd_switch_of(model, in);
		unsigned hop = hd_forwarding_hop(&model->network.forwarding, at, lid);

		if (hop == HD_HOP_NONE)
			return UINT64_MAX;
		out = hd_first_port(model, at) + hop;
		ticks += ticks_within(parts, in, out, size) + ticks_between(model, out, size);
	}
	return hd_sender(model, out)->to_host ? ticks : UINT64_MAX;
}

static uint64_t quickest(const struct hd_parts *parts, const struct hd_message *message)
{
	const struct destination *there = &parts->model->injection.destinations[message->to];
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i < 1u << there->lmc; i++) {
		uint64_t ticks =
			ticks_to(parts, message->from, (uint16_t)(there->lid + i), message->size);

		least = ticks < least ? ticks : least;
	}
	return least;
}

static void leaves(struct hd_parts *parts, const struct hd_packet_sight *sight,
		   struct delays *delays)
{
	const struct hd_model *model = parts->model;
	uint32_t out = model->network.port_of[sight->port];
	uint64_t waited;

	if (!hd_is_switch_port(model, out)) {
		*delays = (struct delays){ .since = sight->now };
		delays->waits[HD_LINK_TERMINAL] = sight->now - sight->message->time;
		return;
	}
	waited = sight->now - delays->since -
		 ticks_within(parts, delays->in, out, sight->message->size);
	delays->waits[hd_sender(model, delays->in)->link_class] += waited;
	delays->since = sight->now;
}

static void delivered(struct hd_parts *parts, const struct hd_packet_sight *sight,
		      const struct delays *delays)
{
	const struct hd_model *model = parts->model;
	const struct hd_message *message = sight->message;
	uint32_t out = hd_sender(model, model->network.port_of[sight->port])->peer;
	uint64_t way = sight->now - message->time, minimal = quickest(parts, message);
	uint64_t taking = sight->now - delays->since - ticks_between(model, out, message->size);

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		parts->sums.waits[i] += delays->waits[i];
		way -= delays->waits[i];
	}
	way -= taking;
	parts->sums.taking += taking;
	parts->sums.minimal += minimal;
	parts->sums.detour += (int64_t)(way - minimal);
	parts->sums.packets++;
}

static void look(void *context, const struct hd_packet_sight *sight)
{
	struct hd_parts *parts = context;
	struct delays *delays;

	/* at their hosts packets are not under way yet, and have no number that lasts */
	if (sight->step == HD_STEP_GENERATED || sight->step == HD_STEP_DROPPED)
		return;
	delays = delays_of(parts, sight->packet);
	if (!delays)
		return;
	switch (sight->step) {
	case HD_STEP_LEAVES:
		leaves(parts, sight, delays);
		break;
	case HD_STEP_ARRIVED:
		delays->since = sight->now;
		delays->in = parts->model->network.port_of[sight->port];
		break;
	default:
		delivered(parts, sight, delays);
		break;
	}
}

int hd_parts_new(struct hd_model *model, struct hd_error *err)
{
	struct hd_parts *parts = calloc(1, sizeof(*parts));

	if (!parts)
		return hd_error_nomem(err);
	model->parts = parts;
	parts->model = model;
	parts->observer = (struct hd_model_observer){ .packet = look, .context = parts };
	hd_model_observe(model, &parts->observer);
	return 0;
}

void hd_parts_free(struct hd_parts *parts)
{
	if (!parts)
		return;
	free(parts->delays);
	free(parts);
}

void hd_model_restart_parts(struct hd_model *model)
{
	if (model->parts)
		model->parts->sums = (struct hd_model_parts){ 0 };
}

struct hd_model_parts hd_model_parts(const struct hd_model *model)
{
	return model->parts ? model->parts->sums : (struct hd_model_parts){ 0 };
}
