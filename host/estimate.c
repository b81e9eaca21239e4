// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/estimate.h"

/* What the lanes of a network waited, each up to what its counter can tell. */
struct sum {
	uint32_t total;
	unsigned saturated; /* lanes whose counter stood still */
};

static struct sum sum(uint16_t vls, const uint16_t waited[HD_LANES])
{
	struct sum sum = { 0 };

	for (unsigned vl = 0; vl < HD_LANES; vl++) {
		if (!(vls >> vl & 1))
			continue;
		sum.total += waited[vl];
		sum.saturated += waited[vl] == HD_WAIT_SATURATED;
	}
	return sum;
}

/* @before, moved to @now by the weight of an interval. */
static uint32_t mean(uint32_t before, uint32_t now)
{
	return now > before ? before + (now - before) / HD_WAIT_WEIGHT
			    : before - (before - now + HD_WAIT_WEIGHT - 1) / HD_WAIT_WEIGHT;
}

/* What network @i is judged by, after an interval in which it waited @now. */
static uint32_t judge(const struct hd_estimate *estimate, unsigned i, uint32_t now)
{
	const uint32_t memory = estimate->memory, before = estimate->wait[i];
	uint32_t left;

	if (!memory || !estimate->has_chosen)
		return now;
	/* what is known of a network that was idle until then is old */
	if (i == estimate->preferred)
		return i == estimate->last ? mean(before, now) : now;
	/* packets that were queued when it was left still wait, but fewer and fewer of them */
	left = before > memory ? before - before / memory : 0;
	return now > left ? mean(left, now) : left;
}

/*
 * Counters that stood still say no more than how many they are: networks with equally many of them
 * cannot be told apart, neither by what their other lanes waited nor by what was known before.
 */
static void take(struct hd_estimate *estimate, const struct hd_lanes *lanes,
		 const uint16_t waited[HD_LANES])
{
	unsigned fewest = HD_LANES;

	estimate->saturated = false;
	for (unsigned i = 0; i < lanes->n; i++) {
		const struct sum now = sum(lanes->vls[i], waited);

		estimate->waited[i] = now.total;
		estimate->saturated = estimate->saturated || now.saturated;
		if (lanes->vls[i] && now.saturated < fewest)
			fewest = now.saturated;
	}
	for (unsigned i = 0; i < lanes->n; i++)
		estimate->wait[i] =
			fewest ? sum(lanes->vls[i], waited).saturated * HD_WAIT_SATURATED *
					 HD_WAIT_SCALE
			       : judge(estimate, i, estimate->waited[i] * HD_WAIT_SCALE);
	estimate->last = estimate->preferred;
}

/* The next network after the last choice, of those with a lane for which @bound suffices. */
static unsigned turn(struct hd_estimate *estimate, const struct hd_lanes *lanes, uint32_t bound)
{
	unsigned from = estimate->has_chosen ? estimate->preferred + 1 : 0;

	for (unsigned k = 0; k < lanes->n; k++) {
		unsigned i = (from + k) % lanes->n;

		if (!lanes->vls[i] || estimate->wait[i] > bound)
			continue;
		estimate->preferred = i;
		break;
	}
	estimate->has_chosen = true;
	return estimate->preferred;
}

unsigned hd_estimate_choose(struct hd_estimate *estimate, const struct hd_lanes *lanes,
			    const uint16_t waited[HD_LANES])
{
	uint32_t least = UINT32_MAX, most = 0;

	take(estimate, lanes, waited);
	for (unsigned i = 0; i < lanes->n; i++) {
		if (!lanes->vls[i])
			continue;
		least = estimate->wait[i] < least ? estimate->wait[i] : least;
		most = estimate->wait[i] > most ? estimate->wait[i] : most;
	}
	estimate->reason = !most           ? HD_NOTHING_WAITED
			   : least == most ? HD_WAITED_ALIKE
					   : HD_WAITED_LESS;
	return turn(estimate, lanes, least);
}
