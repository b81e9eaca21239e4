// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DF-DN on the routes of minhop, which are unchanged: the layer rule makes them free of credit
 * loops.
 */
#include "engines/engines.h"
#include "engines/minhop_routes.h"

static const struct hd_option options[] = { { NULL, NULL, NULL, NULL } };
static const char *const layer_rules[] = { "hop", "flex", "layered", NULL };

const struct hd_engine hd_engine_df_minhop = {
	.policy.name = "df-minhop",
	.policy.summary = "balanced shortest paths on any fabric, with a layer for every hop",
	.policy.reference =
		"DF-DN: Schneider, Bibartiu and Hoefler (2016), as Maglione-Mathey et al., DLA "
		"in OpenSM, section 2.3, describe it",
	.policy.options = options,
	.layer_rules = layer_rules,
	.route = hd_minhop_route,
};
