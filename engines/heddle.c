// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The engine that takes another one: what serves the shape, else the next best, else engine any. */
#include "engines/choose.h"
#include "engines/engines.h"

static const struct hd_option options[] = { { NULL, NULL, NULL, NULL } };

/*
 * Those by which the engines that it may take are free of credit loops. An engine has its own first
 * one; one that is asked for is for the engines that have it.
 */
static const char *const layer_rules[] = { "destination", "shift", "order", "dateline", NULL };

const struct hd_engine hd_engine_heddle = {
	.policy.name = "heddle",
	.policy.summary = "start here: takes the engine with the lightest busiest link, else the "
			  "next best, finally any",
	.policy.options = options,
	.layer_rules = layer_rules,
	.choose = hd_choose_and_route,
};
