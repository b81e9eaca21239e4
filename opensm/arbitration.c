// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/arbitration.h"

#include <stdlib.h>
#include <string.h>

#include "manager/programmed_entries.h"
#include "opensm/plugin.h"
#include "opensm/smps.h"
#include "opensm/subnet.h"
#include "support/error.h"

void hd_osm_block_mark(ib_vl_arb_table_t *kept)
{
	memset(kept, 0xff, sizeof(*kept));
}

bool hd_osm_block_is_marked(const ib_vl_arb_table_t *kept)
{
	ib_vl_arb_table_t mark;

	hd_osm_block_mark(&mark);
	return memcmp(kept, &mark, sizeof(mark)) == 0;
}

bool hd_osm_block_is_zero(const ib_vl_arb_table_t *kept)
{
	static const ib_vl_arb_table_t zeros;

	return memcmp(kept, &zeros, sizeof(zeros)) == 0;
}

/* Nothing frees ports before the next sweep has discovered the fabric. */
void hd_osm_blocks_send(const struct hd_sent_blocks *sent, struct osm_opensm *osm)
{
	for (size_t i = 0; i < sent->n; i++) {
		const struct hd_sent_block *block = &sent->list[i];
		osm_physp_t *physp = block->port;

		if (hd_osm_block_is_marked(&physp->vl_arb[block->number]))
			hd_osm_set_vlarb(osm, physp, block->number, block->block);
	}
}

void hd_osm_block_fill(const struct hd_vlarb *vlarb, unsigned number, unsigned n,
		       ib_vl_arb_table_t *block)
{
	for (unsigned i = 0; i < n && i < HD_VLARB_BLOCK; i++) {
		const struct hd_vlarb_entry entry = hd_vlarb_entry_at(vlarb, number, i);

		block->vl_entry[i].vl = entry.vl;
		block->vl_entry[i].weight = entry.weight;
	}
}

int hd_osm_vlarb_rooms(struct osm_opensm *osm, const struct hd_fabric *fabric, bool whole,
		       struct hd_vlarb_room **rooms, struct hd_error *err)
{
	*rooms = calloc(fabric->n_ports + (size_t)1, sizeof(**rooms));
	if (!*rooms)
		return hd_error_nomem(err);
	hd_osm_for_each_node(node, osm) {
		const uint32_t n = hd_osm_find_index(fabric, node);

		hd_osm_for_each_physp(physp, node)
		{
			const unsigned number = osm_physp_get_port_num(physp);
			const ib_port_info_t *info = &physp->port_info;

			if (n != HD_NONE && number <= fabric->nodes[n].n_ports)
				(*rooms)[hd_port_index(fabric, n, number)] = (struct hd_vlarb_room){
					.low = hd_programmed_entries(info->vl_arb_low_cap, whole),
					.high = hd_programmed_entries(info->vl_arb_high_cap, whole),
				};
		}
	}
	return 0;
}

/* Whether OpenSM takes the block @number, the second of a table, to be empty; and it is news. */
static bool is_left_out(const struct hd_vlarb *vlarb, const osm_physp_t *physp, unsigned number,
			uint8_t capacity)
{
	ib_vl_arb_table_t wanted;

	hd_osm_block_fill(vlarb, number, HD_VLARB_BLOCK, &wanted);
	return hd_second_block_is_cut(capacity) &&
	       memcmp(&wanted, &physp->vl_arb[number], sizeof(wanted)) != 0;
}

void hd_osm_vlarb_force(struct hd_osm_engine *engine)
{
	const struct hd_tables *tables = engine->handout.tables;

	hd_osm_for_each_node(node, engine->plugin->osm) {
		hd_osm_for_each_physp(physp, node)
		{
			const uint32_t port = hd_osm_find_port(tables->fabric, physp);
			const uint32_t n = port == HD_NONE ? HD_NONE : tables->vlarb_of_port[port];
			const struct hd_vlarb *vlarb = n == HD_NONE ? NULL : &tables->vlarbs[n];

			if (vlarb &&
			    (is_left_out(vlarb, physp, 1, physp->port_info.vl_arb_low_cap) ||
			     is_left_out(vlarb, physp, 3, physp->port_info.vl_arb_high_cap)))
				physp->need_update = 1;
		}
	}
}
