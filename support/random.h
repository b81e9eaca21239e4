/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Random streams by counter (Philox4x32-10 of Random123): the n-th number of a stream depends on
 * (seed, stream, n) alone, never on threads or on how many numbers other streams drew.
 */
#ifndef HD_SUPPORT_RANDOM_H
#define HD_SUPPORT_RANDOM_H

#include <stdint.h>

struct hd_random {
	uint64_t seed;
	uint64_t stream;
	uint64_t counter;
	uint32_t block[4];
	unsigned used; /* numbers of `block` handed out */
};

void hd_random_init(struct hd_random *random, uint64_t seed, uint64_t stream);

uint32_t hd_random_u32(struct hd_random *random);

/* Uniform in 0 .. @n - 1, without bias; @n > 0. */
uint32_t hd_random_below(struct hd_random *random, uint32_t n);

/* A uniform permutation of 0 .. @n - 1 in @order. */
void hd_random_permutation(struct hd_random *random, uint32_t n, uint32_t *order);

#endif
