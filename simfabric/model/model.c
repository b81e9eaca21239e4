// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/model/model.h"

#include "simfabric/model/credits.h"
#include "simfabric/model/crossbar.h"
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
	return model->fabric_port[model->hosts[host].port];
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

/* Ticks until an event of @kind when @size units begin to pass a port of @link_class. */
static uint64_t sized_ticks(const struct hd_model *model, enum hd_model_event kind,
			    unsigned link_class, uint32_t size)
{
	const struct hd_link_options *link = &model->options.links[link_class];
	uint64_t ticks = (uint64_t)size * link->unit_ticks;
	unsigned speedup = model->options.speedup;

	switch (kind) {
	case HD_EVENT_CROSSED:
		return (ticks + speedup - 1) / speedup;
	case HD_EVENT_DELIVER:
	case HD_EVENT_CREDIT:
		return ticks + link->propagation;
	default:
		return ticks;
	}
}

static void make_sized_line(struct hd_model *model, enum hd_model_event kind, unsigned link_class,
			    uint32_t size, struct sized_line *line)
{
	line->size = size;
	line->ticks = sized_ticks(model, kind, link_class, size);
	line->line = hd_events_line(&model->events, kind, line->ticks);
}

static inline void post_sized(struct hd_model *model, enum hd_model_event kind, unsigned link_class,
			      uint32_t a, uint32_t b, uint32_t size)
{
	struct sized_line *line = &model->sized_lines[kind][link_class][size % SIZES];

	if (line->size != size)
		make_sized_line(model, kind, link_class, size, line);
	if (line->line != HD_NO_LINE)
		hd_events_post(&model->events, line->line, a, b);
	else
		hd_events_post_late(&model->events, kind, line->ticks, a, b);
}

void hd_model_post_crossed(struct hd_model *model, uint32_t by, uint32_t out, uint32_t in_lane,
			   uint32_t size)
{
	post_sized(model, HD_EVENT_CROSSED, hd_sender(model, by)->link_class, out, in_lane, size);
}

void hd_model_post_read(struct hd_model *model, uint32_t in, uint32_t size)
{
	post_sized(model, HD_EVENT_READ, hd_sender(model, in)->link_class, in, 0, size);
}

void hd_model_post_credit(struct hd_model *model, uint32_t in, uint32_t out_lane, uint32_t size)
{
	post_sized(model, HD_EVENT_CREDIT, hd_sender(model, in)->link_class, out_lane, size, size);
}

void hd_model_transmit(struct hd_model *model, uint32_t index, uint32_t out, uint32_t in_lane)
{
	const struct sender *sender = hd_sender(model, out);
	struct packet *packet = &model->packets[index];
	uint32_t size = packet->message.size;

	packet->vl = packet->out_vl;
	packet->out = HD_NONE;
	packet->hops++;
	hd_model_count_sent(model, out, packet->out_vl, size);
	model->census.packet_hops++;
	post_sized(model, HD_EVENT_DONE, sender->link_class, out, in_lane, size);
	if (sender->to_host)
		post_sized(model, HD_EVENT_DELIVER, sender->link_class, sender->peer, index, size);
	else
		hd_events_post(&model->events, sender->arrive_line, sender->peer, index);
}

/* Events */

static void deliver(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	struct hd_message message = packet->message;
	uint64_t entered = packet->entered;
	unsigned hops = packet->hops;

	model->census.delivered++;
	model->census.under_way--;
	hd_model_return_credit(model, port, packet->vl, message.size);
	hd_model_release(model, index);
	/* may inject packets: ours may be elsewhere then */
	if (model->user.delivered)
		model->user.delivered(model->user.context, model->events.now, &message, entered,
				      hops);
}

static void credit(struct hd_model *model, uint32_t out, unsigned vl, uint32_t units)
{
	hd_model_give_back(model, out, vl, units);
	if (!hd_sender(model, out)->waits)
		return;
	if (hd_is_switch_port(model, out))
		hd_model_mark_out(model, out);
	else
		hd_model_mark_host(model, out);
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
		hd_model_in_done(model, event.a);
		break;
	case HD_EVENT_DONE:
		if (hd_is_switch_port(model, event.a))
			model->options.model->sent(model, event.a, event.b);
		else
			hd_model_host_done(model, event.a);
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
		hd_model_mark_switch(model, event.a);
		break;
	case HD_EVENTS:
		break;
	}
}

static void arbitrate(struct hd_model *model)
{
	for (uint32_t i = 0; i < model->n_dirty; i++) {
		uint32_t at = model->dirty[i];

		if (at < model->n_switches)
			hd_model_switch_arbitrate(model, at);
		else
			hd_model_host_send(model, at);
	}
	model->n_dirty = 0;
}

static void take_and_handle(struct hd_model *model, unsigned line)
{
	struct hd_events *events = &model->events;
	struct hd_event event;
	unsigned kind;

	if (line == HD_NO_LINE) {
		if (model->notes)
			hd_model_look_ahead_late(model);
		event = hd_events_take_late(events, &kind);
	} else {
		kind = events->lines[line].kind;
		if (model->notes && events->lines[line].first % HD_LOOKS_AHEAD == 0)
			hd_model_look_ahead(model, line);
		event = hd_events_take(events, line);
	}
	handle(model, kind, event);
}

static int deadlocked(const struct hd_model *model, struct hd_error *err)
{
	return hd_error_set(err, HD_EREFUSED,
			    "deadlock: packets wait for one another in a circle of %zu channels",
			    model->n_cycle);
}

/* What may have gone wrong until now. */
static int failed(const struct hd_model *model, struct hd_error *err)
{
	if (model->events.out_of_memory)
		return hd_error_nomem(err);
	if (model->too_large)
		return hd_error_set(err, HD_EINVAL,
				    "a packet of %u units does not fit a buffer of %u",
				    model->too_large, model->smallest_buffer);
	return 0;
}

/* When something is to be looked at: deadlock, the end. */
static void set_pause(struct hd_model *model, uint64_t until)
{
	uint64_t check = model->last_check + model->deadlock_interval;

	model->pause = until < check ? until : check;
}

int hd_model_run(struct hd_model *model, uint64_t until, struct hd_error *err)
{
	struct hd_events *events = &model->events;
	uint64_t key;
	int ret;

	set_pause(model, until);

	if (!model->started) {
		model->started = true;
		for (uint32_t host = 0; host < model->n_hosts; host++)
			hd_model_schedule(model, host);
	}
	key = hd_events_next(events);
	for (;;) {
		uint64_t now = key >> HD_KEY_BITS;

		if (now != events->now || now >= until) {
			/* a tick is over: all that came in it is matched at once */
			if (model->n_dirty) {
				arbitrate(model);
				if (events->has_new_first)
					key = hd_events_next(events);
				continue;
			}
			if (now >= model->pause) {
				ret = failed(model, err);
				if (ret)
					return ret;
				if (now >= until || key == HD_KEY_NONE)
					break;
				events->now = now;
				if (hd_model_is_deadlocked(model))
					return deadlocked(model, err);
				set_pause(model, until);
			}
			events->now = now;
		}
		take_and_handle(model, key & HD_NO_LINE);
		key = hd_events_next(events);
	}
	events->now = until;
	if (until < model->last_check + model->deadlock_patience)
		return 0;
	/* when nothing is under way any more, what is there now is what was there for long */
	if (hd_model_is_deadlocked(model) || (key == HD_KEY_NONE && hd_model_is_deadlocked(model)))
		return deadlocked(model, err);
	return 0;
}
