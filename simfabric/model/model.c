// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/model/model.h"

#include "simfabric/model/state.h"
#include "support/error.h"

#include <stdlib.h>
#include <string.h>

uint32_t hd_model_hosts(const struct hd_model *model)
{
	return model->n_hosts;
}

uint32_t hd_model_host_port(const struct hd_model *model, uint32_t host)
{
	return model->ports[model->host_ports[host]].fabric_port;
}

struct hd_model_census hd_model_census(const struct hd_model *model)
{
	struct hd_model_census census = model->census;

	census.events = model->events.taken;
	return census;
}

const struct hd_wait *hd_model_deadlock(const struct hd_model *model, size_t *n)
{
	*n = model->n_cycle;
	return model->cycle;
}

uint64_t hd_model_busy(const struct hd_model *model, uint32_t fabric_port, unsigned vl)
{
	uint32_t port = model->port_of[fabric_port];

	return port == HD_NONE || vl >= model->n_vls ? 0 : hd_busy(model, port)[vl];
}

static unsigned sized_kind(enum hd_model_event kind)
{
	return kind == HD_EVENT_CROSSED ? 1 : kind == HD_EVENT_READ ? 2 : 0;
}

/* The delay line of events of @kind that come after @size units on a link of @link_class. */
static const struct sized_line *sized_line(struct hd_model *model, enum hd_model_event kind,
					   unsigned link_class, uint32_t size, unsigned speedup)
{
	struct sized_line *line = &model->sized_lines[sized_kind(kind)][link_class][size % SIZES];
	uint64_t ticks;

	if (line->size == size)
		return line;
	ticks = (uint64_t)size * model->options.links[link_class].unit_ticks;
	line->size = size;
	line->ticks = (ticks + speedup - 1) / speedup;
	line->line = hd_events_line(&model->events, kind, line->ticks);
	return line;
}

void hd_model_post_sized(struct hd_model *model, enum hd_model_event kind, uint32_t by, uint32_t a,
			 uint32_t b, uint32_t size, unsigned speedup)
{
	const struct sized_line *line =
		sized_line(model, kind, model->ports[by].link_class, size, speedup);

	if (line->line != HD_NO_LINE)
		hd_events_post(&model->events, line->line, a, b);
	else
		hd_events_post_late(&model->events, kind, line->ticks, a, b);
}

uint32_t hd_model_pop(struct hd_model *model, struct queue *queue)
{
	uint32_t index = queue->head;

	queue->head = model->packets[index].next;
	if (queue->head == HD_NONE)
		queue->tail = HD_NONE;
	return index;
}

/*
 * With DAMQ a VL uses its reserved units first, and gives them back last: what it has in excess of
 * them is shared.
 */
void hd_model_use(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	uint32_t *credits = &hd_credits(model, out)[vl], own = size;

	if (model->gauges)
		hd_gauge_buffer(model, out, vl, size);
	if (model->shared) {
		own = size < *credits ? size : *credits;
		model->shared[out] -= size - own;
		model->occupied[out * (size_t)model->n_vls + vl] += size;
	}
	*credits -= own;
}

void hd_model_give_back(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	uint32_t *credits = &hd_credits(model, out)[vl], own = size;

	if (model->shared) {
		uint32_t reserved = model->reserved[model->ports[out].link_class];
		uint32_t excess =
			model->occupied[out * (size_t)model->n_vls + vl] > reserved
				? model->occupied[out * (size_t)model->n_vls + vl] - reserved
				: 0;

		own = size > excess ? size - excess : 0;
		model->shared[out] += size - own;
		model->occupied[out * (size_t)model->n_vls + vl] -= size;
	}
	*credits += own;
}

void hd_model_return_credit(struct hd_model *model, uint32_t in_lane, uint32_t size)
{
	const struct port *in = &model->ports[lane_port(in_lane)];

	if (model->gauges)
		hd_gauge_buffer(model, in->peer, lane_vl(in_lane), -(int64_t)size);
	hd_events_post(&model->events, in->credit_line, lane_ref(in->peer, lane_vl(in_lane)), size);
}

