// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/events.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

void hd_events_init(struct hd_events *events)
{
	memset(events, 0, sizeof(*events));
	memset(events->keys, 0xFF, sizeof(events->keys));
	hd_calendar_init(&events->calendar);
	hd_wheel_init(&events->wheel, 0);
}

void hd_events_free(struct hd_events *events)
{
	for (unsigned i = 0; i < events->n_lines; i++)
		free(events->lines[i].ring);
	hd_calendar_free(&events->calendar);
	hd_wheel_free(&events->wheel);
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

bool hd_events_copy_lines(struct hd_events *events, const struct hd_events *from)
{
	hd_events_init(events);
	hd_events_use_wheel(events, from->wheel_kind, from->wheel.cycle);
	for (unsigned i = 0; i < from->n_lines; i++)
		if (hd_events_line(events, from->lines[i].kind, from->lines[i].delay) != i)
			return false;
	return true;
}

void hd_events_use_wheel(struct hd_events *events, unsigned kind, uint64_t cycle)
{
	events->wheel.cycle = cycle;
	events->wheel_kind = kind;
}

bool hd_delay_line_grow(struct hd_delay_line *line)
{
	uint32_t size = line->mask + 1;
	struct hd_event *ring;

	if (size > UINT32_MAX / 2)
		return false;
	ring = hd_alloc_large(2 * (size_t)size * sizeof(*ring));
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

void hd_events_merge(struct hd_events *events, unsigned line, const struct hd_event *sorted,
		     size_t n)
{
	struct hd_delay_line *l = &events->lines[line];
	uint32_t own = l->n, at;

	if (!n)
		return;
	while (l->mask + (size_t)1 - own < n)
		if (!hd_delay_line_grow(l)) {
			events->out_of_memory = true;
			return;
		}
	l->n = at = own + (uint32_t)n;
	/* from the end: only what is later than the first of the new ones moves */
	while (n) {
		const struct hd_event *last = &l->ring[(l->first + own - 1) & l->mask];

		if (own && last->time > sorted[n - 1].time) {
			l->ring[(l->first + --at) & l->mask] = *last;
			own--;
		} else {
			l->ring[(l->first + --at) & l->mask] = sorted[--n];
		}
	}
	events->keys[line] = hd_events_key(l->ring[l->first].time, line);
	events->has_new_first = true;
}

void hd_events_post_any(struct hd_events *events, unsigned kind, uint64_t delay, uint32_t a,
			uint32_t b)
{
	uint64_t time = events->now + delay, key = hd_events_key(time, HD_NO_LINE);

	if (time < delay || time >= HD_TIME_END)
		return;
	if ((kind != events->wheel_kind ||
	     !hd_wheel_post(&events->wheel, events->now, time, a, b)) &&
	    !hd_calendar_post(&events->calendar, hd_events_key(time, kind), a, b)) {
		events->out_of_memory = true;
		return;
	}
	if (key < events->keys[HD_NO_LINE]) {
		events->keys[HD_NO_LINE] = key;
		events->has_new_first = true;
	}
}

/* The key of the wheel's first event, of its kind; HD_KEY_NONE: there is none. */
static uint64_t wheel_key(const struct hd_events *events)
{
	uint64_t time = hd_wheel_first(&events->wheel);

	return time == HD_WHEEL_NONE ? HD_KEY_NONE : hd_events_key(time, events->wheel_kind);
}

struct hd_event hd_events_take_any(struct hd_events *events, unsigned *kind)
{
	uint64_t of_wheel = wheel_key(events), key = hd_calendar_first(&events->calendar);
	struct hd_event taken = { .time = events->now };

	/* of equal keys, those in the calendar were posted long ago */
	if (of_wheel < key) {
		const struct hd_wheel_event event = hd_wheel_take(&events->wheel);

		*kind = events->wheel_kind;
		taken.a = event.a;
		taken.b = event.b;
		of_wheel = wheel_key(events);
	} else {
		const struct hd_calendar_event event = hd_calendar_take(&events->calendar);

		*kind = event.key & HD_NO_LINE;
		taken.a = event.a;
		taken.b = event.b;
		key = hd_calendar_first(&events->calendar);
	}
	events->keys[HD_NO_LINE] = hd_events_earlier(key, of_wheel) | HD_NO_LINE;
	events->taken++;
	return taken;
}
