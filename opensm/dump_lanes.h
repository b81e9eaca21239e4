/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What OpenSM's routing dumps leave out: path SLs, without which nobody can judge the lanes, and VL
 * arbitration. The files stand beside OpenSM's dumps and always belong to the same sweep.
 */
#ifndef HD_OPENSM_DUMP_LANES_H
#define HD_OPENSM_DUMP_LANES_H

#include "opensm/plugin.h"

/* Path SLs and VL arbitration beside OpenSM's own dumps; NULL: removes old ones. */
void hd_osm_dump(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine);

#endif
