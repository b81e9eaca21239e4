// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/patience.h"

/* What is few. Where more is left, and a round brings next to nothing, that is no chance. */
#define FEW 64

/* Rounds at most, and of those in a hurry; how long that is, in seconds. */
#define MAX_ROUNDS         24
#define MAX_HURRIED_ROUNDS 96
#define HURRY              0.5

/*
 * How many rounds in a row may bring next to nothing: more of them in a hurry, where losses are
 * told at once, without a time-out of each.
 */
static size_t most_idle(size_t n, bool hurries)
{
	if (hurries)
		return n > FEW ? 2 : 11;
	return n > FEW ? 0 : 2;
}

bool hd_patience_lasts(struct hd_patience *patience, size_t n, double now)
{
	const size_t last = patience->last;
	/* one in eight at least */
	const bool helps = !patience->rounds || patience->is_renewed || n < last - last / 8;
	bool hurries;

	if (!patience->rounds)
		patience->begin = now;
	hurries = now - patience->begin < HURRY;
	patience->is_renewed = false;
	patience->idle = helps ? 0 : patience->idle + 1;
	patience->last = n;
	if (!n || patience->rounds >= (hurries ? MAX_HURRIED_ROUNDS : MAX_ROUNDS))
		return false;
	patience->rounds++;
	return patience->idle <= most_idle(n, hurries);
}
