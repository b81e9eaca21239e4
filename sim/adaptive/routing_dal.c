// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DAL, dimensionally adaptive and load-balanced (Ahn et al., SC 2009, for HyperX), on top of the
 * tables' dimension order, in grids of all kinds: in each dimension that the tables correct, a
 * packet may take one detour, where it begins with that dimension and its trigger says so.
 *
 *	full meshes   another coordinate of the dimension, and from there the right one
 *	rings         the other way around
 *	KNS           at the switch of a line, another router of that line. The way from there to
 *	              the right one would be by the same link out of the line's switch again, so
 *	              that the packet goes on in the other dimensions first and comes back to this
 *	              one when they are done, by the switch of another line.
 *
 * VCs. A place of the sequence is a VC of all links. In rings and full meshes a packet has place 0
 * in each dimension that it begins with, and place 1 from the link on that closes a ring, or behind
 * a detour in a full mesh. Ordered by dimension, place and position from the closing link on,
 * buffers are waited for in ascending order: two places serve any number of dimensions. In a KNS a
 * packet has place 0 while dimensions ascend, and place 1 from where they do not: ordered by place
 * and dimension, buffers ascend as well. A packet that will not need place 1 for that may take it
 * before, so that both VCs are used where there are no detours.
 *
 * Where links fail, tables go by dimensions in other orders: whoever returns to a lower dimension
 * begins with a new pair of places, and keeps to the tables from there on. What some failed links
 * take is up to eight places.
 */
#include <stdlib.h>

#include "sim/adaptive/ways.h"
#include "support/error.h"

struct own {
	bool at_random;
};

static const struct hd_option options[] = {
	{ "draw", "best", "",
	  "which detour of those that are open and worth it: best, the least occupied; random" },
	{ 0 },
};

/* Whether there is a dimension with a way beside the minimal one. */
static bool has_detours(const struct hd_shape *shape)
{
	for (unsigned d = 0; d < shape->n_dimensions; d++)
		if (shape->size[d] > 2 && shape->kind[d] != HD_GRID_LINE)
			return true;
	return false;
}

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	static const char *const draws[] = { "best", "random", NULL };
	struct own *own = routed->own = calloc(1, sizeof(*own));
	unsigned draw = 0;
	int ret = own ? hd_params_word(params, "draw", draws, &draw, err) : hd_error_nomem(err);

	if (!ret && !has_detours(routed->shape))
		ret = hd_error_set(err, HD_EINVAL,
				   "lines of switches have no other path: dal needs rings, full "
				   "meshes or KNS");
	if (!ret)
		own->at_random = draw;
	return ret;
}

static bool is_switched(const struct hd_shape *shape)
{
	return shape->kind[0] == HD_GRID_SWITCHED; /* then all dimensions are */
}

/* The dimension by which it came; HD_NO_DIMENSION: from a host. */
static unsigned in_dimension(const struct hd_view *view)
{
	return hd_view_is_injected(view) ? HD_NO_DIMENSION
					 : hd_shape_dimension(view->shape, view->at, view->in_port);
}

static uint32_t neighbour(const struct hd_view *view, unsigned port)
{
	return view->shape->neighbour[hd_shape_port(view->shape, view->at, port)];
}

/* Whether @at is the switch of a line along @dimension. */
static bool is_line_switch(const struct hd_shape *shape, uint32_t at, unsigned dimension)
{
	return hd_shape_coordinate(shape, at, dimension) == HD_NO_COORDINATE;
}

/* Whether the packet still has to go along @dimension. */
static bool differs(const struct hd_view *view, unsigned dimension)
{
	return hd_shape_coordinate(view->shape, view->at, dimension) !=
	       hd_shape_coordinate(view->shape, view->to, dimension);
}

/* Steps up a ring or line that the link at @port makes: 1 or -1; size - 1, or less: it closes. */
static int steps(const struct hd_view *view, unsigned port, unsigned dimension)
{
	return (int)hd_shape_coordinate(view->shape, neighbour(view, port), dimension) -
	       (int)hd_shape_coordinate(view->shape, view->at, dimension);
}

static bool closes_ring(const struct hd_view *view, unsigned port, unsigned dimension)
{
	return view->shape->kind[dimension] == HD_GRID_RING && view->shape->size[dimension] > 2 &&
	       abs(steps(view, port, dimension)) != 1;
}

/* Whether the link at @port leads up its ring or line, around the end too. */
static bool leads_up(const struct hd_view *view, unsigned port, unsigned dimension)
{
	return (steps(view, port, dimension) > 0) != closes_ring(view, port, dimension);
}

/* Whether the hop by @port goes on the way that the packet came along @dimension. */
static bool goes_straight(const struct hd_view *view, unsigned port, unsigned dimension)
{
	return leads_up(view, port, dimension) != leads_up(view, view->in_port, dimension);
}

/* Places */

static unsigned limited(const struct hd_routed *routed, unsigned place)
{
	return place < routed->vcs.n_places ? place : routed->vcs.n_places;
}

