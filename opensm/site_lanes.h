/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The lanes that opensm.conf asks for, where routes need none of their own. Such routes have no
 * credit loop on one VL. A loop among channels (link, VL) would be one among links, so there is none
 * on any VLs either, whatever VL an SL has at each hop. That is not taken for granted: the tables
 * that switches will hold are made here as osm_qos.c makes them, and proved with all SLs.
 */
#ifndef HD_OPENSM_SITE_LANES_H
#define HD_OPENSM_SITE_LANES_H

#include "opensm/plugin.h"

/*
 * Where @routed needs one lane and no more, and the site has set QoS options, the
 * same tables with the lanes that OpenSM makes of these, proved, in @kept; NULL: the engine's own
 * lanes it is. What is wrong with the site's, if anything, is in engine->site_remark. HD_ENOMEM.
 */
int hd_osm_site_lanes(struct hd_osm_engine *engine, const struct hd_tables *routed,
		      struct hd_tables **kept, struct hd_error *err);

#endif
