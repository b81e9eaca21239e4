// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/flexvc.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

unsigned hd_flex_highest(const struct hd_vcs *vcs, unsigned link_class, unsigned before)
{
	if (before == HD_NO_PLACE)
		return HD_NO_PLACE;
	while (before--)
		if (vcs->place_class[before] == link_class)
			return before;
	return HD_NO_PLACE;
}

/* The kind of a link of @link_class and then @rest; HD_NO_KIND: there are too many. */
static unsigned kind_of(struct hd_flex *flex, const struct hd_vcs *vcs, unsigned link_class,
			unsigned rest)
{
	unsigned kind = 1;

	while (kind < flex->n_kinds &&
	       (flex->first[kind] != link_class || flex->rest[kind] != rest))
		kind++;
	if (kind < flex->n_kinds || kind == HD_NO_KIND)
		return kind;
	flex->n_kinds++;
	flex->first[kind] = (uint8_t)link_class;
	flex->rest[kind] = (uint8_t)rest;
	for (unsigned limit = 0; limit <= HD_NO_PLACE; limit++)
		flex->latest[kind][limit] =
			(uint8_t)hd_flex_highest(vcs, link_class, flex->latest[rest][limit]);
	return kind;
}

/* The kinds of all ways to @target. */
static int fill_kinds(struct hd_flex *flex, const struct hd_vcs *vcs, const struct hd_shape *shape,
		      uint32_t target, struct hd_error *err)
{
	uint32_t way[HD_FAR];

	for (uint32_t from = 0; from < shape->n_switches; from++) {
		uint32_t at = from;
		unsigned n = 0, kind;

		if (hd_shape_distance(shape, from, target) == HD_FAR)
			continue;
		while ((kind = flex->kind[at * flex->n_targets + target]) == HD_NO_KIND) {
			way[n++] = at;
			at = shape->neighbour[hd_shape_port(shape, at,
							    hd_shape_next(shape, at, target))];
		}
		while (n--) {
			at = way[n];
			kind = kind_of(flex, vcs,
				       hd_shape_class(shape, at, hd_shape_next(shape, at, target)),
				       kind);
			if (kind == HD_NO_KIND)
				return hd_error_set(err, HD_ERANGE,
						    "flexvc: the tables' paths are of more than %u "
						    "kinds",
						    HD_NO_KIND);
			flex->kind[at * flex->n_targets + target] = (uint8_t)kind;
		}
	}
	return 0;
}

static void fill_places(struct hd_flex *flex, const struct hd_vcs *vcs)
{
	for (unsigned link_class = 0; link_class < HD_LINK_CLASSES; link_class++)
		for (unsigned place = 0; place < vcs->n_places; place++) {
			uint32_t own = 0;

			if (vcs->place_class[place] == link_class) {
				own = 1u << vcs->vc[place];
				flex->place[link_class][vcs->vc[place]] = (uint8_t)place;
			}
			flex->below[link_class][place + 1] = flex->below[link_class][place] | own;
		}
	memset(flex->latest, HD_NO_PLACE, sizeof(flex->latest));
	for (unsigned limit = 0; limit <= vcs->n_places; limit++)
		flex->latest[0][limit] = (uint8_t)limit;
	flex->n_kinds = 1;
}

int hd_flex_new(const struct hd_vcs *vcs, const struct hd_shape *shape, struct hd_flex **result,
		struct hd_error *err)
{
	struct hd_flex *flex = *result = calloc(1, sizeof(*flex));
	size_t n = shape->n_switches * shape->n_targets;
	int ret = 0;

	if (!flex)
		return hd_error_nomem(err);
	flex->n_requests = vcs->n_requests;
	flex->n_places = vcs->n_places;
	flex->n_targets = shape->n_targets;
	flex->kind = hd_alloc_large(n + 1);
	if (!flex->kind)
		return hd_error_nomem(err);
	memset(flex->kind, HD_NO_KIND, n);
	fill_places(flex, vcs);
	for (uint32_t target = 0; target < shape->n_targets && !ret; target++) {
		flex->kind[shape->target_switch[target] * flex->n_targets + target] = 0;
		ret = fill_kinds(flex, vcs, shape, target, err);
	}
	return ret;
}

void hd_flex_free(struct hd_flex *flex)
{
	if (!flex)
		return;
	free(flex->kind);
	free(flex);
}

/* @vcs of the way that @on begins: those that ascend, and the others. */
static unsigned split(const struct hd_flex *flex, const struct hd_header *header,
		      unsigned link_class, uint32_t vcs, const struct hd_offer *on,
		      struct hd_offer *offers)
{
	const uint32_t higher = hd_flex_ascending(flex, header, link_class, vcs);
	unsigned n = 0;

	if (higher) {
		offers[n] = *on;
		offers[n].vcs = higher;
		offers[n++].is_escape = true;
	}
	if (vcs != higher) {
		offers[n] = *on;
		offers[n++].vcs = vcs & ~higher;
	}
	return n;
}

/* The tables' way to the target; @rank is the offers'. */
static unsigned minimal(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header, uint8_t rank, struct hd_offer *offers)
{
	const struct hd_flex *flex = routed->flex;
	const struct hd_shape *shape = view->shape;
	const unsigned port = hd_shape_next(shape, view->at, view->target);
	struct hd_offer on = { .via = HD_NONE, .rank = rank, .step = HD_STEP_ON };
	unsigned link_class, latest;
	uint32_t vcs;

	if (port >= shape->n_locals[view->at])
		return 0;
	link_class = hd_shape_class(shape, view->at, port);
	latest = hd_flex_latest(flex, view->at, view->target, hd_flex_limit(flex, header));
	vcs = flex->below[link_class][latest + 1];
	/* a sequence that is too short is no escape: what runs unproved shares the last VC */
	if (!vcs)
		vcs = 1u << (routed->vcs.n[link_class] - 1u);
	on.ports = UINT64_C(1) << port;
	if (latest == HD_NO_PLACE) {
		*offers = on;
		offers->vcs = vcs;
		return 1;
	}
	return split(flex, header, link_class, vcs, &on, offers);
}

unsigned hd_flex_offers(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header, struct hd_offer *offers)
{
	const struct hd_flex *flex = routed->flex;
	const struct hd_shape *shape = view->shape;
	struct hd_offer on = { .via = header->via, .rank = 1, .step = HD_STEP_ON };
	unsigned port, link_class, behind;
	uint32_t way, vcs;

	if (header->via == HD_NONE)
		return minimal(routed, view, header, 1, offers);
	way = shape->first_target[header->via];
	port = hd_shape_next(shape, view->at, way);
	if (port >= shape->n_locals[view->at])
		return 0;
	link_class = hd_shape_class(shape, view->at, port);
	on.ports = UINT64_C(1) << port;
	behind = hd_flex_latest(flex, header->via, view->target, hd_flex_limit(flex, header));
	vcs = flex->below[link_class][hd_flex_latest(flex, view->at, way, behind) + 1];
	if (hd_flex_ascending(flex, header, link_class, vcs))
		return split(flex, header, link_class, vcs, &on, offers);
	on.vcs = vcs | hd_flex_vcs(flex, view, header, port);
	*offers = on;
	/* nothing waits for a buffer of hosts' links, so that the packet need not leave it */
	if (on.vcs && hd_view_is_injected(view)) {
		offers->is_escape = true;
		return 1;
	}
	return 1 + minimal(routed, view, header, 2, offers + 1);
}
