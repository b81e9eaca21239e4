// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/rows.h"

#include <stdlib.h>

#include "opensm/smps.h"
#include "support/memory.h"

/* In-ports of each out-port. */
static size_t n_ins(const osm_node_t *node)
{
	return node->sw ? osm_node_get_num_physp(node) : 1;
}

void hd_osm_rows_make_room(struct hd_osm_rows *rows, struct osm_opensm *osm)
{
	size_t n_rows = 0;

	hd_osm_rows_forget(rows);
	rows->of_node =
		malloc((cl_qmap_count(&osm->subn.node_guid_tbl) + 1) * sizeof(*rows->of_node));
	if (!rows->of_node)
		return;
	hd_osm_for_each_node(node, osm) {
		rows->of_node[rows->n_nodes].node = node;
		rows->of_node[rows->n_nodes++].first = n_rows;
		n_rows += n_ins(node) * osm_node_get_num_physp(node);
	}
	rows->row = hd_alloc_large(n_rows * sizeof(*rows->row));
	if (!rows->row)
		hd_osm_rows_forget(rows);
}

hd_sl2vl_row *hd_osm_rows_of(const struct hd_osm_rows *rows, size_t place, const osm_node_t *node,
			     unsigned number)
{
	if (place >= rows->n_nodes || rows->of_node[place].node != node)
		return NULL;
	return rows->row + rows->of_node[place].first + n_ins(node) * number;
}

void hd_osm_rows_note(struct hd_osm_rows *rows, size_t place, osm_node_t *node)
{
	hd_osm_for_each_physp(physp, node)
	{
		const unsigned number = osm_physp_get_port_num(physp);
		hd_sl2vl_row *noted = hd_osm_rows_of(rows, place, node, number);

		if (!noted || !number || !hd_osm_has_rows(physp))
			continue;
		for (uint32_t in = 0; in < n_ins(node); in++)
			noted[in] = hd_row_from_mad(
				osm_physp_get_slvl_tbl(physp, (uint8_t)in)->raw_vl_by_sl);
	}
}

void hd_osm_rows_forget(struct hd_osm_rows *rows)
{
	free(rows->of_node);
	free(rows->row);
	*rows = (struct hd_osm_rows){ .n_nodes = 0 };
}
