// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/ways.h"

#include "support/error.h"

/* Draws until one is found that is not excluded; groups are few or nearly none is excluded. */
#define TRIES 64

unsigned hd_way_count_layers(const struct hd_shape *shape)
{
	const struct hd_forwarding *forwarding = &shape->forwarding;
	unsigned sls = hd_tables_sls_used(shape->tables), top = 0;

	for (size_t i = 0; i < forwarding->n_rows; i++)
		for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
			unsigned vl = hd_row_vl(forwarding->rows[i], sl);

			if (sls >> sl & 1 && vl != HD_VL_DROP && vl > top)
				top = vl;
		}
	return top + 1;
}

int hd_via_init(const struct hd_params *params, const struct hd_shape *shape,
		struct hd_via_options *options, struct hd_error *err)
{
	static const char *const policies[] = { "rrg", "crg", "nrg", "mm", NULL };
	static const char *const ends[] = { "router", "group", NULL };
	static const char *const groups[] = { "none", "source", "destination", "both", NULL };
	unsigned policy, to, excluded;
	int ret = hd_params_word(params, "policy", policies, &policy, err);

	if (!ret)
		ret = hd_params_word(params, "to", ends, &to, err);
	if (!ret)
		ret = hd_params_word(params, "exclude", groups, &excluded, err);
	if (ret)
		return ret;
	if (!shape->group && (to || policy != HD_RRG))
		return hd_error_set(err, HD_EINVAL, "the fabric has no groups: %s needs some",
				    to ? "to=group" : policies[policy]);
	*options = (struct hd_via_options){
		.policy = policy == HD_MM ? HD_CRG : (enum hd_misrouting)policy,
		.to_group = to,
		.excludes_source = excluded & 1,
		.excludes_destination = excluded & 2,
	};
	return 0;
}

/* A random group behind a global link of @at; HD_NONE: it has none. */
static uint32_t group_behind(const struct hd_view *view, uint32_t at)
{
	const struct hd_shape *shape = view->shape;
	uint64_t globals = hd_shape_ports(shape, at, HD_LINK_GLOBAL);
	unsigned n = (unsigned)__builtin_popcountll(globals), port;

	if (!n)
		return HD_NONE;
	port = (unsigned)__builtin_ctzll(hd_ports_nth(globals, hd_sight_below(view->sight, n)));
	return shape->group[shape->neighbour[hd_shape_port(shape, at, port)]];
}

static uint32_t draw_group(const struct hd_via_options *options, const struct hd_view *view)
{
	const struct hd_shape *shape = view->shape;
	uint32_t own = shape->group[view->at], first = shape->group_first[own];
	uint32_t n = shape->group_first[own + 1] - first, other;

	switch (options->policy) {
	case HD_CRG:
	case HD_MM:
		return group_behind(view, view->at);
	case HD_NRG:
		other = shape->members[first + hd_sight_below(view->sight, n)];
		return other == view->at ? HD_NONE : group_behind(view, other);
	case HD_RRG:
		break;
	}
	return hd_sight_below(view->sight, shape->n_groups);
}

static uint32_t draw_in_groups(const struct hd_via_options *options, const struct hd_view *view)
{
	const struct hd_shape *shape = view->shape;
	uint32_t own = shape->group[view->at], there = shape->group[view->to];

	for (unsigned i = 0; i < TRIES; i++) {
		uint32_t group = draw_group(options, view), n;

		if (group == HD_NONE || (options->excludes_source && group == own) ||
		    (options->excludes_destination && group == there))
			continue;
		n = shape->group_first[group + 1] - shape->group_first[group];
		if (n)
			return shape->members[shape->group_first[group] +
					      hd_sight_below(view->sight, n)];
	}
	return HD_NONE;
}

uint32_t hd_via_draw(const struct hd_via_options *options, const struct hd_view *view)
{
	const struct hd_shape *shape = view->shape;
	uint32_t via;

	if (shape->group)
		via = draw_in_groups(options, view);
	else
		via = shape->target_switch[hd_sight_below(view->sight, (uint32_t)shape->n_targets)];
	/*
	 * by where the packet is there is no detour; by its destination's switch, for nothing,
	 * there is
	 */
	if (via == HD_NONE || via == view->at ||
	    hd_shape_distance(shape, view->at, shape->first_target[via]) == HD_FAR)
		return HD_NONE;
	return via;
}

