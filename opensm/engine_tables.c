// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/engine_tables.h"

#include <string.h>

#include "opensm/subnet.h"

void hd_osm_engine_take(struct hd_osm_engine *engine, struct hd_tables *tables)
{
	hd_tables_free(engine->tables);
	engine->tables = tables;
}

void hd_osm_engine_fill_lfts(const struct hd_osm_engine *engine)
{
	hd_osm_for_each_switch(sw, engine->plugin->osm) {
		uint32_t s = hd_osm_find_switch(engine->fabric, sw);
		size_t n = engine->tables->lft_stride;

		if (s == HD_NONE || !sw->new_lft)
			continue;
		if (n > sw->lft_size)
			n = sw->lft_size;
		memcpy(sw->new_lft, hd_lft(engine->tables, s), n);
	}
}

const hd_sl2vl_row *hd_osm_engine_find_row(const struct hd_osm_engine *engine, uint32_t port,
					   unsigned in, unsigned out)
{
	const struct hd_fabric *fabric = engine->fabric;
	uint32_t node = fabric->ports[port].node;

	if (!hd_is_switch(fabric, node))
		return &engine->tables->sl2vl[hd_sl2vl_host_index(engine->tables, node,
								  fabric->ports[port].number)];
	if (in > fabric->nodes[node].n_ports || out > fabric->nodes[node].n_ports)
		return NULL;
	return &engine->tables->sl2vl[hd_sl2vl_index(engine->tables, node, in, out)];
}
