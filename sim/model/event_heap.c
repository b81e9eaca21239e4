// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/event_heap.h"

#define CHILDREN 4

void hd_event_heap_push(struct hd_event_heap *heap, const struct hd_calendar_event *event)
{
	struct hd_calendar_event *events = heap->events;
	size_t at = heap->n++;

	while (at) {
		size_t parent = (at - 1) / CHILDREN;

		if (!hd_calendar_is_earlier(event, &events[parent]))
			break;
		events[at] = events[parent];
		at = parent;
	}
	events[at] = *event;
}

static size_t least_child(const struct hd_event_heap *heap, size_t child)
{
	size_t end = child + CHILDREN < heap->n ? child + CHILDREN : heap->n, least = child;

	while (++child < end)
		if (hd_calendar_is_earlier(&heap->events[child], &heap->events[least]))
			least = child;
	return least;
}

void hd_event_heap_pop(struct hd_event_heap *heap)
{
	struct hd_calendar_event *events = heap->events;
	const struct hd_calendar_event last = events[--heap->n];
	size_t at = 0, child;

	while ((child = CHILDREN * at + 1) < heap->n) {
		child = least_child(heap, child);
		if (!hd_calendar_is_earlier(&events[child], &last))
			break;
		events[at] = events[child];
		at = child;
	}
	events[at] = last;
}
