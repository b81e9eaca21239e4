/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * OpenSM's headers. osm_config.h decides the layout of the structs in the others: a file that lacks
 * it reads other fields than the daemon has, without a word from the compiler.
 */
#ifndef HD_OPENSM_OSM_H
#define HD_OPENSM_OSM_H

#include <opensm/osm_config.h>

#include <opensm/osm_opensm.h>

#endif
