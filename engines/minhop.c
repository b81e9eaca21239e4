// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What OpenSM's minhop does, as an offline baseline; it knows nothing of credit loops. */
#include "engines/ar_options.h"
#include "engines/engines.h"
#include "engines/minhop_routes.h"

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	static const char *const words[] = { "no", "yes", NULL };
	enum hd_ar_state state;
	unsigned choice;
	int ret = hd_ar_begin(request->params, words, &choice, &state, routes, err);

	return ret ? ret : hd_minhop_fill(fabric, state, routes, err);
}

static const struct hd_option options[] = {
	HD_AR_OPTIONS("yes: AR tables with all ports that lead closer"),
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "single", "layered", NULL };

const struct hd_engine hd_engine_minhop = {
	.policy.name = "minhop",
	.policy.summary =
		"balanced shortest paths on any fabric; not free of credit loops in general",
	.policy.reference = "OpenSM's minhop, as a baseline",
	.policy.options = options,
	.layer_rules = layer_rules,
	.loops_with = "single",
	.any_sl = true,
	.route = route,
};
