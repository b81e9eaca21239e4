// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/slots.h"

static int init(const struct hd_arrival_setup *setup, struct hd_arrival *arrival,
		struct hd_error *err)
{
	double p;
	int ret = hd_slots_init(setup, &arrival->slot, &p, err);

	if (!ret)
		hd_failures_scale(p, &arrival->ticks, &arrival->fraction);
	return ret;
}

static bool first(const struct hd_arrival *arrival, struct hd_source *source)
{
	return hd_advance_slots(arrival, source,
				hd_failures(&source->random, arrival->ticks, arrival->fraction));
}

static bool next(const struct hd_arrival *arrival, struct hd_source *source, bool *redraw)
{
	(void)redraw;
	return hd_advance_slots(
		arrival, source,
		1 + hd_failures(&source->random, arrival->ticks, arrival->fraction));
}

static const struct hd_option options[] = {
	{ "slot", NULL, "units", "length of a slot; a packet's when not given" },
	{ 0 },
};

const struct hd_arrival_kind hd_arrival_bernoulli = {
	.policy = { .name = "bernoulli",
		    .summary = "in every slot of time a packet or none, independently",
		    .options = options },
	.policy.n_bare = 1,
	.init = init,
	.first = first,
	.next = next,
};
