/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The lanes that a site asks for in its QoS options, where routes need none of their own. Such
 * routes have no credit loop on one VL. A loop among channels (link, VL) would be one among links,
 * so there is none on any VLs either, whatever VL an SL has at each hop. That is not taken for
 * granted: the tables that switches will hold are made here as OpenSM's osm_qos.c makes them, and
 * proved with all SLs.
 */
#ifndef HD_MANAGER_SITE_LANES_H
#define HD_MANAGER_SITE_LANES_H

#include "manager/site_qos_options.h"
#include "tables/tables.h"
#include "vlarb/vlarb.h"

struct hd_error;

/* What comes with the options. */
struct hd_site_lanes_request {
	const struct hd_site_qos *qos;
	const struct hd_vlarb_room *rooms; /* [port] entries that are programmed */
	unsigned max_vls;                  /* 0: what the links have */
	bool is_unchecked;                 /* nothing is proved */
};

/*
 * Where @routed needs one lane and no more, the same tables with the lanes of the site, proved, in
 * *@lanes; NULL: the engine's own lanes it is. What is wrong with the site's, if anything, is in
 * @remark. HD_ENOMEM.
 */
int hd_site_lanes(const struct hd_tables *routed, const struct hd_site_lanes_request *request,
		  struct hd_tables **lanes, char *remark, size_t size, struct hd_error *err);

#endif
