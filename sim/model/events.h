/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The event queue of the performance model. Nearly every event comes a constant time after its
 * cause (a link's delay, the time of a packet on a link). So events of one kind and one delay are
 * due in the order of posting: a delay line is a plain ring buffer, and the next event is the
 * earliest head of a few lines. Events without such a delay (arrivals of random traffic, packets of
 * odd sizes) are in a calendar, a queue for events in any order.
 *
 * In runs in cycles, hosts' messages come at whole cycles, many at a time. Such events of one kind
 * are in a wheel instead.
 *
 * Time is in ticks; what a tick is, the scenario says. Events of one time come line by line, in the
 * order in which lines were made; then those of the calendar, kind by kind. Within a line or a kind
 * they come in the order of posting.
 */
#ifndef HD_MODEL_EVENTS_H
#define HD_MODEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/model/calendar.h"
#include "sim/model/wheel.h"

struct hd_event {
	uint64_t time;
	uint32_t a, b; /* data of the event, by kind */
};

struct hd_delay_line {
	struct hd_event *ring; /* [mask + 1], a power of two */
	uint32_t first, n, mask;
	unsigned kind;
	uint64_t delay;
};

/* A key is a time and, below it, a line or a kind: one comparison for both. */
#define HD_KEY_BITS 6
#define HD_KEY_NONE HD_CALENDAR_NONE

#define HD_TIME_END (UINT64_MAX >> HD_KEY_BITS) /* an event as late as that never comes */

#define HD_DELAY_LINES ((1u << HD_KEY_BITS) - 1)
#define HD_NO_LINE     HD_DELAY_LINES /* as a line: the calendar */

struct hd_events {
	uint64_t now;
	uint64_t keys[HD_DELAY_LINES +
		      1]; /* of each line's first event; the last: of the calendar */
	struct hd_delay_line lines[HD_DELAY_LINES];
	unsigned n_lines;
	struct hd_calendar calendar; /* their keys are of the kinds */
	struct hd_wheel wheel;       /* for events of wheel_kind: as if they were in the calendar */
	unsigned wheel_kind;
	bool has_new_first; /* some key has changed since hd_events_next() */
	/*
	 * The last one of which events of `now` have been handled: HD_NO_LINE also when all were, 0
	 * when none was. Kept where packets choose their paths.
	 */
	uint8_t line;
	bool out_of_memory; /* an event could not be posted: the run is invalid */
	uint64_t taken;     /* events so far */
};

void hd_events_init(struct hd_events *events);
void hd_events_free(struct hd_events *events);

/*
 * The line for events of @kind that come @delay after their posting; HD_NO_LINE: no line is left.
 */
unsigned hd_events_line(struct hd_events *events, unsigned kind, uint64_t delay);

/* Makes @events empty, with the lines of @from. False: no memory; then free it all the same. */
bool hd_events_copy_lines(struct hd_events *events, const struct hd_events *from);

/* Events of @kind that come at whole cycles, of @cycle ticks, are in a wheel from now on. */
void hd_events_use_wheel(struct hd_events *events, unsigned kind, uint64_t cycle);

bool hd_delay_line_grow(struct hd_delay_line *line);

/* Posts an event @delay from now that has no line. */
void hd_events_post_any(struct hd_events *events, unsigned kind, uint64_t delay, uint32_t a,
			uint32_t b);

static inline uint64_t hd_events_key(uint64_t time, unsigned low)
{
	return time << HD_KEY_BITS | low;
}

/* Posts an event on @line, as hd_events_line() gave it. */
static inline void hd_events_post(struct hd_events *events, unsigned line, uint32_t a, uint32_t b)
{
	struct hd_delay_line *l = &events->lines[line];
	struct hd_event *event;

	if (l->n > l->mask && !hd_delay_line_grow(l)) {
		events->out_of_memory = true;
		return;
	}
	event = &l->ring[(l->first + l->n) & l->mask];
	event->time = events->now + l->delay;
	event->a = a;
	event->b = b;
	if (!l->n++) {
		events->keys[line] = hd_events_key(event->time, line);
		events->has_new_first = true;
	}
}

/* The same at @time, not before the last event of @line. */
static inline void hd_events_post_at(struct hd_events *events, unsigned line, uint64_t time,
				     uint32_t a, uint32_t b)
{
	const uint64_t now = events->now;

	events->now = time - events->lines[line].delay;
	hd_events_post(events, line, a, b);
	events->now = now;
}

/*
 * Puts the @n events of @sorted, in the order of their times, among those of @line, behind events
 * of the same time.
 */
void hd_events_merge(struct hd_events *events, unsigned line, const struct hd_event *sorted,
		     size_t n);

static inline uint64_t hd_events_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * The key of the next event, HD_KEY_NONE: there is none. Its time is above HD_KEY_BITS, its line
 * below, HD_NO_LINE when it is one of the calendar.
 */
static inline uint64_t hd_events_next(struct hd_events *events)
{
	uint64_t next;

	events->has_new_first = false;
	next = events->keys[HD_NO_LINE];
	/* four at a time without a branch; keys of lines that are not in use are HD_KEY_NONE */
	for (unsigned i = 0; i < events->n_lines; i += 4) {
		const uint64_t *keys = &events->keys[i];

		next = hd_events_earlier(next,
					 hd_events_earlier(hd_events_earlier(keys[0], keys[1]),
							   hd_events_earlier(keys[2], keys[3])));
	}
	return next;
}

/*
 * Whether @key, whose event was the next, and was taken and handled, is that of the next one, too.
 * Where many events come at a time, the next one is mostly of the same line.
 */
static inline bool hd_events_is_next(const struct hd_events *events, uint64_t key)
{
	return !events->has_new_first && events->keys[key & HD_NO_LINE] == key;
}

/* Takes the first event of @line, which has one. */
static inline struct hd_event hd_events_take(struct hd_events *events, unsigned line)
{
	struct hd_delay_line *l = &events->lines[line];
	struct hd_event event = l->ring[l->first];

	l->first = (l->first + 1) & l->mask;
	events->keys[line] = --l->n ? hd_events_key(l->ring[l->first].time, line) : HD_KEY_NONE;
	events->taken++;
	return event;
}

/* Takes the first event that has no line; there is one. */
struct hd_event hd_events_take_any(struct hd_events *events, unsigned *kind);

#endif
