/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How many entries of a VL arbitration table OpenSM programs. It takes the capacity modulo 32 for
 * the length of the second block, so it leaves out the second block of a table of 64 entries, whose
 * length it takes to be 0: unless something else makes it send all blocks.
 */
#ifndef HD_MANAGER_PROGRAMMED_ENTRIES_H
#define HD_MANAGER_PROGRAMMED_ENTRIES_H

#include "tables/tables.h"

/* Whether OpenSM takes the second block of a table of @capacity entries to be empty. */
static inline bool hd_second_block_is_cut(uint8_t capacity)
{
	return capacity > HD_VLARB_BLOCK && capacity % HD_VLARB_BLOCK == 0;
}

/* The entries that OpenSM programs; @whole: also those of a block that is cut. */
static inline uint8_t hd_programmed_entries(uint8_t capacity, bool whole)
{
	const uint8_t n = capacity < HD_VLARB_MAX ? capacity : HD_VLARB_MAX;

	return hd_second_block_is_cut(n) && !whole ? HD_VLARB_BLOCK : n;
}

#endif
