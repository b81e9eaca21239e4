// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/random.h"

#include <Random123/philox.h>

void hd_random_init(struct hd_random *random, uint64_t seed, uint64_t stream)
{
	*random = (struct hd_random){ .seed = seed, .stream = stream, .used = 4 };
}

uint32_t hd_random_u32(struct hd_random *random)
{
	if (random->used == 4) {
		philox4x32_key_t key = { { (uint32_t)random->seed,
					   (uint32_t)(random->seed >> 32) } };
		philox4x32_ctr_t counter = {
			{ (uint32_t)random->counter, (uint32_t)(random->counter >> 32),
			  (uint32_t)random->stream, (uint32_t)(random->stream >> 32) }
		};
		philox4x32_ctr_t block = philox4x32(counter, key);

		for (unsigned i = 0; i < 4; i++)
			random->block[i] = block.v[i];
		random->counter++;
		random->used = 0;
	}
	return random->block[random->used++];
}

uint32_t hd_random_below(struct hd_random *random, uint32_t n)
{
	/* Lemire's multiplication; the rejected low part makes every value equally likely. */
	uint64_t product = (uint64_t)hd_random_u32(random) * n;

	if ((uint32_t)product < n) {
		uint32_t threshold = -n % n;

		while ((uint32_t)product < threshold)
			product = (uint64_t)hd_random_u32(random) * n;
	}
	return (uint32_t)(product >> 32);
}

void hd_random_permutation(struct hd_random *random, uint32_t n, uint32_t *order)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = hd_random_below(random, i + 1);

		order[i] = order[j];
		order[j] = i;
	}
}
