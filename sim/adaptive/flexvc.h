/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * FlexVC: a hop may use every VC of its link's class up to the highest from which the rest of the
 * path still embeds in the sequence, in strictly ascending places. Only the link classes of a path
 * count. The kind of a switch and a target is the sequence of link classes on the tables' path
 * between them. It is computed once, and for each kind the latest place in the VC rule's sequence
 * where it may begin.
 */
#ifndef HD_ADAPTIVE_FLEXVC_H
#define HD_ADAPTIVE_FLEXVC_H

#include <stddef.h>

#include "sim/adaptive/routing.h"

#define HD_NO_PLACE   (HD_MAX_PLACES + 1u) /* a path that does not embed */
#define HD_FLEX_KINDS 256
#define HD_NO_KIND    255 /* the tables have no path */

struct hd_flex {
	unsigned n_requests, n_places; /* requests have places below the first, replies all */
	size_t n_targets;

	/* [switch * n_targets + target] kind of the tables' path; 0: the switch is the target's */
	uint8_t *kind;
	unsigned n_kinds;
	uint8_t first[HD_FLEX_KINDS], rest[HD_FLEX_KINDS]; /* a kind's first class, and the kind of
							      the rest */

	/*
	 * [kind][limit] the highest place for the first link of a path of this kind that ends below
	 * place `limit`; HD_NO_PLACE: there is none. For the empty path it is `limit` itself.
	 */
	uint8_t latest[HD_FLEX_KINDS][HD_NO_PLACE + 1];

	uint32_t below[HD_LINK_CLASSES][HD_NO_PLACE + 2]; /* [place] VCs of a class before it */
	uint8_t place[HD_LINK_CLASSES][HD_MAX_VCS];       /* of a VC */
};

/* For the paths of @shape, on @vcs. HD_ERANGE: too many kinds of paths; HD_ENOMEM. */
int hd_flex_new(const struct hd_vcs *vcs, const struct hd_shape *shape, struct hd_flex **flex,
		struct hd_error *err);
void hd_flex_free(struct hd_flex *flex);

/* The highest place of a link of @link_class before place @before; HD_NO_PLACE. */
unsigned hd_flex_highest(const struct hd_vcs *vcs, unsigned link_class, unsigned before);

/* The latest place for the tables' path from @at to @target, all of it below place @limit. */
static inline unsigned hd_flex_latest(const struct hd_flex *flex, uint32_t at, uint32_t target,
				      unsigned limit)
{
	return flex->latest[flex->kind[at * flex->n_targets + target]][limit];
}

/* The place below which a packet's paths end. */
static inline unsigned hd_flex_limit(const struct hd_flex *flex, const struct hd_header *header)
{
	return header->flags & HD_REPLY ? flex->n_places : flex->n_requests;
}

/*
 * VCs of a hop by @port, after which the packet goes to its target by the tables; none if that does
 * not embed.
 */
static inline uint32_t hd_flex_vcs(const struct hd_flex *flex, const struct hd_view *view,
				   const struct hd_header *header, unsigned port)
{
	const struct hd_shape *shape = view->shape;
	const uint32_t next = shape->neighbour[hd_shape_port(shape, view->at, port)];

	return flex->below[hd_shape_class(shape, view->at, port)]
			  [hd_flex_latest(flex, next, view->target, hd_flex_limit(flex, header))];
}

/* Those of these VCs that are farther in the sequence than the packet. */
static inline uint32_t hd_flex_ascending(const struct hd_flex *flex, const struct hd_header *header,
					 unsigned link_class, uint32_t vcs)
{
	return vcs & ~flex->below[link_class][header->place];
}

/*
 * Offers of the packet's path, through its via if it has one: VCs that ascend are an escape, the
 * others are equal for the routing. If the whole path does not embed after the place of the packet,
 * the hop is opportunistic: it needs only that the tables' path from the next switch embeds, and
 * the escape is the tables' path from here, of the next rank. If no VC serves the hop, the offer
 * has no VCs.
 */
unsigned hd_flex_offers(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header, struct hd_offer *offers);

#endif
