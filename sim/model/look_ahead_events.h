/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * On large fabrics nearly all data that an event touches is far from the cores. What the events
 * behind the next one of a line will touch is fetched meanwhile, in steps, each of which needs data
 * that the step before fetched. Each machine has these functions, since they are a third of its
 * instructions on large fabrics, and half of their questions are answered when it is compiled.
 */
#ifndef HD_MODEL_LOOK_AHEAD_EVENTS_H
#define HD_MODEL_LOOK_AHEAD_EVENTS_H

#include "sim/model/look_ahead.h"
#include "sim/model/look_ahead_adaptive.h"
#include "sim/model/look_ahead_dirty.h"
#include "sim/switches/route_table.h"

#define FETCHES HD_FETCHES

#define FIRST  HD_AHEAD_FIRST
#define SECOND HD_AHEAD_SECOND
#define THIRD  HD_AHEAD_THIRD
#define LAST   HD_AHEAD_LAST

/* The matching is guessed, for switches whose ports fit a word. */

/*
 * Fetches the queue from which local out-port @out of switch @at takes a packet of in-port @in;
 * returns it.
 */
FETCHES const struct queue *fetch_pair(const struct hd_model *model, uint32_t at, unsigned out,
				       unsigned in, unsigned vl)
{
	const struct queue *queue = hd_queue_at(model, hd_queues_to(model, at, out), in, vl);

	__builtin_prefetch(queue);
	__builtin_prefetch(hd_sender(model, hd_first_port(model, at) + out));
	__builtin_prefetch(hd_receiver(model, hd_first_port(model, at) + in));
	if (hd_is_cioq(model))
		__builtin_prefetch(hd_cioq_output(model, hd_first_port(model, at) + out));
	return queue;
}

/* Fetches what @out of a switch takes next, of one of the in-ports in @ins. */
FETCHES const struct queue *fetch_for_out(const struct hd_model *model, uint32_t out, uint64_t ins)
{
	struct sender *sender = hd_sender(model, out);
	unsigned in = hd_in_turn(ins, sender->turn);

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		if (sender->credits[vl] < 2 * model->buffers.largest_packet)
			__builtin_prefetch(hd_receiver(model, sender->peer));
	return fetch_pair(model, hd_switch_of(model, out), hd_local(model, out), in,
			  hd_vl_of(model, hd_requests(model, sender), in, sender->vl_turn));
}

/* Fetches what @in gives to local out-port @out, which wanted it before. */
FETCHES const struct queue *fetch_for_in(const struct hd_model *model, uint32_t in, unsigned out)
{
	uint32_t at = hd_switch_of(model, in);

	return fetch_pair(model, at, out, hd_local(model, in),
			  hd_vl_of(model, hd_wants(model, hd_receiver(model, in)), out, 0));
}

/*
 * Fetches what is taken when @out has sent a packet that came in by @in, if all can go: @out takes
 * a packet of an in-port that sends nothing then, @in gives one to an out-port that wanted it.
 */
FETCHES void fetch_matches(const struct hd_model *model, uint32_t out, uint32_t in,
			   struct crossbar *crossbar, struct note *note)
{
	size_t words = hd_words(model);
	uint64_t here = bit_of(hd_local(model, in)), there = bit_of(hd_local(model, out));
	uint64_t ins = 0, outs = 0;
	unsigned accepted;

	note->queues[0] = note->queues[1] = NULL;
	if (words > 1)
		return;
	if (has_bit(hd_wanted(crossbar, words), words, hd_local(model, out)))
		ins = hd_of_all_vls(model, hd_requests(model, hd_sender(model, out))) &
		      (*hd_in_free(crossbar) | here);
	if (has_bit(hd_has_heads(crossbar, words), words, hd_local(model, in)))
		outs = hd_of_all_vls(model, hd_wants(model, hd_receiver(model, in))) &
		       *hd_out_free(crossbar, words);
	/* both may choose one another: @in accepts one out-port */
	if (ins & here && bit_of(hd_in_turn(ins, hd_sender(model, out)->turn)) == here)
		outs |= there;
	if (outs) {
		accepted = hd_in_turn(outs, hd_receiver(model, in)->accept);
		if (accepted == hd_local(model, out)) {
			ins = here;
		} else {
			note->queues[1] = fetch_for_in(model, in, accepted);
			ins &= ~here;
		}
	}
	if (ins)
		note->queues[0] = fetch_for_out(model, out, ins);
}

