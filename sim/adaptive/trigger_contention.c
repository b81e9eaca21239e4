// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Contention counters (Fuentes et al., IPDPS 2015), "Base": a packet leaves its minimal way when
 * many heads want the same port, however full the queues behind it are, for a port that few want.
 */
#include <stdlib.h>

#include "sim/adaptive/trigger.h"
#include "support/error.h"

static const struct hd_option options[] = { HD_CONTENTION_OPTIONS("6"),
					    HD_CONTENTION_REACHED,
					    { 0 } };

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct hd_contention *own = routed->trigger_own = calloc(1, sizeof(*own));

	return own ? hd_contention_init(params, own, err) : hd_error_nomem(err);
}

static bool leaves(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		   uint32_t vcs)
{
	(void)vcs;
	return hd_contention_exceeds(routed->trigger_own, view->sight->contention[port]);
}

const struct hd_trigger hd_trigger_contention = {
	.policy.name = "contention",
	.policy.summary = "many heads want the minimal path's port",
	.policy.reference = "P. Fuentes et al., IPDPS 2015",
	.policy.options = options,
	.policy.n_bare = 1,
	.init = init,
	.leaves = leaves,
	.worth = hd_contention_worth,
};
