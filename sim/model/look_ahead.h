/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Prefetches the data that later events will touch. */
#ifndef HD_MODEL_LOOK_AHEAD_H
#define HD_MODEL_LOOK_AHEAD_H

#include "sim/model/state.h"

/* Events between two looks. */
#define HD_LOOKS_AHEAD 4

/* How many events ahead each step looks; HD_LOOKS_AHEAD events are between two steps. */
#define HD_AHEAD_FIRST  16
#define HD_AHEAD_SECOND 12
#define HD_AHEAD_THIRD  8
#define HD_AHEAD_LAST   4

/* Decides whether @model looks ahead, and how far. HD_ENOMEM. */
int hd_model_look_ahead_new(struct hd_model *model);

/* For events of @line after the next ones, a few at a time; and for events without a line. */
void hd_model_look_ahead(struct hd_model *model, unsigned line);
void hd_model_look_ahead_any(const struct hd_model *model);

#endif
