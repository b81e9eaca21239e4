/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Least hops between switches. OpenSM asks for them when it builds multicast trees; its own way of
 * finding them (all ports' hop counts, relaxed until nothing changes) is most of the cost of
 * minhop. The distances are enough, because only ports on shortest paths are ever asked for.
 *
 * OpenSM reads them first when unicast routing is over, so switches get their LFTs before.
 */
#ifndef HD_OPENSM_HOPS_H
#define HD_OPENSM_HOPS_H

#include "opensm/plugin.h"

/*
 * Gives OpenSM the least hops from every switch to every switch that it lacks since @engine has
 * routed. Without memory there are no new multicast trees, which is told in the log. Call without
 * OpenSM's lock.
 */
void hd_osm_hops_give(struct hd_osm_engine *engine);

#endif
