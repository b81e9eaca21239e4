/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration as OpenSM keeps it and sends it, in blocks of 32 entries. Until a port has
 * answered, OpenSM's copy is a block of ones, which no port could have.
 */
#ifndef HD_OPENSM_ARBITRATION_H
#define HD_OPENSM_ARBITRATION_H

#include "opensm/osm.h"

#include <stdbool.h>

struct hd_error;
struct hd_fabric;
struct hd_osm_engine;
struct hd_sent_blocks;
struct hd_vlarb;
struct hd_vlarb_room;

/* What stands for a block until the port has answered. */
void hd_osm_block_mark(ib_vl_arb_table_t *kept);
bool hd_osm_block_is_marked(const ib_vl_arb_table_t *kept);

/* What OpenSM keeps of a block whose Set nobody has answered. */
bool hd_osm_block_is_zero(const ib_vl_arb_table_t *kept);

/*
 * Sends those of @sent again that ports have not answered. Call with OpenSM's lock held
 * exclusively.
 */
void hd_osm_blocks_send(const struct hd_sent_blocks *sent, struct osm_opensm *osm);

/* Fills @n entries of the block @number (0 to 3) of @vlarb. */
void hd_osm_block_fill(const struct hd_vlarb *vlarb, unsigned number, unsigned n,
		       ib_vl_arb_table_t *block);

/*
 * How many VL arbitration entries OpenSM programs at each port of @fabric, [port]; with @whole
 * those that it programs with our help, too (hd_osm_vlarb_force()). To be freed by the caller.
 * HD_ENOMEM.
 */
int hd_osm_vlarb_rooms(struct osm_opensm *osm, const struct hd_fabric *fabric, bool whole,
		       struct hd_vlarb_room **rooms, struct hd_error *err);

/*
 * Has OpenSM send the entries 33 to 64 of ports of that capacity, where they differ from what the
 * port has (manager/programmed_entries.h). To be called while routes are built.
 */
void hd_osm_vlarb_force(struct hd_osm_engine *engine);

#endif
