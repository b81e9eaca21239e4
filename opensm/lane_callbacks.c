// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/lane_callbacks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opensm/site_qos.h"
#include "opensm/smps.h"
#include "opensm/subnet.h"

/* What is to be said of the site's QoS settings, "" for nothing; NULL when out of memory. */
static char *describe_site(const struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;
	const struct hd_site_qos qos = hd_osm_site_qos(osm);
	char *options = hd_site_qos_names(&qos), *sls = hd_osm_site_sls(osm), *text = NULL;
	const struct hd_site_outcome outcome = {
		.options = options,
		.sls = sls,
		.remark = engine->site_remark,
		.has_site_lanes = engine->has_site_lanes,
		.is_unchecked = engine->settings->unchecked,
		.has_classes = engine->goal && engine->goal->classes,
		.any_sl = engine->any_sl,
	};

	if (options && sls)
		text = hd_site_describe(&outcome);
	free(options);
	free(sls);
	return text;
}

/* Logs one line, and again only when the site's options have changed. */
void hd_osm_lanes_log_site(struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;
	char *text = describe_site(engine);

	if (!text || (engine->site_qos && strcmp(engine->site_qos, text) == 0)) {
		free(text);
		return;
	}
	if (*text)
		osm_log(&osm->log, OSM_LOG_INFO, "heddle: engine %s %s\n", engine->name, text);
	free(engine->site_qos);
	engine->site_qos = text;
}

/* Handles the first callback about lanes in a sweep. */
static void begin_qos(struct hd_osm_engine *engine)
{
	if (engine->site_qos_due)
		hd_osm_lanes_log_site(engine);
	engine->site_qos_due = false;
}

/* The port of ours whose tables OpenSM asks for; HD_NONE: there is none, or there are no tables. */
static uint32_t begin_port(struct hd_osm_engine *engine, osm_physp_t *physp)
{
	if (!engine->tables)
		return HD_NONE;
	begin_qos(engine);
	return hd_osm_find_port(engine->fabric, physp);
}

static void update_sl2vl(void *context, osm_physp_t *physp, uint8_t in, uint8_t out,
			 ib_slvl_table_t *table)
{
	struct hd_osm_engine *engine = context;
	uint32_t port = begin_port(engine, physp);
	const hd_sl2vl_row *row;

	if (port == HD_NONE)
		return;
	/* OpenSM asks with in-port and out-port 0 for end ports, and for an enhanced port 0 */
	row = hd_tables_find_row(engine->tables, port, in, out);
	if (!row)
		return;
	hd_osm_put_row(*row, table);
	hd_osm_confirm_row(&engine->plugin->confirm, physp, in, *row);
	/*
	 * OpenSM cuts every VL down to the bits that the port operates now, without a word, and
	 * negotiates the number of VLs only later. Such a row is wrong until a sweep that finds the
	 * new value.
	 */
	if (engine->masked_port == HD_NONE && engine->fabric->ports[port].peer != HD_NONE &&
	    hd_row_masked(*row, hd_osm_vl_mask(physp)) != *row)
		engine->masked_port = port;
}

static void fill_block(const struct hd_vlarb *vlarb, ib_vl_arb_table_t *block,
		       unsigned block_length, unsigned block_num)
{
	/* OpenSM gives length 0 for the second block of 64 entries, and programs it once */
	if (!block_length)
		block_length = HD_VLARB_BLOCK;
	for (unsigned i = 0; i < block_length && i < HD_VLARB_BLOCK; i++) {
		const struct hd_vlarb_entry entry = hd_vlarb_entry_at(vlarb, block_num, i);

		block->vl_entry[i].vl = entry.vl;
		block->vl_entry[i].weight = entry.weight;
	}
}

static void update_vlarb(void *context, osm_physp_t *physp, uint8_t port_num,
			 ib_vl_arb_table_t *block, unsigned block_length, unsigned block_num)
{
	struct hd_osm_engine *engine = context;
	uint32_t port = begin_port(engine, physp);

	if (port == HD_NONE)
		return;
	if (engine->goal->vlarb_of_port[port] != HD_NONE) {
		const struct hd_vlarb *vlarb =
			&engine->goal->vlarbs[engine->goal->vlarb_of_port[port]];

		/* the tables are made for this limit, whatever limit the site has set */
		physp->vl_high_limit = vlarb->high_limit;
		fill_block(vlarb, block, block_length, block_num);
	}
	hd_osm_confirm_block(&engine->plugin->confirm, physp, block_num, block, block_length);
}

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid)
{
	struct hd_osm_engine *engine = context;
	struct hd_path_answer answer;

	if (!engine->tables || engine->any_sl)
		return hint;
	answer = hd_path_answer(engine->tables, cl_ntoh16(slid), cl_ntoh16(dlid), hint);
	if (answer.has_no_class && !atomic_flag_test_and_set(&engine->no_class))
		osm_log(&engine->plugin->osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: SL %u is requested, but no class has it: path records "
			"get class %s instead\n",
			engine->name, hint, hd_class_of_others(engine->tables->classes)->name);
	return answer.sl;
}

void hd_osm_lanes_setup(struct osm_routing_engine *re)
{
	re->update_sl2vl = update_sl2vl;
	re->update_vlarb = update_vlarb;
	re->path_sl = path_sl;
}
