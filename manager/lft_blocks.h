/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LFTs as subnet managers send and read them: in blocks of 64 entries, one byte each. A copy of
 * what a switch has answered holds zeros where it has not.
 */
#ifndef HD_MANAGER_LFT_BLOCKS_H
#define HD_MANAGER_LFT_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/tables.h"

static inline size_t hd_lft_blocks(size_t top_lid)
{
	return top_lid / HD_LFT_BLOCK + 1;
}

static inline uint8_t *hd_lft_block(uint8_t *lft, size_t block)
{
	return lft + block * HD_LFT_BLOCK;
}

/*
 * How many blocks a switch is asked for that may hold anything: it says that its entries end at
 * LID @switch_top and that it has room for @room of them, and the subnet's end at LID @top_lid.
 */
size_t hd_lft_blocks_to_ask(size_t top_lid, size_t switch_top, size_t room);

bool hd_lft_blocks_are_equal(const uint8_t *lft, const uint8_t *other, size_t block);
bool hd_lft_block_is_zero(const uint8_t *lft, size_t block);
void hd_lft_block_clear(uint8_t *lft, size_t block);

/* Makes *@lft, of *@size entries, @wanted long at least; new entries lead nowhere. False: no
 * memory. */
bool hd_lft_grow(uint8_t **lft, uint16_t *size, size_t wanted);

#endif
