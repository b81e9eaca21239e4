// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The combined input- and output-queued switch. The crossbar is `speedup` times as fast as the
 * faster of the links of the two ports and leads to a FIFO per out-port. A packet enters it when
 * there is room for all of it in that FIFO and in the buffer at the other end of the link, so that
 * the FIFO never blocks.
 */
#include <stdlib.h>

#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/model/look_ahead_adaptive.h"
#include "support/error.h"

/* The events of this switch model. */
enum {
	CROSSED, /* a: out-port, b: reference of the in-lane, which the tail of a packet has left */
	READY,   /* a: out-port, b: packet; its head is in the output buffer */
};

/* What is between the crossbar and the link of an out-port. */
struct output {
	uint32_t crossing;   /* units of the packet that enters the buffer */
	uint32_t room;       /* units that are free in the buffer */
	uint32_t head, tail; /* of the packets in the buffer; HD_NONE: it is empty */
	unsigned ready_line;
};

static struct output *output_of(const struct hd_model *model, uint32_t out)
{
	return (struct output *)model->own + out;
}

static const struct hd_link_options *link_of(const struct hd_model *model, uint32_t out)
{
	return &model->options.links[hd_sender(model, out)->link_class];
}

static int check(const struct hd_model_options *options, struct hd_error *err)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (!options->links[i].output)
			return hd_error_set(err, HD_EINVAL, "an output buffer has no room");
	return 0;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	model->own = calloc(model->network.n_ports + (size_t)1, sizeof(struct output));
	return model->own ? 0 : hd_error_nomem(err);
}

static void free_all(struct hd_model *model)
{
	free(model->own);
}

static uint32_t make_port(struct hd_model *model, uint32_t out)
{
	uint32_t room = link_of(model, out)->output;

	*output_of(model, out) = (struct output){
		.room = room,
		.head = HD_NONE,
		.tail = HD_NONE,
		.ready_line = hd_events_line(&model->events, HD_EVENT_OWN + READY,
					     model->options.crossbar_latency),
	};
	return room;
}

static uint64_t crossing(const struct hd_model *model, uint32_t in, uint32_t out)
{
	(void)in;
	(void)out;
	return model->options.crossbar_latency;
}

/*
 * With service classes there must be room for the longest packet of all: short ones would else take
 * what becomes free before there is enough for a long one, whatever the scheduler.
 */
static bool has_room(const struct hd_model *model, uint32_t out, uint32_t size)
{
	if (model->options.class_of_tag && size < model->buffers.largest_packet)
		size = model->buffers.largest_packet;
	return output_of(model, out)->room >= size;
}

static bool is_crossing(const struct hd_model *model, uint32_t out)
{
	return output_of(model, out)->room < link_of(model, out)->output;
}

static uint64_t ticks_to_cross(const struct hd_model *model, unsigned rate, uint32_t size)
{
	unsigned speedup = model->options.speedup;

	return (hd_ticks_to_send(model, rate, size) + speedup - 1) / speedup;
}

static void take(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane)
{
	struct output *output = output_of(model, out);
	uint32_t size = model->buffers.packets[packet].message.size, in = lane_port(in_lane);
	uint32_t faster = unit_ticks(model, in) < unit_ticks(model, out) ? in : out;

	output->room -= size;
	hd_observe_output(model, out, size);
	output->crossing = size;
	hd_wire_post(model, HD_EVENT_OWN + CROSSED, hd_sender(model, faster)->rate, out, in_lane,
		     size, ticks_to_cross);
	hd_events_post(&model->events, output->ready_line, out, packet);
}

static void start(struct hd_model *model, uint32_t out)
{
	struct output *output = output_of(model, out);
	struct sender *sender = hd_sender(model, out);
	uint32_t packet = output->head;

	if (sender->sending || packet == HD_NONE)
		return;
	output->head = model->buffers.packets[packet].next;
	sender->sending = model->buffers.packets[packet].message.size;
	hd_model_transmit(model, packet, out, HD_NONE);
}

/* The head of @packet is in the output buffer: it can go on at once. */
static void ready(struct hd_model *model, uint32_t out, uint32_t packet)
{
	struct output *output = output_of(model, out);

	model->buffers.packets[packet].next = HD_NONE;
	if (output->head == HD_NONE)
		output->head = packet;
	else
		model->buffers.packets[output->tail].next = packet;
	output->tail = packet;
	start(model, out);
}

/* The tail of a packet left the input buffer. */
static void crossed(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	uint32_t in = lane_port(in_lane);

	hd_model_return_credit(model, in, lane_vl(in_lane), output_of(model, out)->crossing,
			       hd_has_voqnet(model) ? model->voqnet->leaving[out] : 0);
	hd_model_both_done(model, out, in);
}

static void sent(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	struct sender *sender = hd_sender(model, out);
	uint32_t size = sender->sending;

	(void)in_lane;
	sender->sending = 0;
	output_of(model, out)->room += size;
	hd_observe_output(model, out, -(int64_t)size);
	if (hd_is_wanted(model, out))
		hd_model_mark_out(model, out);
	start(model, out);
}

static void event(struct hd_model *model, unsigned kind, uint32_t a, uint32_t b)
{
	if (kind == CROSSED)
		crossed(model, a, b);
	else
		ready(model, a, b);
}

/* What the end of the crossing of @out's packet touches. */
HD_FETCHES void fetch_crossed(const struct hd_model *model, uint32_t out, uint32_t in_lane,
			      unsigned step)
{
	uint32_t in = lane_port(in_lane);

	if (step != HD_AHEAD_FIRST)
		return;
	__builtin_prefetch(output_of(model, out));
	__builtin_prefetch(hd_receiver(model, in));
	__builtin_prefetch(hd_crossbar(model, hd_switch_of(model, in)));
	if (model->adaptive)
		hd_adaptive_fetch_head(model, in, lane_vl(in_lane));
}

static void ahead(const struct hd_model *model, unsigned kind, uint32_t a, uint32_t b,
		  unsigned step)
{
	const struct output *output = output_of(model, a);

	if (kind == HD_EVENT_OWN + CROSSED) {
		fetch_crossed(model, a, b, step);
	} else if (step == HD_AHEAD_FIRST) {
		__builtin_prefetch(output);
		__builtin_prefetch(hd_sender(model, a));
		if (kind == HD_EVENT_OWN + READY)
			__builtin_prefetch(&model->buffers.packets[b]);
	} else if (step == HD_AHEAD_SECOND && output->head != HD_NONE) {
		/* the next to be sent; behind which the new one is queued */
		__builtin_prefetch(&model->buffers.packets[kind == HD_EVENT_DONE ? output->head
										 : output->tail]);
	}
}

const struct hd_switch_model hd_switch_cioq = {
	.policy.name = "cioq",
	.policy.summary = "combined input- and output-queued, with crossbar speed-up",
	.check = check,
	.make = make,
	.free = free_all,
	.make_port = make_port,
	.crossing = crossing,
	.has_room = has_room,
	.take = take,
	.is_crossing = is_crossing,
	.sent = sent,
	.event = event,
	.ahead = ahead,
};
