/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Common parts of routings: the minimal path, detours through a via, the occupancy of queues. (In
 * names, a "way" is a path, or a next hop.)
 */
#ifndef HD_ADAPTIVE_WAYS_H
#define HD_ADAPTIVE_WAYS_H

#include "sim/adaptive/flexvc.h"
#include "sim/adaptive/vc_groups.h"

static inline uint64_t hd_port_bit(unsigned port)
{
	return UINT64_C(1) << port;
}

/* The @n-th of @ports, from 0; there are more than @n. */
static inline uint64_t hd_ports_nth(uint64_t ports, unsigned n)
{
	while (n--)
		ports &= ports - 1;
	return ports & -ports;
}

/* The packet's target now: its via's or its own. */
static inline uint32_t hd_way_target(const struct hd_view *view, const struct hd_header *header)
{
	return header->via == HD_NONE ? view->target : view->shape->first_target[header->via];
}

/*
 * The VCs of a hop for which the sequence has @vc: that VC, or those of the packet's group there.
 */
static inline uint32_t hd_way_hop_vcs(const struct hd_routed *routed, const struct hd_view *view,
				      unsigned vc)
{
	return routed->groups ? hd_groups_of_hop(routed->groups, view, vc) : 1u << vc;
}

/* The tables' path towards @target on the one VC of the hop; false: they have none. */
static inline bool hd_way_offer(const struct hd_routed *routed, const struct hd_view *view,
				const struct hd_header *header, uint32_t target,
				struct hd_offer *offer)
{
	unsigned port = hd_shape_next(view->shape, view->at, target), link_class;

	if (port >= view->shape->n_locals[view->at])
		return false;
	link_class = hd_shape_class(view->shape, view->at, port);
	*offer = (struct hd_offer){
		.ports = hd_port_bit(port),
		.vcs = hd_way_hop_vcs(routed, view,
				      hd_vcs_vc(&routed->vcs, header->place, link_class)),
		.via = header->via,
		.rank = 1,
		.step = HD_STEP_ON,
		.is_escape = true,
	};
	return true;
}

/*
 * The packet's path, through its via if it has one, on all VCs of the rule. Returns the number of
 * offers, at most HD_WAY_OFFERS; all have one port, except escapes of rank 2.
 */
static inline unsigned hd_way_offers(const struct hd_routed *routed, const struct hd_view *view,
				     const struct hd_header *header, struct hd_offer *offers)
{
	if (routed->flex)
		return hd_flex_offers(routed, view, header, offers);
	return hd_way_offer(routed, view, header, hd_way_target(view, header), offers);
}

#define HD_WAY_OFFERS 3

/* The tables' out-port for the packet's LID, and the VL that they give it there. */
static inline unsigned hd_way_tables_port(const struct hd_view *view)
{
	return hd_forwarding_hop(&view->shape->forwarding, view->at, view->passage->lid);
}

static inline unsigned hd_way_tables_vl(const struct hd_view *view, unsigned port)
{
	const struct hd_shape *shape = view->shape;

	return hd_forwarding_vl(&shape->forwarding, view->at, shape->n_locals[view->at],
				view->passage->in, port, view->passage->sl, view->in_vc);
}

/* The number of the tables' VLs that packets with the SLs in use can get. */
unsigned hd_way_count_layers(const struct hd_shape *shape);

/*
 * That path on the tables' VL, after @in_front other VCs, as the escape, and on all lower VLs; at
 * most HD_WAY_OFFERS.
 */
static inline unsigned hd_way_up_to_tables(const struct hd_view *view, unsigned in_front,
					   struct hd_offer *offers)
{
	const unsigned port = hd_way_tables_port(view);
	unsigned vl;

	if (port >= view->shape->n_locals[view->at])
		return 0;
	vl = hd_way_tables_vl(view, port);
	if (vl == HD_VL_DROP)
		return 0;
	vl += in_front;
	*offers = (struct hd_offer){
		.ports = hd_port_bit(port),
		.vcs = 1u << vl,
		.via = HD_NONE,
		.rank = 1,
		.step = HD_STEP_ON,
		.is_escape = true,
	};
	if (!vl)
		return 1;
	offers[1] = offers[0];
	offers[1].vcs = (1u << vl) - 1;
	offers[1].is_escape = false;
	return 2;
}

/* All VCs, of @n offers, of the first offer's port. */
static inline uint32_t hd_way_vcs(const struct hd_offer *offers, unsigned n)
{
	uint32_t vcs = 0;

	for (unsigned i = 0; i < n; i++)
		if (offers[i].rank == offers[0].rank)
			vcs |= offers[i].vcs;
	return vcs;
}

/*
 * Other ports of @link_class, after which the packet goes by the tables, on the VCs of the rule:
 * copies of @on, at most HD_WAY_OTHERS, one for all equal ports.
 */
unsigned hd_way_others(const struct hd_routed *routed, const struct hd_view *view,
		       const struct hd_header *header, enum hd_link_class link_class,
		       uint64_t ports, const struct hd_offer *on, struct hd_offer *offers);

#define HD_WAY_OTHERS 6

/* Whether the packet is in the group where it began, and goes to another group. */
static inline bool hd_way_is_in_source(const struct hd_view *view, const struct hd_header *header)
{
	const struct hd_shape *shape = view->shape;

	return !header->globals && shape->group[view->at] != shape->group[view->to];
}

/* Which units count as occupied: of the packet's VCs or of all; of which packets. */
enum hd_sense {
	HD_SENSE_VC,
	HD_SENSE_PORT = 1,
	HD_SENSE_MINIMAL = 2, /* only of packets on their minimal path */
};

