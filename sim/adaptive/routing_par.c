// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Progressive adaptive routing (Jiang, Kim, Dally, ISCA 2009): a packet that decided for the
 * minimal way at its first switch decides once more behind its first local hop, where it sees the
 * queues of the global links there.
 */
#include <stdlib.h>

#include "sim/adaptive/source.h"
#include "support/error.h"

struct own {
	struct hd_source_options source; /* first */
};

static const struct hd_option options[] = { HD_SOURCE_OPTIONS("rrg"), { 0 } };

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->own = calloc(1, sizeof(*own));

	return own ? hd_source_init(routed, params, &own->source, err) : hd_error_nomem(err);
}

static bool detours(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header)
{
	(void)routed;
	if (hd_view_is_injected(view))
		return true;
	return header->hops == 1 && view->in_class == HD_LINK_LOCAL &&
	       !(header->flags & HD_MISROUTED) && hd_way_is_in_source(view, header);
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	return hd_source_offer(routed, view, header, offers, hd_source_prefers_shorter);
}

const struct hd_routing hd_routing_par = {
	.policy.name = "par",
	.policy.summary = "as ugal, decided once more behind the first local hop",
	.policy.reference = "N. Jiang, J. Kim, W. Dally, ISCA 2009",
	.policy.options = options,
	.vcs = "hop:5/2",
	.needs_groups = true,
	.draws_on_way = true,
	.sees_hop = true,
	.max_hops = 7,
	.init = init,
	.enter = hd_via_enter,
	.offer = offer,
	.may = hd_source_may,
	.detours = detours,
};
