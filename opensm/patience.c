// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/patience.h"

/* Rounds at most, and how many in a row may bring next to nothing where few are left. */
#define MAX_ROUNDS 24
#define MAX_IDLE   3
#define FEW        64

bool hd_osm_patience_lasts(struct hd_osm_patience *patience, size_t n)
{
	const size_t last = patience->last;
	/* one in eight at least */
	const bool helps = !patience->rounds || patience->is_renewed || n < last - last / 8;

	patience->is_renewed = false;
	patience->idle = helps ? 0 : patience->idle + 1;
	patience->last = n;
	if (!n || patience->rounds >= MAX_ROUNDS)
		return false;
	patience->rounds++;
	return patience->idle < (n <= FEW ? MAX_IDLE : 1);
}
