/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef HD_MODEL_DEADLOCK_H
#define HD_MODEL_DEADLOCK_H

#include "sim/model/state.h"

/* Prepares the search. */
void hd_model_deadlock_init(struct hd_model *model);

/* Whether packets wait for one another in a circle; then model->deadlock.cycle has the channels. */
bool hd_model_is_deadlocked(struct hd_model *model);

/* A dead lane that holds up @lane; HD_NONE: none does. A byte of @dead is not 0 for a dead lane. */
typedef uint32_t (*hd_deadlock_waits_for)(const struct hd_model *model, uint32_t lane,
					  const uint8_t *dead);

/* Follows who waits for whom from the dead @lane until it comes round: model->deadlock.cycle. */
void hd_deadlock_find_cycle(struct hd_model *model, uint32_t lane, uint8_t *dead,
			    hd_deadlock_waits_for waits);

/* Refuses the run: @model is deadlocked. HD_EREFUSED. */
int hd_deadlock_refuse(const struct hd_model *model, struct hd_error *err);

/* The time at which a run until @until stops next: to look for a deadlock, or at its end. */
uint64_t hd_deadlock_pause(const struct hd_model *model, uint64_t until);

/* A run ends at @until; with @is_empty no event is left. HD_EREFUSED: a deadlock. */
int hd_deadlock_conclude(struct hd_model *model, uint64_t until, bool is_empty,
			 struct hd_error *err);

/*
 * A lane at the other end of @out's link whose packets hold the room that a packet of @size for @vl
 * lacks; HD_NONE unless all of these lanes are @dead (a byte for each lane).
 */
uint32_t hd_deadlock_holder(const struct hd_model *model, uint32_t out, unsigned vl, uint32_t size,
			    const uint8_t *dead);

#endif
