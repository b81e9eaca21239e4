/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rails: the n-th ports of all hosts, from 0, and the switches that they are linked to. Adapters of
 * one host have names with the same first word. A leaf is of the rail that more than half of the
 * ports there have; so a port whose cable is in the leaf of another rail does not change the leaf.
 */
#ifndef HD_INTENT_RAILS_H
#define HD_INTENT_RAILS_H

#include "fabric/fabric.h"

struct hd_error;

/*
 * Fills @rail [port]: of ports of end nodes, and of port 0 of switches; HD_NONE: none. @level is
 * that of each switch (topologies/switch_levels.h). HD_ENOMEM.
 */
int hd_rails_find(const struct hd_fabric *fabric, const uint32_t *level, uint32_t n_levels,
		  uint32_t *rail, struct hd_error *err);

#endif
