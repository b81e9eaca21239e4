// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DLA: deterministic minimal routes on a dragonfly whose groups and whose pairs of groups are fully
 * connected (Maglione-Mathey et al., DLA in OpenSM, sections 2.1.1 and 4). Every path is at most
 * local, global, local, and with layer rule `shift` two VLs suffice for any SL. Where several links
 * join two groups, some paths are other ones of three links (engines/group_even.h).
 */
#include <string.h>

#include "engines/ar_options.h"
#include "engines/engines.h"
#include "engines/group_even.h"
#include "engines/group_routes.h"
#include "engines/sets.h"

/* Values of the option ar. */
enum { AR_NO, AR_TRUNKS, AR_OWNERS };
static const char *const ar_words[] = {
	[AR_NO] = "no",
	[AR_TRUNKS] = "trunks",
	[AR_OWNERS] = "owners",
	NULL,
};

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct hd_dragonfly *dragonfly = NULL;
	struct hd_route_targets targets = { 0 };
	enum hd_ar_state state;
	unsigned choice;
	bool has_relays = false;
	int ret = hd_ar_begin(request->params, ar_words, &choice, &state, routes, err);

	if (!ret)
		ret = hd_group_routes_recognise(fabric, request->params, HD_GROUPS_FULL, &dragonfly,
						err);
	if (!ret)
		ret = hd_route_targets_list(fabric, &targets, err);
	if (!ret)
		ret = hd_group_routes_fill(fabric, dragonfly, &targets, NULL, routes->tables, err);
	/* sets, and layers by stages of a way, are made for local-global-local */
	if (!ret && !choice && (!request->layers || !strcmp(request->layers, "shift")))
		ret = hd_group_even_out(dragonfly, &targets, HD_GROUP_LANES_SHIFT, routes->tables,
					&has_relays, err);
	if (!ret) {
		hd_structure_take_groups(&routes->structure, dragonfly);
		routes->structure.has_relays = has_relays;
	}
	if (!ret)
		ret = hd_ar_require_whole(routes, err);
	if (!ret && choice)
		ret = hd_group_sets(&targets, &routes->structure, state, choice == AR_OWNERS,
				    routes->tables, err);
	hd_route_targets_free(&targets);
	hd_dragonfly_free(dragonfly);
	return ret;
}

static const struct hd_option options[] = {
	HD_GROUPS_OPTION,
	HD_AR_OPTIONS("AR tables where several links join two groups: trunks, a switch's own links "
		      "to the group, and parallel links; owners, also its links to all switches of "
		      "its group that have such links"),
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "shift", "flex", NULL };

const struct hd_engine hd_engine_dla = {
	.policy.name = "dla",
	.policy.summary = "minimal routes on a fully connected dragonfly: 1 SL, 2 VLs",
	.policy.reference =
		"Maglione-Mathey et al., DLA in OpenSM, section 4; Kim and Dally (2008)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.keeps_rows = true,
	.route = route,
};
