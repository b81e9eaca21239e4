/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A queue of events of one kind that come at whole cycles, soon and in any order: a timing wheel
 * (G. Varghese and A. Lauck, SOSP 1987). Each cycle of the near future has a list of its events in
 * the order of posting, in chunks that are cache lines side by side. A calendar (calendar.h) would
 * take a cache line for each event, and would sort events that mostly come at the same time.
 */
#ifndef HD_MODEL_WHEEL_H
#define HD_MODEL_WHEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_WHEEL_CYCLES 1024 /* that have lists; a power of two */
#define HD_WHEEL_CHUNK  15   /* events of a chunk, which is two cache lines */

#define HD_WHEEL_NONE UINT64_MAX

struct hd_wheel_event {
	uint32_t a, b;
};

struct hd_wheel_chunk {
	uint32_t next, n;
	struct hd_wheel_event events[HD_WHEEL_CHUNK];
};

struct hd_wheel {
	uint64_t cycle; /* ticks; 0: nothing can be posted */
	uint64_t
		first; /* the number of the first cycle with events; HD_WHEEL_NONE: there is none */
	uint32_t taken; /* events of its first chunk that were taken */
	uint32_t heads[HD_WHEEL_CYCLES], tails[HD_WHEEL_CYCLES]; /* chunks, by cycle */
	uint64_t used[HD_WHEEL_CYCLES / 64]; /* a bit for each list with events */
	struct hd_wheel_chunk *chunks;       /* [room] */
	uint32_t room, free;
};

void hd_wheel_init(struct hd_wheel *wheel, uint64_t cycle);
void hd_wheel_free(struct hd_wheel *wheel);

/* Posts an event at @time. False: it must be elsewhere; then nothing has changed. */
bool hd_wheel_post(struct hd_wheel *wheel, uint64_t now, uint64_t time, uint32_t a, uint32_t b);

/* Takes the first event; there is one. */
struct hd_wheel_event hd_wheel_take(struct hd_wheel *wheel);

/* The event that is probably @n places, fewer than a chunk has, after the first; NULL: none. */
const struct hd_wheel_event *hd_wheel_ahead(const struct hd_wheel *wheel, unsigned n);

/* The time of the first event; HD_WHEEL_NONE: there is none. */
static inline uint64_t hd_wheel_first(const struct hd_wheel *wheel)
{
	return wheel->first == HD_WHEEL_NONE ? HD_WHEEL_NONE : wheel->first * wheel->cycle;
}

#endif
