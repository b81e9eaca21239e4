// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/multicast_proof.h"

#include <inttypes.h>
#include <stdlib.h>

#include "check/check.h"
#include "opensm/subnet.h"
#include "support/error.h"

struct entries {
	struct hd_mft_entry *mft;
	size_t n, capacity;
};

static struct hd_mft_entry *find_entry(struct entries *entries, size_t from, uint16_t mlid,
				       uint32_t s)
{
	/*
	 * Blocks come in ascending order with all positions of a block, so the entry is one of
	 * these.
	 */
	for (size_t i = from; i < entries->n; i++)
		if (entries->mft[i].mlid == mlid)
			return &entries->mft[i];
	if (entries->n == entries->capacity) {
		size_t wanted = entries->capacity ? 2 * entries->capacity : 256;
		struct hd_mft_entry *grown = realloc(entries->mft, wanted * sizeof(*grown));

		if (!grown)
			return NULL;
		entries->mft = grown;
		entries->capacity = wanted;
	}
	entries->mft[entries->n] = (struct hd_mft_entry){ .mlid = mlid, .switch_index = s };
	return &entries->mft[entries->n++];
}

/* One block of 32 MLIDs for the ports of one position (16 each). */
static bool read_block(struct entries *entries, osm_switch_t *sw, uint32_t s, size_t from,
		       int16_t block, uint8_t position)
{
	ib_net16_t masks[IB_MCAST_BLOCK_SIZE] = { 0 };

	osm_switch_get_mft_block(sw, (uint16_t)block, position, masks);
	for (unsigned i = 0; i < IB_MCAST_BLOCK_SIZE; i++) {
		uint16_t mask = cl_ntoh16(masks[i]);
		unsigned mlid = IB_LID_MCAST_START_HO + (unsigned)block * IB_MCAST_BLOCK_SIZE + i;
		unsigned shift = position * 16u;
		struct hd_mft_entry *entry;

		if (!mask || mlid > IB_LID_MCAST_END_HO)
			continue;
		entry = find_entry(entries, from, (uint16_t)mlid, s);
		if (!entry)
			return false;
		entry->ports[shift / 64] |= (uint64_t)mask << shift % 64;
	}
	return true;
}

static bool read_switch(struct entries *entries, osm_switch_t *sw, uint32_t s)
{
	int16_t last = osm_switch_get_mft_max_block_in_use(sw);

	for (int16_t block = 0; block <= last; block++) {
		size_t from = entries->n;

		for (uint8_t position = 0; position <= osm_switch_get_mft_max_position(sw);
		     position++)
			if (!read_block(entries, sw, s, from, block, position))
				return false;
	}
	return true;
}

static int compare_entries(const void *a, const void *b)
{
	const struct hd_mft_entry *x = a, *y = b;

	if (x->mlid != y->mlid)
		return x->mlid < y->mlid ? -1 : 1;
	return x->switch_index < y->switch_index ? -1 : x->switch_index > y->switch_index;
}

/* The multicast tables that OpenSM's switches have, into @tables. */
static int read_tables(struct osm_opensm *osm, struct hd_tables *tables, struct hd_error *err)
{
	cl_qmap_t *map = &osm->subn.sw_guid_tbl;
	struct entries entries = { 0 };
	bool complete = true;

	cl_plock_acquire(&osm->lock);
	for (cl_map_item_t *item = cl_qmap_head(map); complete && item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		uint32_t s = hd_osm_find_switch(tables->fabric, (osm_switch_t *)item);

		if (s != HD_NONE)
			complete = read_switch(&entries, (osm_switch_t *)item, s);
	}
	cl_plock_release(&osm->lock);
	if (!complete) {
		free(entries.mft);
		return hd_error_nomem(err);
	}
	if (entries.n)
		qsort(entries.mft, entries.n, sizeof(*entries.mft), compare_entries);
	free(tables->mft);
	tables->mft = entries.mft;
	tables->n_mft = entries.n;
	return 0;
}

/* FNV-1a over words: to know whether the same tables were proved before. */
static uint64_t digest(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static uint64_t digest_tables(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hd_for_each_node(n, fabric)
		hash = digest(hash, &fabric->nodes[n].guid, sizeof(fabric->nodes[n].guid));
	hd_for_each_port(p, fabric)
		hash = digest(hash, &fabric->ports[p].peer, sizeof(fabric->ports[p].peer));
	hash = digest(hash, tables->lft, fabric->n_switches * tables->lft_stride);
	hash = digest(hash, tables->sl2vl,
		      tables->sl2vl_first[fabric->n_nodes] * sizeof(*tables->sl2vl));
	for (size_t i = 0; i < tables->n_mft; i++) {
		const struct hd_mft_entry *entry = &tables->mft[i];

		hash = digest(hash, &entry->mlid, sizeof(entry->mlid));
		hash = digest(hash, &entry->switch_index, sizeof(entry->switch_index));
		hash = digest(hash, entry->ports, sizeof(entry->ports));
	}
	return hash;
}

void hd_osm_check_multicast(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine)
{
	struct hd_check_options options = { .max_vls = engine->settings->max_vls };
	osm_log_t *log = &plugin->osm->log;
	struct hd_check_result result;
	struct hd_error err = { 0 };
	char summary[512];
	uint64_t hash;
	bool is_sound;

	if (engine->settings->unchecked)
		return;
	if (read_tables(plugin->osm, engine->tables, &err))
		goto failed;
	if (!engine->tables->n_mft)
		return;
	hash = digest_tables(engine->tables);
	if (hash == plugin->multicast_digest)
		return;
	if (hd_check(engine->tables, &options, &result, &err))
		goto failed;
	is_sound = result.failure == HD_CHECK_SOUND;
	if (is_sound && engine->has_site_lanes) {
		/* lanes of the site: a group may have any SL, and loops are what others can do */
		hd_check_clear(&result);
		options.all_sls = true;
		if (hd_check(engine->tables, &options, &result, &err))
			goto failed;
		is_sound = !result.n_witness;
	}
	plugin->multicast_digest = hash;
	hd_check_summary(&result, engine->fabric, summary, sizeof(summary));
	if (is_sound)
		osm_log(log, OSM_LOG_VERBOSE, "heddle: engine %s with OpenSM's multicast: %s\n",
			engine->name, summary);
	else
		osm_log(log, OSM_LOG_ERROR,
			"heddle: engine %s with OpenSM's multicast trees is unsound: %s\n",
			engine->name, summary);
	hd_check_clear(&result);
	return;
failed:
	osm_log(log, OSM_LOG_ERROR,
		"heddle: engine %s with OpenSM's multicast is not checked: %s\n", engine->name,
		err.text);
}
