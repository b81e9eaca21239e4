/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Waits for late copies of Sets, and reads back (manager/late_copies.h), in OpenSM's sweeper
 * thread, without its lock.
 */
#ifndef HD_OPENSM_LATE_ANSWERS_H
#define HD_OPENSM_LATE_ANSWERS_H

#include "manager/late_copies.h"

struct hd_osm_engine;
struct hd_osm_plugin;

/*
 * To be called instead of hd_osm_confirm_settle(), of which this is more: true, what @engine wants
 * was confirmed, and what was sent before does not take it back.
 */
bool hd_osm_late_answers_settle(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine);

#endif
