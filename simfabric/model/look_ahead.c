// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * On large fabrics nearly all that an event touches is far from the cores. What the events behind the
 * next one of a line will touch is fetched meanwhile, in steps of which each needs what the one
 * before fetched.
 */
#include "simfabric/model/state.h"
#include "support/error.h"

#include <stdlib.h>

/* A function that only fetches has no effect for the compiler, which leaves out calls of it. */
#define FETCHES static inline __attribute__((always_inline))

/* Events ahead; HD_LOOKS_AHEAD between two steps. */
#define START  20
#define FIRST  16
#define SECOND 12
#define THIRD  8
#define LAST   4

/* A power of two above START + HD_LOOKS_AHEAD. */
#define NOTES 32

/* Queues that an event will probably take from, by its place in the line; NULL: none. */
struct note {
	const struct queue *queues[2];
};

int hd_model_look_ahead_new(struct hd_model *model)
{
	model->notes = calloc(HD_DELAY_LINES * NOTES, sizeof(*model->notes));
	return model->notes ? 0 : HD_ENOMEM;
}

/* The least bit of @mask at or after @turn, or before it where there is none. */
static inline unsigned in_turn(uint64_t mask, unsigned turn)
{
	uint64_t from = mask >> turn % 64 << turn % 64;

	return __builtin_ctzll(from ? from : mask);
}

/* Bits of all VLs. */
static inline uint64_t of_all_vls(const struct hd_model *model, const uint64_t *masks)
{
	uint64_t any = 0;

	for (unsigned vl = 0; vl < model->n_vls; vl++)
		any |= masks[vl * model->words];
	return any;
}

/* The first VL from @vl on whose mask has @bit; one has. */
static inline unsigned vl_of(const struct hd_model *model, const uint64_t *masks, unsigned bit,
			     unsigned vl)
{
	while (!(masks[vl * model->words] >> bit & 1))
		vl = vl + 1 == model->n_vls ? 0 : vl + 1;
	return vl;
}

/* What @out of a switch will take when it sends no more, of the in-ports in @in_free. */
FETCHES const struct queue *fetch_for_out(const struct hd_model *model, uint32_t out,
					  uint64_t in_free)
{
	struct sender *sender = hd_sender(model, out);
	const uint64_t *requests = hd_requests(model, sender);
	uint64_t any = of_all_vls(model, requests) & in_free;
	uint32_t at = hd_switch_of(model, out);
	const struct queue *queue;
	unsigned in, vl;

	if (!any)
		return NULL;
	in = in_turn(any, sender->turn);
	vl = vl_of(model, requests, in, sender->vl_turn);
	queue = hd_queue_at(model, hd_queues_to(model, at, hd_local(model, out)), in, vl);
	__builtin_prefetch(queue);
	__builtin_prefetch(hd_receiver(model, hd_first_port(model, at) + in));
	for (vl = 0; vl < model->n_vls; vl++)
		if (sender->credits[vl] < 2 * model->largest_packet)
			__builtin_prefetch(hd_receiver(model, sender->peer));
	return queue;
}

/* What an idle out-port other than the one that @in sends to will take from it when it is free. */
FETCHES const struct queue *fetch_for_in(const struct hd_model *model, uint32_t in,
					 uint64_t out_free)
{
	struct receiver *receiver = hd_receiver(model, in);
	const uint64_t *wants = hd_wants(model, receiver);
	uint64_t any = of_all_vls(model, wants) & out_free;
	uint32_t at = hd_switch_of(model, in);
	const struct queue *queue;
	unsigned out;

	if (!any)
		return NULL;
	out = in_turn(any, receiver->accept);
	queue = hd_queue_at(model, hd_queues_to(model, at, out), hd_local(model, in),
			    vl_of(model, wants, out, 0));
	__builtin_prefetch(queue);
	__builtin_prefetch(hd_sender(model, hd_first_port(model, at) + out));
	__builtin_prefetch(hd_waiting(model, hd_first_port(model, at) + out, 0));
	return queue;
}

