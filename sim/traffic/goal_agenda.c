// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/goal_agenda.h"

#include <stdlib.h>

#define LEAST      256
#define BUCKETS_OF 8 /* bits, at first */

/* A time and its events. */
struct hd_goal_slot {
	uint64_t time;
	uint32_t first, last;
	uint32_t next; /* in its bucket; in the list of free slots */
};

/* An entry of the heap. */
struct hd_goal_due {
	uint64_t time;
	uint32_t slot;
};

bool hd_goal_agenda_init(struct hd_goal_agenda *a, uint64_t n_ops)
{
	*a = (struct hd_goal_agenda){ .bucket_bits = BUCKETS_OF,
				      .free_event = HD_NONE,
				      .free_part = HD_NONE,
				      .free_slot = HD_NONE };
	a->buckets = malloc(sizeof(*a->buckets) << BUCKETS_OF);
	a->next_op = malloc((n_ops + 1) * sizeof(*a->next_op));
	if (!a->buckets || !a->next_op)
		return false;
	for (uint32_t i = 0; i < 1u << BUCKETS_OF; i++)
		a->buckets[i] = HD_NONE;
	return true;
}

void hd_goal_agenda_free(struct hd_goal_agenda *a)
{
	free(a->events);
	free(a->parts);
	free(a->slots);
	free(a->heap);
	free(a->buckets);
	free(a->next_op);
	*a = (struct hd_goal_agenda){ 0 };
}

/* How many there will be after @n; 0: too many. */
static uint32_t more_than(uint32_t n)
{
	return !n ? LEAST : n > HD_NONE / 2 ? 0 : 2 * n;
}

/*
 * A free event, HD_NONE: out of memory. It is the first in the list of free ones, here and below.
 */
static uint32_t new_event(struct hd_goal_agenda *a)
{
	uint32_t index = a->free_event;

	if (index == HD_NONE) {
		const uint32_t more = more_than(a->n_events);
		struct hd_goal_event *events =
			more ? realloc(a->events, more * sizeof(*events)) : NULL;

		if (!events)
			return HD_NONE;
		for (index = more; index-- > a->n_events;) {
			events[index].next = a->free_event;
			a->free_event = index;
		}
		a->events = events;
		a->n_events = more;
		index = a->free_event;
	}
	a->free_event = a->events[index].next;
	return index;
}

static uint32_t new_part(struct hd_goal_agenda *a)
{
	uint32_t index = a->free_part;

	if (index == HD_NONE) {
		const uint32_t more = more_than(a->n_parts);
		struct hd_goal_part *parts = more ? realloc(a->parts, more * sizeof(*parts)) : NULL;

		if (!parts)
			return HD_NONE;
		for (index = more; index-- > a->n_parts;) {
			parts[index].next = a->free_part;
			a->free_part = index;
		}
		a->parts = parts;
		a->n_parts = more;
		index = a->free_part;
	}
	a->free_part = a->parts[index].next;
	return index;
}

static void free_part(struct hd_goal_agenda *a, uint32_t part)
{
	a->parts[part].next = a->free_part;
	a->free_part = part;
}

/* Slots, with room for all of them in the heap. */
static uint32_t new_slot(struct hd_goal_agenda *a)
{
	uint32_t index = a->free_slot;

	if (index == HD_NONE) {
		const uint32_t more = more_than(a->n_slots);
		struct hd_goal_slot *slots = more ? realloc(a->slots, more * sizeof(*slots)) : NULL;
		struct hd_goal_due *heap;

		if (!slots)
			return HD_NONE;
		a->slots = slots;
		heap = realloc(a->heap, more * sizeof(*heap));
		if (!heap)
			return HD_NONE;
		a->heap = heap;
		for (index = more; index-- > a->n_slots;) {
			slots[index].next = a->free_slot;
			a->free_slot = index;
		}
		a->n_slots = more;
		index = a->free_slot;
	}
	a->free_slot = a->slots[index].next;
	return index;
}

static uint32_t *bucket_of(const struct hd_goal_agenda *a, uint64_t time)
{
	return &a->buckets[time * 0x9e3779b97f4a7c15u >> (64 - a->bucket_bits)];
}

/* As many buckets as slots, so that few slots share one. */
static bool grow_buckets(struct hd_goal_agenda *a)
{
	uint32_t *buckets;

	if (a->n_slots <= 1u << a->bucket_bits)
		return true;
	buckets = realloc(a->buckets, sizeof(*buckets) << (a->bucket_bits + 1));
	if (!buckets)
		return false;
	a->buckets = buckets;
	a->bucket_bits++;
	for (uint32_t i = 0; i < 1u << a->bucket_bits; i++)
		buckets[i] = HD_NONE;
	for (uint32_t i = 0; i < a->n_due; i++) {
		uint32_t *bucket = bucket_of(a, a->heap[i].time);

		a->slots[a->heap[i].slot].next = *bucket;
		*bucket = a->heap[i].slot;
	}
	return true;
}

