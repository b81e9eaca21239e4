/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Takes flows off the busiest links of routes that share one layer, as far as other shortest ways
 * have room: what an engine's rule leaves uneven on a fabric that is less regular than the rule.
 */
#ifndef HD_ENGINES_EVEN_H
#define HD_ENGINES_EVEN_H

#include "engines/targets.h"
#include "tables/tables.h"

struct hd_error;

struct hd_even_request {
	const uint32_t *weight; /* of a flow on each channel of hd_turn_graph_init(); NULL: 1 */
	/*
	 * Fills row[LID] with the port that the engine's rule has at switch @s where nothing is
	 * missing; 0: it has none. Entries that are as the rule has them move only where links
	 * stay a tenth busier than they need to be when all others have moved: so a failure
	 * changes little elsewhere. NULL: all entries may move.
	 */
	void (*rule)(void *context, uint32_t s, uint8_t *row);
	void *context;
};

/*
 * Moves entries of @tables, whose routes are complete and have no cycle of channels in one layer;
 * they have none afterwards. A way gets no longer. Flows are those of all pairs of end ports; the
 * LIDs of each LMC offset are evened out by themselves. Tables whose busiest link would not have a
 * fortieth less stay as they are. *@busiest (or NULL) gets flows times weight of the busiest link
 * of any offset afterwards; 0: packets do not arrive from everywhere. Deterministic. HD_ENOMEM.
 */
int hd_even_out(struct hd_tables *tables, const struct hd_route_targets *targets,
		const struct hd_even_request *request, uint64_t *busiest, struct hd_error *err);

#endif
