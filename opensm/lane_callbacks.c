// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/lane_callbacks.h"

#include <stdlib.h>
#include <string.h>

#include "opensm/arbitration.h"
#include "opensm/logging.h"
#include "opensm/site_qos.h"
#include "opensm/smps.h"
#include "opensm/subnet.h"
#include "tables/classes.h"

/* Logs one line, and again only when the site's options have changed. */
void hd_osm_lanes_log_site(struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;
	const struct hd_site_qos qos = hd_osm_site_qos(osm);
	char *sls = hd_osm_site_sls(osm);
	char *text = sls ? hd_wanted_describe_site(&engine->handout.wanted, &qos, sls,
						   engine->settings->unchecked)
			 : NULL;

	free(sls);
	if (!text || (engine->site_qos && strcmp(engine->site_qos, text) == 0)) {
		free(text);
		return;
	}
	if (*text)
		hd_osm_log(osm, OSM_LOG_INFO, "engine %s %s", engine->name, text);
	free(engine->site_qos);
	engine->site_qos = text;
}

/* The index of @physp in ports[], which OpenSM asks for many times in a row; or HD_NONE. */
static uint32_t find_port(struct hd_osm_engine *engine, osm_physp_t *physp)
{
	const struct hd_fabric *fabric = engine->handout.wanted.fabric;
	const uint32_t last = engine->asked_port;
	const osm_node_t *node = osm_physp_get_node_ptr(physp);

	if (last < fabric->n_ports && fabric->ports[last].number == osm_physp_get_port_num(physp)) {
		const uint32_t n = fabric->ports[last].node;

		if (fabric->nodes[n].guid == cl_ntoh64(osm_node_get_node_guid(node)) &&
		    hd_is_switch(fabric, n) == (node->sw != NULL))
			return last;
	}
	engine->asked_port = hd_osm_find_port(fabric, physp);
	return engine->asked_port;
}

/*
 * The port of ours whose tables OpenSM asks for; HD_NONE: there is none, or there are no tables.
 * The first such callback in a sweep comes when OpenSM has read its policy file.
 */
static uint32_t begin_port(struct hd_osm_engine *engine, osm_physp_t *physp)
{
	if (!engine->handout.tables)
		return HD_NONE;
	if (engine->site_qos_due)
		hd_osm_lanes_log_site(engine);
	engine->site_qos_due = false;
	return find_port(engine, physp);
}

static void update_sl2vl(void *context, osm_physp_t *physp, uint8_t in, uint8_t out,
			 ib_slvl_table_t *table)
{
	struct hd_osm_engine *engine = context;
	uint32_t port = begin_port(engine, physp);
	/* OpenSM asks with in-port and out-port 0 for end ports, and for an enhanced port 0 */
	const hd_sl2vl_row *row =
		port == HD_NONE ? NULL : hd_tables_find_row(engine->handout.tables, port, in, out);

	if (!row)
		return;
	hd_row_to_mad(*row, table->raw_vl_by_sl);
	hd_osm_confirm_row(&engine->plugin->confirm, physp, in, *row);
	/*
	 * OpenSM cuts every VL down to the bits that the port operates now, without a word, and
	 * negotiates the number of VLs only later. Such a row is wrong until a sweep that finds the
	 * new value.
	 */
	if (engine->masked_port == HD_NONE &&
	    engine->handout.wanted.fabric->ports[port].peer != HD_NONE &&
	    hd_row_masked(*row, hd_osm_vl_mask(physp)) != *row)
		engine->masked_port = port;
}

static void update_vlarb(void *context, osm_physp_t *physp, uint8_t port_num,
			 ib_vl_arb_table_t *block, unsigned block_length, unsigned block_num)
{
	struct hd_osm_engine *engine = context;
	const struct hd_tables *goal = engine->handout.wanted.goal;
	uint32_t port = begin_port(engine, physp);

	if (port == HD_NONE)
		return;
	if (goal->vlarb_of_port[port] != HD_NONE) {
		const struct hd_vlarb *vlarb = &goal->vlarbs[goal->vlarb_of_port[port]];

		/* the tables are made for this limit, whatever limit the site has set */
		physp->vl_high_limit = vlarb->high_limit;
		/* OpenSM gives length 0 for the second block of 64 entries, and programs it once */
		hd_osm_block_fill(vlarb, block_num, block_length ? block_length : HD_VLARB_BLOCK,
				  block);
	}
	hd_osm_confirm_block(&engine->plugin->confirm, physp, block_num, block, block_length);
}

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid)
{
	struct hd_osm_engine *engine = context;
	struct hd_path_answer answer;

	if (!engine->handout.tables || engine->handout.wanted.any_sl)
		return hint;
	answer = hd_path_answer(engine->handout.tables, cl_ntoh16(slid), cl_ntoh16(dlid), hint);
	if (answer.has_no_class && !atomic_flag_test_and_set(&engine->no_class))
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "SL %u is requested, but no class has it: path records get class "
				  "%s instead",
				  hint, hd_class_of_others(engine->handout.tables->classes)->name);
	return answer.sl;
}

void hd_osm_lanes_setup(struct osm_routing_engine *re)
{
	re->update_sl2vl = update_sl2vl;
	re->update_vlarb = update_vlarb;
	re->path_sl = path_sl;
}
