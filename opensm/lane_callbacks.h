/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An engine's callbacks about lanes: SL2VL rows, VL arbitration, SLs of path records. */
#ifndef HD_OPENSM_LANE_CALLBACKS_H
#define HD_OPENSM_LANE_CALLBACKS_H

#include "opensm/plugin.h"

/*
 * Gives @re the callbacks; and logs the line about the site's QoS options, once and again only when
 * they have changed.
 */
void hd_osm_lanes_setup(struct osm_routing_engine *re);
void hd_osm_lanes_log_site(struct hd_osm_engine *engine);

#endif
