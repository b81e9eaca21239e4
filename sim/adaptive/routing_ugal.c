// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * UGAL (Singh, 2005): a packet decides at its first switch between the minimal way and one by a
 * via, by the queues that either begins with: those at this switch (UGAL-L), or those of the global
 * links that either takes first, wherever in the group these are (UGAL-G), as switches of a group
 * tell each other.
 */
#include <stdlib.h>

#include "sim/adaptive/source.h"
#include "support/error.h"

struct own {
	struct hd_source_options source; /* first */
	bool global;
};

static const struct hd_option options[] = {
	HD_SOURCE_OPTIONS("rrg"),
	{ "info", "local", "",
	  "queues that are compared: local, this switch's; global, of the first global links, by "
	  "notices" },
	HD_NOTICE_OPTIONS("1", "with info=global, "),
	{ 0 },
};

/* Occupied packets behind each global link, on the VCs that minimal ways may have of it. */
static void notice(const struct hd_routed *routed, const struct hd_view *view, uint8_t *bytes)
{
	const struct own *own = routed->own;
	uint64_t ports = hd_shape_ports(view->shape, view->at, HD_LINK_GLOBAL);
	uint32_t packet = view->sight->packet ? view->sight->packet : 1;

	for (unsigned i = 0; ports; i++, ports &= ports - 1) {
		uint32_t packets =
			hd_sight_occupied(view, &routed->vcs, (unsigned)__builtin_ctzll(ports),
					  hd_way_first_globals(routed), own->source.sense) /
			packet;

		bytes[i] = packets > UINT8_MAX ? UINT8_MAX : (uint8_t)packets;
	}
}

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	static const char *const infos[] = { "local", "global", NULL };
	struct own *own = routed->own = calloc(1, sizeof(*own));
	unsigned info = 0;
	int ret = own ? 0 : hd_error_nomem(err);

	if (!ret)
		ret = hd_source_init(routed, params, &own->source, err);
	if (!ret)
		ret = hd_params_word(params, "info", infos, &info, err);
	if (!ret && info && !routed->shape->group)
		ret = hd_error_set(err, HD_EINVAL,
				   "the fabric has no groups: info=global needs some");
	if (ret)
		return ret;
	own->global = info;
	return hd_notices_init(routed, params, notice,
			       info ? hd_source_most_globals(routed->shape) : 0, err);
}

/* Units that wait for @way, at this switch or at the global link that it leads to. */
static uint64_t units_of(const struct hd_routed *routed, const struct hd_view *view,
			 const struct hd_source_way *way)
{
	const struct own *own = routed->own;
	uint32_t gateway;
	unsigned port;

	if (!own->global || !hd_way_global(view->shape, view->at, way->target, &gateway, &port))
		return hd_sight_occupied(view, &routed->vcs, way->port, way->vcs,
					 own->source.sense);
	if (gateway == view->at)
		return hd_sight_occupied(view, &routed->vcs, port, hd_way_first_globals(routed),
					 own->source.sense);
	return view->sight->notices[gateway * (size_t)routed->notice_bytes +
				    hd_source_global_index(view->shape, gateway, port)] *
	       (uint64_t)view->sight->packet;
}

static bool prefers(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_source_way *minimal, const struct hd_source_way *detour)
{
	const struct own *own = routed->own;

	return hd_source_compare(&own->source, view, minimal, units_of(routed, view, minimal),
				 detour, units_of(routed, view, detour));
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	return hd_source_offer(routed, view, header, offers, prefers);
}

const struct hd_routing hd_routing_ugal = {
	.policy.name = "ugal",
	.policy.summary = "minimal or by a via, as queues are at the first switch",
	.policy.reference = "A. Singh, PhD thesis, Stanford, 2005",
	.policy.options = options,
	.vcs = "hop:4/2",
	.sees_hop = true,
	.max_hops = 6,
	.init = init,
	.enter = hd_via_enter,
	.offer = offer,
	.may = hd_source_may,
	.detours = hd_via_from_host,
};
