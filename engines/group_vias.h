/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which group the LIDs of hosts are reached through, where routes are Valiant's over groups: one
 * LID of a host minimally, every other one through an intermediate group of its own.
 */
#ifndef HD_ENGINES_GROUP_VIAS_H
#define HD_ENGINES_GROUP_VIAS_H

#include <stdbool.h>

#include "engines/targets.h"

struct hd_error;

/*
 * @via, [top_lid + 1] and to be freed by the caller whatever the outcome, gets for each LID the
 * group that it is reached through, its own for minimal routes. @minimal: so are the first LIDs of
 * hosts; LIDs of switches always are. @is_spread: whether some LID goes through another group.
 * @group is [switch]. HD_ENOMEM.
 */
int hd_group_vias_choose(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
			 const uint32_t *group, uint32_t n_groups, bool minimal, uint16_t **via,
			 bool *is_spread, struct hd_error *err);

#endif
