// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The combined input- and output-queued switch. The crossbar is `speedup` times as fast as the
 * faster of the links of the two ports and leads to a FIFO per out-port. A packet enters it when
 * there is room for all of it in that FIFO and in the buffer at the other end of the link, so that
 * the FIFO never blocks.
 */
#include "simfabric/model/state.h"

static void take(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane)
{
	struct port *port = &model->ports[out];
	uint32_t size = model->packets[packet].message.size, in = lane_port(in_lane);
	uint32_t faster = unit_ticks(model, in) < unit_ticks(model, out) ? in : out;

	port->room -= size;
	if (model->gauges)
		hd_gauge_output(model, out, size);
	port->crossing = packet;
	hd_model_post_sized(model, HD_EVENT_CROSSED, faster, out, in_lane, size,
			    model->options.speedup);
	hd_events_post(&model->events, port->ready_line, out, packet);
}

static void start(struct hd_model *model, uint32_t out)
{
	struct port *port = &model->ports[out];

	if (port->sending == HD_NONE && port->output.head != HD_NONE)
		hd_model_transmit(model, hd_model_pop(model, &port->output), out, HD_NONE);
}

/* The head of @packet is in the output buffer: it can go on at once. */
void hd_model_ready(struct hd_model *model, uint32_t out, uint32_t packet)
{
	struct port *port = &model->ports[out];

	model->packets[packet].next = HD_NONE;
	if (port->output.head == HD_NONE)
		port->output.head = packet;
	else
		model->packets[port->output.tail].next = packet;
	port->output.tail = packet;
	start(model, out);
}

/* The tail of a packet left the input buffer. */
void hd_model_crossed(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	const struct port *port = &model->ports[out];

	set_bit(hd_out_free(model, port->node), port->local);
	hd_model_mark(model, out);
	hd_model_return_credit(model, in_lane, model->packets[port->crossing].message.size);
	hd_model_switch_done(model, lane_port(in_lane));
}

static void sent(struct hd_model *model, uint32_t out, uint32_t in_lane, uint32_t size)
{
	(void)in_lane;
	model->ports[out].room += size;
	if (model->gauges)
		hd_gauge_output(model, out, -(int64_t)size);
	hd_model_mark(model, out);
	start(model, out);
}

const struct hd_switch_model hd_switch_cioq = {
	.name = "cioq",
	.summary = "combined input- and output-queued, with crossbar speed-up",
	.take = take,
	.sent = sent,
};
