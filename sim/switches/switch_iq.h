/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The input-queued switch: one FIFO per in-port and VL, or one per in-port, VL and out-port (VOQ).
 * A packet goes from its input buffer through the crossbar onto the link, at the link's rate.
 */
#ifndef HD_SWITCHES_SWITCH_IQ_H
#define HD_SWITCHES_SWITCH_IQ_H

#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"

/*
 * Whether in-port @in is faster than the link of @out: then it can also send to other out-ports
 * meanwhile.
 */
static inline bool hd_switch_iq_is_faster(const struct hd_model *model, uint32_t in, uint32_t out)
{
	return hd_has_rates(model) && unit_ticks(model, in) < unit_ticks(model, out);
}

/* As take() of struct hd_switch_model. */
static inline void hd_switch_iq_take(struct hd_model *model, uint32_t packet, uint32_t out,
				     uint32_t in_lane)
{
	uint32_t in = lane_port(in_lane), size = model->buffers.packets[packet].message.size;

	if (hd_switch_iq_is_faster(model, in, out))
		hd_model_post_read(model, in, size);
	if (hd_has_early_credits(model))
		hd_model_return_after(model, in, lane_vl(in_lane), size,
				      size * (uint64_t)unit_ticks(model, out), hd_ticks_to_arrive);
	else
		hd_sender(model, out)->sending = size;
	hd_model_transmit(model, packet, out, in_lane);
}

/*
 * As sent() of struct hd_switch_model: the link of @out is idle again, and so is the in-port that
 * fed it, unless that was idle before.
 */
static inline void hd_switch_iq_sent(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	uint32_t in = lane_port(in_lane);

	if (!hd_has_early_credits(model))
		hd_model_return_credit(model, in, lane_vl(in_lane), hd_sender(model, out)->sending,
				       hd_has_voqnet(model) ? model->voqnet->leaving[out] : 0);
	if (hd_switch_iq_is_faster(model, in, out))
		hd_model_out_done(model, out);
	else
		hd_model_both_done(model, out, in);
}

#endif
