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

void hd_late_events_init(struct hd_late_events *late)
{
	memset(late, 0, sizeof(*late));
	late->shift = FEW_SHIFT;
	late->horizon = FEW_HORIZON;
	late->patience = 1;
	late->wanted = 1;
}

void hd_late_events_free(struct hd_late_events *late)
{
	free(late->memory);
	hd_late_events_init(late);
}

/* The sorted array */

static int compare(const void *a, const void *b)
{
	return hd_late_is_earlier(a, b) ? -1 : 1;
}

static void sort_by_insertion(struct hd_late_event *events, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct hd_late_event event = events[i];
		size_t at = i;

		for (; at && hd_late_is_earlier(&event, &events[at - 1]); at--)
			events[at] = events[at - 1];
		events[at] = event;
	}
}

/* Sorts the events of a bucket, which are in reverse order of posting. */
static void sort_bucket(struct hd_late_event *events, size_t n)
{
	size_t sorted = 1;

	if (n <= SHORT) {
		sort_by_insertion(events, n);
		return;
	}
	/* where many events are of one time, the order is nearly right when it is reversed */
	for (size_t i = 0; i < n / 2; i++) {
		const struct hd_late_event event = events[i];

		events[i] = events[n - 1 - i];
		events[n - 1 - i] = event;
	}
	while (sorted < n && hd_late_is_earlier(&events[sorted - 1], &events[sorted]))
		sorted++;
	if (sorted < n)
		qsort(events, n, sizeof(*events), compare);
}

static void move_to_start(struct hd_late_events *late)
{
	size_t n = late->end - late->first;

	memmove(late->near, late->near + late->first, n * sizeof(*late->near));
	late->first = 0;
	late->end = n;
}

static void push(struct hd_late_events *late, struct hd_late_event event)
{
	hd_late_heap_push(&late->heap, &event);
	late->strain++;
}

/* Inserts @event, which was posted last. */
static inline void insert_near(struct hd_late_events *late, struct hd_late_event event)
{
	struct hd_late_event *near = late->near;
	size_t at;

	if (late->end - late->first > MOST_MOVES &&
	    event.key < near[late->end - MOST_MOVES - 1].key) {
		push(late, event);
		return;
	}
	if (late->end == 2 * late->limit)
		move_to_start(late);
	for (at = late->end++; at > late->first && event.key < near[at - 1].key; at--)
		near[at] = near[at - 1];
	near[at] = event;
}

/* Buckets */

static bool is_used(const struct hd_late_events *late, uint32_t bucket)
{
	return late->used[bucket / 64] >> bucket % 64 & 1;
}

static inline void put(struct hd_late_events *late, struct hd_late_event event)
{
	uint32_t bucket = event.key >> late->shift & (late->n_buckets - 1), slot = late->free;

	late->free = late->pool[slot].next;
	/*
	 * by the bits, which are in a cache: nothing is to depend on the head, which often is not
	 */
	event.next = is_used(late, bucket) ? late->heads[bucket] : NONE;
	late->pool[slot] = event;
	late->heads[bucket] = slot;
	late->used[bucket / 64] |= UINT64_C(1) << bucket % 64;
	late->used_sums[bucket / 4096] |= UINT64_C(1) << bucket / 64 % 64;
	late->n_bucketed++;
}

/* The first bucket at or after @from, cyclically, that has events; at least one has. */
static uint32_t next_used(const struct hd_late_events *late, uint32_t from)
{
	uint32_t word = from / 64, n_sums = (late->n_buckets + 4095) / 4096, sum;
	uint64_t bits = late->used[word] & ~UINT64_C(0) << from % 64;

	if (bits)
		return word * 64 + __builtin_ctzll(bits);
	sum = ++word / 64;
	bits = sum < n_sums ? late->used_sums[sum] & ~UINT64_C(0) << word % 64 : 0;
	while (!bits) {
		sum = sum + 1 < n_sums ? sum + 1 : 0;
		bits = late->used_sums[sum];
	}
	word = sum * 64 + __builtin_ctzll(bits);
	return word * 64 + __builtin_ctzll(late->used[word]);
}

