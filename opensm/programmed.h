/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the nodes of the subnet hold now, as tables: LFTs and SL2VL rows as they were answered, of
 * whatever subnet manager they are. OpenSM reads the rows of ports that are new to it by itself,
 * the LFTs not.
 */
#ifndef HD_OPENSM_PROGRAMMED_H
#define HD_OPENSM_PROGRAMMED_H

#include "opensm/plugin.h"

/*
 * Reads what is not known, and notes the LIDs that lit ports have before OpenSM assigns any. To
 * be called when a heavy sweep has found everything, without OpenSM's lock.
 */
void hd_osm_programmed_read(struct hd_osm_plugin *plugin);

/*
 * The tables that nodes hold, on the fabric of @goal (hd_node_tables(), also for @last), in
 * *@before; NULL: no switch carries packets. Call with OpenSM's lock. HD_ENOMEM.
 */
int hd_osm_programmed_tables(struct hd_osm_plugin *plugin, const struct hd_tables *goal,
			     const struct hd_tables *last, struct hd_tables **before,
			     struct hd_error *err);

#endif
