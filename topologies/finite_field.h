/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Arithmetic in a finite field of q elements, q a prime power. Elements are 0 .. q - 1: 0 and 1 are
 * what they are in any field, and with q = p^m an element is a polynomial over the integers modulo
 * p, whose coefficients are its digits of base p. So addition goes digit by digit; for prime q, all
 * is arithmetic modulo q.
 */
#ifndef HD_TOPOLOGIES_FINITE_FIELD_H
#define HD_TOPOLOGIES_FINITE_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#define HD_FIELD_MOST 128 /* elements */

struct hd_field {
	uint32_t q, p, m;                /* q = p^m */
	uint8_t power[HD_FIELD_MOST];    /* [i] the primitive element to the i-th, 0 <= i < q - 1 */
	uint8_t exponent[HD_FIELD_MOST]; /* [element, not 0] the i of it */
};

/* Whether @q is p^m for a prime p and some m >= 1. */
bool hd_is_prime_power(uint32_t q);

/*
 * Fills @field. @q is a prime power of at most HD_FIELD_MOST. The primitive element is the least.
 */
void hd_field_init(struct hd_field *field, uint32_t q);

uint32_t hd_field_add(const struct hd_field *field, uint32_t x, uint32_t y);
uint32_t hd_field_subtract(const struct hd_field *field, uint32_t x, uint32_t y);
uint32_t hd_field_multiply(const struct hd_field *field, uint32_t x, uint32_t y);

#endif
