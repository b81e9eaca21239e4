// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/deviate.h"

static int init(const struct hd_arrival_setup *setup, struct hd_arrival *arrival,
		struct hd_error *err)
{
	(void)err;
	hd_split((double)setup->size * setup->unit_ticks / setup->load, &arrival->ticks,
		 &arrival->fraction);
	return 0;
}

static bool first(const struct hd_arrival *arrival, struct hd_source *source)
{
	uint64_t rest, ticks = hd_scale(hd_exponential(&source->random), arrival->ticks,
					arrival->fraction, &rest);

	return hd_advance(source, ticks, rest);
}

static bool next(const struct hd_arrival *arrival, struct hd_source *source, bool *redraw)
{
	(void)redraw;
	return first(arrival, source);
}

static const struct hd_option options[] = { { 0 } };

const struct hd_arrival_kind hd_arrival_poisson = {
	.policy = { .name = "poisson",
		    .summary = "exponentially distributed gaps",
		    .options = options },
	.init = init,
	.first = first,
	.next = next,
};
