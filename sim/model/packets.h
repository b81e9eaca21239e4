/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The packets of a model: an array that grows; those not in use are in a list. */
#ifndef HD_MODEL_PACKETS_H
#define HD_MODEL_PACKETS_H

#include "sim/model/state.h"

/*
 * A packet that was never in use; HD_NONE: out of memory, which the model notes. Other packets may
 * move in memory.
 */
uint32_t hd_model_grow_packets(struct hd_model *model);

/* A packet that is not in use; otherwise as hd_model_grow_packets(). */
static inline uint32_t hd_model_new_packet(struct hd_model *model)
{
	uint32_t index = model->buffers.free_packet;

	if (index == HD_NONE)
		return hd_model_grow_packets(model);
	model->buffers.free_packet = model->buffers.packets[index].next;
	return index;
}

static inline void hd_model_release(struct hd_model *model, uint32_t index)
{
	model->buffers.packets[index].next = model->buffers.free_packet;
	model->buffers.free_packet = index;
}

/* Counts packet @index as dropped, tells the user, and releases it. */
void hd_model_drop(struct hd_model *model, uint32_t index);

#endif
