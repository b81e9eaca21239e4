/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The search for groups with any pattern of links inside: rings, meshes, HyperX. */
#ifndef HD_TOPOLOGIES_DRAGONFLY_PATTERNS_H
#define HD_TOPOLOGIES_DRAGONFLY_PATTERNS_H

#include <stdbool.h>
#include <stdint.h>

#include "topologies/switch_graph.h"

struct hd_error;

enum hd_dragonfly_patterns {
	HD_PATTERNS_NONE,      /* no such groups */
	HD_PATTERNS_GIVEN_UP,  /* the search found none within its limit of work */
	HD_PATTERNS_FOUND,     /* one partition */
	HD_PATTERNS_AMBIGUOUS, /* two that are equally good */
};

/*
 * A partition of the switches into at least three groups, in @group[switch] = 0, 1, ... If it is
 * ambiguous, @other gets the other partition. HD_ENOMEM.
 */
int hd_dragonfly_find_patterns(const struct hd_switch_graph *graph, uint32_t *group,
			       uint32_t *other, enum hd_dragonfly_patterns *outcome,
			       struct hd_error *err);

#endif
