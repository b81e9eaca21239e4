/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes inside the groups of a dragonfly, for any pattern of links: by dimension order if a group
 * is a mesh or a HyperX, else by up*-down* paths. Neither makes a cycle with one layer.
 */
#ifndef HD_ENGINES_GROUP_PATHS_H
#define HD_ENGINES_GROUP_PATHS_H

#include "topologies/dragonfly.h"

struct hd_error;
struct hd_route_request;

/*
 * @local gets, [switch * a + position], the out-port of every switch towards each position of its
 * own group, HD_NO_PATH at the switch itself. NULL: all groups are fully connected, so there is no
 * choice. The caller frees @local. HD_EREFUSED: a group is in parts; HD_ENOMEM.
 */
int hd_group_paths_find(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			uint8_t **local, struct hd_error *err);

#endif
