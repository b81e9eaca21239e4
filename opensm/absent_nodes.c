// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/absent_nodes.h"

#include <string.h>

#include "opensm/engine_tables.h"

/* Forgets the tables number @i, counted from the newest. */
static void forget(struct hd_osm_engine *engine, size_t i)
{
	hd_tables_free((struct hd_tables *)engine->older[i]);
	hd_fabric_free(engine->older_fabrics[i]);
	engine->n_older--;
	memmove(engine->older + i, engine->older + i + 1,
		(engine->n_older - i) * sizeof(engine->older[0]));
	memmove(engine->older_fabrics + i, engine->older_fabrics + i + 1,
		(engine->n_older - i) * sizeof(engine->older_fabrics[0]));
}

void hd_osm_absent_nodes_forget(struct hd_osm_engine *engine)
{
	while (engine->n_older)
		forget(engine, engine->n_older - 1);
}

/* Whether some end port of @fabric is in none of the @n @others. */
static bool has_more(const struct hd_fabric *fabric, const struct hd_fabric *const *others,
		     size_t n)
{
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];
		bool is_there = !port->lid;

		for (size_t j = 0; !is_there && j < n; j++)
			is_there = hd_fabric_find_port(others[j], port->guid) != HD_NONE;
		if (!is_there)
			return true;
	}
	return false;
}

/* Forgets tables all of whose nodes are in @now or in newer ones. */
static void forget_returned(struct hd_osm_engine *engine, const struct hd_fabric *now)
{
	const struct hd_fabric *newer[1 + HD_MOST_OLDER] = { now };
	size_t n = 1;

	for (size_t i = 0; i < engine->n_older;) {
		if (has_more(engine->older_fabrics[i], newer, n)) {
			newer[n++] = engine->older_fabrics[i++];
			continue;
		}
		forget(engine, i);
	}
}

/* Keeps the tables of the last sweep, the newest of all. */
static void keep_last(struct hd_osm_engine *engine)
{
	if (engine->n_older == HD_MOST_OLDER)
		forget(engine, HD_MOST_OLDER - 1);
	memmove(engine->older + 1, engine->older, engine->n_older * sizeof(engine->older[0]));
	memmove(engine->older_fabrics + 1, engine->older_fabrics,
		engine->n_older * sizeof(engine->older_fabrics[0]));
	engine->older[0] = engine->routed;
	engine->older_fabrics[0] = engine->fabric;
	engine->n_older++;
	/* the tables of a round are on that fabric, too, and go with those of the engine */
	hd_osm_engine_take(engine, NULL);
	hd_tables_free(engine->goal);
	engine->goal = NULL;
	engine->routed = NULL;
	engine->fabric = NULL;
}

void hd_osm_absent_nodes_take(struct hd_osm_engine *engine, const struct hd_fabric *now,
			      const struct hd_engine *chosen)
{
	/* hosts are taken to have asked again where lanes are never kept */
	if (engine->plugin->options.reroute_fresh || (engine->goal && chosen != engine->chosen)) {
		hd_osm_absent_nodes_forget(engine);
		return;
	}
	if (engine->goal && has_more(engine->fabric, &now, 1))
		keep_last(engine);
	forget_returned(engine, now);
}