void hd_model_transmit(struct hd_model *model, uint32_t index, uint32_t out, uint32_t in_lane)
{
	struct port *port = &model->ports[out];
	struct packet *packet = &model->packets[index];
	uint32_t size = packet->message.size;

	packet->vl = packet->out_vl;
	packet->hops++;
	port->sending = index;
	hd_busy(model, out)[packet->vl] +=
		(uint64_t)size * model->options.links[port->link_class].unit_ticks;
	model->census.packet_hops++;
	hd_model_post_sized(model, HD_EVENT_DONE, out, out, in_lane, size, 1);
	if (model->nodes[model->ports[port->peer].node].is_switch)
		hd_events_post(&model->events, port->arrive_line, port->peer, index);
}

/* Events */

static void done(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	struct port *port = &model->ports[out];
	uint32_t index = port->sending;

	port->sending = HD_NONE;
	if (!model->nodes[model->ports[port->peer].node].is_switch)
		hd_events_post(&model->events, port->deliver_line, port->peer, index);
	if (model->nodes[port->node].is_switch)
		model->options.model->sent(model, out, in_lane, model->packets[index].message.size);
	else
		hd_model_mark_any(model, out);
}

static void deliver(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	struct hd_message message = packet->message;
	uint64_t entered = packet->entered;
	unsigned hops = packet->hops;

	model->census.delivered++;
	model->census.under_way--;
	hd_model_return_credit(model, lane_ref(port, packet->vl), message.size);
	hd_model_release(model, index);
	/* may inject packets: ours may be elsewhere then */
	if (model->user.delivered)
		model->user.delivered(model->user.context, model->events.now, &message, entered,
				      hops);
}

static void credit(struct hd_model *model, uint32_t port, unsigned vl, uint32_t units)
{
	hd_model_give_back(model, port, vl, units);
	if (!has_bit(hd_out_free(model, model->ports[port].node), model->ports[port].local))
		return;
	if (model->nodes[model->ports[port].node].is_switch)
		hd_model_mark(model, port);
	else
		hd_model_mark_any(model, port);
}

static void handle(struct hd_model *model, unsigned kind, struct hd_event event)
{
	switch ((enum hd_model_event)kind) {
	case HD_EVENT_ARRIVE:
		hd_model_switch_arrive(model, event.a, event.b);
		break;
	case HD_EVENT_ENQUEUE:
		hd_model_switch_enqueue(model, event.a, event.b);
		break;
	case HD_EVENT_READ:
		hd_model_switch_done(model, event.a);
		break;
	case HD_EVENT_DONE:
		done(model, event.a, event.b);
		break;
	case HD_EVENT_CREDIT:
		credit(model, lane_port(event.a), lane_vl(event.a), event.b);
		break;
	case HD_EVENT_DELIVER:
		if (!model->consumers || !hd_consumer_takes_longer(model, event.a, event.b))
			deliver(model, event.a, event.b);
		break;
	case HD_EVENT_CONSUMED:
		deliver(model, event.a, event.b);
		break;
	case HD_EVENT_GENERATE:
		hd_model_admit(model, event.b);
		hd_model_schedule(model, event.a);
		break;
	case HD_EVENT_INJECT:
		hd_model_admit(model, event.b);
		break;
	case HD_EVENT_CROSSED:
		hd_model_crossed(model, event.a, event.b);
		break;
	case HD_EVENT_READY:
		hd_model_ready(model, event.a, event.b);
		break;
	case HD_EVENT_RETRY:
		if (!model->nodes[event.a].is_dirty) {
			model->nodes[event.a].is_dirty = true;
			model->dirty_nodes[model->n_dirty++] = event.a;
		}
		break;
	}
}

/*
 * What the events behind the next one of a line will touch is fetched meanwhile, in steps of which
 * each needs the one before. On large fabrics nearly all of it is far from the cores.
 */
#define FAR  12
#define NEAR 6
#define NEXT 3

