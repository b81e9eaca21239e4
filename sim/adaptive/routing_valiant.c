// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Valiant: every packet goes by a random switch, or group, first. */
#include <stdlib.h>

#include "sim/adaptive/ways.h"
#include "support/error.h"

struct own {
	struct hd_via_options via; /* first */
	bool redraws;
};

static const struct hd_option options[] = {
	HD_VIA_OPTIONS("rrg", "both"),
	{ "recompute", "no", "",
	  "whether a packet that could not leave its host's port draws anew" },
	{ 0 },
};

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->own = calloc(1, sizeof(*own));
	int ret = own ? 0 : hd_error_nomem(err);

	if (!ret)
		ret = hd_via_init(params, routed->shape, &own->via, err);
	if (!ret)
		ret = hd_params_bool(params, "recompute", &own->redraws, err);
	return ret;
}

static unsigned may(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header, struct hd_offer *offers)
{
	return hd_way_offers(routed, view, header, offers);
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	const struct own *own = routed->own;
	struct hd_header drawn = *header;

	if (own->redraws && hd_view_is_injected(view)) {
		drawn.via = hd_via_draw(&own->via, view);
		view->sight->again = true;
	}
	return may(routed, view, &drawn, offers);
}

const struct hd_routing hd_routing_valiant = {
	.policy.name = "valiant",
	.policy.summary = "by a random switch or group first, whatever the load",
	.policy.reference = "L. Valiant, SIAM J. Comput. 11(2), 1982",
	.policy.options = options,
	.vcs = "hop:4/2",
	.sees_hop = true,
	.max_hops = 6,
	.takes_hop_groups = true,
	.init = init,
	.enter = hd_via_enter,
	.offer = offer,
	.may = may,
	.detours = hd_via_from_host,
};
