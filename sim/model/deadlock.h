/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef HD_MODEL_DEADLOCK_H
#define HD_MODEL_DEADLOCK_H

#include "sim/model/state.h"

/* Prepares the search. */
void hd_model_deadlock_init(struct hd_model *model);

/* Whether packets wait for one another in a circle; then model->deadlock.cycle has the channels. */
bool hd_model_is_deadlocked(struct hd_model *model);

/*
 * A lane at the other end of @out's link whose packets hold the room that a packet of @size for @vl
 * lacks; HD_NONE unless all of these lanes are @dead (a byte for each lane).
 */
uint32_t hd_deadlock_holder(const struct hd_model *model, uint32_t out, unsigned vl, uint32_t size,
			    const uint8_t *dead);

#endif
