// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Congestion: a packet leaves the minimal way when it is blocked, for one whose queue is shorter. A
 * global link counts as congested only where its queue stands out among its switch's.
 */
#include <stdlib.h>

#include "sim/adaptive/trigger.h"
#include "support/error.h"

static const struct hd_option options[] = { HD_CREDITS_OPTIONS, { 0 } };

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct hd_credits *own = routed->trigger_own = calloc(1, sizeof(*own));

	return own ? hd_credits_init(params, own, err) : hd_error_nomem(err);
}

static bool leaves(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		   uint32_t vcs)
{
	return hd_credits_leave(routed->trigger_own, routed, view, port, vcs);
}

static uint64_t worth(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		      uint32_t vcs, uint64_t others, uint32_t other_vcs)
{
	return hd_credits_worth(routed->trigger_own, routed, view, port, vcs, others, other_vcs);
}

const struct hd_trigger hd_trigger_credits = {
	.policy.name = "credits",
	.policy.summary = "the minimal path is blocked, and another queue is shorter",
	.policy.options = options,
	.policy.n_bare = 1,
	.init = init,
	.leaves = leaves,
	.worth = worth,
};
