// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/lft_blocks.h"

#include <stdlib.h>
#include <string.h>

size_t hd_lft_blocks_to_ask(size_t top_lid, size_t switch_top, size_t room)
{
	const size_t n = hd_lft_blocks(top_lid > switch_top ? top_lid : switch_top);

	return n < room / HD_LFT_BLOCK ? n : room / HD_LFT_BLOCK;
}

bool hd_lft_blocks_are_equal(const uint8_t *lft, const uint8_t *other, size_t block)
{
	return memcmp(lft + block * HD_LFT_BLOCK, other + block * HD_LFT_BLOCK, HD_LFT_BLOCK) == 0;
}

bool hd_lft_block_is_zero(const uint8_t *lft, size_t block)
{
	static const uint8_t zeros[HD_LFT_BLOCK];

	return memcmp(lft + block * HD_LFT_BLOCK, zeros, HD_LFT_BLOCK) == 0;
}

void hd_lft_block_clear(uint8_t *lft, size_t block)
{
	memset(hd_lft_block(lft, block), 0, HD_LFT_BLOCK);
}

bool hd_lft_grow(uint8_t **lft, uint16_t *size, size_t wanted)
{
	uint8_t *grown;

	if (wanted <= *size)
		return true;
	grown = realloc(*lft, wanted);
	if (!grown)
		return false;
	memset(grown + *size, HD_NO_PATH, wanted - *size);
	*lft = grown;
	*size = (uint16_t)wanted;
	return true;
}
