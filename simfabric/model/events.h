/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The event queue of the performance model. Nearly every event comes a constant time after the one
 * that causes it - a link's delay, the time a packet takes on it - so that the events of one kind
 * and one delay are due in the order in which they are posted: a delay line is a plain ring buffer,
 * and the next event of all is the earliest head of a few lines. What has no such delay (arrivals
 * of random traffic, packets of odd sizes) goes to a heap.
 *
 * Time is in ticks; what a tick is, the scenario says. Events of one time come line by line in the
 * order in which lines were made, then those of the heap, each part in the order of posting: the
 * order depends on nothing but what was posted.
 */
#ifndef HD_MODEL_EVENTS_H
#define HD_MODEL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_event {
	uint64_t time;
	uint32_t a, b; /* what it is about, by kind */
};

struct hd_delay_line {
	struct hd_event *ring; /* [mask + 1], a power of two */
	uint32_t first, n, mask;
	unsigned kind;
	uint64_t delay;
};

struct hd_heap_event {
	struct hd_event event;
	uint64_t order;
	unsigned kind;
};

#define HD_DELAY_LINES 64
#define HD_NO_LINE     HD_DELAY_LINES /* as a line: the heap */

struct hd_events {
	uint64_t now;
	uint64_t heads[HD_DELAY_LINES]; /* time of each line's first event; UINT64_MAX: empty */
	struct hd_delay_line lines[HD_DELAY_LINES];
	unsigned n_lines;
	struct hd_heap_event *heap;
	size_t n_heap, size_heap;
	uint64_t posted_heap;
	uint64_t taken;     /* events so far */
	bool has_no_delay;  /* a line has the delay 0: handling an event can post one that is due */
	bool out_of_memory; /* an event could not be posted: the run is void */
};

void hd_events_init(struct hd_events *events);
void hd_events_free(struct hd_events *events);

/* The line of events of @kind that come @delay after they are posted; HD_NO_LINE: all are taken. */
unsigned hd_events_line(struct hd_events *events, unsigned kind, uint64_t delay);

bool hd_delay_line_grow(struct hd_delay_line *line);

/* Posts an event @delay from now, on the heap. */
void hd_events_post_late(struct hd_events *events, unsigned kind, uint64_t delay, uint32_t a,
			 uint32_t b);

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
	if (!l->n++)
		events->heads[line] = event->time;
}

/*
 * The time of the next event, UINT64_MAX: none; @lines has a bit for each line whose first event is due
 * then.
 */
uint64_t hd_events_next(const struct hd_events *events, uint64_t *lines);

/* Takes the first event of @line, which has one that is due now. */
static inline struct hd_event hd_events_take(struct hd_events *events, unsigned line)
{
	struct hd_delay_line *l = &events->lines[line];
	struct hd_event event = l->ring[l->first];

	l->first = (l->first + 1) & l->mask;
	events->heads[line] = --l->n ? l->ring[l->first].time : UINT64_MAX;
	events->taken++;
	return event;
}

/* Takes an event of the heap that is due now; false: there is none. */
bool hd_events_take_late(struct hd_events *events, unsigned *kind, struct hd_event *event);

#endif
