/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A queue of events in any order: they come by key, those of one key in the order of posting. It is
 * a calendar (R. Brown, "Calendar queues", CACM 31, 1988): buckets, each of a range of keys, hold
 * events unsorted; when its turn comes, a bucket is sorted into a short array from which events are
 * taken. Taking and posting take constant time while the spread of keys suits the width of buckets;
 * the calendar reviews the width now and then. Keys beyond the last bucket, and keys that would
 * move much of the sorted array, are in a heap: for any keys, no operation takes longer, on
 * average, than the logarithm of the number of events.
 *
 * A few events need no buckets: they are in the sorted array.
 */
#ifndef HD_MODEL_CALENDAR_H
#define HD_MODEL_CALENDAR_H

#include "sim/model/event_heap.h"

#define HD_CALENDAR_NONE UINT64_MAX

/* With many events, about this many after the first are known. */
#define HD_CALENDAR_AHEAD 12

struct hd_calendar {
	size_t n, limit;   /* room for [limit] */
	uint32_t posted;   /* the next event's order */
	uint32_t review;   /* the order at the next review of the width */
	uint32_t reviewed; /* the order at the last review */
	uint64_t strain;   /* events since then that the width did not suit */
	unsigned patience; /* grows when a new width was like the old one */

	unsigned shift;   /* a bucket is 2^shift keys: that of a key is key >> shift */
	uint64_t horizon; /* the first bucket that is not in `near` yet */
	uint64_t n_buckets;

	struct hd_calendar_event *near; /* [first .. end - 1] sorted, all before the horizon */
	size_t first, end;
	size_t wanted; /* at least so many events are in `near` while there are more in buckets */

	uint32_t *heads;            /* [n_buckets]: the last event of each in `pool` */
	uint64_t *used, *used_sums; /* a bit for each bucket that has events; a bit for each word
				       of `used` that is not 0 */
	struct hd_calendar_event *pool; /* [limit] */
	uint32_t free;
	size_t n_bucketed;

	struct hd_event_heap heap;
	void *memory; /* of all arrays */
};

void hd_calendar_init(struct hd_calendar *calendar);
void hd_calendar_free(struct hd_calendar *calendar);

/* Posts an event at @key < HD_CALENDAR_NONE. False: no memory, and nothing has changed. */
bool hd_calendar_post(struct hd_calendar *calendar, uint64_t key, uint32_t a, uint32_t b);

/* Sorts buckets until enough events are in the sorted array; some events must be in buckets. */
void hd_calendar_refill(struct hd_calendar *calendar);

/* Takes the first event; there is one. */
static inline struct hd_calendar_event hd_calendar_take(struct hd_calendar *calendar)
{
	struct hd_calendar_event event;

	calendar->n--;
	if (calendar->heap.n &&
	    (calendar->first == calendar->end ||
	     hd_calendar_is_earlier(&calendar->heap.events[0], &calendar->near[calendar->first]))) {
		event = calendar->heap.events[0];
		hd_event_heap_pop(&calendar->heap);
		return event;
	}
	event = calendar->near[calendar->first++];
	if (calendar->end - calendar->first < calendar->wanted && calendar->n_bucketed)
		hd_calendar_refill(calendar);
	return event;
}

/* The key of the first event; HD_CALENDAR_NONE: there is none. */
static inline uint64_t hd_calendar_first(const struct hd_calendar *calendar)
{
	uint64_t key = calendar->first < calendar->end ? calendar->near[calendar->first].key
						       : HD_CALENDAR_NONE;

	return calendar->heap.n && calendar->heap.events[0].key < key ? calendar->heap.events[0].key
								      : key;
}

/* The event that is probably @n places after the first; NULL: not known yet, or none. */
static inline const struct hd_calendar_event *hd_calendar_ahead(const struct hd_calendar *calendar,
								unsigned n)
{
	return n < calendar->end - calendar->first ? &calendar->near[calendar->first + n] : NULL;
}

#endif
