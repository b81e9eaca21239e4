// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/patience.h"

#include "opensm/clock.h"

/*
 * Rounds that bring next to nothing, in a row: none where much is left, which is no chance then; and some where few are: more of them as
 * long as losses are told at once, without a time-out of each.
 */
#define FEW         64
#define MAX_IDLE    3
#define MAX_HURRIED 12

/* Rounds at most, and of those in a hurry; how long that is, in seconds. */
#define MAX_ROUNDS         24
#define MAX_HURRIED_ROUNDS 96
#define HURRY              0.5

bool hd_osm_patience_lasts(struct hd_osm_patience *patience, size_t n)
{
	const size_t last = patience->last;
	/* one in eight at least */
	const bool helps = !patience->rounds || patience->is_renewed || n < last - last / 8;
	bool hurries;

	if (!patience->rounds)
		patience->begin = hd_osm_seconds();
	hurries = hd_osm_seconds() - patience->begin < HURRY;
	patience->is_renewed = false;
	patience->idle = helps ? 0 : patience->idle + 1;
	patience->last = n;
	if (!n || patience->rounds >= (hurries ? MAX_HURRIED_ROUNDS : MAX_ROUNDS))
		return false;
	patience->rounds++;
	if (!hurries)
		return patience->idle < (n > FEW ? 1 : MAX_IDLE);
	return patience->idle < (n > FEW ? MAX_IDLE : MAX_HURRIED);
}