static void look_ahead(const struct hd_model *model, const struct hd_delay_line *line)
{
	const struct hd_event *far = &line->ring[(line->first + FAR) & line->mask];
	const struct hd_event *near = &line->ring[(line->first + NEAR) & line->mask];
	const struct hd_event *next = &line->ring[(line->first + NEXT) & line->mask];

	if (line->n <= FAR)
		return;
	switch ((enum hd_model_event)line->kind) {
	case HD_EVENT_ARRIVE:
		__builtin_prefetch(&model->packets[far->b]);
		__builtin_prefetch(&model->ports[far->a]);
		hd_model_input_prefetch_route(model, near->a, near->b);
		hd_model_input_prefetch_queue(model, next->a, next->b);
		break;
	case HD_EVENT_DONE:
		__builtin_prefetch(&model->ports[far->a]);
		if (far->b != HD_NONE)
			__builtin_prefetch(&model->ports[lane_port(far->b)]);
		__builtin_prefetch(&model->packets[model->ports[near->a].sending]);
		__builtin_prefetch(hd_requests(model, next->a));
		break;
	case HD_EVENT_CREDIT:
		__builtin_prefetch(&model->ports[lane_port(far->a)]);
		__builtin_prefetch(hd_credits(model, lane_port(far->a)));
		break;
	case HD_EVENT_DELIVER:
		__builtin_prefetch(&model->packets[far->b]);
		__builtin_prefetch(&model->ports[far->a]);
		break;
	default:
		break;
	}
}

static void arbitrate(struct hd_model *model)
{
	for (uint32_t i = 0; i < model->n_dirty; i++) {
		uint32_t node = model->dirty_nodes[i];

		model->nodes[node].is_dirty = false;
		if (model->nodes[node].is_switch)
			hd_model_switch_arbitrate(model, node);
		else
			hd_model_host_send(model, node);
	}
	model->n_dirty = 0;
}

/* All events that are due now: of @lines, and of the heap. */
static void handle_all(struct hd_model *model, uint64_t lines)
{
	struct hd_events *events = &model->events;
	struct hd_event event;
	unsigned kind;

	for (; lines; lines &= lines - 1) {
		unsigned line = __builtin_ctzll(lines);

		while (events->heads[line] == events->now) {
			if (model->is_large)
				look_ahead(model, &events->lines[line]);
			event = hd_events_take(events, line);
			handle(model, events->lines[line].kind, event);
		}
	}
	while (hd_events_take_late(events, &kind, &event))
		handle(model, kind, event);
}

static int deadlocked(const struct hd_model *model, struct hd_error *err)
{
	return hd_error_set(err, HD_EREFUSED,
			    "deadlock: packets wait for one another in a circle of %zu channels",
			    model->n_cycle);
}

int hd_model_run(struct hd_model *model, uint64_t until, struct hd_error *err)
{
	struct hd_events *events = &model->events;
	uint64_t now, lines;

	if (!model->started) {
		model->started = true;
		for (uint32_t host = 0; host < model->n_hosts; host++)
			hd_model_schedule(model, host);
	}
	arbitrate(model); /* what was injected since the last run */
	while ((now = hd_events_next(events, &lines)) < until) {
		events->now = now;
		if (now >= model->last_check + model->deadlock_interval &&
		    hd_model_is_deadlocked(model))
			return deadlocked(model, err);
		do
			handle_all(model, lines);
		while (events->has_no_delay && hd_events_next(events, &lines) == now);
		arbitrate(model);
		if (events->out_of_memory)
			return hd_error_nomem(err);
		if (model->too_large)
			return hd_error_set(err, HD_EINVAL,
					    "a packet of %u units does not fit a buffer of %u",
					    model->too_large, model->smallest_buffer);
	}
	events->now = until;
	if (until < model->last_check + model->deadlock_patience)
		return 0;
	/* when nothing is under way any more, what is there now is what was there for long */
	if (hd_model_is_deadlocked(model) || (now == UINT64_MAX && hd_model_is_deadlocked(model)))
		return deadlocked(model, err);
	return 0;
}
