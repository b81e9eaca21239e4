/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One engine's callbacks. A heavy sweep calls build_lid_matrices first: there everything is decided
 * (fabric, routes, lanes, proof), so that a refusal leaves nothing behind in OpenSM and the next
 * engine of routing_engine starts clean. The other callbacks only hand out what was decided.
 */
#ifndef HD_OPENSM_CALLBACKS_H
#define HD_OPENSM_CALLBACKS_H

#include "opensm/plugin.h"

/* The setup callback of every engine; its context is a struct hd_osm_engine. */
int hd_osm_engine_setup(struct osm_routing_engine *re, struct osm_opensm *osm);

/*
 * Forgets the tables of the last sweep; what was handed out goes to @orphans, or is freed (NULL).
 */
void hd_osm_engine_drop(struct hd_osm_engine *engine, struct hd_orphans *orphans);

/* The engine of this plug-in whose tables the subnet has now, or NULL. */
struct hd_osm_engine *hd_osm_engine_used(struct hd_osm_plugin *plugin);

#endif