/* Fetches the heads of the noted queues, and the packets behind them, which will be heads then. */
FETCHES void fetch_heads(const struct hd_model *model, const struct note *note)
{
	for (unsigned i = 0; i < 2; i++)
		if (note->queues[i] && note->queues[i]->head != HD_NONE)
			__builtin_prefetch(&model->buffers.packets[note->queues[i]->head]);
}

FETCHES void fetch_next(const struct hd_model *model, const struct note *note)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct queue *queue = note->queues[i];

		if (queue && queue->head != HD_NONE &&
		    model->buffers.packets[queue->head].next != HD_NONE)
			__builtin_prefetch(
				&model->buffers.packets[model->buffers.packets[queue->head].next]);
	}
}

FETCHES void fetch_noted(const struct hd_model *model, unsigned step, const struct note *note)
{
	if (step == THIRD)
		fetch_heads(model, note);
	else
		fetch_next(model, note);
}

/* Host port @out will be idle, and can send. */
FETCHES void ahead_host_end(const struct hd_model *model, uint32_t out, unsigned step,
			    struct note *note)
{
	if (step == FIRST) {
		__builtin_prefetch(hd_sender(model, out));
		__builtin_prefetch(hd_host_queues(model, out));
	} else if (step == SECOND) {
		*note = (struct note){ { &hd_host_queues(model, out)->queue } };
		__builtin_prefetch(hd_backlog_first(&model->injection.backlogs,
						    &hd_host_queues(model, out)->behind));
	}
}

/*
 * An event that the switch model has a part in. The compiler would leave out an indirect call whose
 * function it knows, and inline it too late.
 */
FETCHES void ahead_own(const struct hd_model *model, unsigned kind, const struct hd_event *event,
		       unsigned step)
{
	if (HD_MACHINE_CIOQ)
		hd_cioq_ahead(model, kind, event->a, event->b, step);
	else if (hd_switch_hooks(model))
		hd_switch_hooks(model)->ahead(model, kind, event->a, event->b, step);
}

/* Ports of a switch will be free: at a light load nothing is held up by them. */
FETCHES void ahead_freed(struct hd_model *model, const struct hd_event *event, unsigned step,
			 struct note *note)
{
	struct crossbar *crossbar;
	size_t words = hd_words(model);
	uint32_t in;

	if (step <= THIRD) {
		fetch_noted(model, step, note);
		return;
	}
	crossbar = hd_crossbar(model, hd_switch_of(model, event->a));
	in = lane_port(event->b);
	if (step == SECOND) {
		fetch_matches(model, event->a, in, crossbar, note);
		return;
	}
	if (has_bit(hd_wanted(crossbar, words), words, hd_local(model, event->a)))
		__builtin_prefetch(hd_sender(model, event->a));
	if (has_bit(hd_has_heads(crossbar, words), words, hd_local(model, in)))
		__builtin_prefetch(hd_receiver(model, in));
}

/* The end of a transmission. */
FETCHES void ahead_end(struct hd_model *model, const struct hd_event *event, unsigned step,
		       struct note *note)
{
	if (!hd_is_switch_port(model, event->a)) {
		if (step > THIRD)
			ahead_host_end(model, event->a, step, note);
		else
			fetch_noted(model, step, note);
		return;
	}
	if (!hd_has_routing(model) && !hd_switch_hooks(model)) {
		ahead_freed(model, event, step, note);
		return;
	}
	/* past the crossbar of the switch, or free for any way */
	if (step == FIRST)
		__builtin_prefetch(hd_sender(model, event->a));
	ahead_own(model, HD_EVENT_DONE, event, step);
}

/* The end of a crossing frees the ports of a cioq switch as that of a transmission does others. */
FETCHES void ahead_crossed(struct hd_model *model, const struct hd_event *event, unsigned step,
			   struct note *note)
{
	if (hd_has_routing(model) || hd_is_synchronous(model) || event->b >= HD_CIOQ_SEVERAL)
		ahead_own(model, HD_EVENT_OWN + HD_CIOQ_CROSSED, event, step);
	else
		ahead_freed(model, event, step, note);
}

