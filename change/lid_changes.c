// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/lid_changes.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

/* Notes what changes at switch @s, whose row is read from one end to the other. */
static int note_changes(struct hd_lid_changes *changes, uint32_t s, const uint8_t *next,
			const uint8_t *now, struct hd_error *err)
{
	if (memcmp(now, next, changes->n_blocks * HD_LFT_BLOCK) == 0)
		return 0;
	for (uint32_t block = 0; block < changes->n_blocks; block++) {
		struct hd_block_change change = { .s = s, .block = block };
		const size_t lid = block * (size_t)HD_LFT_BLOCK;
		struct hd_block_change *grown;

		if (memcmp(now + lid, next + lid, HD_LFT_BLOCK) == 0)
			continue;
		for (unsigned i = 0; i < HD_LFT_BLOCK; i++)
			change.lids |= (uint64_t)(now[lid + i] != next[lid + i]) << i;
		grown = hd_make_room(changes->list, changes->n, &changes->allocated,
				     sizeof(*grown));
		if (!grown)
			return hd_error_nomem(err);
		changes->list = grown;
		changes->list[changes->n++] = change;
		changes->lids[block] |= change.lids;
	}
	return 0;
}

/* Puts the changes in the order of blocks. */
static int sort_changes(struct hd_lid_changes *changes, struct hd_error *err)
{
	uint32_t *first = calloc(changes->n_blocks + (size_t)2, sizeof(*first));

	changes->first = first;
	changes->by_block = malloc((changes->n + 1) * sizeof(*changes->by_block));
	if (!first || !changes->by_block)
		return hd_error_nomem(err);
	/* counts are two places behind, so that the places of blocks end one place behind */
	for (size_t i = 0; i < changes->n; i++)
		first[changes->list[i].block + 2]++;
	for (size_t block = 2; block < changes->n_blocks + (size_t)2; block++)
		first[block] += first[block - 1];
	for (size_t i = 0; i < changes->n; i++)
		changes->by_block[first[changes->list[i].block + 1]++] = (uint32_t)i;
	return 0;
}

int hd_lid_changes_find(struct hd_lid_changes *changes, const struct hd_tables *next,
			const struct hd_tables *now, struct hd_error *err)
{
	const struct hd_fabric *fabric = now->fabric;
	int ret = 0;

	*changes = (struct hd_lid_changes){ .n_blocks = (uint32_t)(now->lft_stride / HD_LFT_BLOCK),
					    .top_lid = fabric->top_lid };
	changes->lids = calloc(changes->n_blocks + (size_t)1, sizeof(*changes->lids));
	changes->switches = malloc((fabric->n_switches + (size_t)1) * sizeof(*changes->switches));
	if (!changes->lids || !changes->switches)
		return hd_error_nomem(err);
	for (uint32_t s = 0; !ret && s < fabric->n_switches; s++)
		ret = note_changes(changes, s, hd_lft(next, s), hd_lft(now, s), err);
	return ret ? ret : sort_changes(changes, err);
}

void hd_lid_changes_clear(struct hd_lid_changes *changes)
{
	free(changes->list);
	free(changes->lids);
	free(changes->first);
	free(changes->by_block);
	free(changes->switches);
	*changes = (struct hd_lid_changes){ .n = 0 };
}

uint32_t hd_lid_changes_next(const struct hd_lid_changes *changes, uint32_t lid)
{
	uint32_t block = lid / HD_LFT_BLOCK;
	uint64_t lids;

	if (block >= changes->n_blocks)
		return HD_NONE;
	lids = changes->lids[block] & ~UINT64_C(0) << lid % HD_LFT_BLOCK;
	while (!lids && ++block < changes->n_blocks)
		lids = changes->lids[block];
	if (!lids)
		return HD_NONE;
	lid = block * HD_LFT_BLOCK + (uint32_t)__builtin_ctzll(lids);
	return lid <= changes->top_lid ? lid : HD_NONE;
}

const uint32_t *hd_lid_changes_switches(struct hd_lid_changes *changes, uint32_t lid, size_t *n)
{
	const uint32_t block = lid / HD_LFT_BLOCK;

	*n = 0;
	for (uint32_t i = changes->first[block]; i < changes->first[block + 1]; i++) {
		const struct hd_block_change *change = &changes->list[changes->by_block[i]];

		if (change->lids >> lid % HD_LFT_BLOCK & 1)
			changes->switches[(*n)++] = change->s;
	}
	return changes->switches;
}
