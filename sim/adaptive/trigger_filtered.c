// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Contention counters, filtered: what counts is a running mean of the counter, which one burst does
 * not lift over the threshold. A switch reckons it anew in each cycle; here it is a closed form of
 * the time since the counter last changed.
 */
#include <stdlib.h>

#include "sim/adaptive/trigger.h"
#include "support/error.h"

struct own {
	struct hd_contention contention; /* first */
	double alpha;
};

static const struct hd_option options[] = {
	HD_CONTENTION_OPTIONS("6"),
	{ "alpha", "0.5", "", "weight of what was before: c(t) = alpha c(t - 1) + (1 - alpha) n" },
	HD_CONTENTION_REACHED,
	{ 0 },
};

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->trigger_own = calloc(1, sizeof(*own));
	int ret = own ? hd_contention_init(params, &own->contention, err) : hd_error_nomem(err);

	if (!ret)
		ret = hd_params_decimal(params, "alpha", 0, 0.999999, &own->alpha, err);
	routed->filter_alpha = ret ? 0 : own->alpha;
	return ret;
}

static bool exceeds(const struct own *own, const struct hd_sight *sight, unsigned port)
{
	return hd_contention_exceeds(&own->contention,
				     hd_filter_value(&sight->filters[port], sight->contention[port],
						     own->alpha, sight->now, sight->cycle));
}

static bool leaves(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		   uint32_t vcs)
{
	const struct own *own = routed->trigger_own;

	(void)vcs;
	if (exceeds(own, view->sight, port))
		return true;
	/* the mean is on its way up */
	view->sight->again |=
		hd_contention_exceeds(&own->contention, view->sight->contention[port]);
	return false;
}

static uint64_t worth(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		      uint32_t vcs, uint64_t others, uint32_t other_vcs)
{
	uint64_t found = 0;

	(void)port;
	(void)vcs;
	(void)other_vcs;
	for (; others; others &= others - 1)
		if (!exceeds(routed->trigger_own, view->sight, (unsigned)__builtin_ctzll(others)))
			found |= others & -others;
	return found;
}

const struct hd_trigger hd_trigger_filtered = {
	.policy.name = "filtered",
	.policy.summary = "as contention, by a running mean of the counters",
	.policy.reference = "P. Fuentes et al., IPDPS 2015",
	.policy.options = options,
	.policy.n_bare = 1,
	.needs_filters = true,
	.init = init,
	.leaves = leaves,
	.worth = worth,
};
