/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Paths to one LID after the other, of as few hops as given distances say, where each link weighs
 * as much as the paths between end nodes that it carries already (SSSP routing: Hoefler, Schneider
 * and Lumsdaine, 2009). So paths spread over all links of the fabric, and not only over those of
 * one switch. Weights only choose among paths of equal hops, as if a hop weighed more than all
 * paths together.
 *
 * As the hops of a path are fixed, Dijkstra's queue is not needed: switches in the order of their
 * distance are the same for all LIDs with these distances, and so are the links that lead closer.
 */
#ifndef HD_ENGINES_LIGHT_PATHS_H
#define HD_ENGINES_LIGHT_PATHS_H

#include "engines/targets.h"
#include "tables/tables.h"

struct hd_error;

/* A link to another switch, as one end sees it. */
struct hd_light_link {
	uint64_t load; /* paths between end nodes that it carries */
	uint32_t peer;
	uint8_t port;
};

struct hd_light_paths {
	const struct hd_fabric *fabric;
	struct hd_light_link *links;
	uint32_t *first; /* [switch + 1] in links, each part by (peer, port) */
	uint32_t *link;  /* [port] index in links; undefined for other ports */
	uint64_t *hosts; /* [switch] linked end-node ports */
	/*
	 * [index in links] links to take only where no other leads closer; NULL: none; the user's
	 */
	const bool *avoided;

	/*
	 * Towards one switch: the others that reach it, nearest first, and their links that lead
	 * closer.
	 */
	uint32_t n_order;
	uint32_t *order;
	uint32_t *first_closer; /* [position in order, + 1] in closer */
	uint32_t *closer;       /* index in links */

	/* Towards one LID. */
	uint64_t *weight;  /* [switch] of the way from there to the LID */
	uint64_t *through; /* [switch] paths that come through it */
	uint32_t *chosen;  /* [switch] index in links */
};

/* Clear also after an error. HD_ENOMEM. */
int hd_light_paths_init(struct hd_light_paths *paths, const struct hd_fabric *fabric,
			struct hd_error *err);
void hd_light_paths_clear(struct hd_light_paths *paths);

/*
 * The next targets are behind the switch whose @distance is 0; others have @distance[switch] hops
 * to it, or HD_UNREACHABLE. A link leads closer from distance d + 1 to distance d.
 */
void hd_light_paths_towards(struct hd_light_paths *paths, const uint8_t *distance);

/*
 * Finds the lightest way from every switch to @target, writes the entries, and counts the paths.
 * Ways keep from the links that the entries of the @n_earlier LIDs before it have: before all else,
 * as few of these as possible are on a way.
 */
void hd_light_paths_route(struct hd_light_paths *paths, const struct hd_route_target *target,
			  unsigned n_earlier, struct hd_tables *tables);

/* Takes the paths to @target, which is routed, off the links. */
void hd_light_paths_unroute(struct hd_light_paths *paths, const struct hd_route_target *target,
			    const struct hd_tables *tables);

/*
 * Routes the targets of one pass by @distances of hd_switch_distances(), those behind one switch
 * together. @again: they are routed, and each is now routed anew, with all others in place.
 * HD_ENOMEM.
 */
int hd_light_paths_route_pass(struct hd_light_paths *paths, const uint8_t *distances,
			      const struct hd_route_targets *targets, unsigned pass, bool again,
			      struct hd_tables *tables, struct hd_error *err);

/* Forgets the paths that links carry. */
void hd_light_paths_unload(struct hd_light_paths *paths);

#endif
