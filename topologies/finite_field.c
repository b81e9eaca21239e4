// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/finite_field.h"

/* The least divisor above 1. */
static uint32_t least_divisor(uint32_t q)
{
	uint32_t p = 2;

	while (p * p <= q && q % p)
		p++;
	return p * p <= q ? p : q;
}

bool hd_is_prime_power(uint32_t q)
{
	if (q < 2)
		return false;
	for (uint32_t p = least_divisor(q); q > 1; q /= p)
		if (q % p)
			return false;
	return true;
}

/* @x + @times * @y, digit by digit. */
static uint32_t combine(const struct hd_field *field, uint32_t x, uint32_t times, uint32_t y)
{
	uint32_t sum = 0;

	for (uint32_t place = 1; place < field->q; place *= field->p)
		sum += (x / place % field->p + times * (y / place % field->p)) % field->p * place;
	return sum;
}

/*
 * The powers of polynomial x modulo x^m - @tail, a polynomial of lower degree; for m = 1, the
 * powers of @tail. Whether all elements but 0 are among them: then x is primitive, and the modulus
 * irreducible, since powers that come back to 1 have inverses.
 */
static bool list_powers(struct hd_field *field, uint32_t tail)
{
	const uint32_t high = field->q / field->p;
	uint32_t element = 1;

	for (uint32_t i = 0; i + 1 < field->q; i++) {
		if (!element || (i && element == 1))
			return false;
		field->power[i] = (uint8_t)element;
		field->exponent[element] = (uint8_t)i;
		element = combine(field, element % high * field->p, element / high, tail);
	}
	return element == 1;
}

void hd_field_init(struct hd_field *field, uint32_t q)
{
	*field = (struct hd_field){ .q = q, .p = least_divisor(q) };
	for (uint32_t rest = q; rest > 1; rest /= field->p)
		field->m++;
	for (uint32_t tail = 1; !list_powers(field, tail); tail++)
		;
}

uint32_t hd_field_add(const struct hd_field *field, uint32_t x, uint32_t y)
{
	return combine(field, x, 1, y);
}

uint32_t hd_field_subtract(const struct hd_field *field, uint32_t x, uint32_t y)
{
	return combine(field, x, field->p - 1, y);
}

uint32_t hd_field_multiply(const struct hd_field *field, uint32_t x, uint32_t y)
{
	if (!x || !y)
		return 0;
	return field->power[(field->exponent[x] + (uint32_t)field->exponent[y]) % (field->q - 1)];
}
