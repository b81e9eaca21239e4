/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration blocks that OpenSM has sent since a sweep or round began: what they were, so that
 * they can be sent again at once. Until a port has answered, OpenSM's copy is a block of ones,
 * which no port could have.
 */
#ifndef HD_OPENSM_VLARB_BLOCKS_H
#define HD_OPENSM_VLARB_BLOCKS_H

#include "opensm/osm.h"

#include <stdbool.h>

struct hd_osm_sent_block;

struct hd_osm_blocks {
	struct hd_osm_sent_block *list;
	size_t n, room;
};

void hd_osm_blocks_clear(struct hd_osm_blocks *blocks);

/* Notes @block, as it goes to the port; without memory it is left to the next sweep. */
void hd_osm_blocks_note(struct hd_osm_blocks *blocks, osm_physp_t *physp, unsigned number,
			const ib_vl_arb_table_t *block);

/* What stands for a block until the port has answered. */
void hd_osm_block_mark(ib_vl_arb_table_t *kept);
bool hd_osm_block_is_marked(const ib_vl_arb_table_t *kept);

/* Sends those again that ports have not answered. Call with OpenSM's lock held exclusively. */
void hd_osm_blocks_send(const struct hd_osm_blocks *blocks, struct osm_opensm *osm);

#endif
