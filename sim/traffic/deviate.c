// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/deviate.h"

#include <math.h>

/* ln 2 and sums of ln 2^i / i! for i = 1 .. k, in 2^-32. */
#define LN2 0xb17217f7u
static const uint32_t sums[] = { LN2,        0xeef193f6, 0xfd271862, 0xff9d6dd0,
				 0xfff4cfcf, 0xfffee818, 0xffffe7fe, 0xfffffe2a,
				 0xffffffdf, 0xfffffffd, UINT32_MAX };

void hd_split(double value, uint64_t *whole, uint64_t *fraction)
{
	double floored = floor(value);

	*whole = (uint64_t)floored;
	*fraction = (uint64_t)((value - floored) * 0x1p64);
}

/* Knuth, The Art of Computer Programming, volume 2, 3.4.1, algorithm S. */
uint64_t hd_exponential(struct hd_random *random)
{
	uint32_t bits = hd_random_u32(random), u = hd_random_u32(random), ones = 0, least;

	while (bits == UINT32_MAX) {
		ones += 32;
		bits = hd_random_u32(random);
	}
	ones += (uint32_t)__builtin_clz(~bits);
	if (u < LN2)
		return (uint64_t)ones * LN2 + u;
	least = hd_random_u32(random);
	for (unsigned k = 1;; k++) {
		uint32_t other = hd_random_u32(random);

		if (other < least)
			least = other;
		if (u <= sums[k])
			return (uint64_t)ones * LN2 + (((uint64_t)least * LN2) >> 32);
	}
}

void hd_failures_scale(double p, uint64_t *whole, uint64_t *fraction)
{
	hd_split(p < 1 ? -1 / log1p(-p) : 0, whole, fraction);
}
