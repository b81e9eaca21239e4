// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The input-queued switch: one FIFO per in-port and VL, or one per in-port, VL and out-port (VOQ). A
 * packet goes from its input buffer through the crossbar onto the link, at the link's rate.
 */
#include "simfabric/model/state.h"

/* An in-port that is faster than the out-port's link can send to others as well meanwhile. */
static bool is_faster(const struct hd_model *model, uint32_t in, uint32_t out)
{
	return model->has_rates && unit_ticks(model, in) < unit_ticks(model, out);
}

static void take(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane)
{
	uint32_t in = lane_port(in_lane);

	if (is_faster(model, in, out))
		hd_model_post_read(model, in, model->packets[packet].message.size);
	hd_model_transmit(model, packet, out, in_lane);
}

/* The link of @out is idle again, and so is the in-port that fed it unless it was before. */
static void sent(struct hd_model *model, uint32_t out, uint32_t in_lane, uint32_t size)
{
	const struct block *block = hd_block(model, out);

	set_bit(hd_out_free(model, block->node), block->local);
	hd_model_mark(model, out);
	hd_model_return_credit(model, in_lane, size);
	if (!is_faster(model, lane_port(in_lane), out))
		hd_model_switch_done(model, lane_port(in_lane));
}

const struct hd_switch_model hd_switch_iq = {
	.name = "iq",
	.summary = "input-queued, with or without virtual output queues",
	.take = take,
	.sent = sent,
};