static unsigned place_in_kns(const struct hd_view *view, const struct hd_header *header,
			     unsigned port)
{
	unsigned to = hd_shape_dimension(view->shape, view->at, port), from = in_dimension(view);

	if (from == HD_NO_DIMENSION || from < to || is_line_switch(view->shape, view->at, to))
		return header->place;
	return header->place + 1u;
}

static unsigned place(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, unsigned port)
{
	const struct hd_shape *shape = view->shape;
	unsigned to = hd_shape_dimension(shape, view->at, port), from = in_dimension(view);
	unsigned here = header->place, another = (here | 1) + 1; /* a new pair */

	if (is_switched(shape))
		return limited(routed, place_in_kns(view, header, port));
	if (from != HD_NO_DIMENSION) {
		if (to > from)
			here &= ~1u;
		else if (to < from)
			here = another;
		else if (shape->kind[to] == HD_GRID_FULL)
			here++;
		else if (!goes_straight(view, port, to))
			here = another;
	}
	return limited(routed, here + closes_ring(view, port, to));
}

static unsigned vc_of(const struct hd_routed *routed, unsigned place_of_hop)
{
	return place_of_hop < routed->vcs.n_places ? place_of_hop : routed->vcs.n_places - 1;
}

/* Whether a ring's closing link is on the way by @port to the right coordinate. */
static bool will_close(const struct hd_view *view, unsigned port, unsigned dimension)
{
	unsigned here = hd_shape_coordinate(view->shape, view->at, dimension);
	unsigned there = hd_shape_coordinate(view->shape, view->to, dimension);

	return leads_up(view, port, dimension) ? there < here : there > here;
}

/* Dimensions along which a packet at @at that goes to @to differs; that of a line counts. */
static unsigned differences(const struct hd_shape *shape, uint32_t at, uint32_t to)
{
	unsigned n = 0;

	for (unsigned d = 0; d < shape->n_dimensions; d++)
		n += hd_shape_coordinate(shape, at, d) != hd_shape_coordinate(shape, to, d);
	return n;
}

/*
 * Whether the hop by @port may be at the upper place of its pair as well: the packet will not need
 * the upper one for what lies behind a lower one. So what takes no detours shares both VCs.
 */
static bool may_rise(const struct hd_view *view, const struct hd_header *header, unsigned port,
		     unsigned place_of_hop)
{
	const struct hd_shape *shape = view->shape;
	unsigned dimension = hd_shape_dimension(shape, view->at, port);
	uint32_t there = neighbour(view, port);

	if (place_of_hop & 1)
		return false;
	switch (shape->kind[dimension]) {
	case HD_GRID_FULL:
		return hd_shape_coordinate(shape, there, dimension) ==
		       hd_shape_coordinate(shape, view->to, dimension);
	case HD_GRID_RING:
	case HD_GRID_LINE:
		return !will_close(view, port, dimension);
	case HD_GRID_SWITCHED:
		break;
	}
	return !place_of_hop && !(header->flags & HD_MISROUTED) &&
	       differences(shape, there, view->to) < 2;
}

/* Whether nothing has led the packet back until now: it may still leave the tables' ways. */
static bool is_free(const struct hd_view *view, const struct hd_header *header)
{
	return header->place < (is_switched(view->shape) ? 1 : 2);
}

/* Ways */

/* On a ring: the port that leads on where the packet came from; HD_NO_PORT. */
static unsigned straight_on(const struct hd_view *view, unsigned dimension)
{
	uint64_t ports = hd_shape_along(view->shape, view->at, dimension);

	for (; ports; ports &= ports - 1) {
		unsigned port = (unsigned)__builtin_ctzll(ports);

		if (goes_straight(view, port, dimension))
			return port;
	}
	return HD_NO_PORT;
}

/*
 * At a router of a KNS: the port to the first dimension behind @dimension that is not done;
 * HD_NO_PORT: none.
 */
static unsigned next_dimension(const struct hd_view *view, unsigned dimension)
{
	for (unsigned d = dimension + 1; d < view->shape->n_dimensions; d++) {
		uint64_t ports = hd_shape_along(view->shape, view->at, d);

		if (ports && differs(view, d))
			return (unsigned)__builtin_ctzll(ports);
	}
	return HD_NO_PORT;
}

/* The way on: the tables', but for packets on a detour, which the tables would lead back. */
static unsigned onward(const struct hd_view *view, const struct hd_header *header)
{
	const struct hd_shape *shape = view->shape;
	unsigned tables = hd_shape_next(shape, view->at, view->target), own = HD_NO_PORT, from;

	if (!(header->flags & HD_MISROUTED) || !is_free(view, header))
		return tables;
	from = in_dimension(view);
	if (shape->kind[from] == HD_GRID_RING && tables < shape->n_locals[view->at] &&
	    neighbour(view, tables) == neighbour(view, view->in_port))
		own = straight_on(view, from);
	else if (is_switched(shape) && !is_line_switch(shape, view->at, from))
		own = next_dimension(view, from);
	return own == HD_NO_PORT ? tables : own;
}

