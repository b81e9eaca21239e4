// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/recorder/log.h"

#include <stdlib.h>

/* Kind, two flags, and at most seven numbers of ten bytes. */
#define MOST_BYTES 80

#define BEGINS_CALL 0x40u
#define COLLECTIVE  0x80u

/* Seven bits a byte, the lowest first; all bytes but the last have the eighth bit. */
static uint8_t *put(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

static bool get(const uint8_t **at, const uint8_t *end, uint64_t *number)
{
	*number = 0;
	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		const uint8_t byte = *(*at)++;

		*number |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The numbers that a step of a kind has, besides `compute`. */
static unsigned numbers_of(struct hd_step *step, uint64_t *peer, uint64_t *numbers[5])
{
	unsigned n = 0;

	if (step->kind == HD_STEP_SEND || step->kind == HD_STEP_RECEIVE) {
		numbers[n++] = &step->communicator;
		numbers[n++] = peer;
		numbers[n++] = &step->tag;
	}
	if (step->kind == HD_STEP_COLLECTIVE)
		numbers[n++] = &step->tag;
	if (step->kind == HD_STEP_SEND)
		numbers[n++] = &step->bytes;
	if (step->kind == HD_STEP_RECEIVE || step->kind == HD_STEP_FORK ||
	    step->kind == HD_STEP_JOIN || step->kind == HD_STEP_COLLECTIVE)
		numbers[n++] = &step->serial;
	return n;
}

bool hd_step_log_add(struct hd_step_log *log, const struct hd_step *step)
{
	struct hd_step own = *step;
	uint64_t peer = step->peer, *numbers[5];
	const unsigned n = numbers_of(&own, &peer, numbers);
	uint8_t *at;

	if (log->allocated - log->n < MOST_BYTES) {
		const size_t more = log->allocated ? log->allocated * 2 : 65536;
		uint8_t *bytes = realloc(log->bytes, more);

		if (!bytes)
			return false;
		log->bytes = bytes;
		log->allocated = more;
	}
	at = log->bytes + log->n;
	*at++ = (uint8_t)((unsigned)own.kind | (own.begins_call ? BEGINS_CALL : 0) |
			  (own.collective ? COLLECTIVE : 0));
	at = put(at, own.compute);
	for (unsigned i = 0; i < n; i++)
		at = put(at, *numbers[i]);
	log->n = (size_t)(at - log->bytes);
	return true;
}

void hd_step_log_free(struct hd_step_log *log)
{
	free(log->bytes);
	*log = (struct hd_step_log){ 0 };
}

static bool read_step(const uint8_t **at, const uint8_t *end, struct hd_step *step)
{
	uint64_t peer = 0, *numbers[5];
	unsigned n;

	*step = (struct hd_step){ .kind = (enum hd_step_kind)(**at & 0x3F),
				  .begins_call = **at & BEGINS_CALL,
				  .collective = **at & COLLECTIVE };
	(*at)++;
	if (step->kind >= HD_STEP_KINDS || !get(at, end, &step->compute))
		return false;
	n = numbers_of(step, &peer, numbers);
	for (unsigned i = 0; i < n; i++)
		if (!get(at, end, numbers[i]))
			return false;
	step->peer = (uint32_t)peer;
	return peer <= UINT32_MAX;
}

bool hd_step_read(const uint8_t **at, const uint8_t *end, struct hd_step *step)
{
	const uint8_t *begin = *at;

	if (begin < end && read_step(at, end, step))
		return true;
	*at = begin;
	return false;
}
