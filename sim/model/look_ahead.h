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

/* A power of two above HD_AHEAD_FIRST + HD_LOOKS_AHEAD. */
#define HD_AHEAD_NOTES 32

/*
 * Queues that an event will probably take packets from, by the event's place in the line; NULL:
 * none.
 */
struct note {
	const struct queue *queues[2];
};

/* Decides whether @model looks ahead, and how far. HD_ENOMEM. */
int hd_model_look_ahead_new(struct hd_model *model);

#endif
