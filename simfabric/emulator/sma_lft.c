// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * LinearForwardingTable (14.2.5.10): the out-ports of 64 LIDs. Tables grow when they are written.
 */
#include <stdlib.h>

#include "simfabric/emulator/sma.h"

#define BLOCK 64

/* The first LID of the block; HD_NONE: the table has no such block. */
static uint32_t first_lid(const struct hd_smp *smp)
{
	uint32_t cap = smp->emulator->options.linear_fdb_cap;

	return smp->modifier < (cap + BLOCK - 1) / BLOCK ? smp->modifier * BLOCK : HD_NONE;
}

static void read_block(const struct hd_smp *smp, uint32_t lid)
{
	const struct hd_emulator_switch *sw = &smp->emulator->switches[smp->node];

	if (lid < sw->lft_size)
		memcpy(smp->data, sw->lft + lid, BLOCK);
	else
		memset(smp->data, HD_NO_PATH, BLOCK);
}

unsigned hd_sma_get_linear_table(struct hd_smp *smp)
{
	uint32_t lid = first_lid(smp);

	if (lid == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	read_block(smp, lid);
	return HD_STATUS_OK;
}

static bool is_empty(const uint8_t *block)
{
	for (unsigned i = 0; i < BLOCK; i++)
		if (block[i] != HD_NO_PATH)
			return false;
	return true;
}

static uint32_t whole_blocks(uint32_t lids)
{
	return (lids + BLOCK - 1) & ~(BLOCK - 1u);
}

/* Where the top of the table is known, the table grows to it at once. */
bool hd_linear_table_reserve(struct hd_emulator_switch *sw, uint32_t lids)
{
	uint32_t size = whole_blocks(sw->linear_fdb_top + 1u), more = sw->lft_size * 5 / 4;
	uint8_t *lft;

	if (lids <= sw->lft_size)
		return true;
	if (size < lids)
		size = whole_blocks(more > lids ? more : lids);
	lft = realloc(sw->lft, size);
	if (!lft)
		return false;
	memset(lft + sw->lft_size, HD_NO_PATH, size - sw->lft_size);
	sw->lft = lft;
	sw->lft_size = size;
	return true;
}

unsigned hd_sma_set_linear_table(struct hd_smp *smp)
{
	struct hd_emulator_switch *sw = &smp->emulator->switches[smp->node];
	uint32_t lid = first_lid(smp);

	if (lid == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	if (lid + BLOCK > sw->lft_size) {
		if (is_empty(smp->data))
			return HD_STATUS_OK;
		if (!hd_linear_table_reserve(sw, lid + BLOCK))
			return HD_STATUS_BUSY;
	}
	memcpy(sw->lft + lid, smp->data, BLOCK);
	return HD_STATUS_OK;
}
