/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes inside the groups of a dragonfly, whatever the pattern of their links: by dimension order
 * where a group is a mesh or a HyperX, by up*-down* paths elsewhere. With one layer neither makes a
 * cycle.
 */
#ifndef HD_ENGINES_GROUP_PATHS_H
#define HD_ENGINES_GROUP_PATHS_H

#include "topologies/dragonfly.h"

struct hd_error;
struct hd_route_request;

/*
 * @local gets, [switch * a + position], the out-port of every switch towards each position of its
 * own group, HD_NO_PATH at the switch itself. NULL where all groups are fully connected, so that
 * there is nothing to choose. To be freed by the caller. HD_EREFUSED: a group that is in parts;
 * HD_ENOMEM.
 */
int hd_group_paths_find(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			uint8_t **local, struct hd_error *err);

#endif