/*
 * Copies the events of @bucket to @to, last posted first, and empties it; returns how many there
 * were.
 */
static size_t take_bucket(struct hd_late_events *late, uint32_t bucket, struct hd_late_event *to)
{
	uint32_t head = late->heads[bucket], slot = head, last = NONE;
	size_t n = 0;

	for (; slot != NONE; slot = late->pool[slot].next) {
		to[n++] = late->pool[slot];
		last = slot;
	}
	late->pool[last].next = late->free;
	late->free = head;
	late->used[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
	if (!late->used[bucket / 64])
		late->used_sums[bucket / 4096] &= ~(UINT64_C(1) << bucket / 64 % 64);
	late->n_bucketed -= n;
	return n;
}

/* Fetches events of buckets that come soon after @bucket. */
FETCHES void fetch(const struct hd_late_events *late, uint32_t bucket)
{
	const uint32_t mask = late->n_buckets - 1;
	uint32_t soon = (bucket + FETCH_FIRST) & mask, slot;

	if (is_used(late, soon))
		__builtin_prefetch(&late->pool[late->heads[soon]]);
	soon = (bucket + FETCH_SECOND) & mask;
	if (is_used(late, soon)) {
		slot = late->pool[late->heads[soon]].next;
		if (slot != NONE)
			__builtin_prefetch(&late->pool[slot]);
	}
}

void hd_late_events_refill(struct hd_late_events *late)
{
	move_to_start(late);
	while (late->n_bucketed && late->end < late->wanted) {
		uint32_t mask = late->n_buckets - 1, from = late->horizon & mask;
		uint32_t bucket = next_used(late, from);
		size_t n = take_bucket(late, bucket, late->near + late->end);

		if (late->wanted > HD_LATE_AHEAD)
			fetch(late, bucket);
		sort_bucket(late->near + late->end, n);
		late->horizon += ((bucket - from) & mask) + 1;
		late->end += n;
		if (n > SHORT)
			late->strain += n;
	}
}

/* The shape */

/* The arrays, with room for @limit events and @n_buckets buckets. */
static bool allocate(struct hd_late_events *late, size_t limit, size_t n_buckets)
{
	const size_t words = n_buckets / 64, sums = (words + 63) / 64;
	struct hd_late_event *events;

	if (limit >= NONE)
		return false;
	late->memory = events =
		hd_alloc_large(4 * limit * sizeof(*events) + (words + sums) * sizeof(uint64_t) +
			       n_buckets * sizeof(uint32_t));
	if (!events)
		return false;
	late->limit = limit;
	late->wanted = limit < MANY ? 2 : HD_LATE_AHEAD + 1;
	late->near = events;
	late->pool = late->near + 2 * limit;
	late->heap.events = late->pool + limit;
	late->used = (uint64_t *)(late->heap.events + limit);
	late->used_sums = late->used + words;
	late->heads = (uint32_t *)(late->used_sums + sums);
	return true;
}

/* Moves all events of @from to @to, sorts them and numbers them anew. */
static void gather(struct hd_late_events *from, struct hd_late_event *to)
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
		to[i].order = i;
}

/*
 * The width of buckets for the n events that are sorted in `near`: by the earlier half, since with
 * random times there are fewer events the later it is. If all of that half have one key, by the
 * others.
 */
