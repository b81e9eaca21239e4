/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Moves flows from the busiest links to other shortest paths with room, for routes that share one
 * layer. An engine's rule leaves links uneven on a fabric that is less regular than the rule.
 */
#ifndef HD_ENGINES_EVEN_H
#define HD_ENGINES_EVEN_H

#include "engines/targets.h"
#include "tables/tables.h"

struct hd_error;
struct hd_even_known;

struct hd_even_request {
	const uint32_t *weight; /* weight of a flow on each channel of hd_turn_graph_init(); NULL:
				   1 */
	/*
	 * Fills row[LID] with the port of the engine's rule at switch @s of an intact fabric; 0:
	 * none. Entries that equal the rule's move last, and only if links are still 10% busier
	 * than necessary after all others have moved. So a failure changes little elsewhere. NULL:
	 * all entries may move.
	 */
	void (*rule)(void *context, uint32_t s, uint8_t *row);
	void *context;
	/*
	 * The search of a pass ends where its busiest link has at most so many flows times weight.
	 * The busiest link then has at most as many as @enough where it had without @enough, and
	 * more where it had more; 0: the search ends by itself.
	 */
	uint64_t enough;
	/* Of the whole fabric, of which some links are missing; or NULL. The result is the same. */
	const struct hd_even_known *known;
};

/*
 * What is known of the ways in @tables before a search: with it, searches on the same fabric
 * without some links read only ways that differ. @tables' fabric outlives it. Several threads may
 * use it. *@known NULL: it would take too much memory, or packets from some switch do not arrive.
 * HD_ENOMEM.
 */
int hd_even_know(struct hd_tables *tables, const struct hd_route_targets *targets,
		 struct hd_even_known **known, struct hd_error *err);
void hd_even_known_free(struct hd_even_known *known);

/*
 * Moves entries of @tables. Their routes are complete and have no cycle of channels in one layer,
 * before and after. No path gets longer. Flows are those of all pairs of end ports; the LIDs of
 * each LMC offset are evened out separately. If the busiest link would lose less than 2.5%, tables
 * stay as they are. *@busiest (or NULL) gets flows times weight of the busiest link of any offset
 * afterwards; 0: packets from some switch do not arrive. Deterministic. HD_ENOMEM.
 */
int hd_even_out(struct hd_tables *tables, const struct hd_route_targets *targets,
		const struct hd_even_request *request, uint64_t *busiest, struct hd_error *err);

#endif
