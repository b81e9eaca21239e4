/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is to come in the ranks of a GOAL schedule: events in the order of their times, of equal
 * times in the order of posting. Operations that wait for one processor, with no other event
 * between them, are one event, which moves to another time in a step however many they are: the
 * order is that of operations which are posted again one by one.
 */
#ifndef HD_TRAFFIC_GOAL_AGENDA_H
#define HD_TRAFFIC_GOAL_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model/model.h"

/* The kind of an event of operations that wait for a processor; others are the user's. */
#define HD_GOAL_WAITERS UINT32_MAX

struct hd_goal_event {
	uint32_t what;
	uint32_t index;       /* of waiters, their processor */
	uint32_t first, last; /* of waiters, parts; HD_NONE: none are left */
	uint32_t next;        /* of the same time */
};

/* Operations in a row that need the same, besides their processor. */
struct hd_goal_part {
	uint32_t needs;
	uint32_t first, last; /* operations */
	uint32_t next;
};

struct hd_goal_slot;
struct hd_goal_due;

struct hd_goal_agenda {
	struct hd_goal_event *events;
	struct hd_goal_part *parts;
	struct hd_goal_slot *slots; /* a time and its events */
	struct hd_goal_due *heap;   /* [n_due] slots */
	uint32_t *buckets;          /* [2^bucket_bits] slots by their times */
	uint32_t *next_op;          /* [op] in its part */
	uint32_t n_events, n_parts, n_slots, n_due;
	uint32_t free_event, free_part, free_slot;
	unsigned bucket_bits;
	uint64_t n_waiting; /* events that are posted */
};

/* Operations have numbers below @n_ops. False: out of memory, here and below. */
bool hd_goal_agenda_init(struct hd_goal_agenda *agenda, uint64_t n_ops);
void hd_goal_agenda_free(struct hd_goal_agenda *agenda);

/* Posts an event of the user's. */
bool hd_goal_agenda_post(struct hd_goal_agenda *agenda, uint64_t time, uint32_t what,
			 uint32_t index);

/* Operation @op waits until @time for @cpu, and needs @needs besides. */
bool hd_goal_agenda_wait(struct hd_goal_agenda *agenda, uint64_t time, uint32_t cpu, uint32_t needs,
			 uint32_t op);

/* The next event, which stays, goes to @event. False: there is none. */
bool hd_goal_agenda_peek(struct hd_goal_agenda *agenda, uint64_t *time,
			 struct hd_goal_event *event);

/* Takes the next event out, which there is. Waiters are to be taken, or to wait again. */
struct hd_goal_event hd_goal_agenda_pop(struct hd_goal_agenda *agenda);

/* The first operation of @waiters. */
static inline uint32_t hd_goal_agenda_first(const struct hd_goal_agenda *agenda,
					    const struct hd_goal_event *waiters)
{
	return agenda->parts[waiters->first].first;
}

/* It waits no more. */
void hd_goal_agenda_take(struct hd_goal_agenda *agenda, struct hd_goal_event *waiters);

/* All of @waiters, or the first ones that need the same, wait until @time. */
bool hd_goal_agenda_move(struct hd_goal_agenda *agenda, uint64_t time,
			 struct hd_goal_event *waiters);
bool hd_goal_agenda_move_part(struct hd_goal_agenda *agenda, uint64_t time,
			      struct hd_goal_event *waiters);

#endif
