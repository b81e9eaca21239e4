/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which sizes of groups a graph allows at all; topologies/dragonfly_groups.c searches only those.
 */
#ifndef HD_TOPOLOGIES_DRAGONFLY_SIZES_H
#define HD_TOPOLOGIES_DRAGONFLY_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "topologies/switch_graph.h"

struct hd_error;

/* What one size of groups would need, and may lack. */
struct hd_dragonfly_size {
	uint32_t a, g;
	uint32_t missing_switches;
	uint32_t max_local, max_global, max_links; /* missing links that are tolerated */
};

/* What the links and switches of a graph tell about the sizes that groups can have. */
struct hd_dragonfly_census {
	uint32_t n_links; /* linked pairs of switches */
	uint32_t *common; /* [c] links with c common members of the closed neighbourhoods of
			     their ends */
	uint32_t *fit;    /* [switch] the largest a of an intact group that the switch may be in */
	uint32_t *n_fit;  /* [a] switches whose fit is at least a */
};

/* Allocates and fills @census; clear it whatever the outcome. HD_ENOMEM. */
int hd_dragonfly_census_take(const struct hd_switch_graph *graph,
			     struct hd_dragonfly_census *census, struct hd_error *err);
void hd_dragonfly_census_clear(struct hd_dragonfly_census *census);

/*
 * Whether groups of @size->a and @size->g are possible if at most @limit switches and links are
 * missing; a * g is at least the number of switches. Sets the rest of @size.
 */
bool hd_dragonfly_size_is_possible(const struct hd_dragonfly_census *census,
				   const struct hd_switch_graph *graph,
				   struct hd_dragonfly_size *size, uint32_t limit);

#endif
