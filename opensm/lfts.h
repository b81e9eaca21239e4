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

/* Whether a data port of @node carries packets now. */
bool hd_osm_is_lit(const osm_node_t *node);

/*
 * Asks lit switches for LFT blocks that OpenSM does not know: of switches that it has not seen
 * before or that may have restarted, and blocks that a Set was sent for and that are not what it
 * said. The answers become OpenSM's copy; a block that is not answered becomes zeros, and is
 * counted in *@n_silent. *@n_short: switches for whose LFTs there is no memory. Call without the
 * lock when discovery is done. False: OpenSM exits.
 */
bool hd_osm_lfts_read(struct osm_opensm *osm, size_t *n_silent, size_t *n_short);

/*
 * Asks @sw for a block that it has answered before. Until it answers, OpenSM's copy is zeros. Call
 * with the lock held exclusively.
 */
void hd_osm_lfts_ask_again(struct osm_opensm *osm, osm_switch_t *sw, size_t block);

/*
 * How many blocks are not what OpenSM sent last; with @send, they are sent again. *@first is the
 * first switch that has one, or NULL. Call with the lock held exclusively.
 */
size_t hd_osm_lfts_unconfirmed(struct osm_opensm *osm, bool send, const osm_switch_t **first);

#endif
