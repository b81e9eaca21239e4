/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef HD_SUPPORT_DIVISOR_H
#define HD_SUPPORT_DIVISOR_H

#include <stdint.h>

/* The greatest common divisor; of 0 and another number, the other. */
static inline uint64_t hd_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The least common multiple of numbers that are not 0. */
static inline uint64_t hd_multiple(uint64_t a, uint64_t b)
{
	return a / hd_divisor(a, b) * b;
}

#endif
