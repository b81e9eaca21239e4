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
