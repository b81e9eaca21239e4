// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * OLM, opportunistic local misrouting (Garcia et al., ICPP 2013): packets may leave the minimal way
 * at every switch. In the source group a packet may go out by a global link that is not the minimal
 * way's, at once or after a local hop behind which it must; in groups where a local hop is due, it
 * may take another one first. Local detours use the VC of the local hop before once more: they only
 * go where there is room, and the minimal way behind them stays open, on VCs that ascend.
 */
#include <stdlib.h>

#include "sim/adaptive/ways.h"
#include "support/error.h"

struct own {
	enum hd_misrouting policy;
	bool local, best;
};

static const struct hd_option options[] = {
	{ "policy", "mm", "",
	  "paths out of the source group: crg, the switch's own global links; nrg, those of "
	  "another "
	  "switch; rrg, either; mm, crg where packets are injected, nrg behind it" },
	{ "local", "yes", "", "whether there are detours where a local hop is due" },
	{ "draw", "one", "",
	  "which of the paths are looked at: one, a random one in each cycle; best, the least "
	  "occupied of all" },
	{ 0 },
};

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	static const char *const policies[] = { "rrg", "crg", "nrg", "mm", NULL };
	static const char *const draws[] = { "one", "best", NULL };
	struct own *own = routed->own = calloc(1, sizeof(*own));
	unsigned policy = 0, draw = 0;
	int ret = own ? 0 : hd_error_nomem(err);

	if (!ret)
		ret = hd_params_word(params, "policy", policies, &policy, err);
	if (!ret)
		ret = hd_params_bool(params, "local", &own->local, err);
	if (!ret)
		ret = hd_params_word(params, "draw", draws, &draw, err);
	if (!ret) {
		own->policy = (enum hd_misrouting)policy;
		own->best = draw;
	}
	return ret;
}

/* Ports of a class but @minimal, as offers of their step; at most HD_WAY_OTHERS. */
static unsigned others(const struct hd_routed *routed, const struct hd_view *view,
		       const struct hd_header *header, enum hd_link_class link_class,
		       uint64_t minimal, struct hd_offer *offers)
{
	const struct hd_offer on = {
		.via = HD_NONE,
		.step = link_class == HD_LINK_GLOBAL ? HD_STEP_GLOBAL : HD_STEP_LOCAL,
	};
	const unsigned n = hd_way_others(
		routed, view, header, link_class,
		hd_shape_ports(view->shape, view->at, link_class) & ~minimal, &on, offers);

	/* the VC of the local hop before once more */
	if (n && !routed->flex && link_class == HD_LINK_LOCAL && !hd_view_is_injected(view))
		offers[0].vcs = hd_way_hop_vcs(
			routed, view, hd_vcs_again(&routed->vcs, header->place, link_class));
	return n;
}

/* In the source group, which links may lead out of it beside the minimal way: bits by class. */
static unsigned ways_out(const struct own *own, const struct hd_view *view,
			 const struct hd_header *header)
{
	bool injected = hd_view_is_injected(view);
	unsigned local = header->flags & HD_LOCAL_DETOUR ? 0 : 1u << HD_LINK_LOCAL;

	switch (own->policy) {
	case HD_CRG:
		return 1u << HD_LINK_GLOBAL;
	case HD_NRG:
		return local;
	case HD_MM:
		return injected ? 1u << HD_LINK_GLOBAL : local;
	case HD_RRG:
		break;
	}
	return local | 1u << HD_LINK_GLOBAL;
}

/* Which classes of links a packet might go by instead of its minimal way. */
static unsigned ways(const struct own *own, const struct hd_view *view,
		     const struct hd_header *header, unsigned minimal_class)
{
	if (hd_way_is_in_source(view, header))
		return ways_out(own, view, header);
	if (own->local && minimal_class == HD_LINK_LOCAL && !(header->flags & HD_LOCAL_DETOUR))
		return 1u << HD_LINK_LOCAL;
	return 0;
}

/*
 * Behind a detour in the source group: out of the group. Where VCs are flexible, a VC that ascends
 * is an escape, and where no port has any the minimal way is.
 */
static unsigned leave(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	unsigned n = others(routed, view, header, HD_LINK_GLOBAL, 0, offers), n_ways = n;
	bool escapes = false;

	for (unsigned i = 0; i < n_ways; i++) {
		uint32_t higher = offers[i].vcs;

		if (routed->flex)
			higher = hd_flex_ascending(routed->flex, header, HD_LINK_GLOBAL, higher);
		offers[i].is_escape = higher != 0;
		escapes |= offers[i].is_escape;
		if (!higher || higher == offers[i].vcs)
			continue;
		offers[n] = offers[i];
		offers[n].vcs &= ~higher;
		offers[n++].is_escape = false;
		offers[i].vcs = higher;
	}
	if (escapes || !routed->flex)
		return n;
	n_ways = n;
	n += hd_way_offers(routed, view, header, offers + n);
	for (unsigned i = n_ways; i < n; i++)
		offers[i].rank++;
	return n;
}

static unsigned may(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header, struct hd_offer *offers)
{
	unsigned n, classes;

	if (header->flags & HD_MUST_LEAVE)
		return leave(routed, view, header, offers);
	n = hd_way_offers(routed, view, header, offers);
	if (!n)
		return 0;
	classes = ways(
		routed->own, view, header,
		hd_shape_class(view->shape, view->at, (unsigned)__builtin_ctzll(offers[0].ports)));
	if (classes >> HD_LINK_GLOBAL & 1)
		n += others(routed, view, header, HD_LINK_GLOBAL, offers[0].ports, offers + n);
	if (classes >> HD_LINK_LOCAL & 1)
		n += others(routed, view, header, HD_LINK_LOCAL, offers[0].ports, offers + n);
	return n;
}

