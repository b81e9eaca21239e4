/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Intermediate groups for Valiant's routes over groups: the route to one LID of a host is minimal,
 * the route to every other LID leads through an intermediate group of its own.
 */
#ifndef HD_ENGINES_GROUP_VIAS_H
#define HD_ENGINES_GROUP_VIAS_H

#include <stdbool.h>

#include "engines/targets.h"

struct hd_error;

/*
 * @via, [top_lid + 1], gets for each LID the group through which its route leads, its own group for
 * minimal routes; the caller frees @via, also after an error. @minimal: routes to the first LIDs of
 * hosts are minimal; those to LIDs of switches always are. @is_spread: whether some route leads
 * through another group. @group is [switch]. HD_ENOMEM.
 */
int hd_group_vias_choose(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
			 const uint32_t *group, uint32_t n_groups, bool minimal, uint16_t **via,
			 bool *is_spread, struct hd_error *err);

#endif
