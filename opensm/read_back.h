/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Waits for late copies of Sets, and reads back (manager/repeated_sets.h), in OpenSM's sweeper
 * thread, without its lock.
 */
#ifndef HD_OPENSM_READ_BACK_H
#define HD_OPENSM_READ_BACK_H

#include "manager/repeated_sets.h"

struct hd_osm_engine;
struct hd_osm_plugin;

/*
 * To be called instead of hd_osm_confirm_settle(), of which this is more: true, what @engine wants
 * was confirmed, and what was sent before does not take it back.
 */
bool hd_osm_read_back_settle(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine);

#endif
