// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/lft_copy.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

int hd_lft_copy_init(struct hd_lft_copy *copy, const struct hd_tables *of, struct hd_error *err)
{
	const size_t n = of->fabric->n_switches, size = n * of->lft_stride;

	*copy = (struct hd_lft_copy){
		.of = of,
		.lft = hd_alloc_large(size),
		.differs = calloc(n + 1, sizeof(*copy->differs)),
		.set_of = calloc(n + 1, sizeof(*copy->set_of)),
		.version_of = calloc(n + 1, sizeof(*copy->version_of)),
		.ports_of = malloc(n * HD_LFT_KEYS + 1),
	};
	if (!copy->lft || !copy->differs || !copy->set_of || !copy->version_of || !copy->ports_of) {
		hd_lft_copy_clear(copy);
		return hd_error_nomem(err);
	}
	memcpy(copy->lft, of->lft, size);
	return 0;
}

void hd_lft_copy_clear(struct hd_lft_copy *copy)
{
	free(copy->lft);
	free(copy->differs);
	free(copy->keys);
	free(copy->version);
	free(copy->set_of);
	free(copy->version_of);
	free(copy->ports_of);
	*copy = (struct hd_lft_copy){ .of = NULL };
}

void hd_lft_copy_give_back(struct hd_lft_copy *copy)
{
	const size_t stride = copy->of->lft_stride;

	hd_for_each_switch(s, copy->of->fabric) {
		if (!copy->differs[s])
			continue;
		memcpy(copy->lft + s * stride, copy->of->lft + s * stride, stride);
		copy->differs[s] = false;
	}
	copy->is_lent = false;
}

int hd_lft_copy_make_room(struct hd_lft_copy *copy, uint32_t n, struct hd_error *err)
{
	if (copy->n_sets == n)
		return 0;
	free(copy->keys);
	free(copy->version);
	copy->n_sets = 0;
	copy->keys = malloc(n * copy->of->lft_stride + 1);
	copy->version = calloc(n + (size_t)1, sizeof(*copy->version));
	if (!copy->keys || !copy->version)
		return hd_error_nomem(err);
	copy->n_sets = n;
	memset(copy->version_of, 0, copy->of->fabric->n_switches * sizeof(*copy->version_of));
	return 0;
}

void hd_lft_copy_set_keys(struct hd_lft_copy *copy, uint32_t set, const uint8_t *keys)
{
	const size_t stride = copy->of->lft_stride;
	uint8_t *mine = copy->keys + set * stride;

	if (copy->version[set] && !memcmp(mine, keys, stride))
		return;
	memcpy(mine, keys, stride);
	copy->version[set]++;
}

bool hd_lft_copy_is_by(const struct hd_lft_copy *copy, uint32_t s, uint32_t set,
		       const uint8_t ports[HD_LFT_KEYS])
{
	return copy->set_of[s] == set && copy->version_of[s] == copy->version[set] &&
	       !memcmp(copy->ports_of + s * (size_t)HD_LFT_KEYS, ports, HD_LFT_KEYS);
}

void hd_lft_copy_note(struct hd_lft_copy *copy, uint32_t s, uint32_t set,
		      const uint8_t ports[HD_LFT_KEYS])
{
	copy->set_of[s] = set;
	copy->version_of[s] = copy->version[set];
	memcpy(copy->ports_of + s * (size_t)HD_LFT_KEYS, ports, HD_LFT_KEYS);
}
