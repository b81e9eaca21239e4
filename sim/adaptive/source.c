// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/source.h"

#include <string.h>

#include "support/error.h"

int hd_source_init(struct hd_routed *routed, const struct hd_params *params,
		   struct hd_source_options *source, struct hd_error *err)
{
	static const char *const weights[] = { "hops", "factor", NULL };
	static const char *const senses[] = { "vc", "port", "vc-min", "port-min", NULL };
	unsigned weight = 0, sense = 0;
	uint64_t slack = 0;
	int ret = hd_via_init(params, routed->shape, &source->via, err);

	if (!ret)
		ret = hd_params_word(params, "weight", weights, &weight, err);
	if (!ret)
		ret = hd_params_decimal(params, "factor", 0, 1000, &source->factor, err);
	if (!ret)
		ret = hd_params_number(params, "slack", 0, 1000000, &slack, err);
	if (!ret)
		ret = hd_params_word(params, "sense", senses, &sense, err);
	if (!ret)
		ret = hd_params_bool(params, "recompute", &source->redraws, err);
	source->weighs_hops = weight == 0;
	source->slack = (unsigned)slack;
	source->sense = sense;
	routed->needs_minimal = sense & HD_SENSE_MINIMAL;
	return ret;
}

bool hd_source_compare(const struct hd_source_options *source, const struct hd_view *view,
		       const struct hd_source_way *minimal, uint64_t minimal_units,
		       const struct hd_source_way *detour, uint64_t detour_units)
{
	double slack = source->slack * (double)view->sight->packet;

	if (source->weighs_hops)
		return (double)(minimal_units * minimal->links) >
		       (double)(detour_units * detour->links) + slack;
	return (double)minimal_units > source->factor * (double)detour_units + slack;
}

bool hd_source_prefers_shorter(const struct hd_routed *routed, const struct hd_view *view,
			       const struct hd_source_way *minimal,
			       const struct hd_source_way *detour)
{
	const struct hd_source_options *source = routed->own;
	uint64_t minimal_units =
		hd_sight_occupied(view, &routed->vcs, minimal->port, minimal->vcs, source->sense);
	uint64_t detour_units =
		hd_sight_occupied(view, &routed->vcs, detour->port, detour->vcs, source->sense);

	return hd_source_compare(source, view, minimal, minimal_units, detour, detour_units);
}

/* The way that @n offers begin. */
static struct hd_source_way way_of(const struct hd_view *view, const struct hd_header *header,
				   const struct hd_offer *offers, unsigned n, uint32_t target)
{
	return (struct hd_source_way){
		.port = (unsigned)__builtin_ctzll(offers[0].ports),
		.vcs = hd_way_vcs(offers, n),
		.links = hd_shape_distance(view->shape, view->at, target),
		.target = target,
		.is_reply = header->flags & HD_REPLY,
	};
}

/* Whether a packet may draw its via anew, which it does whenever it asks. */
static bool redraws(const struct hd_routed *routed, const struct hd_view *view)
{
	const struct hd_source_options *source = routed->own;

	return source->redraws && hd_view_is_injected(view);
}

unsigned hd_source_may(const struct hd_routed *routed, const struct hd_view *view,
		       const struct hd_header *header, struct hd_offer *offers)
{
	struct hd_header straight = *header;
	unsigned n = hd_way_offers(routed, view, header, offers);

	straight.via = HD_NONE;
	/* the proof looks at packets with and without a via one by one */
	if (view->sight && hd_source_is_undecided(header))
		n += hd_way_offers(routed, view, &straight, &offers[n]);
	/* any via: any port */
	if (n && view->sight && redraws(routed, view))
		offers[0].ports |= hd_shape_ports(view->shape, view->at, HD_LINK_LOCAL) |
				   hd_shape_ports(view->shape, view->at, HD_LINK_GLOBAL);
	return n;
}

unsigned hd_source_offer(const struct hd_routed *routed, const struct hd_view *view,
			 const struct hd_header *header, struct hd_offer *offers,
			 hd_source_prefers prefers)
{
	struct hd_offer others[HD_WAY_OFFERS];
	struct hd_header straight = *header, drawn = *header;
	struct hd_source_way minimal, detour;
	unsigned n, n_others;

	if (redraws(routed, view)) {
		drawn.via = hd_via_draw(routed->own, view);
		view->sight->again = true;
	}
	if (!hd_source_is_undecided(&drawn))
		return hd_way_offers(routed, view, &drawn, offers);
	straight.via = HD_NONE;
	n = hd_way_offers(routed, view, &straight, offers);
	n_others = hd_way_offers(routed, view, &drawn, others);
	if (!n_others || !hd_way_vcs(others, n_others))
		return n;
	if (n) {
		detour = way_of(view, &drawn, others, n_others,
				view->shape->first_target[drawn.via]);
		minimal = way_of(view, &drawn, offers, n, view->target);
		detour.links += hd_shape_distance(view->shape, drawn.via, view->target);
		if (!prefers(routed, view, &minimal, &detour))
			return n;
	}
	memcpy(offers, others, n_others * sizeof(*others));
	return n_others;
}

unsigned hd_source_most_globals(const struct hd_shape *shape)
{
	unsigned most = 0;

	for (uint32_t at = 0; at < shape->n_switches; at++) {
		unsigned n =
			(unsigned)__builtin_popcountll(hd_shape_ports(shape, at, HD_LINK_GLOBAL));

		most = n > most ? n : most;
	}
	return most;
}
