/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A heap of events by (key, order of posting), in an array that its owner provides. */
#ifndef HD_MODEL_EVENT_HEAP_H
#define HD_MODEL_EVENT_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_calendar_event {
	uint64_t key;
	uint32_t a, b;
	uint32_t order; /* of posting, among equal keys */
	uint32_t next;  /* for the owner of the heap */
};

struct hd_event_heap {
	struct hd_calendar_event
		*events; /* [n], the first event at 0; the owner sees to the room */
	size_t n;
};

static inline bool hd_calendar_is_earlier(const struct hd_calendar_event *a,
					  const struct hd_calendar_event *b)
{
	return a->key < b->key || (a->key == b->key && a->order < b->order);
}

void hd_event_heap_push(struct hd_event_heap *heap, const struct hd_calendar_event *event);

/* Removes the first event of @heap, which has one. */
void hd_event_heap_pop(struct hd_event_heap *heap);

#endif
