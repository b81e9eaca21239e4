/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The search for the groups of a dragonfly in a bare graph. Other rooms call
 * topologies/dragonfly.h.
 */
#ifndef HD_TOPOLOGIES_DRAGONFLY_GROUPS_H
#define HD_TOPOLOGIES_DRAGONFLY_GROUPS_H

#include <stdint.h>

#include "topologies/switch_graph.h"

struct hd_error;

/*
 * A partition of the switches into groups of at most a switches, in group[switch] = 0, 1, ..., with
 * as few missing links and switches as the search finds. HD_EREFUSED: all partitions lack much,
 * with the reason; HD_ENOMEM.
 */
int hd_dragonfly_find_groups(const struct hd_switch_graph *graph, uint32_t *group,
			     struct hd_error *err);

#endif
