// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/calendar.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#define NONE UINT32_MAX

#define FEW         32   /* events that need no buckets */
#define MANY        1024 /* events that are rarely in a cache when they are taken */
#define MOST_MOVES  64   /* in the sorted array, for one event */
#define SHORT       16   /* events that are best sorted by insertion */
#define MIN_BUCKETS 64   /* a word of bits */
#define MAX_BUCKETS (UINT32_C(1) << 24)

/* A function that only fetches has no effect for the compiler, which leaves out calls of it. */
#define FETCHES static inline __attribute__((always_inline))

/* Buckets ahead: their last events are fetched, the last but one. */
#define FETCH_FIRST  4
#define FETCH_SECOND 2

/* Keys shifted so far are all before the horizon: there are no buckets. */
#define FEW_SHIFT   63
#define FEW_HORIZON 2

void hd_calendar_init(struct hd_calendar *calendar)
{
	memset(calendar, 0, sizeof(*calendar));
	calendar->shift = FEW_SHIFT;
	calendar->horizon = FEW_HORIZON;
	calendar->patience = 1;
	calendar->wanted = 1;
}

void hd_calendar_free(struct hd_calendar *calendar)
{
	free(calendar->memory);
	hd_calendar_init(calendar);
}

/* The sorted array */

static int compare(const void *a, const void *b)
{
	return hd_calendar_is_earlier(a, b) ? -1 : 1;
}

static void sort_by_insertion(struct hd_calendar_event *events, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct hd_calendar_event event = events[i];
		size_t at = i;

		for (; at && hd_calendar_is_earlier(&event, &events[at - 1]); at--)
			events[at] = events[at - 1];
		events[at] = event;
	}
}

/* Sorts the events of a bucket, which are in reverse order of posting. */
static void sort_bucket(struct hd_calendar_event *events, size_t n)
{
	size_t sorted = 1;

	if (n <= SHORT) {
		sort_by_insertion(events, n);
		return;
	}
	/* where many events are of one time, the order is nearly right when it is reversed */
	for (size_t i = 0; i < n / 2; i++) {
		const struct hd_calendar_event event = events[i];

		events[i] = events[n - 1 - i];
		events[n - 1 - i] = event;
	}
	while (sorted < n && hd_calendar_is_earlier(&events[sorted - 1], &events[sorted]))
		sorted++;
	if (sorted < n)
		qsort(events, n, sizeof(*events), compare);
}

static void move_to_start(struct hd_calendar *calendar)
{
	size_t n = calendar->end - calendar->first;

	memmove(calendar->near, calendar->near + calendar->first, n * sizeof(*calendar->near));
	calendar->first = 0;
	calendar->end = n;
}

static void push(struct hd_calendar *calendar, struct hd_calendar_event event)
{
	hd_event_heap_push(&calendar->heap, &event);
	calendar->strain++;
}

/* Inserts @event, which was posted last. */
static inline void insert_near(struct hd_calendar *calendar, struct hd_calendar_event event)
{
	struct hd_calendar_event *near = calendar->near;
	size_t at;

	if (calendar->end - calendar->first > MOST_MOVES &&
	    event.key < near[calendar->end - MOST_MOVES - 1].key) {
		push(calendar, event);
		return;
	}
	if (calendar->end == 2 * calendar->limit)
		move_to_start(calendar);
	for (at = calendar->end++; at > calendar->first && event.key < near[at - 1].key; at--)
		near[at] = near[at - 1];
	near[at] = event;
}

/* Buckets */

static bool is_used(const struct hd_calendar *calendar, uint32_t bucket)
{
	return calendar->used[bucket / 64] >> bucket % 64 & 1;
}

static inline void put(struct hd_calendar *calendar, struct hd_calendar_event event)
{
	uint32_t bucket = (uint32_t)(event.key >> calendar->shift & (calendar->n_buckets - 1)),
		 slot = calendar->free;

	calendar->free = calendar->pool[slot].next;
	/*
	 * by the bits, which are in a cache: nothing is to depend on the head, which often is not
	 */
	event.next = is_used(calendar, bucket) ? calendar->heads[bucket] : NONE;
	calendar->pool[slot] = event;
	calendar->heads[bucket] = slot;
	calendar->used[bucket / 64] |= UINT64_C(1) << bucket % 64;
	calendar->used_sums[bucket / 4096] |= UINT64_C(1) << bucket / 64 % 64;
	calendar->n_bucketed++;
}

