// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Progressive adaptive routing (Jiang, Kim, Dally, ISCA 2009): a packet that decided for the
 * minimal way at its first switch decides once more behind its first local hop, where it sees the
 * queues of the global links there.
 */
#include <stdlib.h>

#include "simfabric/adaptive/source.h"
#include "support/error.h"

struct own {
	struct hd_source_options source;
};

static const struct hd_option options[] = { HD_SOURCE_OPTIONS("rrg"), { 0 } };

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->own = calloc(1, sizeof(*own));

	return own ? hd_source_init(params, routed->shape, &own->source, err) : hd_error_nomem(err);
}

static bool detours(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header)
{
	(void)routed;
	if (hd_source_is_injected(view))
		return true;
	return header->hops == 1 && view->in_class == HD_LINK_LOCAL &&
	       !(header->flags & HD_MISROUTED) && hd_way_is_in_source(view, header);
}

static void enter(const struct hd_routed *routed, const struct hd_view *view,
		  struct hd_header *header)
{
	const struct own *own = routed->own;

	if (view->sight && header->via == HD_NONE && detours(routed, view, header))
		header->via = hd_via_draw(&own->source.via, view);
	hd_via_reach(&own->source.via, view, header);
}

static bool prefers(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_source_way *minimal, const struct hd_source_way *detour)
{
	const struct own *own = routed->own;
	bool per_port = own->source.per_port;

	return hd_source_compare(
		&own->source, view, minimal,
		hd_sight_occupied(view, &routed->vcs, minimal->port, minimal->vc, per_port), detour,
		hd_sight_occupied(view, &routed->vcs, detour->port, detour->vc, per_port));
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	return hd_source_offer(routed, view, header, offers, prefers);
}

const struct hd_routing hd_routing_par = {
	.policy.name = "par",
	.policy.summary = "as ugal, decided once more behind the first local hop",
	.policy.reference = "N. Jiang, J. Kim, W. Dally, ISCA 2009",
	.policy.options = options,
	.vcs = "hop:5/2",
	.needs_groups = true,
	.max_hops = 7,
	.init = init,
	.enter = enter,
	.offer = offer,
	.may = hd_source_may,
	.detours = detours,
};