int hd_notices_init(struct hd_routed *routed, const struct hd_params *params,
		    void (*notice)(const struct hd_routed *, const struct hd_view *, uint8_t *),
		    unsigned bytes, struct hd_error *err)
{
	uint64_t period = 0, delay = HD_BY_LINK;
	int ret = hd_params_number(params, "period", 1, 1000000, &period, err);

	if (!ret && hd_params_is_set(params, "delay"))
		ret = hd_params_number(params, "delay", 0, 1000000, &delay, err);
	if (ret)
		return ret;
	routed->notice = notice;
	routed->notice_bytes = bytes;
	routed->notice_period = (unsigned)period;
	routed->notice_delay = (unsigned)delay;
	return 0;
}

bool hd_via_from_host(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header)
{
	(void)routed;
	(void)header;
	return hd_view_is_injected(view);
}

unsigned hd_way_others(const struct hd_routed *routed, const struct hd_view *view,
		       const struct hd_header *header, enum hd_link_class link_class,
		       uint64_t ports, const struct hd_offer *on, struct hd_offer *offers)
{
	unsigned n = 0;

	if (!routed->flex && ports) {
		offers[n] = *on;
		offers[n].ports = ports;
		offers[n++].vcs = hd_way_hop_vcs(
			routed, view, hd_vcs_vc(&routed->vcs, header->place, link_class));
		return n;
	}
	for (; ports; ports &= ports - 1) {
		const uint32_t vcs =
			hd_flex_vcs(routed->flex, view, header, (unsigned)__builtin_ctzll(ports));
		unsigned i = 0;

		while (i < n && offers[i].vcs != vcs)
			i++;
		if (i == HD_WAY_OTHERS) {
			/* fewer VCs than there may be, and those of all */
			i = 0;
			offers[i].vcs &= vcs;
		} else if (i == n) {
			offers[n] = *on;
			offers[n].ports = 0;
			offers[n++].vcs = vcs;
		}
		offers[i].ports |= ports & -ports;
	}
	return n;
}

void hd_via_enter(const struct hd_routed *routed, const struct hd_view *view,
		  struct hd_header *header)
{
	const struct hd_via_options *options = routed->own;
	const struct hd_shape *shape = view->shape;

	if (view->sight && header->via == HD_NONE && routed->routing->detours(routed, view, header))
		header->via = hd_via_draw(options, view);
	if (header->via == view->at ||
	    (header->via != HD_NONE && options->to_group && shape->group &&
	     shape->group[header->via] == shape->group[view->at]))
		header->via = HD_NONE;
}

bool hd_way_global(const struct hd_shape *shape, uint32_t at, uint32_t target, uint32_t *gateway,
		   unsigned *port)
{
	while (at != shape->target_switch[target]) {
		unsigned next = hd_shape_next(shape, at, target);

		if (next >= shape->n_locals[at])
			return false;
		if (hd_shape_class(shape, at, next) == HD_LINK_GLOBAL) {
			*gateway = at;
			*port = next;
			return true;
		}
		at = shape->neighbour[hd_shape_port(shape, at, next)];
	}
	return false;
}

uint64_t hd_way_least_occupied(const struct hd_view *view, uint64_t ports, uint32_t vcs)
{
	const struct hd_sight *sight = view->sight;
	unsigned turn = hd_sight_below(view->sight, HD_SHAPE_PORTS), best = HD_SHAPE_PORTS;

	for (unsigned k = 0; k < HD_SHAPE_PORTS; k++) {
		unsigned port = (turn + k) % HD_SHAPE_PORTS;

		if (ports >> port & 1 &&
		    (best == HD_SHAPE_PORTS ||
		     hd_sight_mean(sight, port, vcs) < hd_sight_mean(sight, best, vcs)))
			best = port;
	}
	return hd_port_bit(best);
}