/*
 * Of @n @ways' ports, one that is open and in @worth, of each of them, in @offer; false: none.
 * Where one is drawn, it is drawn among the ports of its class with the minimal one, @minimal, as a
 * switch does that looks at a random port in each cycle.
 */
static bool choose(const struct hd_routed *routed, const struct hd_view *view,
		   const struct hd_offer *ways, unsigned n, uint64_t *worth, uint64_t minimal,
		   struct hd_offer *offer)
{
	const struct own *own = routed->own;
	uint64_t any = 0, all = 0, drawn = 0;
	unsigned link_class;
	uint32_t least = UINT32_MAX;

	for (unsigned i = 0; i < n; i++) {
		worth[i] &= hd_sight_open(view->sight, ways[i].vcs);
		any |= worth[i];
		all |= ways[i].ports;
	}
	if (!any)
		return false;
	if (!own->best) {
		link_class = ways[0].step == HD_STEP_GLOBAL ? HD_LINK_GLOBAL : HD_LINK_LOCAL;
		all |= minimal & hd_shape_ports(view->shape, view->at, link_class);
		drawn = hd_ports_nth(
			all, hd_sight_below(view->sight, (uint32_t)__builtin_popcountll(all)));
		if (!(drawn & any))
			view->sight->again = true;
	}
	for (unsigned i = 0; i < n; i++) {
		uint64_t port = drawn & worth[i];
		uint32_t occupied = 0;

		if (own->best && worth[i]) {
			port = hd_way_least_occupied(view, worth[i], ways[i].vcs);
			occupied = hd_sight_mean(view->sight, (unsigned)__builtin_ctzll(port),
						 ways[i].vcs);
		}
		if (!port || occupied >= least)
			continue;
		least = occupied;
		*offer = ways[i];
		offer->ports = port;
	}
	return least != UINT32_MAX;
}

/* What a packet that has to leave its group may do now. */
static unsigned offer_leave(const struct hd_routed *routed, const struct hd_view *view,
			    const struct hd_header *header, struct hd_offer *offers)
{
	struct hd_offer found[HD_MAX_OFFERS], ways[HD_WAY_OTHERS];
	unsigned n_found = leave(routed, view, header, found), n = 0, n_ways;
	uint64_t worth[HD_WAY_OTHERS];

	n_ways = others(routed, view, header, HD_LINK_GLOBAL, 0, ways);
	for (unsigned i = 0; i < n_ways; i++)
		worth[i] = ways[i].ports;
	n += choose(routed, view, ways, n_ways, worth, 0, offers);
	for (unsigned i = 0; i < n_found; i++)
		if (found[i].step == HD_STEP_ON)
			offers[n++] = found[i];
	return n;
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	struct hd_offer found[HD_WAY_OTHERS], chosen;
	uint64_t worth[HD_WAY_OTHERS];
	unsigned n, n_found, port, locals, classes;
	uint32_t vcs;

	if (header->flags & HD_MUST_LEAVE)
		return offer_leave(routed, view, header, offers);
	n = hd_way_offers(routed, view, header, offers);
	if (!n)
		return 0;
	port = (unsigned)__builtin_ctzll(offers[0].ports);
	vcs = hd_way_vcs(offers, n);
	classes = ways(routed->own, view, header, hd_shape_class(view->shape, view->at, port));
	if (!classes || !routed->trigger->leaves(routed, view, port, vcs))
		return n;
	/* by class, in proportion to the switches that a group's way out may be at */
	if (classes == (1u << HD_LINK_LOCAL | 1u << HD_LINK_GLOBAL)) {
		locals = (unsigned)__builtin_popcountll(
			hd_shape_ports(view->shape, view->at, HD_LINK_LOCAL));
		classes = 1u << (hd_sight_below(view->sight, locals + 1) < locals ? HD_LINK_LOCAL
										  : HD_LINK_GLOBAL);
		view->sight->again = true;
	}
	n_found = others(routed, view, header, (enum hd_link_class)__builtin_ctz(classes),
			 offers[0].ports, found);
	for (unsigned i = 0; i < n_found; i++)
		worth[i] = !found[i].vcs ? 0
					 : routed->trigger->worth(routed, view, port, vcs,
								  found[i].ports, found[i].vcs);
	if (!choose(routed, view, found, n_found, worth, offers[0].ports, &chosen))
		return n;
	offers[0] = chosen;
	return 1;
}

static void took(const struct hd_routed *routed, const struct hd_view *view,
		 struct hd_header *header, const struct hd_offer *offer)
{
	(void)routed;
	if (offer->step == HD_STEP_ON)
		header->flags &= (uint8_t)~HD_MUST_LEAVE;
	if (offer->step != HD_STEP_LOCAL)
		return;
	header->flags |= HD_LOCAL_DETOUR;
	if (hd_way_is_in_source(view, header))
		header->flags |= HD_MUST_LEAVE;
}

const struct hd_routing hd_routing_olm = {
	.policy.name = "olm",
	.policy.summary = "detours at every switch, local ones on VCs that are used once more",
	.policy.reference = "M. Garcia et al., ICPP 2013",
	.policy.options = options,
	.vcs = "hop:3/2",
	.trigger = "credits",
	.needs_groups = true,
	.takes_hop_groups = true,
	.sees_hop = true,
	.max_hops = 8,
	.init = init,
	.offer = offer,
	.may = may,
	.took = took,
};
