// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * On large fabrics nearly all that an event touches is far from the cores. What the events behind the
 * next one of a line will touch is fetched meanwhile, in steps of which each needs what the one
 * before fetched.
 */
#include "simfabric/model/state.h"

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
	const struct port *port = &model->ports[out];
	const uint64_t *requests = hd_requests(model, out);

	for (unsigned vl = 0; model->options.voq && vl < model->n_vls; vl++) {
		uint64_t any = requests[vl * model->words], from = any >> port->turn % 64;
		unsigned local = from ? port->turn % 64 + __builtin_ctzll(from)
				      : __builtin_ctzll(any | UINT64_C(1) << 63);

		if (any)
			return &model->queues[queue_index(model, port->first_port + local, vl,
							  out)];
	}
	return NULL;
}

static void fetch_queue(const struct hd_model *model, uint32_t out)
{
	if (hd_is_switch_port(model, out))
		__builtin_prefetch(probable_queue(model, out));
	else
		__builtin_prefetch(&model->queues[model->ports[out].queues]);
}

static void fetch_packet(const struct hd_model *model, uint32_t out)
{
	const struct queue *queue = &model->queues[model->ports[out].queues];

	if (hd_is_switch_port(model, out))
		queue = probable_queue(model, out);
	if (queue && queue->head != HD_NONE)
		__builtin_prefetch(&model->packets[queue->head]);
}

static void fetch_port(const struct hd_model *model, uint32_t port)
{
	__builtin_prefetch(&model->ports[port]);
	__builtin_prefetch(hd_block(model, port));
}

static void arrivals(const struct hd_model *model, const struct hd_delay_line *line)
{
	const struct hd_event *event = ahead(line, FIRST);

	__builtin_prefetch(&model->packets[event->b]);
	__builtin_prefetch(hd_block(model, event->a));
	event = ahead(line, SECOND);
	hd_model_fetch_route(model, event->a, event->b);
	event = ahead(line, THIRD);
	hd_model_fetch_out(model, event->a, event->b);
	event = ahead(line, LAST);
	hd_model_fetch_queue(model, event->a, event->b);
}

/*
 * The queue of in-port @in that an idle out-port other than the one that it sends to will probably
 * take from when it is free, and that port; NULL: none.
 */
static const struct queue *other_queue(const struct hd_model *model, uint32_t in, uint32_t *out)
{
	const struct block *block = hd_block(model, in);
	const uint64_t *wants = hd_wants(model, in), *out_free = hd_out_free(model, block->node);

	for (unsigned vl = 0; model->options.voq && vl < model->n_vls; vl++) {
		uint64_t any = wants[vl * model->words] & *out_free;

		if (!any)
			continue;
		*out = in - block->local + __builtin_ctzll(any);
		return &model->queues[queue_index(model, in, vl, *out)];
	}
	return NULL;
}

/* The end of a transmission out of @out, FIRST to LAST; @in_lane as in HD_EVENT_DONE. */
static void ends(const struct hd_model *model, const struct hd_delay_line *line)
{
	const struct hd_event *event = ahead(line, FIRST);
	const struct queue *queue;
	uint32_t in, out;

	fetch_port(model, event->a);
	if (event->b != HD_NONE)
		__builtin_prefetch(hd_block(model, lane_port(event->b)));
	event = ahead(line, SECOND);
	__builtin_prefetch(hd_node(model, hd_block(model, event->a)->node));
	__builtin_prefetch(hd_sent(model, event->a, 0));
	if (event->b != HD_NONE)
		fetch_port(model, hd_block(model, lane_port(event->b))->peer);
	event = ahead(line, THIRD);
	fetch_queue(model, event->a);
	if (event->b != HD_NONE) {
		in = lane_port(event->b);
		queue = other_queue(model, in, &out);
		if (queue) {
			fetch_port(model, out);
			__builtin_prefetch(queue);
		}
	}
	event = ahead(line, LAST);
	fetch_packet(model, event->a);
	if (event->b != HD_NONE) {
		queue = other_queue(model, lane_port(event->b), &out);
		if (queue && queue->head != HD_NONE)
			__builtin_prefetch(&model->packets[queue->head]);
	}
}

static void credits(const struct hd_model *model, const struct hd_delay_line *line)
{
	fetch_port(model, lane_port(ahead(line, FIRST)->a));
	fetch_queue(model, lane_port(ahead(line, THIRD)->a));
	fetch_packet(model, lane_port(ahead(line, LAST)->a));
}

static void deliveries(const struct hd_model *model, const struct hd_delay_line *line)
{
	const struct hd_event *event = ahead(line, FIRST);

	__builtin_prefetch(&model->packets[event->b]);
	__builtin_prefetch(hd_block(model, event->a));
	event = ahead(line, THIRD);
	fetch_port(model, hd_block(model, event->a)->peer);
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
		ends(model, line);
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
	const struct port *port;
	uint32_t out;

	if (event) {
		out = model->host_ports[event->a];
		__builtin_prefetch(&model->packets[event->b]);
		fetch_port(model, out);
		__builtin_prefetch(hd_sent(model, out, 0));
	}
	event = late_ahead(model, LATE_LAST);
	if (event) {
		port = &model->ports[model->host_ports[event->a]];
		__builtin_prefetch(&model->queues[port->queues]);
		__builtin_prefetch(hd_node(model, port->node));
	}
}