static void choose_width(struct hd_late_events *late, size_t max_buckets)
{
	const struct hd_late_event *events = late->near;
	const unsigned per_bucket = late->n < MANY ? 4 : 2; /* events of a bucket when its turn
							       comes, about */
	uint64_t first = events[0].key, most = events[late->n / 8 * 7].key, span, width;

	span = events[late->n / 2].key - first;
	width = span / (late->n / 2) * per_bucket;
	late->shift = width > 1 ? 63 - __builtin_clzll(width) : 0;
	late->n_buckets = MIN_BUCKETS;
	while (late->n_buckets < max_buckets &&
	       (late->n_buckets < 4 * late->n / per_bucket ||
		(most >> late->shift) - (first >> late->shift) >= late->n_buckets))
		late->n_buckets *= 2;
	while (!span && (most >> late->shift) - (first >> late->shift) >= late->n_buckets)
		late->shift++;
}

/* Puts the events that are sorted in `near` into buckets, array and heap. */
static void distribute(struct hd_late_events *late)
{
	const struct hd_late_event *events = late->near;
	size_t i = late->wanted - 1;

	memset(late->used, 0, (char *)late->heads - (char *)late->used);
	for (size_t slot = 0; slot < late->limit; slot++)
		late->pool[slot].next = slot + 1;
	late->free = 0;
	late->horizon = (events[i].key >> late->shift) + 1;
	while (i < late->n && events[i].key >> late->shift < late->horizon)
		i++;
	late->end = i;
	for (; i < late->n; i++) {
		if ((events[i].key >> late->shift) - late->horizon < late->n_buckets)
			put(late, events[i]);
		else
			late->heap.events[late->heap.n++] = events[i]; /* sorted events are a
								          heap */
	}
}

/* Chooses the shape by the events that are in the queue now. */
static bool reshape(struct hd_late_events *late)
{
	struct hd_late_events anew;
	size_t limit = FEW, max_buckets = MIN_BUCKETS;

	while (limit <= late->n)
		limit *= 2;
	if (limit > FEW)
		max_buckets = 4 * limit < MAX_BUCKETS ? 4 * limit : MAX_BUCKETS;
	hd_late_events_init(&anew);
	if (!allocate(&anew, limit, max_buckets))
		return false;
	anew.n = anew.posted = late->n;
	gather(late, anew.near);
	if (limit > FEW) {
		choose_width(&anew, max_buckets);
		distribute(&anew);
	} else {
		anew.end = anew.n;
	}
	if (anew.shift == late->shift && anew.n_buckets == late->n_buckets)
		anew.patience = late->patience < 64 ? 2 * late->patience : 64;
	free(late->memory);
	*late = anew;
	return true;
}

static void set_review(struct hd_late_events *late)
{
	uint64_t next = late->posted + 4 * (uint64_t)late->limit * late->patience;

	late->reviewed = late->posted;
	late->review = next < UINT32_MAX ? next : UINT32_MAX;
	late->strain = 0;
}

/* Called when there is no room for one more event, and now and then. */
static bool review(struct hd_late_events *late)
{
	bool is_full = late->n == late->limit || late->posted == UINT32_MAX;
	bool is_sparse = late->limit > FEW && late->n < late->limit / 16;
	bool is_strained = late->strain > (late->posted - late->reviewed) / 8;

	if (!is_strained)
		late->patience = 1;
	if ((is_full || is_sparse || is_strained) && !reshape(late))
		return false;
	set_review(late);
	return true;
}

bool hd_late_events_post(struct hd_late_events *late, uint64_t key, uint32_t a, uint32_t b)
{
	struct hd_late_event event = { .key = key, .a = a, .b = b };
	uint64_t bucket;

	if ((late->n == late->limit || late->posted == late->review) && !review(late))
		return false;
	late->n++;
	event.order = late->posted++;
	bucket = key >> late->shift;
	if (bucket - late->horizon < late->n_buckets) {
		put(late, event);
		if (late->end - late->first < late->wanted)
			hd_late_events_refill(late);
	} else if (bucket < late->horizon) {
		insert_near(late, event);
	} else if (late->first == late->end) {
		/* the queue is empty: buckets may begin anywhere */
		late->horizon = bucket + 1;
		insert_near(late, event);
	} else {
		push(late, event);
	}
	return true;
}
