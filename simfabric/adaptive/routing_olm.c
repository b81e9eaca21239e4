// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * OLM, opportunistic local misrouting (Garcia et al., ICPP 2013): packets may leave the minimal way
 * at every switch. In the source group a packet may go out by a global link that is not the minimal
 * way's, at once or after a local hop behind which it must; in groups where a local hop is due, it
 * may take another one first. Local detours use the VC of the local hop before once more: they only
 * go where there is room, and the minimal way behind them stays open, on VCs that ascend.
 */
#include <stdlib.h>

#include "simfabric/adaptive/ways.h"
#include "support/error.h"

struct own {
	enum hd_misrouting policy;
	bool local, best;
};

static const struct hd_option options[] = {
	{ "policy", "mm", "",
	  "ways out of the source group: crg, the switch's own global links; nrg, those of another "
	  "switch; rrg, either; mm, crg where packets are injected, nrg behind it" },
	{ "local", "yes", "", "whether there are detours where a local hop is due" },
	{ "draw", "one", "",
	  "which of the ways are looked at: one, a random one in each cycle; best, the least "
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

/* Ports of a class but @minimal, as an offer of @step. */
static struct hd_offer others(const struct hd_routed *routed, const struct hd_view *view,
			      const struct hd_header *header, enum hd_link_class link_class,
			      uint64_t minimal)
{
	bool again = link_class == HD_LINK_LOCAL && !hd_view_is_injected(view);
	unsigned vc = again ? hd_vcs_again(&routed->vcs, header->place, link_class)
			    : hd_vcs_vc(&routed->vcs, header->place, link_class);

	return (struct hd_offer){
		.ports = hd_shape_ports(view->shape, view->at, link_class) & ~minimal,
		.vcs = 1u << vc,
		.via = HD_NONE,
		.step = link_class == HD_LINK_GLOBAL ? HD_STEP_GLOBAL : HD_STEP_LOCAL,
	};
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

static unsigned may(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header, struct hd_offer *offers)
{
	unsigned n = 0, classes;
	struct hd_offer minimal;

	if (header->flags & HD_MUST_LEAVE) {
		offers[0] = others(routed, view, header, HD_LINK_GLOBAL, 0);
		offers[0].is_escape = true;
		return 1;
	}
	if (!hd_way_offer(routed, view, header, view->target, &minimal))
		return 0;
	offers[n++] = minimal;
	classes = ways(
		routed->own, view, header,
		hd_shape_class(view->shape, view->at, (unsigned)__builtin_ctzll(minimal.ports)));
	if (classes >> HD_LINK_GLOBAL & 1)
		offers[n++] = others(routed, view, header, HD_LINK_GLOBAL, minimal.ports);
	if (classes >> HD_LINK_LOCAL & 1)
		offers[n++] = others(routed, view, header, HD_LINK_LOCAL, minimal.ports);
	return n;
}

/*
 * Of @way's ports, one that is open and worth it, or 0. Where one is drawn, it is drawn among the
 * ports of its class with the minimal one, @minimal, as a switch does that looks at a random port
 * in each cycle.
 */
static uint64_t choose(const struct hd_routed *routed, const struct hd_view *view,
		       const struct hd_offer *way, uint64_t worth, uint64_t minimal)
{
	const struct own *own = routed->own;
	unsigned vc = (unsigned)__builtin_ctz(way->vcs), link_class;
	uint64_t all, drawn;

	worth &= view->sight->free & view->sight->room[vc];
	if (!worth)
		return 0;
	if (own->best)
		return hd_way_least_occupied(view, worth, vc);
	link_class = way->step == HD_STEP_GLOBAL ? HD_LINK_GLOBAL : HD_LINK_LOCAL;
	all = way->ports | (minimal & hd_shape_ports(view->shape, view->at, link_class));
	drawn = hd_ports_nth(all, hd_sight_below(view->sight, (uint32_t)__builtin_popcountll(all)));
	if (!(drawn & worth))
		view->sight->again = true;
	return drawn & worth;
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	struct hd_offer found[HD_MAX_OFFERS], *way;
	unsigned n = may(routed, view, header, found), port, vc, locals;
	uint64_t chosen;

	if (!n)
		return 0;
	offers[0] = found[0];
	if (header->flags & HD_MUST_LEAVE) {
		offers[0].ports = choose(routed, view, &found[0], found[0].ports, 0);
		return offers[0].ports != 0;
	}
	if (n == 1)
		return 1;
	port = (unsigned)__builtin_ctzll(found[0].ports);
	vc = (unsigned)__builtin_ctz(found[0].vcs);
	if (!routed->trigger->leaves(routed, view, port, vc))
		return 1;
	way = &found[1];
	if (n == 3) { /* by class, in proportion to the switches that a group's way out may be at */
		locals = (unsigned)__builtin_popcountll(
			hd_shape_ports(view->shape, view->at, HD_LINK_LOCAL));
		if (hd_sight_below(view->sight, locals + 1) < locals)
			way = &found[2];
		view->sight->again = true;
	}
	chosen = choose(routed, view, way,
			routed->trigger->worth(routed, view, port, vc, way->ports,
					       (unsigned)__builtin_ctz(way->vcs)),
			found[0].ports);
	if (!chosen)
		return 1;
	offers[0] = *way;
	offers[0].ports = chosen;
	return 1;
}

static void took(const struct hd_routed *routed, const struct hd_view *view,
		 struct hd_header *header, const struct hd_offer *offer)
{
	(void)routed;
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
	.max_hops = 8,
	.init = init,
	.offer = offer,
	.may = may,
	.took = took,
};
