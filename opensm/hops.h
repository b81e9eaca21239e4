/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Least hops between switches. OpenSM asks for them when it builds multicast trees; its own way of
 * finding them (all ports' hop counts, relaxed until nothing changes) is most of the cost of
 * minhop. The distances are enough, because only ports on shortest paths are ever asked for.
 */
#ifndef HD_OPENSM_HOPS_H
#define HD_OPENSM_HOPS_H

#include "opensm/plugin.h"

/*
 * Least hop counts from every switch to every switch, from which OpenSM builds its
 * multicast trees. HD_ENOMEM; hop counts that were set until then stay: clear them.
 */
int hd_osm_hops_set(struct osm_opensm *osm, const struct hd_fabric *fabric, struct hd_error *err);
void hd_osm_hops_clear(struct osm_opensm *osm);

#endif
