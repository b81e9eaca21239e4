/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What becomes of a subnet whose lanes or shares cannot be what its site wants: nothing is sent,
 * and that is said.
 */
#ifndef HD_OPENSM_STRICT_H
#define HD_OPENSM_STRICT_H

#include "opensm/plugin.h"

/*
 * HD_EREFUSED where the site wants lanes or shares that cannot be had, and no tables without them.
 * OpenSM's own fall-back is held off then, so that switches keep what they have;
 * hd_osm_strict_lift() gives it back.
 */
int hd_osm_strict_check(struct hd_osm_plugin *plugin, struct hd_error *err);
int hd_osm_strict_refuse(struct hd_osm_plugin *plugin, const char *what, const char *cause,
			 struct hd_error *err);
void hd_osm_strict_lift(struct hd_osm_plugin *plugin);

#endif