/* The first bucket at or after @from, cyclically, that has events; at least one has. */
static uint32_t next_used(const struct hd_calendar *calendar, uint32_t from)
{
	uint32_t word = from / 64, n_sums = ((uint32_t)calendar->n_buckets + 4095) / 4096, sum;
	uint64_t bits = calendar->used[word] & ~UINT64_C(0) << from % 64;

	if (bits)
		return word * 64 + __builtin_ctzll(bits);
	sum = ++word / 64;
	bits = sum < n_sums ? calendar->used_sums[sum] & ~UINT64_C(0) << word % 64 : 0;
	while (!bits) {
		sum = sum + 1 < n_sums ? sum + 1 : 0;
		bits = calendar->used_sums[sum];
	}
	word = sum * 64 + __builtin_ctzll(bits);
	return word * 64 + __builtin_ctzll(calendar->used[word]);
}

/*
 * Copies the events of @bucket to @to, last posted first, and empties it; returns how many there
 * were.
 */
static size_t take_bucket(struct hd_calendar *calendar, uint32_t bucket,
			  struct hd_calendar_event *to)
{
	uint32_t head = calendar->heads[bucket], slot = head, last = NONE;
	size_t n = 0;

	for (; slot != NONE; slot = calendar->pool[slot].next) {
		to[n++] = calendar->pool[slot];
		last = slot;
	}
	calendar->pool[last].next = calendar->free;
	calendar->free = head;
	calendar->used[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
	if (!calendar->used[bucket / 64])
		calendar->used_sums[bucket / 4096] &= ~(UINT64_C(1) << bucket / 64 % 64);
	calendar->n_bucketed -= n;
	return n;
}

/* Fetches events of buckets that come soon after @bucket. */
FETCHES void fetch(const struct hd_calendar *calendar, uint32_t bucket)
{
	const uint32_t mask = (uint32_t)calendar->n_buckets - 1;
	uint32_t soon = (bucket + FETCH_FIRST) & mask, slot;

	if (is_used(calendar, soon))
		__builtin_prefetch(&calendar->pool[calendar->heads[soon]]);
	soon = (bucket + FETCH_SECOND) & mask;
	if (is_used(calendar, soon)) {
		slot = calendar->pool[calendar->heads[soon]].next;
		if (slot != NONE)
			__builtin_prefetch(&calendar->pool[slot]);
	}
}

void hd_calendar_refill(struct hd_calendar *calendar)
{
	move_to_start(calendar);
	while (calendar->n_bucketed && calendar->end < calendar->wanted) {
		uint32_t mask = (uint32_t)calendar->n_buckets - 1;
		uint32_t from = (uint32_t)(calendar->horizon & mask);
		uint32_t bucket = next_used(calendar, from);
		size_t n = take_bucket(calendar, bucket, calendar->near + calendar->end);

		if (calendar->wanted > HD_CALENDAR_AHEAD)
			fetch(calendar, bucket);
		sort_bucket(calendar->near + calendar->end, n);
		calendar->horizon += ((bucket - from) & mask) + 1;
		calendar->end += n;
		if (n > SHORT)
			calendar->strain += n;
	}
}

/* The shape */

/* The arrays, with room for @limit events and @n_buckets buckets. */
static bool allocate(struct hd_calendar *calendar, size_t limit, size_t n_buckets)
{
	const size_t words = n_buckets / 64, sums = (words + 63) / 64;
	struct hd_calendar_event *events;

	if (limit >= NONE)
		return false;
	calendar->memory = events =
		hd_alloc_large(4 * limit * sizeof(*events) + (words + sums) * sizeof(uint64_t) +
			       n_buckets * sizeof(uint32_t));
	if (!events)
		return false;
	calendar->limit = limit;
	calendar->wanted = limit < MANY ? 2 : HD_CALENDAR_AHEAD + 1;
	calendar->near = events;
	calendar->pool = calendar->near + 2 * limit;
	calendar->heap.events = calendar->pool + limit;
	calendar->used = (uint64_t *)(calendar->heap.events + limit);
	calendar->used_sums = calendar->used + words;
	calendar->heads = (uint32_t *)(calendar->used_sums + sums);
	return true;
}

/* Moves all events of @from to @to, sorts them and numbers them anew. */
static void gather(struct hd_calendar *from, struct hd_calendar_event *to)
{
	size_t n = from->end - from->first;

	if (n)
		memcpy(to, from->near + from->first, n * sizeof(*to));
	while (from->n_bucketed)
		n += take_bucket(from, next_used(from, 0), to + n);
	if (from->heap.n)
		memcpy(to + n, from->heap.events, from->heap.n * sizeof(*to));
	qsort(to, from->n, sizeof(*to), compare);
	for (size_t i = 0; i < from->n; i++)
		to[i].order = (uint32_t)i;
}

/*
 * The width of buckets for the n events that are sorted in `near`: by the earlier half, since with
 * random times there are fewer events the later it is. If all of that half have one key, by the
 * others.
 */
static void choose_width(struct hd_calendar *calendar, size_t max_buckets)
{
	const struct hd_calendar_event *events = calendar->near;
	const unsigned per_bucket = calendar->n < MANY ? 4 : 2; /* events of a bucket when its turn
							       comes, about */
	uint64_t first = events[0].key, most = events[calendar->n / 8 * 7].key, span, width;

	span = events[calendar->n / 2].key - first;
	width = span / (calendar->n / 2) * per_bucket;
	calendar->shift = width > 1 ? 63 - __builtin_clzll(width) : 0;
	calendar->n_buckets = MIN_BUCKETS;
	while (calendar->n_buckets < max_buckets &&
	       (calendar->n_buckets < 4 * calendar->n / per_bucket ||
		(most >> calendar->shift) - (first >> calendar->shift) >= calendar->n_buckets))
		calendar->n_buckets *= 2;
	while (!span &&
	       (most >> calendar->shift) - (first >> calendar->shift) >= calendar->n_buckets)
		calendar->shift++;
}

/* Puts the events that are sorted in `near` into buckets, array and heap. */
static void distribute(struct hd_calendar *calendar)
{
	const struct hd_calendar_event *events = calendar->near;
	size_t i = calendar->wanted - 1;

	memset(calendar->used, 0, (char *)calendar->heads - (char *)calendar->used);
	for (size_t slot = 0; slot < calendar->limit; slot++)
		calendar->pool[slot].next = (uint32_t)slot + 1;
	calendar->free = 0;
	calendar->horizon = (events[i].key >> calendar->shift) + 1;
	while (i < calendar->n && events[i].key >> calendar->shift < calendar->horizon)
		i++;
	calendar->end = i;
	for (; i < calendar->n; i++) {
		if ((events[i].key >> calendar->shift) - calendar->horizon < calendar->n_buckets)
			put(calendar, events[i]);
		else
			calendar->heap.events[calendar->heap.n++] =
				events[i]; /* sorted events are a
								          heap */
	}
}

/* Chooses the shape by the events that are in the queue now. */
static bool reshape(struct hd_calendar *calendar)
{
	struct hd_calendar anew;
	size_t limit = FEW, max_buckets = MIN_BUCKETS;

	while (limit <= calendar->n)
		limit *= 2;
	if (limit > FEW)
		max_buckets = 4 * limit < MAX_BUCKETS ? 4 * limit : MAX_BUCKETS;
	hd_calendar_init(&anew);
	if (!allocate(&anew, limit, max_buckets))
		return false;
	anew.n = calendar->n;
	anew.posted = (uint32_t)anew.n;
	gather(calendar, anew.near);
	if (limit > FEW) {
		choose_width(&anew, max_buckets);
		distribute(&anew);
	} else {
		anew.end = anew.n;
	}
	if (anew.shift == calendar->shift && anew.n_buckets == calendar->n_buckets)
		anew.patience = calendar->patience < 64 ? 2 * calendar->patience : 64;
	free(calendar->memory);
	*calendar = anew;
	return true;
}

static void set_review(struct hd_calendar *calendar)
{
	uint64_t next = calendar->posted + 4 * (uint64_t)calendar->limit * calendar->patience;

	calendar->reviewed = calendar->posted;
	calendar->review = next < UINT32_MAX ? (uint32_t)next : UINT32_MAX;
	calendar->strain = 0;
}

/* Called when there is no room for one more event, and now and then. */
static bool review(struct hd_calendar *calendar)
{
	bool is_full = calendar->n == calendar->limit || calendar->posted == UINT32_MAX;
	bool is_sparse = calendar->limit > FEW && calendar->n < calendar->limit / 16;
	bool is_strained = calendar->strain > (calendar->posted - calendar->reviewed) / 8;

	if (!is_strained)
		calendar->patience = 1;
	if ((is_full || is_sparse || is_strained) && !reshape(calendar))
		return false;
	set_review(calendar);
	return true;
}

bool hd_calendar_post(struct hd_calendar *calendar, uint64_t key, uint32_t a, uint32_t b)
{
	struct hd_calendar_event event = { .key = key, .a = a, .b = b };
	uint64_t bucket;

	if ((calendar->n == calendar->limit || calendar->posted == calendar->review) &&
	    !review(calendar))
		return false;
	calendar->n++;
	event.order = calendar->posted++;
	bucket = key >> calendar->shift;
	if (bucket - calendar->horizon < calendar->n_buckets) {
		put(calendar, event);
		if (calendar->end - calendar->first < calendar->wanted)
			hd_calendar_refill(calendar);
	} else if (bucket < calendar->horizon) {
		insert_near(calendar, event);
	} else if (calendar->first == calendar->end) {
		/* the queue is empty: buckets may begin anywhere */
		calendar->horizon = bucket + 1;
		insert_near(calendar, event);
	} else {
		push(calendar, event);
	}
	return true;
}