/* What @out takes when credits come. */
FETCHES void fetch_starving(const struct hd_model *model, uint32_t out, struct note *note)
{
	struct crossbar *crossbar = hd_crossbar(model, hd_switch_of(model, out));
	uint64_t ins = 0;

	if (hd_words(model) == 1)
		ins = hd_of_all_vls(model, hd_requests(model, hd_sender(model, out))) &
		      *hd_in_free(crossbar);
	note->queues[0] = ins ? fetch_for_out(model, out, ins) : NULL;
	note->queues[1] = NULL;
}

FETCHES void ahead_credit(struct hd_model *model, const struct hd_event *event, unsigned step,
			  struct note *note)
{
	uint32_t out = lane_port(event->a);

	if (hd_has_routing(model) && hd_is_switch_port(model, out)) {
		hd_adaptive_fetch_credit(model, out, lane_vl(event->a), step);
		return;
	}
	if (step == THIRD)
		fetch_heads(model, note);
	else if (step == LAST)
		fetch_next(model, note);
	else if (!hd_is_switch_port(model, out))
		ahead_host_end(model, out, step, note);
	else if (step == FIRST)
		__builtin_prefetch(hd_sender(model, out));
	else
		fetch_starving(model, out, note);
}

/* A packet that comes by @in is a head at once, and leaves if it can. */
FETCHES void fetch_next_hop(const struct hd_model *model, uint32_t in, const struct packet *packet)
{
	unsigned vl = 0;
	uint32_t out = hd_route_table_look_up(model, in, packet->dlid, packet->sl, &vl);
	const struct sender *sender;

	if (out == HD_NONE) /* tables may have changed since the step before */
		return;
	sender = hd_sender(model, out);
	__builtin_prefetch(hd_cioq_output(model, out));
	if (vl < hd_n_vls(model) && sender->credits[vl] < 2 * model->buffers.largest_packet)
		__builtin_prefetch(hd_receiver(model, sender->peer));
}

FETCHES void ahead_arrival(struct hd_model *model, const struct hd_event *event, unsigned step,
			   struct note *note)
{
	const struct packet *packet = &model->buffers.packets[event->b];
	uint32_t at = hd_switch_of(model, event->a), out;
	unsigned vl;

	if (hd_has_routing(model)) {
		hd_adaptive_fetch_arrival(model, event->a, event->b, step);
		return;
	}
	if (hd_has_own_matching(model) && step != THIRD)
		ahead_own(model, HD_EVENT_ARRIVE, event, step);
	switch (step) {
	case FIRST:
		__builtin_prefetch(packet);
		__builtin_prefetch(hd_receiver(model, event->a));
		__builtin_prefetch(hd_crossbar(model, at));
		break;
	case SECOND:
		__builtin_prefetch(
			hd_forwarding_entry(&model->network.forwarding, at, packet->dlid));
		break;
	case THIRD:
		out = hd_route_table_look_up(model, event->a, packet->dlid, packet->sl, &vl);
		note->queues[0] = NULL;
		if (out == HD_NONE)
			break;
		note->queues[0] = hd_queue(model, event->a, packet->vl, out);
		__builtin_prefetch(note->queues[0]);
		__builtin_prefetch(hd_sender(model, out));
		if (!model->fetches_all && hd_is_cioq(model))
			__builtin_prefetch(hd_cioq_output(model, out));
		if (hd_has_own_matching(model))
			model->options.model->ahead(model, HD_EVENT_ARRIVE, out, event->b, step);
		break;
	case LAST:
		if (note->queues[0] && note->queues[0]->head != HD_NONE)
			__builtin_prefetch(&model->buffers.packets[note->queues[0]->tail]);
		else if (note->queues[0] && hd_is_cioq(model) && !hd_is_synchronous(model))
			fetch_next_hop(model, event->a, packet);
		break;
	}
}

FETCHES void ahead_delivery(struct hd_model *model, const struct hd_event *event, unsigned step,
			    struct note *note)
{
	(void)step;
	(void)note;
	__builtin_prefetch(&model->buffers.packets[event->b]);
	__builtin_prefetch(hd_receiver(model, event->a));
	if (hd_has_routing(model))
		__builtin_prefetch(&model->adaptive->headers[event->b]);
}

/*
 * Every event is looked at once in every step, since HD_LOOKS_AHEAD events lie between two looks.
 */
#define STEP(fetch, step)                                                            \
	for (uint32_t i = first + (step); i != first + (step) + HD_LOOKS_AHEAD; i++) \
	fetch(model, &ring[i & mask], step, &notes[i % HD_AHEAD_NOTES])

