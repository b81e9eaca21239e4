/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "simfabric/emulator/timers.h"

#include <stdlib.h>

static bool earlier(const struct hd_timer *a, const struct hd_timer *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void swap(struct hd_timer *a, struct hd_timer *b)
{
	struct hd_timer t = *a;

	*a = *b;
	*b = t;
}

bool hd_timers_add(struct hd_timers *timers, const struct hd_timer *timer)
{
	size_t at = timers->n;

	if (timers->n == timers->size) {
		size_t size = timers->size ? 2 * timers->size : 64;
		struct hd_timer *heap = realloc(timers->heap, size * sizeof(*heap));

		if (!heap)
			return false;
		timers->heap = heap;
		timers->size = size;
	}
	timers->heap[at] = *timer;
	timers->heap[at].order = timers->armed++;
	timers->n++;
	while (at && earlier(&timers->heap[at], &timers->heap[(at - 1) / 2])) {
		swap(&timers->heap[at], &timers->heap[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	return true;
}

static struct hd_timer take_first(struct hd_timers *timers)
{
	struct hd_timer first = timers->heap[0];
	size_t at = 0;

	timers->heap[0] = timers->heap[--timers->n];
	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= timers->n)
			break;
		if (child + 1 < timers->n &&
		    earlier(&timers->heap[child + 1], &timers->heap[child]))
			child++;
		if (!earlier(&timers->heap[child], &timers->heap[at]))
			break;
		swap(&timers->heap[at], &timers->heap[child]);
		at = child;
	}
	return first;
}

bool hd_timers_run_first(struct hd_timers *timers, uint64_t now)
{
	struct hd_timer timer;

	if (!timers->n || timers->heap[0].time > now)
		return false;
	timer = take_first(timers);
	timer.expire(timer.context, timer.argument);
	return true;
}

void hd_timers_run(struct hd_timers *timers, uint64_t now)
{
	while (hd_timers_run_first(timers, now))
		;
}

uint64_t hd_timers_next(const struct hd_timers *timers)
{
	return timers->n ? timers->heap[0].time : UINT64_MAX;
}

void hd_timers_free(struct hd_timers *timers)
{
	size_t i;

	for (i = 0; i < timers->n; i++)
		if (timers->heap[i].drop)
			timers->heap[i].drop(timers->heap[i].context, timers->heap[i].argument);
	free(timers->heap);
	*timers = (struct hd_timers){ 0 };
}
