// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Piggyback routing (Jiang, Kim, Dally, ISCA 2009): as UGAL with the switch's own queues, and a
 * packet leaves the minimal way too where the global link of that is congested: its queue exceeds
 * the mean of its switch's global links' by a factor and a few packets. Switches tell their group
 * so, a bit for each link and VC.
 */
#include <stdlib.h>

#include "sim/adaptive/source.h"
#include "support/error.h"

struct own {
	struct hd_source_options source; /* first */
	double mean;
	unsigned above;
};

static const struct hd_option options[] = {
	HD_SOURCE_OPTIONS("rrg"),
	{ "mean", "200%", "", "a global link is congested above so much of its switch's mean ..." },
	{ "above", "5", "packets", "... and so many packets more" },
	HD_NOTICE_OPTIONS("1", ""),
	{ 0 },
};

/*
 * Queues of a global link of which notices tell: VCs, or one that stands for all that a minimal way
 * may have.
 */
static unsigned queues_told(const struct hd_routed *routed)
{
	const struct own *own = routed->own;
	unsigned n = routed->vcs.n[HD_LINK_GLOBAL];

	return own->source.sense & HD_SENSE_PORT || routed->flex ? 1 : n > 8 ? 8 : n;
}

static void notice(const struct hd_routed *routed, const struct hd_view *view, uint8_t *bytes)
{
	const struct own *own = routed->own;
	uint64_t globals = hd_shape_ports(view->shape, view->at, HD_LINK_GLOBAL);
	unsigned n = (unsigned)__builtin_popcountll(globals);

	for (unsigned i = 0; i < n; i++)
		bytes[i] = 0;
	for (unsigned vc = 0; n && vc < queues_told(routed); vc++) {
		uint32_t vcs = routed->flex ? hd_way_first_globals(routed) : 1u << vc;
		uint64_t sum = 0;
		double limit;
		unsigned i = 0;

		for (uint64_t ports = globals; ports; ports &= ports - 1)
			sum += hd_sight_occupied(view, &routed->vcs,
						 (unsigned)__builtin_ctzll(ports), vcs,
						 own->source.sense);
		limit = own->mean * (double)sum / n + own->above * (double)view->sight->packet;
		for (uint64_t ports = globals; ports; ports &= ports - 1, i++)
			if (hd_sight_occupied(view, &routed->vcs, (unsigned)__builtin_ctzll(ports),
					      vcs, own->source.sense) > limit)
				bytes[i] |= (uint8_t)(1u << vc);
	}
}

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->own = calloc(1, sizeof(*own));
	uint64_t above = 0;
	int ret = own ? 0 : hd_error_nomem(err);

	if (!ret)
		ret = hd_source_init(routed, params, &own->source, err);
	if (!ret)
		ret = hd_params_decimal(params, "mean", 0, 1000, &own->mean, err);
	if (!ret)
		ret = hd_params_number(params, "above", 0, 1000000, &above, err);
	if (ret)
		return ret;
	own->above = (unsigned)above;
	return hd_notices_init(routed, params, notice, hd_source_most_globals(routed->shape), err);
}

/* Whether the global link that the tables' way takes first is said to be congested. */
static bool is_congested(const struct hd_routed *routed, const struct hd_view *view, bool is_reply)
{
	const struct hd_vcs *vcs = &routed->vcs;
	uint8_t own_bytes[HD_SHAPE_PORTS];
	const uint8_t *bytes;
	uint32_t gateway;
	unsigned port, queue = 0;

	if (!hd_way_global(view->shape, view->at, view->target, &gateway, &port))
		return false;
	if (is_reply && queues_told(routed) > 1)
		queue = hd_vcs_vc(vcs, vcs->n_requests + 1, HD_LINK_GLOBAL);
	if (gateway == view->at) {
		notice(routed, view, own_bytes);
		bytes = own_bytes;
	} else {
		bytes = view->sight->notices + gateway * (size_t)routed->notice_bytes;
	}
	return bytes[hd_source_global_index(view->shape, gateway, port)] >> queue & 1;
}

static bool prefers(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_source_way *minimal, const struct hd_source_way *detour)
{
	return hd_source_prefers_shorter(routed, view, minimal, detour) ||
	       is_congested(routed, view, minimal->is_reply);
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	return hd_source_offer(routed, view, header, offers, prefers);
}

const struct hd_routing hd_routing_pb = {
	.policy.name = "pb",
	.policy.summary =
		"as ugal, and away from global links that their switch says are congested",
	.policy.reference = "N. Jiang, J. Kim, W. Dally, ISCA 2009",
	.policy.options = options,
	.vcs = "hop:4/2",
	.needs_groups = true,
	.sees_hop = true,
	.max_hops = 6,
	.init = init,
	.enter = hd_via_enter,
	.offer = offer,
	.may = hd_source_may,
	.detours = hd_via_from_host,
};
