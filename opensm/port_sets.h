/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Port sets (tables/ar.h) for a subnet manager that programs them. Others get the default ports
 * alone, which are the LFTs' entries and are proved with the sets.
 */
#ifndef HD_OPENSM_PORT_SETS_H
#define HD_OPENSM_PORT_SETS_H

#include "opensm/plugin.h"

/* Whether this subnet manager programs them. */
bool hd_osm_takes_sets(void);

/* Adds the callbacks about port sets to those of @re, whose context is a struct hd_osm_engine. */
void hd_osm_sets_setup(struct osm_routing_engine *re);

#endif
