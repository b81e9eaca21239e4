// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/receipts.h"

#include <stdlib.h>

#define SPAN 64 /* bits without memory of its own */

static uint64_t *word_of(struct hd_receipts *r, uint64_t number)
{
	return r->more ? &r->more[number % r->span / 64] : &r->bits;
}

/* Makes the ring reach up to @number. */
static bool grow(struct hd_receipts *r, uint64_t number)
{
	const uint32_t old_span = r->more ? r->span : SPAN;
	struct hd_receipts old = *r;
	uint64_t span = old_span;

	while (number - r->n >= span)
		span *= 2;
	if (span > UINT32_MAX)
		return false;
	r->more = calloc(span / 64, sizeof(*r->more));
	if (!r->more) {
		r->more = old.more;
		return false;
	}
	r->span = (uint32_t)span;
	for (uint64_t i = r->n; i < r->n + old_span; i++)
		*word_of(r, i) |= (*word_of(&old, i) >> i % 64 & 1) << i % 64;
	free(old.more);
	return true;
}

bool hd_receipts_add(struct hd_receipts *r, uint64_t number)
{
	if (number - r->n >= (r->more ? r->span : SPAN) && !grow(r, number))
		return false;
	*word_of(r, number) |= UINT64_C(1) << number % 64;
	for (;;) {
		uint64_t *word = word_of(r, r->n), bit = UINT64_C(1) << r->n % 64;

		if (!(*word & bit))
			return true;
		*word &= ~bit;
		r->n++;
	}
}

void hd_receipts_free(struct hd_receipts *r)
{
	free(r->more);
	*r = (struct hd_receipts){ 0 };
}