static void push(struct hd_goal_agenda *a, uint64_t time, uint32_t slot)
{
	struct hd_goal_due *heap = a->heap;
	uint32_t i = a->n_due++;

	for (; i && time < heap[(i - 1) / 2].time; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	heap[i] = (struct hd_goal_due){ time, slot };
}

/* Takes the earliest slot, which is empty, out. */
static void drop_slot(struct hd_goal_agenda *a)
{
	struct hd_goal_due *heap = a->heap;
	const uint32_t slot = heap[0].slot, n = --a->n_due;
	const struct hd_goal_due last = heap[n];
	uint32_t *at = bucket_of(a, heap[0].time);
	uint32_t i = 0, child;

	while (*at != slot)
		at = &a->slots[*at].next;
	*at = a->slots[slot].next;
	a->slots[slot].next = a->free_slot;
	a->free_slot = slot;
	while ((child = 2 * i + 1) < n) {
		child += child + 1 < n && heap[child + 1].time < heap[child].time;
		if (heap[child].time >= last.time)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
}

/* The slot of @time; HD_NONE: out of memory. */
static uint32_t slot_at(struct hd_goal_agenda *a, uint64_t time)
{
	uint32_t slot = *bucket_of(a, time), *bucket;

	while (slot != HD_NONE && a->slots[slot].time != time)
		slot = a->slots[slot].next;
	if (slot != HD_NONE)
		return slot;
	slot = new_slot(a);
	if (slot == HD_NONE || !grow_buckets(a))
		return HD_NONE;
	bucket = bucket_of(a, time);
	a->slots[slot] = (struct hd_goal_slot){ time, HD_NONE, HD_NONE, *bucket };
	*bucket = slot;
	push(a, time, slot);
	return slot;
}

/* Puts @event behind others of @slot. */
static bool append(struct hd_goal_agenda *a, uint32_t slot, const struct hd_goal_event *event)
{
	const uint32_t index = new_event(a);
	struct hd_goal_slot *at = &a->slots[slot];

	if (index == HD_NONE)
		return false;
	a->events[index] = *event;
	a->events[index].next = HD_NONE;
	if (at->first == HD_NONE)
		at->first = index;
	else
		a->events[at->last].next = index;
	at->last = index;
	a->n_waiting++;
	return true;
}

bool hd_goal_agenda_post(struct hd_goal_agenda *a, uint64_t time, uint32_t what, uint32_t index)
{
	const struct hd_goal_event event = { what, index, HD_NONE, HD_NONE, HD_NONE };
	const uint32_t slot = slot_at(a, time);

	return slot != HD_NONE && append(a, slot, &event);
}

/*
 * The parts of @more behind those of @waiters: the first of them joins the last, if it needs the
 * same.
 */
static void join(struct hd_goal_agenda *a, struct hd_goal_event *waiters,
		 const struct hd_goal_event *more)
{
	struct hd_goal_part *last = &a->parts[waiters->last];
	const uint32_t index = more->first;
	const struct hd_goal_part *first = &a->parts[index];

	if (last->needs != first->needs) {
		last->next = index;
		waiters->last = more->last;
		return;
	}
	a->next_op[last->last] = first->first;
	last->last = first->last;
	last->next = first->next;
	if (more->last != index)
		waiters->last = more->last;
	free_part(a, index);
}

bool hd_goal_agenda_move(struct hd_goal_agenda *a, uint64_t time, struct hd_goal_event *waiters)
{
	const struct hd_goal_event all = *waiters;
	const uint32_t slot = slot_at(a, time);
	uint32_t last;

	if (slot == HD_NONE)
		return false;
	waiters->first = waiters->last = HD_NONE;
	last = a->slots[slot].last;
	if (a->slots[slot].first == HD_NONE || a->events[last].what != HD_GOAL_WAITERS ||
	    a->events[last].index != all.index)
		return append(a, slot, &all);
	join(a, &a->events[last], &all);
	return true;
}

bool hd_goal_agenda_move_part(struct hd_goal_agenda *a, uint64_t time,
			      struct hd_goal_event *waiters)
{
	struct hd_goal_event part = *waiters;

	part.last = part.first;
	waiters->first = a->parts[part.first].next;
	if (waiters->first == HD_NONE)
		waiters->last = HD_NONE;
	a->parts[part.first].next = HD_NONE;
	return hd_goal_agenda_move(a, time, &part);
}

bool hd_goal_agenda_wait(struct hd_goal_agenda *a, uint64_t time, uint32_t cpu, uint32_t needs,
			 uint32_t op)
{
	const uint32_t part = new_part(a);
	struct hd_goal_event waiter = { HD_GOAL_WAITERS, cpu, part, part, HD_NONE };

	if (part == HD_NONE)
		return false;
	a->next_op[op] = HD_NONE;
	a->parts[part] = (struct hd_goal_part){ needs, op, op, HD_NONE };
	return hd_goal_agenda_move(a, time, &waiter);
}

void hd_goal_agenda_take(struct hd_goal_agenda *a, struct hd_goal_event *waiters)
{
	const uint32_t index = waiters->first;
	struct hd_goal_part *part = &a->parts[index];

	if (part->first != part->last) {
		part->first = a->next_op[part->first];
		return;
	}
	waiters->first = part->next;
	if (waiters->first == HD_NONE)
		waiters->last = HD_NONE;
	free_part(a, index);
}

bool hd_goal_agenda_peek(struct hd_goal_agenda *a, uint64_t *time, struct hd_goal_event *event)
{
	while (a->n_due && a->slots[a->heap[0].slot].first == HD_NONE)
		drop_slot(a);
	if (!a->n_due)
		return false;
	*time = a->heap[0].time;
	*event = a->events[a->slots[a->heap[0].slot].first];
	return true;
}

struct hd_goal_event hd_goal_agenda_pop(struct hd_goal_agenda *a)
{
	struct hd_goal_slot *slot = &a->slots[a->heap[0].slot];
	const uint32_t index = slot->first;
	const struct hd_goal_event event = a->events[index];

	slot->first = event.next;
	if (slot->first == HD_NONE)
		slot->last = HD_NONE;
	a->events[index].next = a->free_event;
	a->free_event = index;
	a->n_waiting--;
	return event;
}
