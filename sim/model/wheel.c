// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/wheel.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#define NONE UINT32_MAX

#define FEW 64 /* chunks at first */

void hd_wheel_init(struct hd_wheel *wheel, uint64_t cycle)
{
	memset(wheel, 0, sizeof(*wheel));
	wheel->cycle = cycle;
	wheel->first = HD_WHEEL_NONE;
	wheel->free = NONE;
}

void hd_wheel_free(struct hd_wheel *wheel)
{
	free(wheel->chunks);
	hd_wheel_init(wheel, 0);
}

static bool grow(struct hd_wheel *wheel)
{
	uint32_t room = wheel->room ? 2 * wheel->room : FEW;
	struct hd_wheel_chunk *chunks;

	if (wheel->room > NONE / 4)
		return false;
	chunks = hd_alloc_large(room * sizeof(*chunks));
	if (!chunks)
		return false;
	if (wheel->room)
		memcpy(chunks, wheel->chunks, wheel->room * sizeof(*chunks));
	free(wheel->chunks);
	wheel->chunks = chunks;
	for (uint32_t i = wheel->room; i < room; i++)
		chunks[i].next = i + 1 < room ? i + 1 : NONE;
	wheel->free = wheel->room;
	wheel->room = room;
	return true;
}

static bool is_used(const struct hd_wheel *wheel, unsigned place)
{
	return wheel->used[place / 64] >> place % 64 & 1;
}

/* An empty chunk at the end of the list at @place. */
static bool add_chunk(struct hd_wheel *wheel, unsigned place)
{
	uint32_t chunk;

	if (wheel->free == NONE && !grow(wheel))
		return false;
	chunk = wheel->free;
	wheel->free = wheel->chunks[chunk].next;
	wheel->chunks[chunk].next = NONE;
	wheel->chunks[chunk].n = 0;
	if (is_used(wheel, place))
		wheel->chunks[wheel->tails[place]].next = chunk;
	else
		wheel->heads[place] = chunk;
	wheel->used[place / 64] |= UINT64_C(1) << place % 64;
	wheel->tails[place] = chunk;
	return true;
}

bool hd_wheel_post(struct hd_wheel *wheel, uint64_t now, uint64_t time, uint32_t a, uint32_t b)
{
	struct hd_wheel_chunk *chunk;
	uint64_t number;
	unsigned place;

	if (!wheel->cycle || time - now >= (HD_WHEEL_CYCLES - 1) * wheel->cycle ||
	    time % wheel->cycle)
		return false;
	number = time / wheel->cycle;
	place = (unsigned)(number % HD_WHEEL_CYCLES);
	if ((!is_used(wheel, place) || wheel->chunks[wheel->tails[place]].n == HD_WHEEL_CHUNK) &&
	    !add_chunk(wheel, place))
		return false;
	chunk = &wheel->chunks[wheel->tails[place]];
	chunk->events[chunk->n++] = (struct hd_wheel_event){ a, b };
	if (number < wheel->first) {
		wheel->first = number;
		wheel->taken = 0;
	}
	return true;
}

/*
 * The number of the first cycle after @number with events; @number plus all cycles if only that one
 * has, HD_WHEEL_NONE if none has.
 */
static uint64_t next_used(const struct hd_wheel *wheel, uint64_t number)
{
	for (unsigned i = 1; i <= HD_WHEEL_CYCLES;) {
		unsigned place = (unsigned)((number + i) % HD_WHEEL_CYCLES);
		uint64_t bits = wheel->used[place / 64] >> place % 64;

		if (bits)
			return number + i + (unsigned)__builtin_ctzll(bits);
		i += 64 - place % 64;
	}
	return HD_WHEEL_NONE;
}

struct hd_wheel_event hd_wheel_take(struct hd_wheel *wheel)
{
	const unsigned place = (unsigned)(wheel->first % HD_WHEEL_CYCLES);
	uint32_t head = wheel->heads[place];
	struct hd_wheel_chunk *chunk = &wheel->chunks[head];
	const struct hd_wheel_event event = chunk->events[wheel->taken++];

	if (wheel->taken < chunk->n)
		return event;
	wheel->taken = 0;
	wheel->heads[place] = chunk->next;
	chunk->next = wheel->free;
	wheel->free = head;
	if (wheel->heads[place] == NONE) {
		wheel->used[place / 64] &= ~(UINT64_C(1) << place % 64);
		wheel->first = next_used(wheel, wheel->first);
	}
	return event;
}

const struct hd_wheel_event *hd_wheel_ahead(const struct hd_wheel *wheel, unsigned n)
{
	const struct hd_wheel_chunk *chunk;
	uint32_t next, at = wheel->taken + n;
	uint64_t number = wheel->first;

	if (number == HD_WHEEL_NONE)
		return NULL;
	chunk = &wheel->chunks[wheel->heads[number % HD_WHEEL_CYCLES]];
	if (at < chunk->n)
		return &chunk->events[at];
	at -= chunk->n;
	next = chunk->next;
	if (next == NONE) {
		number = next_used(wheel, number);
		if (number == wheel->first + HD_WHEEL_CYCLES)
			return NULL;
		next = wheel->heads[number % HD_WHEEL_CYCLES];
	}
	chunk = &wheel->chunks[next];
	return at < chunk->n ? &chunk->events[at] : NULL;
}