/* The mean of @occupied units over @vcs, at least one, at the other end of @port's link. */
static inline uint32_t hd_sight_mean_of(const struct hd_sight *sight, const uint32_t *occupied,
					unsigned port, uint32_t vcs)
{
	const unsigned n = (unsigned)__builtin_popcount(vcs);
	uint32_t sum = 0;

	for (occupied += port * sight->n_vcs; vcs; vcs &= vcs - 1)
		sum += occupied[__builtin_ctz(vcs)];
	return n > 1 ? sum / n : sum;
}

/* The mean of occupied units over @vcs, at least one, at the other end of @port's link. */
static inline uint32_t hd_sight_mean(const struct hd_sight *sight, unsigned port, uint32_t vcs)
{
	return hd_sight_mean_of(sight, sight->occupied, port, vcs);
}

/* The same, by @sense, which has bits of enum hd_sense. */
static inline uint32_t hd_sight_occupied(const struct hd_view *view, const struct hd_vcs *rule,
					 unsigned port, uint32_t vcs, unsigned sense)
{
	const struct hd_sight *sight = view->sight;
	const unsigned n = rule->n[hd_shape_class(view->shape, view->at, port)];

	return hd_sight_mean_of(sight, sense & HD_SENSE_MINIMAL ? sight->minimal : sight->occupied,
				port, sense & HD_SENSE_PORT ? UINT32_MAX >> (32 - n) : vcs);
}

/*
 * VCs that a packet on the tables' path may have on the first global link: with flexible rules all
 * of them, because every sequence ends with such a link and the links after it.
 */
static inline uint32_t hd_way_first_globals(const struct hd_routed *routed)
{
	const struct hd_vcs *vcs = &routed->vcs;

	if (routed->flex)
		return UINT32_MAX >> (32 - vcs->n[HD_LINK_GLOBAL]);
	return 1u | 1u << hd_vcs_vc(vcs, hd_vcs_has_replies(vcs) ? vcs->n_requests + 1 : 0,
				    HD_LINK_GLOBAL);
}

static inline uint32_t hd_sight_capacity(const struct hd_view *view, unsigned port)
{
	return view->sight->capacity[hd_shape_class(view->shape, view->at, port)];
}

/* Ports by which a packet could leave at once, on any of @vcs. */
static inline uint64_t hd_sight_open(const struct hd_sight *sight, uint32_t vcs)
{
	uint64_t room = 0;

	for (; vcs; vcs &= vcs - 1)
		room |= sight->room[__builtin_ctz(vcs)];
	return sight->free & room;
}

static inline bool hd_sight_is_open(const struct hd_sight *sight, unsigned port, uint32_t vcs)
{
	return hd_sight_open(sight, vcs) >> port & 1;
}

/*
 * The port of @ports whose buffers of @vcs are least occupied; of equals, the first from a random
 * port on.
 */
uint64_t hd_way_least_occupied(const struct hd_view *view, uint64_t ports, uint32_t vcs);

/* The groups in which a via may be. */
enum hd_misrouting {
	HD_RRG, /* a random group */
	HD_CRG, /* a group to which this switch has a link */
	HD_NRG, /* a group to which another switch of its group has a link */
	HD_MM,  /* HD_CRG for packets from hosts, HD_NRG in transit */
};

/* How vias are drawn. */
struct hd_via_options {
	enum hd_misrouting policy;
	bool to_group; /* the via is reached when its group is reached */
	bool excludes_source, excludes_destination;
};

/* Options of @params by these names: policy, to, exclude. */
#define HD_VIA_OPTIONS(policy_, exclude_)                                                         \
	{ "policy", policy_, "",                                                                  \
	  "groups of vias: rrg, any; crg, those that this switch has links to; nrg, that others " \
	  "of its group have links to; mm, crg" },                                                \
		{ "to", "router", "",                                                             \
		  "where a detour ends: router, at a random switch; group, where it enters its "  \
		  "group" },                                                                      \
	{                                                                                         \
		"exclude", exclude_, "", "groups without vias: none, source, destination, both"   \
	}

int hd_via_init(const struct hd_params *params, const struct hd_shape *shape,
		struct hd_via_options *options, struct hd_error *err);

/* A via for a packet at @view; HD_NONE: all are excluded. */
uint32_t hd_via_draw(const struct hd_via_options *options, const struct hd_view *view);

/*
 * struct hd_routing's enter(), of routings whose options begin with struct hd_via_options: a packet
 * without a via draws one if detours() allows it, and loses a via that it has reached.
 */
void hd_via_enter(const struct hd_routed *routed, const struct hd_view *view,
		  struct hd_header *header);

/* struct hd_routing's detours(): at the switch of the packet's host. */
bool hd_via_from_host(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header);

/* Options of @params by these names: period, delay; @text_ begins the help of the period. */
#define HD_NOTICE_OPTIONS(period_, text_)                                                   \
	{ "period", period_, "cycles", text_ "between two notices" },                       \
	{                                                                                   \
		"delay", NULL, "cycles", "until they arrive; as long as a local link takes" \
	}

/* Notices of @bytes bytes, or none, from every switch, by @params; @notice writes them. */
int hd_notices_init(struct hd_routed *routed, const struct hd_params *params,
		    void (*notice)(const struct hd_routed *, const struct hd_view *, uint8_t *),
		    unsigned bytes, struct hd_error *err);

/* The first link between groups on the tables' path from @at to @target; false: none. */
bool hd_way_global(const struct hd_shape *shape, uint32_t at, uint32_t target, uint32_t *gateway,
		   unsigned *port);

#endif
