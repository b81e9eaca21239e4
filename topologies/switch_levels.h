/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The distance of switches from the hosts: the levels of a tree, for any names and order of nodes.
 */
#ifndef HD_TOPOLOGIES_SWITCH_LEVELS_H
#define HD_TOPOLOGIES_SWITCH_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#include "fabric/fabric.h"

struct hd_error;

struct hd_switch_levels {
	uint32_t *level;   /* [switch] links to the nearest switch with hosts; HD_NONE: no path */
	uint32_t *hosts;   /* [switch] linked ports of hosts */
	uint32_t n_levels; /* 1 + the highest level; 1 if no switch has hosts: then all are of level
			      0 */
	uint32_t n_leaves; /* switches of level 0 */
	uint32_t n_links;  /* between switches; parallel links are counted each */
	uint32_t n_across; /* links between switches of different levels */
};

/*
 * If other switches have four hosts or more, a switch with one end node counts as one without
 * hosts: such end nodes are the aggregation nodes in the spines of a tree. Clear with
 * hd_switch_levels_clear(), also after an error. HD_ENOMEM.
 */
int hd_switch_levels_find(const struct hd_fabric *fabric, struct hd_switch_levels *levels,
			  struct hd_error *err);

/*
 * The same; a switch with fewer than @least hosts (0: as above) counts as one without hosts, and
 * end nodes that @no_host marks ([node], see topologies/no_hosts.h; NULL: none) do not count.
 */
int hd_switch_levels_find_above(const struct hd_fabric *fabric, const bool *no_host, uint32_t least,
				struct hd_switch_levels *levels, struct hd_error *err);
void hd_switch_levels_clear(struct hd_switch_levels *levels);

/*
 * Whether the levels are those of a tree: there are several, and at most an eighth of the links
 * join switches of the same level.
 */
bool hd_switch_levels_are_of_tree(const struct hd_switch_levels *levels);

#endif
