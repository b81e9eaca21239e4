// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The tables' ways alone, on the VCs of the rule: what the others are compared with. */
#include "simfabric/adaptive/ways.h"

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	if (routed->vcs.is_range)
		return hd_way_up_to_tables(view, offers);
	return hd_way_offers(routed, view, header, offers);
}

const struct hd_routing hd_routing_minimal = {
	.policy.name = "minimal",
	.policy.summary = "the tables' ways",
	.vcs = "hop:2/1",
	.max_hops = 3,
	.serves_tables = true,
	.offer = offer,
	.may = offer,
};
