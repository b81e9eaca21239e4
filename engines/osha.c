// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * OSHA: routes by two orders of dimensions, one for each LID of a host, and layers that keep them
 * apart (Yebenes et al., sections 3 and 4). OSHA and SASHA have the same tables and differ in what
 * hosts do, which no subnet manager can decide: with OSHA, hosts use the two LIDs in turn.
 */
#include "engines/dimension_order.h"
#include "engines/engines.h"
#include "engines/two_orders.h"

static const struct hd_option options[] = {
	HD_GRID_OPTIONS,
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "class", NULL };

const struct hd_engine hd_engine_osha = {
	.policy.name = "osha",
	.policy.summary = "XY to one LID and YX to the other; hosts use each in turn",
	.policy.reference = "Yebenes et al., OSHA and SASHA (ACM TACO 16, 2019)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.lmc = 1,
	.host_policy = "roundrobin",
	.route = hd_two_orders_route,
};