/* The heads of what was noted; those behind them, which will be the heads then. */
FETCHES void fetch_heads(const struct hd_model *model, const struct note *note)
{
	for (unsigned i = 0; i < 2; i++)
		if (note->queues[i] && note->queues[i]->head != HD_NONE)
			__builtin_prefetch(&model->packets[note->queues[i]->head]);
}

FETCHES void fetch_next(const struct hd_model *model, const struct note *note)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct queue *queue = note->queues[i];

		if (queue && queue->head != HD_NONE && model->packets[queue->head].next != HD_NONE)
			__builtin_prefetch(&model->packets[model->packets[queue->head].next]);
	}
}

/* A host can send. */
FETCHES void host_end(const struct hd_model *model, uint32_t out, unsigned step, struct note *note)
{
	if (step == FIRST) {
		__builtin_prefetch(hd_sender(model, out));
		__builtin_prefetch(hd_host_queues(model, out));
	} else if (step == SECOND) {
		*note = (struct note){ { &hd_host_queues(model, out)->queue } };
		__builtin_prefetch(
			hd_backlog_first(&model->backlogs, &hd_host_queues(model, out)->behind));
	}
}

/* The end of a transmission: at a light load nothing waits for it. */
FETCHES void end(struct hd_model *model, const struct hd_event *event, unsigned step,
		 struct note *note)
{
	struct crossbar *crossbar;
	size_t words = model->words;
	uint32_t in;
	bool is_wanted, has_head;

	if (step == THIRD) {
		fetch_heads(model, note);
		return;
	}
	if (step == LAST) {
		fetch_next(model, note);
		return;
	}
	if (event->b == HD_NONE) {
		host_end(model, event->a, step, note);
		return;
	}
	crossbar = hd_crossbar(model, hd_switch_of(model, event->a));
	if (step == START) {
		__builtin_prefetch(crossbar);
		return;
	}
	in = lane_port(event->b);
	is_wanted = has_bit(hd_wanted(crossbar, words), words, hd_local(model, event->a));
	has_head = has_bit(hd_has_heads(crossbar, words), words, hd_local(model, in));
	if (step == FIRST) {
		if (is_wanted)
			__builtin_prefetch(hd_sender(model, event->a));
		if (has_head)
			__builtin_prefetch(hd_receiver(model, in));
		return;
	}
	note->queues[0] = note->queues[1] = NULL;
	if (is_wanted)
		note->queues[0] = fetch_for_out(
			model, event->a, *hd_in_free(crossbar) | bit_of(hd_local(model, in)));
	if (has_head)
		note->queues[1] = fetch_for_in(model, in, *hd_out_free(crossbar, words));
}

FETCHES void credit(struct hd_model *model, const struct hd_event *event, unsigned step,
		    struct note *note)
{
	uint32_t out = lane_port(event->a);

	if (step == THIRD)
		fetch_heads(model, note);
	else if (step == LAST)
		fetch_next(model, note);
	else if (!hd_is_switch_port(model, out))
		host_end(model, out, step, note);
	else if (step == START)
		__builtin_prefetch(hd_crossbar(model, hd_switch_of(model, out)));
	else if (step == FIRST)
		__builtin_prefetch(hd_sender(model, out));
	else
		*note = (struct note){ { fetch_for_out(
			model, out, *hd_in_free(hd_crossbar(model, hd_switch_of(model, out)))) } };
}

FETCHES void arrival(struct hd_model *model, const struct hd_event *event, unsigned step,
		     struct note *note)
{
	struct packet *packet = &model->packets[event->b];
	uint32_t at = hd_switch_of(model, event->a);