#define ALL_STEPS(fetch)             \
	do {                         \
		STEP(fetch, FIRST);  \
		STEP(fetch, SECOND); \
		STEP(fetch, THIRD);  \
		STEP(fetch, LAST);   \
	} while (0)

/*
 * For events of @line after the next ones, a few at a time. A call of a function without an effect
 * would be left out.
 */
static __attribute__((noinline)) void look_ahead(struct hd_model *model, unsigned line)
{
	const struct hd_delay_line *l = &model->events.lines[line];
	const struct hd_event *ring = l->ring;
	const uint32_t first = l->first, mask = l->mask;
	struct note *notes = model->notes + line * HD_AHEAD_NOTES;

	__asm__ volatile(""); /* an effect, for the compiler */
	if (l->n < FIRST + HD_LOOKS_AHEAD)
		return;
	__builtin_prefetch(&ring[(first + 2 * FIRST) & mask]);
	if (!model->fetches_all && l->kind != HD_EVENT_ARRIVE)
		return;
	switch (l->kind) {
	case HD_EVENT_ARRIVE:
		STEP(ahead_arrival, FIRST);
		STEP(ahead_arrival, SECOND);
		STEP(ahead_arrival, THIRD);
		STEP(ahead_arrival, LAST);
		break;
	case HD_EVENT_DONE:
		ALL_STEPS(ahead_end);
		break;
	case HD_EVENT_CREDIT:
		ALL_STEPS(ahead_credit);
		break;
	case HD_EVENT_DELIVER:
		STEP(ahead_delivery, THIRD);
		break;
	case HD_EVENT_OWN + HD_CIOQ_CROSSED:
		if (hd_is_cioq(model)) {
			ALL_STEPS(ahead_crossed);
			break;
		}
		/* fall through */
	default:
		for (unsigned step = FIRST; step >= LAST && l->kind >= HD_EVENT_OWN;
		     step -= HD_LOOKS_AHEAD)
			for (uint32_t i = first + step; i != first + step + HD_LOOKS_AHEAD; i++)
				ahead_own(model, l->kind, &ring[i & mask], step);
		break;
	}
}

/* The event @n places ahead of messages to be generated, where these come at times of their own. */
static bool late_ahead(const struct hd_model *model, unsigned n, struct hd_wheel_event *event)
{
	const struct hd_wheel_event *of_wheel = hd_wheel_ahead(&model->events.wheel, n);
	const struct hd_calendar_event *other;

	if (of_wheel) {
		*event = *of_wheel;
		return true;
	}
	other = hd_calendar_ahead(&model->events.calendar, n);
	if (!other || (other->key & HD_NO_LINE) != HD_EVENT_GENERATE)
		return false;
	*event = (struct hd_wheel_event){ other->a, other->b };
	return true;
}

/* What the LID of @message, and its SL, are looked up in. */
FETCHES void fetch_lid(const struct hd_model *model, const struct hd_message *message)
{
	uint16_t lid = model->injection.destinations[message->to].lid;

	__builtin_prefetch(&model->injection.hosts[message->from].path_sls[lid]);
}

/* The same for events without a line. */
static __attribute__((noinline)) void look_ahead_any(const struct hd_model *model)
{
	const struct host_queue *queue;
	struct hd_wheel_event event;
	uint32_t port;

	__asm__ volatile("");
	if (late_ahead(model, HD_CALENDAR_AHEAD - 1, &event)) {
		__builtin_prefetch(&model->injection.hosts[event.a]);
		__builtin_prefetch(&model->buffers.packets[event.b]);
		if (model->user.ahead)
			model->user.ahead(model->user.context, event.a);
	}
	if (late_ahead(model, THIRD, &event)) {
		port = model->injection.hosts[event.a].port;
		__builtin_prefetch(hd_sender(model, port));
		__builtin_prefetch(hd_host_queues(model, port));
		hd_fetch_backlog_units(model, port);
	}
	if (late_ahead(model, LAST, &event)) {
		fetch_lid(model, &model->buffers.packets[event.b].message);
		port = model->injection.hosts[event.a].port;
		queue = hd_host_queues(model, port);
		if (queue->queue.head != HD_NONE)
			__builtin_prefetch(
				hd_backlog_end(&model->injection.backlogs, &queue->behind));
	}
}

#undef FETCHES
#undef FIRST
#undef SECOND
#undef THIRD
#undef LAST
#undef STEP
#undef ALL_STEPS

#endif
