// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Groups that several links join: a packet takes the one of this switch that is least occupied. */
#include "sim/adaptive/ways.h"

static unsigned may(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header, struct hd_offer *offers)
{
	const struct hd_shape *shape = view->shape;
	uint32_t group = shape->group[view->to];
	unsigned n = hd_way_offers(routed, view, header, offers);

	if (n && shape->group[view->at] != group)
		n += hd_way_others(routed, view, header, HD_LINK_GLOBAL,
				   shape->to_group[view->at * (size_t)shape->n_groups + group],
				   &(struct hd_offer){ .via = HD_NONE, .step = HD_STEP_ON },
				   offers + n);
	return n;
}

const struct hd_routing hd_routing_trunk = {
	.policy.name = "trunk",
	.policy.summary = "minimal, by the least occupied link to the destination's group",
	.vcs = "hop:2/1",
	.needs_groups = true,
	.takes_hop_groups = true,
	.sees_hop = true,
	.max_hops = 3,
	.offer = may,
	.may = may,
};
