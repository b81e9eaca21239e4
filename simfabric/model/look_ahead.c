// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * On large fabrics nearly all that an event touches is far from the cores. What the events behind the
 * next one of a line will touch is fetched meanwhile, in steps of which each needs what the one
 * before fetched.
 */
#include "simfabric/model/state.h"

/* A function that only fetches has no effect for the compiler, which leaves out calls of it. */
#define FETCHES static inline __attribute__((always_inline))

#define FIRST  16 /* events ahead */
#define SECOND 12
#define THIRD  8
#define LAST   4

#define LATE_FIRST HD_LATE_AHEAD
#define LATE_LAST  6

static const struct hd_event *ahead(const struct hd_delay_line *line, uint32_t n)
{
	return &line->ring[(line->first + n) & line->mask];
}

/* The head that @out will probably take, when it is looked at; NULL: none wants it. */
static const struct queue *probable_queue(const struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	const uint64_t *requests = hd_requests(model, sender);

	if (!hd_is_switch_port(model, out))
		return hd_host_queues(model, out);
	for (unsigned vl = 0; model->options.voq && vl < model->n_vls; vl++) {
		uint64_t any = requests[vl * model->words], from = any >> sender->turn % 64;
		unsigned local = from ? sender->turn % 64 + __builtin_ctzll(from)
				      : __builtin_ctzll(any | UINT64_C(1) << 63);

		if (any)
			return &model->queues[hd_queue_index(
				model, hd_first_port(model, hd_switch_of(model, out)) + local, vl,
				out)];
	}
	return NULL;
}

FETCHES void fetch_packet(const struct hd_model *model, const struct queue *queue)
{
	if (queue && queue->head != HD_NONE)
		__builtin_prefetch(&model->packets[queue->head]);
}

FETCHES void arrivals(const struct hd_model *model, const struct hd_delay_line *line)
{
	const struct hd_event *event = ahead(line, FIRST);
	const struct hd_forwarding *forwarding = &model->forwarding;
	const struct packet *packet;
	unsigned hop;

	__builtin_prefetch(&model->packets[event->b]);
	__builtin_prefetch(hd_receiver(model, event->a));
	event = ahead(line, SECOND);
	packet = &model->packets[event->b];
	__builtin_prefetch(
		hd_forwarding_entry(forwarding, hd_switch_of(model, event->a), packet->dlid));
	event = ahead(line, THIRD);
	packet = &model->packets[event->b];
	hop = hd_forwarding_hop(forwarding, hd_switch_of(model, event->a), packet->dlid);
	if (hop != HD_HOP_NONE) {
		uint32_t out = hd_first_port(model, hd_switch_of(model, event->a)) + hop;

		__builtin_prefetch(hd_sender(model, out));
		__builtin_prefetch(
			&model->queues[hd_queue_index(model, event->a, packet->vl, out)]);
	}
}

/*
 * The queue of in-port @in that an idle out-port other than the one that it sends to will probably
 * take from when it is free, and that port; NULL: none.
 */
static const struct queue *other_queue(const struct hd_model *model, uint32_t in, uint32_t *out)
{
	uint32_t at = hd_switch_of(model, in);
	const uint64_t *wants = hd_wants(model, hd_receiver(model, in));
	const uint64_t *out_free = hd_out_free(model, hd_crossbar(model, at));

	for (unsigned vl = 0; model->options.voq && vl < model->n_vls; vl++) {
		uint64_t any = wants[vl * model->words] & *out_free;

		if (!any)
			continue;
		*out = hd_first_port(model, at) + __builtin_ctzll(any);
		return &model->queues[hd_queue_index(model, in, vl, *out)];
	}
	return NULL;
}

static bool is_wanted(const struct hd_model *model, uint32_t out)
{
	return has_bit(hd_wanted(model, hd_crossbar(model, hd_switch_of(model, out))),
		       hd_local(model, out));
}

