/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef HD_MODEL_DEADLOCK_H
#define HD_MODEL_DEADLOCK_H

#include "sim/model/state.h"

/* Prepares the search. */
void hd_model_deadlock_init(struct hd_model *model);

/* Whether packets hold one another up in a circle; then model->deadlock.cycle says where. */
bool hd_model_is_deadlocked(struct hd_model *model);

/*
 * A lane behind @out whose packets hold the room that a packet of @size for @vl lacks there;
 * HD_NONE unless all of them are @dead, a byte for each lane.
 */
uint32_t hd_deadlock_holder(const struct hd_model *model, uint32_t out, unsigned vl, uint32_t size,
			    const uint8_t *dead);

#endif
