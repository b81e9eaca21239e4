/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The sizes of groups that a graph allows; topologies/dragonfly_groups.c searches only those. */
#ifndef HD_TOPOLOGIES_DRAGONFLY_SIZES_H
#define HD_TOPOLOGIES_DRAGONFLY_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "topologies/switch_graph.h"

struct hd_error;

/* One size of groups, and the missing links that it may have. */
struct hd_dragonfly_size {
	uint32_t a, g;
	uint32_t missing_switches;
	uint32_t max_local, max_global, max_links; /* most missing links */
};

/* What the links and switches of a graph say about the possible sizes of groups. */
struct hd_dragonfly_census {
	uint32_t n_links; /* linked pairs of switches */
	uint32_t *common; /* [c] links whose ends have c common members in their closed
			     neighbourhoods */
	uint32_t *fit;    /* [switch] the largest a of an intact group that may have the switch */
	uint32_t *n_fit;  /* [a] switches whose fit is at least a */
};

/* Allocates and fills @census; clear it whatever the outcome. HD_ENOMEM. */
int hd_dragonfly_census_take(const struct hd_switch_graph *graph,
			     struct hd_dragonfly_census *census, struct hd_error *err);
void hd_dragonfly_census_clear(struct hd_dragonfly_census *census);

/*
 * Whether @size->g groups of @size->a switches are possible if at most @limit switches and links
 * are missing; a * g is at least the number of switches. Sets the rest of @size.
 */
bool hd_dragonfly_size_is_possible(const struct hd_dragonfly_census *census,
				   const struct hd_switch_graph *graph,
				   struct hd_dragonfly_size *size, uint32_t limit);

#endif
