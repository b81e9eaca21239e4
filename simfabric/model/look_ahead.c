// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * On large fabrics nearly all that an event touches is far from the cores. What the events behind the
 * next one of a line will touch is fetched meanwhile, in steps of which each needs what the one
 * before fetched.
 */
#include "simfabric/model/state.h"

/* A function that only fetches has no effect for the compiler, which leaves out calls of it. */
#define FETCHES static inline __attribute__((always_inline))

/* Events ahead; HD_LOOKS_AHEAD between two steps. */
#define START  20
#define FIRST  16
#define SECOND 12
#define THIRD  8
#define LAST   4

static const struct hd_event *ahead(const struct hd_delay_line *line, uint32_t n)
{
	return &line->ring[(line->first + n) & line->mask];
}

/* A head that will probably be taken, where it waits and for which port. */
struct guess {
	uint32_t in, out;
	unsigned vl;
	bool is_any;
};

/* The least bit of @mask at or after @turn, or before it where there is none. */
static unsigned in_turn(uint64_t mask, unsigned turn)
{
	uint64_t from = mask >> turn % 64 << turn % 64;

	return __builtin_ctzll(from ? from : mask);
}

/* What @out of a switch will take, when it is looked at. */
static struct guess guess_for_out(const struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	const uint64_t *requests = hd_requests(model, sender);

	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		uint64_t any = requests[vl * model->words];

		if (any)
			return (struct guess){ hd_first_port(model, hd_switch_of(model, out)) +
						       in_turn(any, sender->turn),
					       out, vl, true };
	}
	return (struct guess){ 0 };
}

/* What an idle out-port other than the one that @in sends to will take from it when it is free. */
static struct guess guess_for_in(const struct hd_model *model, uint32_t in)
{
	uint32_t at = hd_switch_of(model, in);
	struct receiver *receiver = hd_receiver(model, in);
	const uint64_t *wants = hd_wants(model, receiver);
	const uint64_t *out_free = hd_out_free(model, hd_crossbar(model, at));

	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		uint64_t any = wants[vl * model->words] & *out_free;

		if (any)
			return (struct guess){ in,
					       hd_first_port(model, at) +
						       in_turn(any, receiver->accept),
					       vl, true };
	}
	return (struct guess){ 0 };
}

static const struct queue *queue_of(const struct hd_model *model, const struct guess *guess)
{
	return &model->queues[hd_queue_index(model, guess->in, guess->vl, guess->out)];
}

/* The head of @queue; the one behind it, which will be the head then. */
FETCHES void fetch_head(const struct hd_model *model, const struct queue *queue)
{
	if (queue->head != HD_NONE)
		__builtin_prefetch(&model->packets[queue->head]);
}

FETCHES void fetch_next(const struct hd_model *model, const struct queue *queue)
{
	if (queue->head != HD_NONE && model->packets[queue->head].next != HD_NONE)
		__builtin_prefetch(&model->packets[model->packets[queue->head].next]);
}

/* FIRST was what the guess was made of. */
FETCHES void fetch_guess(const struct hd_model *model, const struct guess *guess, unsigned step)
{
	if (!guess->is_any)
		return;
	if (step == SECOND) {
		__builtin_prefetch(hd_sender(model, guess->out));
		__builtin_prefetch(hd_receiver(model, guess->in));
		__builtin_prefetch(queue_of(model, guess));
		__builtin_prefetch(hd_waiting(model, guess->out, 0));
	} else if (step == THIRD) {
		fetch_head(model, queue_of(model, guess));
	} else {
		fetch_next(model, queue_of(model, guess));
	}
}

