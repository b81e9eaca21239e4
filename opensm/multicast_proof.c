// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/multicast_proof.h"

#include "manager/multicast_tables.h"
#include "opensm/logging.h"
#include "opensm/subnet.h"

/* One block of 32 MLIDs for the ports of one position (16 each). */
static bool read_block(struct hd_mft_list *list, osm_switch_t *sw, uint32_t s, int16_t block,
		       uint8_t position)
{
	ib_net16_t masks[IB_MCAST_BLOCK_SIZE] = { 0 };

	osm_switch_get_mft_block(sw, (uint16_t)block, position, masks);
	for (unsigned i = 0; i < IB_MCAST_BLOCK_SIZE; i++) {
		uint16_t mask = cl_ntoh16(masks[i]);
		unsigned mlid = IB_LID_MCAST_START_HO + (unsigned)block * IB_MCAST_BLOCK_SIZE + i;

		if (mask && mlid <= IB_LID_MCAST_END_HO &&
		    !hd_mft_list_add(list, s, mlid, position, mask))
			return false;
	}
	return true;
}

static bool read_switch(struct hd_mft_list *list, osm_switch_t *sw, uint32_t s)
{
	int16_t last = osm_switch_get_mft_max_block_in_use(sw);

	for (int16_t block = 0; block <= last; block++)
		for (uint8_t position = 0; position <= osm_switch_get_mft_max_position(sw);
		     position++)
			if (!read_block(list, sw, s, block, position))
				return false;
	return true;
}

/* The multicast tables that OpenSM's switches have, into @tables. False: out of memory. */
static bool read_tables(struct osm_opensm *osm, struct hd_tables *tables)
{
	struct hd_mft_list list = { .n = 0 };
	bool is_complete = true;

	cl_plock_acquire(&osm->lock);
	hd_osm_for_each_switch(sw, osm) {
		const uint32_t s = hd_osm_find_index(tables->fabric, sw->p_node);

		if (is_complete && s != HD_NONE)
			is_complete = read_switch(&list, sw, s);
	}
	cl_plock_release(&osm->lock);
	if (is_complete)
		hd_mft_list_give(&list, tables);
	else
		hd_mft_list_clear(&list);
	return is_complete;
}

void hd_osm_check_multicast(struct hd_osm_engine *engine)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	const struct hd_engine_settings *settings = engine->settings;
	struct hd_tables *tables = engine->handout.tables;
	enum hd_multicast_verdict verdict;
	char text[700];

	if (settings->unchecked || plugin->confirm.is_unproved ||
	    !hd_handout_has_goal(&engine->handout))
		return;
	if (!read_tables(plugin->osm, tables)) {
		hd_osm_log(plugin->osm, OSM_LOG_ERROR,
			   "engine %s with OpenSM's multicast is not checked: out of memory",
			   engine->name);
		return;
	}
	verdict =
		hd_multicast_judge(tables, settings->max_vls, engine->handout.wanted.has_site_lanes,
				   &plugin->multicast_digest, text, sizeof(text));
	if (verdict != HD_MULTICAST_NO_NEWS)
		hd_osm_log(plugin->osm,
			   verdict == HD_MULTICAST_SOUND ? OSM_LOG_VERBOSE : OSM_LOG_ERROR,
			   "engine %s %s", engine->name, text);
}
