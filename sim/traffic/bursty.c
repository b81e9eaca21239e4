// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A Markov chain with the states ON, a packet per slot, and OFF, none. The time in either state is
 * geometrically distributed, so that a burst and a pause are drawn at once.
 */
#include "sim/traffic/slots.h"

static int init(const struct hd_arrival_setup *setup, struct hd_arrival *arrival,
		struct hd_error *err)
{
	struct hd_on_off chain;
	double on, burst;
	int ret = hd_slots_init(setup, &arrival->slot, &on, err);

	if (!ret)
		ret = hd_params_decimal(setup->params, "burst", 1, 1e9, &burst, err);
	if (ret)
		return ret;
	chain = hd_on_off(on, burst);
	hd_failures_scale(chain.off2on, &arrival->ticks, &arrival->fraction);
	hd_failures_scale(chain.on2off, &arrival->burst, &arrival->burst_fraction);
	arrival->first = on < 1 ? (uint32_t)(on * 0x1p32) : UINT32_MAX;
	return 0;
}

/* Draws how many packets the burst has that begins now, after its first. */
static void begin_burst(const struct hd_arrival *arrival, struct hd_source *source)
{
	uint64_t more = hd_failures(&source->random, arrival->burst, arrival->burst_fraction);

	source->left = more < UINT32_MAX ? (uint32_t)more : UINT32_MAX;
}

static uint64_t pause_slots(const struct hd_arrival *arrival, struct hd_source *source)
{
	return hd_failures(&source->random, arrival->ticks, arrival->fraction);
}

/* The chain is in its steady state from the beginning. */
static bool first(const struct hd_arrival *arrival, struct hd_source *source)
{
	uint64_t slots = 0;

	if (hd_random_u32(&source->random) > arrival->first)
		slots = 1 + pause_slots(arrival, source);
	begin_burst(arrival, source);
	return hd_advance_slots(arrival, source, slots);
}

static bool next(const struct hd_arrival *arrival, struct hd_source *source, bool *redraw)
{
	uint64_t slots = 1;

	if (source->left) {
		source->left--;
		*redraw = false;
	} else {
		slots += pause_slots(arrival, source);
		begin_burst(arrival, source);
	}
	return hd_advance_slots(arrival, source, slots);
}

static const struct hd_option options[] = {
	{ "burst", "5", "packets", "mean length of a burst, all of which has one destination" },
	{ "slot", "1", "units", "time from one packet of a burst to the next" },
	{ 0 },
};

const struct hd_arrival_kind hd_arrival_bursty = {
	.policy = { .name = "bursty",
		    .summary = "bursts by a Markov chain with states ON and OFF",
		    .reference = "Fuentes, fairness, contention counters and FlexVC, 1.6.1.3",
		    .options = options },
	.policy.n_bare = 1,
	.init = init,
	.first = first,
	.next = next,
};
