/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tells observers what happens. Without observers a run takes one predicted branch more, and the
 * static machine none.
 */
#ifndef HD_MODEL_OBSERVERS_H
#define HD_MODEL_OBSERVERS_H

#include "sim/model/state.h"

static inline bool hd_is_observed(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->observers;
}

/* For all observers; ports are the model's. */
void hd_tell_buffer(struct hd_model *model, uint32_t out, unsigned vl, int64_t units);
void hd_tell_output(struct hd_model *model, uint32_t out, int64_t units);
void hd_tell_packet(struct hd_model *model, enum hd_packet_step step, uint32_t port,
		    const struct packet *packet);

/* @units more, or less, in the buffer behind @out's link. */
static inline void hd_observe_buffer(struct hd_model *model, uint32_t out, unsigned vl,
				     int64_t units)
{
	if (hd_is_observed(model))
		hd_tell_buffer(model, out, vl, units);
}

/* The same of the output buffer before the link. */
static inline void hd_observe_output(struct hd_model *model, uint32_t out, int64_t units)
{
	if (hd_is_observed(model))
		hd_tell_output(model, out, units);
}

/* Packet @index is at @step at @port. */
static inline void hd_observe_packet(struct hd_model *model, enum hd_packet_step step,
				     uint32_t port, uint32_t index)
{
	if (hd_is_observed(model))
		hd_tell_packet(model, step, port, &model->buffers.packets[index]);
}

#endif
