// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/late_copies.h"

#include <string.h>

#include "tables/tables.h"

/* LIDs of an LFT block. */
#define BLOCK 64

void hd_late_copies_note(struct hd_late_copies *late, double now, double timeout, unsigned retries)
{
	const double most = timeout * (1 + retries), lasted = now - late->begin;
	const double end = now + (lasted < most ? lasted : most);

	if (lasted >= timeout && end > late->end)
		late->end = end;
}

bool hd_lft_block_differs(const struct hd_tables *one, const struct hd_tables *other, uint32_t s,
			  size_t block)
{
	return memcmp(hd_lft(one, s) + block * BLOCK, hd_lft(other, s) + block * BLOCK, BLOCK) != 0;
}
