// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Explicit contention notification: beside the counters of its own ports, a switch knows how many
 * heads of injection and global in-ports of its whole group go to each other group, as the group's
 * switches tell one another now and then; what is injected leaves the minimal way where those are
 * many.
 */
#include <stdlib.h>

#include "sim/adaptive/trigger.h"
#include "support/error.h"

struct own {
	struct hd_contention contention, group; /* the first one first */
};

static const struct hd_option options[] = {
	HD_CONTENTION_OPTIONS("6"),
	{ "group_threshold", "10", "packets", "of the group's heads that go to one other group" },
	HD_NOTICE_OPTIONS("100", ""),
	HD_CONTENTION_REACHED,
	{ 0 },
};

static void notice(const struct hd_routed *routed, const struct hd_view *view, uint8_t *bytes)
{
	for (uint32_t group = 0; group < routed->notice_bytes; group++) {
		unsigned n = view->sight->heading[group];

		bytes[group] = n > UINT8_MAX ? UINT8_MAX : (uint8_t)n;
	}
}

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->trigger_own = calloc(1, sizeof(*own));
	int ret = own ? hd_contention_init(params, &own->contention, err) : hd_error_nomem(err);

	if (!ret)
		ret = hd_params_decimal(params, "group_threshold", 0, 1e6, &own->group.threshold,
					err);
	if (!ret && !routed->shape->group)
		ret = hd_error_set(err, HD_EINVAL, "the fabric has no groups: ectn needs some");
	if (ret)
		return ret;
	own->group.reached = own->contention.reached;
	return hd_notices_init(routed, params, notice, routed->shape->n_groups, err);
}

/* Heads of the group's switches that go to @there: what others told, and what is here now. */
static double heading(const struct hd_routed *routed, const struct hd_view *view, uint32_t there)
{
	const struct hd_sight *sight = view->sight;

	return (double)sight->sums[there] -
	       sight->notices[view->at * (size_t)routed->notice_bytes + there] +
	       sight->heading[there];
}

static bool leaves(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		   uint32_t vcs)
{
	const struct own *own = routed->trigger_own;
	const struct hd_shape *shape = view->shape;
	uint32_t there = shape->group[view->to];

	(void)vcs;
	if (hd_contention_exceeds(&own->contention, view->sight->contention[port]))
		return true;
	return hd_view_is_injected(view) && there != shape->group[view->at] &&
	       hd_contention_exceeds(&own->group, heading(routed, view, there));
}

const struct hd_trigger hd_trigger_ectn = {
	.policy.name = "ectn",
	.policy.summary = "contention of the switch, or of its group as its switches tell",
	.policy.reference = "P. Fuentes et al., IPDPS 2015",
	.policy.options = options,
	.policy.n_bare = 2,
	.needs_heading = true,
	.needs_sums = true,
	.init = init,
	.leaves = leaves,
	.worth = hd_contention_worth,
};
