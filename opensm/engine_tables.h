/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What OpenSM is handed of an engine: the tables of a sweep, or those of a round on the way there.
 */
#ifndef HD_OPENSM_ENGINE_TABLES_H
#define HD_OPENSM_ENGINE_TABLES_H

#include "opensm/plugin.h"

/*
 * Makes @tables, the goal or those of a round, what OpenSM is handed: the engine is an owner of
 * them now. Call with OpenSM's lock.
 */
void hd_osm_engine_take(struct hd_osm_engine *engine, struct hd_tables *tables);

/* Fills OpenSM's new LFTs from the tables of @engine. */
void hd_osm_engine_fill_lfts(const struct hd_osm_engine *engine);

#endif
