// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/model/events.h"

#include <stdlib.h>
#include <string.h>

void hd_events_init(struct hd_events *events)
{
	memset(events, 0, sizeof(*events));
	for (unsigned i = 0; i < HD_DELAY_LINES; i++)
		events->heads[i] = UINT64_MAX;
}

void hd_events_free(struct hd_events *events)
{
	for (unsigned i = 0; i < events->n_lines; i++)
		free(events->lines[i].ring);
	free(events->heap);
	hd_events_init(events);
}

unsigned hd_events_line(struct hd_events *events, unsigned kind, uint64_t delay)
{
	struct hd_delay_line *line;

	for (unsigned i = 0; i < events->n_lines; i++)
		if (events->lines[i].kind == kind && events->lines[i].delay == delay)
			return i;
	if (events->n_lines == HD_DELAY_LINES)
		return HD_NO_LINE;
	line = &events->lines[events->n_lines];
	line->ring = malloc(64 * sizeof(*line->ring));
	if (!line->ring) {
		events->out_of_memory = true;
		return HD_NO_LINE;
	}
	line->mask = 63;
	line->kind = kind;
	line->delay = delay;
	events->has_no_delay = events->has_no_delay || !delay;
	return events->n_lines++;
}

bool hd_delay_line_grow(struct hd_delay_line *line)
{
	uint32_t size = line->mask + 1;
	struct hd_event *ring;

	if (size > UINT32_MAX / 2)
		return false;
	ring = malloc(2 * (size_t)size * sizeof(*ring));
	if (!ring)
		return false;
	memcpy(ring, line->ring + line->first, (size - line->first) * sizeof(*ring));
	memcpy(ring + (size - line->first), line->ring, line->first * sizeof(*ring));
	free(line->ring);
	line->ring = ring;
	line->first = 0;
	line->mask = 2 * size - 1;
	return true;
}

static bool earlier(const struct hd_heap_event *a, const struct hd_heap_event *b)
{
	return a->event.time != b->event.time ? a->event.time < b->event.time : a->order < b->order;
}

void hd_events_post_late(struct hd_events *events, unsigned kind, uint64_t delay, uint32_t a,
			 uint32_t b)
{
	const struct hd_heap_event new = { { events->now + delay, a, b },
					   events->posted_heap++,
					   kind };
	size_t at = events->n_heap;

	if (at == events->size_heap) {
		size_t size = at ? 2 * at : 64;
		struct hd_heap_event *heap = realloc(events->heap, size * sizeof(*heap));

		if (!heap) {
			events->out_of_memory = true;
			return;
		}
		events->heap = heap;
		events->size_heap = size;
	}
	events->n_heap++;
	for (; at && earlier(&new, &events->heap[(at - 1) / 2]); at = (at - 1) / 2)
		events->heap[at] = events->heap[(at - 1) / 2];
	events->heap[at] = new;
}

bool hd_events_take_late(struct hd_events *events, unsigned *kind, struct hd_event *event)
{
	struct hd_heap_event *heap = events->heap;
	const struct hd_heap_event *last;
	size_t at = 0, n;

	if (!events->n_heap || heap[0].event.time != events->now)
		return false;
	*kind = heap[0].kind;
	*event = heap[0].event;
	n = --events->n_heap;
	last = &heap[n];
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= n)
			break;
		if (child + 1 < n && earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!earlier(&heap[child], last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = *last;
	events->taken++;
	return true;
}

uint64_t hd_events_next(const struct hd_events *events, uint64_t *lines)
{
	uint64_t next = events->n_heap ? events->heap[0].event.time : UINT64_MAX, due = 0;

	for (unsigned i = 0; i < events->n_lines; i++) {
		if (events->heads[i] > next)
			continue;
		due = (events->heads[i] < next ? 0 : due) | UINT64_C(1) << i;
		next = events->heads[i];
	}
	*lines = due;
	return next;
}
