/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LFTs as switches have answered them. OpenSM keeps every block that a switch has answered, zeroes
 * that copy when it sends a Set, and reads no LFT that an earlier subnet manager has left. A
 * refused Set is no error to it, and the subnet comes up. So a change asks what OpenSM does not
 * know, and looks at what has come back.
 */
#ifndef HD_OPENSM_LFTS_H
#define HD_OPENSM_LFTS_H

#include "opensm/osm.h"
#include <stdbool.h>

struct hd_discovered;
struct hd_osm_engine;

/* Fills OpenSM's new LFTs with the tables that @engine hands out. */
void hd_osm_lfts_fill(const struct hd_osm_engine *engine);

/* Whether a data port of @node is lit. */
bool hd_osm_is_lit(osm_node_t *node);

/*
 * Asks lit switches for LFT blocks that OpenSM does not know: of switches that it has not seen
 * before or that may have restarted, and blocks that a Set was sent for and that are not what it
 * said. The answers become OpenSM's copy; @found gets what could not be read. Call without the lock
 * when discovery is done. False: OpenSM exits.
 */
bool hd_osm_lfts_read(struct osm_opensm *osm, struct hd_discovered *found);

/*
 * Asks @sw for a block that it has answered before. Until it answers, OpenSM's copy is zeros. Call
 * with the lock held exclusively.
 */
void hd_osm_lfts_ask_again(struct osm_opensm *osm, osm_switch_t *sw, size_t block);

/* Whether @sw holds another LFT than OpenSM sent last, or nobody knows. With the lock held. */
bool hd_osm_lft_is_unconfirmed(const osm_switch_t *sw);

/*
 * How many blocks are not what OpenSM sent last; with @sends, they are sent again. *@first is the
 * first switch that has one, or NULL. Call with the lock held exclusively.
 */
size_t hd_osm_lfts_unconfirmed(struct osm_opensm *osm, bool sends, const osm_switch_t **first);

#endif
