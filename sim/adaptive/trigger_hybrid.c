// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Contention or congestion: whichever of the two triggers says so, with a higher threshold of
 * counters.
 */
#include <stdlib.h>

#include "sim/adaptive/trigger.h"
#include "support/error.h"

struct own {
	struct hd_contention contention;
	struct hd_credits credits;
};

static const struct hd_option options[] = {
	HD_CONTENTION_OPTIONS("8"), HD_CREDITS_OPTIONS, HD_CONTENTION_REACHED, { 0 }
};

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->trigger_own = calloc(1, sizeof(*own));
	int ret = own ? hd_contention_init(params, &own->contention, err) : hd_error_nomem(err);

	return ret ? ret : hd_credits_init(params, &own->credits, err);
}

static bool is_contended(const struct own *own, const struct hd_view *view, unsigned port)
{
	return hd_contention_exceeds(&own->contention, view->sight->contention[port]);
}

static bool leaves(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		   uint32_t vcs)
{
	const struct own *own = routed->trigger_own;

	return is_contended(own, view, port) ||
	       hd_credits_leave(&own->credits, routed, view, port, vcs);
}

static uint64_t worth(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		      uint32_t vcs, uint64_t others, uint32_t other_vcs)
{
	const struct own *own = routed->trigger_own;

	/* where the minimal way is contended, any other is worth it */
	if (is_contended(own, view, port))
		return others;
	return hd_credits_worth(&own->credits, routed, view, port, vcs, others, other_vcs);
}

const struct hd_trigger hd_trigger_hybrid = {
	.policy.name = "hybrid",
	.policy.summary = "contention or credits",
	.policy.reference = "P. Fuentes et al., IPDPS 2015",
	.policy.options = options,
	.policy.n_bare = 2,
	.init = init,
	.leaves = leaves,
	.worth = worth,
};
