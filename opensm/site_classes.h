/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The class file of a site, which is read again at every heavy sweep, and what links make of it. */
#ifndef HD_OPENSM_SITE_CLASSES_H
#define HD_OPENSM_SITE_CLASSES_H

#include "opensm/plugin.h"

/*
 * The service classes that the site's class file has now in @classes, NULL without a
 * file. When it cannot be read, those of before stay, and that is logged once; HD_EREFUSED: there
 * are none.
 */
int hd_osm_classes(struct hd_osm_plugin *plugin, const struct hd_classes **classes,
		   struct hd_error *err);

/*
 * Whether every link of @fabric carries the packets that @classes give; HD_EREFUSED, with the
 * numbers: a link has a smaller MTU. What a class file says nothing of is as large as links allow.
 */
int hd_osm_classes_check_mtu(struct osm_opensm *osm, const struct hd_fabric *fabric,
			     const struct hd_classes *classes, struct hd_error *err);

#endif
