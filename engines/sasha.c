// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SASHA: routes by two orders of dimensions, one for each LID of a host, and layers that keep them
 * apart (Yebenes et al., sections 3 and 4). OSHA and SASHA have the same tables and differ in what
 * hosts do, which no subnet manager can decide: with SASHA, hosts use the LID whose lane has less
 * queued.
 */
#include "engines/dimension_order.h"
#include "engines/engines.h"
#include "engines/two_orders.h"

static const struct hd_option options[] = {
	HD_GRID_OPTIONS,
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "class", NULL };

const struct hd_engine hd_engine_sasha = {
	.policy.name = "sasha",
	.policy.summary = "XY to one LID and YX to the other; hosts use the one that waits less",
	.policy.reference = "Yebenes et al., OSHA and SASHA (ACM TACO 16, 2019)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.lmc = 1,
	.host_policy = "leastoccupied",
	.route = hd_two_orders_route,
};