FETCHES void fetch_for_out(const struct hd_model *model, uint32_t out, unsigned step)
{
	const struct queue *queues;
	struct guess guess;

	if (step == FIRST) {
		__builtin_prefetch(hd_sender(model, out));
		if (!hd_is_switch_port(model, out))
			__builtin_prefetch(hd_host_queues(model, out));
	} else if (hd_is_switch_port(model, out)) {
		guess = guess_for_out(model, out);
		fetch_guess(model, &guess, step);
	} else if (step != SECOND) {
		queues = hd_host_queues(model, out);
		if (step == THIRD)
			fetch_head(model, queues);
		else
			fetch_next(model, queues);
	}
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

/* The end of a transmission: at a light load nothing waits for it. */
FETCHES void end(const struct hd_model *model, const struct hd_event *event, unsigned step)
{
	struct guess guess;
	uint32_t in;

	if (step == START) {
		if (event->b != HD_NONE)
			__builtin_prefetch(hd_crossbar(model, hd_switch_of(model, event->a)));
		return;
	}
	if (event->b == HD_NONE || is_wanted(model, event->a))
		fetch_for_out(model, event->a, step);
	if (event->b == HD_NONE)
		return;
	in = lane_port(event->b);
	if (!has_heads(model, in))
		return;
	if (step == FIRST) {
		__builtin_prefetch(hd_receiver(model, in));
		return;
	}
	guess = guess_for_in(model, in);
	fetch_guess(model, &guess, step);
}

FETCHES void credit(const struct hd_model *model, const struct hd_event *event, unsigned step)
{
	uint32_t out = lane_port(event->a);

	if (step != START)
		fetch_for_out(model, out, step);
	else if (hd_is_switch_port(model, out))
		__builtin_prefetch(hd_crossbar(model, hd_switch_of(model, out)));
}

FETCHES void arrival(const struct hd_model *model, const struct hd_event *event, unsigned step)
{
	struct packet *packet = &model->packets[event->b];
	uint32_t at = hd_switch_of(model, event->a);
	const struct queue *queue;

	if (step == START) {
		__builtin_prefetch(hd_crossbar(model, at));
		return;
	}
	if (step == FIRST) {
		__builtin_prefetch(packet);
		__builtin_prefetch(hd_receiver(model, event->a));
		return;
	}
	if (step == SECOND) {
		__builtin_prefetch(hd_forwarding_entry(&model->forwarding, at, packet->dlid));
		return;
	}
	if (step == THIRD)
		hd_model_route(model, event->a, packet);
	if (packet->out == HD_NONE)
		return;
	queue = &model->queues[hd_queue_index(model, event->a, packet->vl, packet->out)];
	if (step == THIRD) {
		__builtin_prefetch(hd_sender(model, packet->out));
		__builtin_prefetch(queue);
	} else if (queue->head != HD_NONE) {
		__builtin_prefetch(&model->packets[queue->tail]);
	}
}

FETCHES void delivery(const struct hd_model *model, const struct hd_event *event, unsigned step)
{
	if (step != THIRD)
		return;
	__builtin_prefetch(&model->packets[event->b]);
	__builtin_prefetch(hd_receiver(model, event->a));
}

/* Every event comes once to every step. */
#define ONE_STEP(fetch, step)                                     \
	for (unsigned i = (step); i < (step) + HD_LOOKS_AHEAD; i++) \
	fetch(model, ahead(line, i), step)

#define ALL_STEPS(fetch)                 \
	do {                             \
		ONE_STEP(fetch, START);  \
		ONE_STEP(fetch, FIRST);  \
		ONE_STEP(fetch, SECOND); \
		ONE_STEP(fetch, THIRD);  \
		ONE_STEP(fetch, LAST);   \
	} while (0)

void hd_model_look_ahead(const struct hd_model *model, const struct hd_delay_line *line)
{
	if (line->n < START + HD_LOOKS_AHEAD)
		return;
	__builtin_prefetch(ahead(line, 2 * START));
	switch ((enum hd_model_event)line->kind) {
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
	const struct queue *queue;
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
		if (queue->head != HD_NONE)
			__builtin_prefetch(&model->packets[queue->tail]);
	}
}
