// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/deviate.h"

static int init(const struct hd_arrival_setup *setup, struct hd_arrival *arrival,
		struct hd_error *err)
{
	hd_split((double)setup->size * setup->unit_ticks / setup->load, &arrival->ticks,
		 &arrival->fraction);
	return hd_params_bool(setup->params, "staggered", &arrival->random, err);
}

static bool first(const struct hd_arrival *arrival, struct hd_source *source)
{
	uint64_t ticks, rest;

	if (!arrival->random)
		return true;
	ticks = hd_scale(hd_random_u32(&source->random), arrival->ticks, arrival->fraction, &rest);
	return hd_advance(source, ticks, rest);
}

static bool next(const struct hd_arrival *arrival, struct hd_source *source, bool *redraw)
{
	(void)redraw;
	return hd_advance(source, arrival->ticks, arrival->fraction);
}

static const struct hd_option options[] = {
	{ "staggered", "yes", "", "whether every host begins at a random time of the first gap" },
	{ 0 },
};

const struct hd_arrival_kind hd_arrival_deterministic = {
	.policy = { .name = "deterministic", .summary = "equal gaps", .options = options },
	.init = init,
	.first = first,
	.next = next,
};
