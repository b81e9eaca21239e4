// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The combined input- and output-queued switch. The crossbar is `speedup` times as fast as the
 * faster of the links of the two ports and leads to a FIFO per out-port. A packet enters it when
 * there is room for all of it in that FIFO and in the buffer at the other end of the link, so that
 * the FIFO never blocks.
 */
#include "simfabric/model/credits.h"
#include "simfabric/model/crossbar.h"
#include "simfabric/model/state.h"

static void take(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane)
{
	struct output *output = &model->outputs[out];
	uint32_t size = model->packets[packet].message.size, in = lane_port(in_lane);
	uint32_t faster = unit_ticks(model, in) < unit_ticks(model, out) ? in : out;

	output->room -= size;
	if (model->gauges)
		hd_gauge_output(model, out, size);
	output->crossing = packet;
	hd_model_post_crossed(model, faster, out, in_lane, size);
	hd_events_post(&model->events, hd_sender(model, out)->ready_line, out, packet);
}

static void start(struct hd_model *model, uint32_t out)
{
	struct output *output = &model->outputs[out];
	struct sender *sender = hd_sender(model, out);
	uint32_t packet = output->head;

	if (sender->sending || packet == HD_NONE)
		return;
	output->head = model->packets[packet].next;
	sender->sending = model->packets[packet].message.size;
	hd_model_transmit(model, packet, out, HD_NONE);
}

/* The head of @packet is in the output buffer: it can go on at once. */
void hd_model_ready(struct hd_model *model, uint32_t out, uint32_t packet)
{
	struct output *output = &model->outputs[out];

	model->packets[packet].next = HD_NONE;
	if (output->head == HD_NONE)
		output->head = packet;
	else
		model->packets[output->tail].next = packet;
	output->tail = packet;
	start(model, out);
}

/* The tail of a packet left the input buffer. */
void hd_model_crossed(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	uint32_t in = lane_port(in_lane);

	hd_model_return_credit(model, in, lane_vl(in_lane),
			       model->packets[model->outputs[out].crossing].message.size);
	hd_model_both_done(model, out, in);
}

static void sent(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	struct sender *sender = hd_sender(model, out);
	uint32_t size = sender->sending;

	(void)in_lane;
	sender->sending = 0;
	model->outputs[out].room += size;
	if (model->gauges)
		hd_gauge_output(model, out, -(int64_t)size);
	if (hd_is_wanted(model, out))
		hd_model_mark_out(model, out);
	start(model, out);
}

const struct hd_switch_model hd_switch_cioq = {
	.name = "cioq",
	.summary = "combined input- and output-queued, with crossbar speed-up",
	.take = take,
	.sent = sent,
};