static bool has_heads(const struct hd_model *model, uint32_t in)
{
	return has_bit(hd_has_heads(model, hd_crossbar(model, hd_switch_of(model, in))),
		       hd_local(model, in));
}

/* The end of a transmission by @out, FIRST to LAST: as a rule nothing waits for it. */
FETCHES void ends_at_switch(const struct hd_model *model, uint32_t out, uint32_t in, unsigned step)
{
	const struct queue *queue;

	if (is_wanted(model, out)) {
		if (step == FIRST)
			__builtin_prefetch(hd_sender(model, out));
		else if (step == THIRD)
			__builtin_prefetch(probable_queue(model, out));
		else if (step == LAST)
			fetch_packet(model, probable_queue(model, out));
	}
	if (!has_heads(model, in))
		return;
	if (step == FIRST) {
		__builtin_prefetch(hd_receiver(model, in));
		return;
	}
	queue = other_queue(model, in, &out);
	if (!queue)
		return;
	if (step == THIRD) {
		__builtin_prefetch(hd_sender(model, out));
		__builtin_prefetch(queue);
	} else if (step == LAST) {
		fetch_packet(model, queue);
	}
}

FETCHES void ends(const struct hd_model *model, const struct hd_delay_line *line, unsigned step)
{
	const struct hd_event *event = ahead(line, step);

	if (event->b != HD_NONE)
		ends_at_switch(model, event->a, lane_port(event->b), step);
	else if (step == FIRST)
		__builtin_prefetch(hd_sender(model, event->a));
	else if (step == THIRD)
		__builtin_prefetch(hd_host_queues(model, event->a));
	else if (step == LAST)
		fetch_packet(model, hd_host_queues(model, event->a));
}

FETCHES void credits(const struct hd_model *model, const struct hd_delay_line *line)
{
	__builtin_prefetch(hd_sender(model, lane_port(ahead(line, FIRST)->a)));
	__builtin_prefetch(probable_queue(model, lane_port(ahead(line, THIRD)->a)));
	fetch_packet(model, probable_queue(model, lane_port(ahead(line, LAST)->a)));
}

FETCHES void deliveries(const struct hd_model *model, const struct hd_delay_line *line)
{
	const struct hd_event *event = ahead(line, FIRST);

	__builtin_prefetch(&model->packets[event->b]);
	__builtin_prefetch(hd_receiver(model, event->a));
}

void hd_model_look_ahead(const struct hd_model *model, const struct hd_delay_line *line)
{
	if (line->n <= FIRST)
		return;
	switch ((enum hd_model_event)line->kind) {
	case HD_EVENT_ARRIVE:
		arrivals(model, line);
		break;
	case HD_EVENT_DONE:
		ends(model, line, FIRST);
		ends(model, line, THIRD);
		ends(model, line, LAST);
		break;
	case HD_EVENT_CREDIT:
		credits(model, line);
		break;
	case HD_EVENT_DELIVER:
		deliveries(model, line);
		break;
	default:
		break;
	}
}

/* The packet that a host generates @n events behind the next late one, if it is known. */
static const struct hd_late_event *late_ahead(const struct hd_model *model, unsigned n)
{
	const struct hd_late_event *event = hd_late_events_ahead(&model->events.late, n);

	return event && (event->key & HD_NO_LINE) == HD_EVENT_GENERATE ? event : NULL;
}

void hd_model_look_ahead_late(const struct hd_model *model)
{
	const struct hd_late_event *event = late_ahead(model, LATE_FIRST);
	uint32_t out;

	if (event) {
		__builtin_prefetch(&model->hosts[event->a]);
		__builtin_prefetch(&model->packets[event->b]);
	}
	event = late_ahead(model, LATE_LAST);
	if (event) {
		out = model->hosts[event->a].port;
		__builtin_prefetch(hd_sender(model, out));
		__builtin_prefetch(hd_host_queues(model, out));
	}
}