	switch (step) {
	case START:
		break;
	case FIRST:
		__builtin_prefetch(packet);
		__builtin_prefetch(hd_receiver(model, event->a));
		__builtin_prefetch(hd_crossbar(model, at));
		break;
	case SECOND:
		__builtin_prefetch(hd_forwarding_entry(&model->forwarding, at, packet->dlid));
		break;
	case THIRD:
		hd_model_route(model, event->a, packet);
		note->queues[0] = NULL;
		if (packet->out == HD_NONE)
			break;
		note->queues[0] = hd_queue(model, event->a, packet->vl, packet->out);
		__builtin_prefetch(note->queues[0]);
		__builtin_prefetch(hd_sender(model, packet->out));
		break;
	case LAST:
		if (note->queues[0] && note->queues[0]->head != HD_NONE)
			__builtin_prefetch(&model->packets[note->queues[0]->tail]);
		break;
	}
}

FETCHES void delivery(struct hd_model *model, const struct hd_event *event, unsigned step,
		      struct note *note)
{
	(void)note;
	if (step != THIRD)
		return;
	__builtin_prefetch(&model->packets[event->b]);
	__builtin_prefetch(hd_receiver(model, event->a));
}

/* Every event comes once to every step. */
#define ONE_STEP(fetch, step)                                       \
	for (uint32_t i = (step); i < (step) + HD_LOOKS_AHEAD; i++) \
	fetch(model, &l->ring[(l->first + i) & l->mask], step, &notes[(l->first + i) % NOTES])

#define ALL_STEPS(fetch)                 \
	do {                             \
		ONE_STEP(fetch, START);  \
		ONE_STEP(fetch, FIRST);  \
		ONE_STEP(fetch, SECOND); \
		ONE_STEP(fetch, THIRD);  \
		ONE_STEP(fetch, LAST);   \
	} while (0)

void hd_model_look_ahead(struct hd_model *model, unsigned line)
{
	const struct hd_delay_line *l = &model->events.lines[line];
	struct note *notes = model->notes + line * NOTES;

	if (l->n < START + HD_LOOKS_AHEAD)
		return;
	__builtin_prefetch(&l->ring[(l->first + 2 * START) & l->mask]);
	switch ((enum hd_model_event)l->kind) {
	case HD_EVENT_ARRIVE:
		ALL_STEPS(arrival);
		break;
	case HD_EVENT_DONE:
		ALL_STEPS(end);
		break;
	case HD_EVENT_CREDIT:
		ALL_STEPS(credit);
		break;
	case HD_EVENT_DELIVER:
		ALL_STEPS(delivery);
		break;
	default:
		break;
	}
}

/* Messages to be generated, of those that come at times of their own. */
static const struct hd_late_event *late_ahead(const struct hd_model *model, unsigned n)
{
	const struct hd_late_event *event = hd_late_events_ahead(&model->events.late, n);

	return event && (event->key & HD_NO_LINE) == HD_EVENT_GENERATE ? event : NULL;
}

void hd_model_look_ahead_late(const struct hd_model *model)
{
	const struct hd_late_event *event = late_ahead(model, HD_LATE_AHEAD - 1);
	const struct host_queue *queue;
	const struct packet *packet;
	uint32_t port;

	if (event) {
		__builtin_prefetch(&model->hosts[event->a]);
		__builtin_prefetch(&model->packets[event->b]);
		if (model->user.ahead)
			model->user.ahead(model->user.context, event->a);
	}
	event = late_ahead(model, THIRD);
	if (event) {
		port = model->hosts[event->a].port;
		packet = &model->packets[event->b];
		__builtin_prefetch(hd_sender(model, port));
		__builtin_prefetch(hd_host_queues(model, port));
		__builtin_prefetch(&model->hosts[packet->message.to]);
	}
	event = late_ahead(model, LAST);
	if (event) {
		port = model->hosts[event->a].port;
		queue = hd_host_queues(model, port);
		if (queue->queue.head != HD_NONE)
			__builtin_prefetch(hd_backlog_end(&model->backlogs, &queue->behind));
	}
}
