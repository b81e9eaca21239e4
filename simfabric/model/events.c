// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/model/events.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

void hd_events_init(struct hd_events *events)
{
	memset(events, 0, sizeof(*events));
	memset(events->keys, 0xFF, sizeof(events->keys));
	events->heap_end = HD_HEAP_ROOT;
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

static size_t first_child(size_t at)
{
	return 4 * at - 8;
}

/* Puts @event in the place of the root. */
static void replace_root(struct hd_events *events, struct hd_heap_event event)
{
	struct hd_heap_event *heap = events->heap;
	size_t at = HD_HEAP_ROOT, end = events->heap_end;

	for (;;) {
		size_t child = first_child(at), least = child;

		if (child + 4 <= end) {
			size_t a = child + (heap[child + 1].key < heap[child].key);
			size_t b = child + 2 + (heap[child + 3].key < heap[child + 2].key);

			least = heap[b].key < heap[a].key ? b : a;
		} else if (child < end) {
			for (size_t i = child + 1; i < end; i++)
				least = heap[i].key < heap[least].key ? i : least;
		} else {
			break;
		}
		if (event.key <= heap[least].key)
			break;
		heap[at] = heap[least];
		at = least;
	}
	heap[at] = event;
}

/* The key of the heap's first event, with the heap for its line. */
static uint64_t heap_key(const struct hd_events *events)
{
	if (events->heap_end == HD_HEAP_ROOT)
		return HD_KEY_NONE;
	return hd_events_key(events->heap[HD_HEAP_ROOT].key >> HD_KEY_BITS, HD_NO_LINE);
}

void hd_events_close_hole(struct hd_events *events)
{
	events->heap_has_hole = false;
	if (--events->heap_end > HD_HEAP_ROOT)
		replace_root(events, events->heap[events->heap_end]);
	events->keys[HD_NO_LINE] = heap_key(events);
}

static bool grow_heap(struct hd_events *events)
{
	size_t size = events->heap_size ? 2 * events->heap_size : 64;
	struct hd_heap_event *heap = hd_alloc_large(size * sizeof(*heap));

	if (!heap)
		return false;
	if (events->heap)
		memcpy(heap, events->heap, events->heap_end * sizeof(*heap));
	free(events->heap);
	events->heap = heap;
	events->heap_size = size;
	return true;
}

void hd_events_post_late(struct hd_events *events, unsigned kind, uint64_t delay, uint32_t a,
			 uint32_t b)
{
	uint64_t time = events->now + delay;
	const struct hd_heap_event new = { hd_events_key(time, kind), a, b };
	struct hd_heap_event *heap;
	size_t at;

	if (time < delay || time >= HD_TIME_END)
		return;
	if (events->heap_has_hole) {
		events->heap_has_hole = false;
		replace_root(events, new);
		events->keys[HD_NO_LINE] = heap_key(events);
		events->has_new_first = true;
		return;
	}
	if (events->heap_end >= events->heap_size && !grow_heap(events)) {
		events->out_of_memory = true;
		return;
	}
	heap = events->heap;
	for (at = events->heap_end++; at > HD_HEAP_ROOT; at = at / 4 + 2) {
		if (heap[at / 4 + 2].key <= new.key)
			break;
		heap[at] = heap[at / 4 + 2];
	}
	heap[at] = new;
	events->keys[HD_NO_LINE] = heap_key(events);
	events->has_new_first = true;
}

struct hd_event hd_events_take_late(struct hd_events *events, unsigned *kind)
{
	const struct hd_heap_event *root = &events->heap[HD_HEAP_ROOT];

	*kind = root->key & ((1u << HD_KEY_BITS) - 1);
	events->heap_has_hole = true;
	events->taken++;
	return (struct hd_event){ events->now, root->a, root->b };
}
