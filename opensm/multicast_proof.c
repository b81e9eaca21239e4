// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/multicast_proof.h"

#include "manager/multicast_tables.h"
#include "opensm/subnet.h"
#include "support/error.h"

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

/* The multicast tables that OpenSM's switches have, into @tables. */
static int read_tables(struct osm_opensm *osm, struct hd_tables *tables, struct hd_error *err)
{
	struct hd_mft_list list = { .n = 0 };
	bool complete = true;

	cl_plock_acquire(&osm->lock);
	hd_osm_for_each_switch(sw, osm) {
		const uint32_t s = hd_osm_find_switch(tables->fabric, sw);

		if (complete && s != HD_NONE)
			complete = read_switch(&list, sw, s);
	}
	cl_plock_release(&osm->lock);
	if (!complete) {
		hd_mft_list_clear(&list);
		return hd_error_nomem(err);
	}
	hd_mft_list_give(&list, tables);
	return 0;
}

void hd_osm_check_multicast(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine)
{
	osm_log_t *log = &plugin->osm->log;
	struct hd_error err = { 0 };
	bool is_sound = false;
	char summary[512];
	uint64_t hash;
	int ret;

	if (engine->settings->unchecked)
		return;
	ret = read_tables(plugin->osm, engine->tables, &err);
	if (!ret && !engine->tables->n_mft)
		return;
	hash = hd_multicast_digest(engine->tables);
	if (!ret && hash == plugin->multicast_digest)
		return;
	if (!ret)
		ret = hd_multicast_prove(engine->tables, engine->settings->max_vls,
					 engine->has_site_lanes, &is_sound, summary,
					 sizeof(summary), &err);
	if (ret) {
		osm_log(log, OSM_LOG_ERROR,
			"heddle: engine %s with OpenSM's multicast is not checked: %s\n",
			engine->name, err.text);
		return;
	}
	plugin->multicast_digest = hash;
	if (is_sound)
		osm_log(log, OSM_LOG_VERBOSE, "heddle: engine %s with OpenSM's multicast: %s\n",
			engine->name, summary);
	else
		osm_log(log, OSM_LOG_ERROR,
			"heddle: engine %s with OpenSM's multicast trees is unsound: %s\n",
			engine->name, summary);
}
