/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A copy of all SL2VL rows that OpenSM keeps of nodes' answers. OpenSM has each row in a piece of
 * memory of its own, so to read them all takes long: who does notes them here for who comes later
 * in the sweep.
 */
#ifndef HD_OPENSM_ROWS_H
#define HD_OPENSM_ROWS_H

#include "opensm/osm.h"

#include "tables/tables.h"

/* Begin with zeros. */
struct hd_osm_rows {
	/* [place in OpenSM's map of nodes]; NULL: nothing is noted */
	struct {
		const osm_node_t *node;
		size_t first; /* of its rows */
	} * of_node;
	size_t n_nodes;
	hd_sl2vl_row *row;
};

/* Makes room for all rows, in place of those that were noted. Without memory there is no room. */
void hd_osm_rows_make_room(struct hd_osm_rows *rows, struct osm_opensm *osm);

/*
 * The rows of @node, at @place in OpenSM's map, for its out-port @number: one for each in-port, or
 * one for an adapter. NULL: there is no room for them, or the map has changed.
 */
hd_sl2vl_row *hd_osm_rows_of(const struct hd_osm_rows *rows, size_t place, const osm_node_t *node,
			     unsigned number);

/* Notes the rows of all ports of @node that have any. */
void hd_osm_rows_note(struct hd_osm_rows *rows, size_t place, osm_node_t *node);

void hd_osm_rows_forget(struct hd_osm_rows *rows);

#endif