/* Whether the packet has to go along another dimension than that of the line it is on. */
static bool differs_elsewhere(const struct hd_view *view, unsigned dimension)
{
	for (unsigned d = 0; d < view->shape->n_dimensions; d++)
		if (d != dimension && differs(view, d))
			return true;
	return false;
}

/* Ports by which it may go instead of @minimal. */
static uint64_t detours(const struct hd_view *view, const struct hd_header *header,
			unsigned minimal)
{
	const struct hd_shape *shape = view->shape;
	unsigned dimension = hd_shape_dimension(shape, view->at, minimal);
	uint64_t ports, others = 0;

	if (dimension == HD_NO_DIMENSION || !is_free(view, header))
		return 0;
	if (shape->kind[dimension] == HD_GRID_SWITCHED) {
		if (!is_line_switch(shape, view->at, dimension) ||
		    !differs_elsewhere(view, dimension))
			return 0;
	} else if (shape->kind[dimension] == HD_GRID_LINE || in_dimension(view) == dimension) {
		return 0;
	}
	for (ports = hd_shape_along(shape, view->at, dimension); ports; ports &= ports - 1) {
		unsigned port = (unsigned)__builtin_ctzll(ports);

		if (neighbour(view, port) != neighbour(view, minimal) &&
		    (hd_view_is_injected(view) ||
		     neighbour(view, port) != neighbour(view, view->in_port)))
			others |= hd_port_bit(port);
	}
	return others;
}

/*
 * The VCs of a hop by @ports, which are alike: a ring has one beside the minimal one, and a detour
 * in other dimensions leads to wrong coordinates.
 */
static struct hd_offer offer_of(const struct hd_routed *routed, const struct hd_view *view,
				const struct hd_header *header, uint64_t ports)
{
	unsigned port = (unsigned)__builtin_ctzll(ports);
	unsigned at_least = place(routed, view, header, port);
	uint32_t vcs = 1u << vc_of(routed, at_least);

	if (may_rise(view, header, port, at_least))
		vcs |= 1u << vc_of(routed, at_least + 1);
	return (struct hd_offer){ .ports = ports, .vcs = vcs, .via = HD_NONE, .rank = 1 };
}

static unsigned may(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header, struct hd_offer *offers)
{
	unsigned minimal = onward(view, header);
	uint64_t others;

	if (minimal >= view->shape->n_locals[view->at])
		return 0;
	offers[0] = offer_of(routed, view, header, hd_port_bit(minimal));
	offers[0].step = HD_STEP_ON;
	offers[0].is_escape = true;
	others = detours(view, header, minimal);
	if (!others)
		return 1;
	offers[1] = offer_of(routed, view, header, others);
	offers[1].step = HD_STEP_ASIDE;
	return 2;
}

/* Of @vcs of @port, the one that a packet would take: open before others, the least occupied. */
static unsigned likely_vc(const struct hd_view *view, unsigned port, uint32_t vcs)
{
	const struct hd_sight *sight = view->sight;
	unsigned best = (unsigned)__builtin_ctz(vcs);

	for (vcs &= vcs - 1; vcs; vcs &= vcs - 1) {
		unsigned vc = (unsigned)__builtin_ctz(vcs);
		bool is_open = hd_sight_is_open(sight, port, 1u << vc);
		bool was_open = hd_sight_is_open(sight, port, 1u << best);

		if (is_open != was_open ? is_open
					: sight->occupied[port * sight->n_vcs + vc] <
						  sight->occupied[port * sight->n_vcs + best])
			best = vc;
	}
	return best;
}

static uint64_t draw(const struct own *own, const struct hd_view *view, uint64_t ports, unsigned vc)
{
	uint32_t n = (uint32_t)__builtin_popcountll(ports);

	return own->at_random ? hd_ports_nth(ports, hd_sight_below(view->sight, n))
			      : hd_way_least_occupied(view, ports, 1u << vc);
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	unsigned n = may(routed, view, header, offers), port, vc, other_vc;
	uint64_t worth;

	if (n < 2)
		return n;
	port = (unsigned)__builtin_ctzll(offers[0].ports);
	vc = likely_vc(view, port, offers[0].vcs);
	if (!routed->trigger->leaves(routed, view, port, 1u << vc))
		return 1;
	other_vc = likely_vc(view, (unsigned)__builtin_ctzll(offers[1].ports), offers[1].vcs);
	worth = routed->trigger->worth(routed, view, port, 1u << vc, offers[1].ports,
				       1u << other_vc) &
		view->sight->free & view->sight->room[other_vc];
	if (!worth)
		return 1;
	offers[0] = offers[1];
	offers[0].vcs = 1u << other_vc;
	offers[0].ports = draw(routed->own, view, worth, other_vc);
	return 1;
}

const struct hd_routing hd_routing_dal = {
	.policy.name = "dal",
	.policy.summary = "in grids: a detour in each dimension that differs, two VCs in all",
	.policy.reference = "J. Ahn et al., SC 2009",
	.policy.options = options,
	.vcs = "hop:2",
	.vcs_degraded = "hop:8",
	.trigger = "credits",
	.needs_grid = true,
	.counts_escape = true,
	.init = init,
	.offer = offer,
	.may = may,
	.place = place,
};
