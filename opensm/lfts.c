// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/lfts.h"

#include <stdlib.h>
#include <string.h>

#include "manager/lft_blocks.h"
#include "manager/node_tables.h"
#include "manager/patience.h"
#include "opensm/plugin.h"
#include "opensm/smps.h"
#include "opensm/subnet.h"
#include "opensm/waiting.h"

bool hd_osm_is_lit(osm_node_t *node)
{
	hd_osm_for_each_physp(physp, node)
	{
		if (osm_physp_get_port_num(physp) && hd_osm_port_is_lit(physp))
			return true;
	}
	return false;
}

/* The blocks of the LFT of @sw that OpenSM sends. */
static size_t n_blocks(const osm_switch_t *sw)
{
	return sw->lft ? hd_lft_blocks(sw->max_lid_ho) : 0;
}

/* Until @sw has answered, OpenSM's copy of the block is zeros; @entries NULL: asks for it. */
static void send_block(struct osm_opensm *osm, osm_switch_t *sw, size_t block,
		       const uint8_t *entries)
{
	hd_lft_block_clear(sw->lft, block);
	hd_osm_send_lft(osm, sw, block, entries);
}

/* A switch that is asked for all of its LFT, or for what OpenSM's copy lacks. */
struct asked {
	osm_switch_t *sw;
	size_t n_blocks;
};

struct reading {
	struct asked *asked;
	size_t n;
	struct hd_discovered *found;
};

/* Zeroes all of the LFT of @sw; false: there is nothing to ask for, or no memory. */
static bool forget_all(osm_switch_t *sw, size_t n, size_t *n_unread)
{
	if (!n)
		return false;
	if (!hd_lft_grow(&sw->lft, &sw->lft_size, n * HD_LFT_BLOCK)) {
		++*n_unread;
		return false;
	}
	memset(sw->lft, 0, n * HD_LFT_BLOCK);
	return true;
}

/* Whether some of @n blocks of the LFT of @sw are not as they were sent: of most switches, none. */
static bool differs(const osm_switch_t *sw, size_t n)
{
	return n && sw->new_lft && memcmp(sw->lft, sw->new_lft, n * HD_LFT_BLOCK) != 0;
}

/* Zeroes the blocks of the LFT of @sw that are not as they were sent; false: all are. */
static bool forget_doubtful(osm_switch_t *sw, size_t n)
{
	bool any = false;

	if (!differs(sw, n))
		return false;
	for (size_t block = 0; block < n; block++)
		if (!hd_lft_blocks_are_equal(sw->lft, sw->new_lft, block)) {
			hd_lft_block_clear(sw->lft, block);
			any = true;
		}
	return any;
}

/* Notes the switches that are to be asked. */
static void choose(struct osm_opensm *osm, struct reading *reading)
{
	const size_t n_lids = cl_ptr_vector_get_size(&osm->subn.port_lid_tbl);
	const size_t n_switches = cl_qmap_count(&osm->subn.sw_guid_tbl);

	reading->asked = malloc((n_switches + 1) * sizeof(*reading->asked));
	if (!reading->asked) {
		reading->found->n_unread_lfts = n_switches;
		return;
	}
	hd_osm_for_each_switch(sw, osm) {
		const ib_switch_info_t *info = &sw->switch_info;
		/* it is new to OpenSM, may have restarted, or is to get all anew */
		const bool is_unknown = !sw->lft || sw->need_update || osm->subn.need_update;
		const size_t n = is_unknown ? hd_lft_blocks_to_ask(n_lids ? n_lids - 1 : 0,
								   cl_ntoh16(info->lin_top),
								   cl_ntoh16(info->lin_cap))
					    : n_blocks(sw);

		if (!sw->p_node->discovery_count || !hd_osm_is_lit(sw->p_node))
			continue;
		if (is_unknown ? forget_all(sw, n, &reading->found->n_unread_lfts)
			       : forget_doubtful(sw, n))
			reading->asked[reading->n++] = (struct asked){ sw, n };
	}
}

/* Counts blocks of zeros, and asks for them. */
static size_t look(void *context, struct osm_opensm *osm, bool sends)
{
	const struct reading *reading = context;
	size_t n_zero = 0;

	for (size_t i = 0; i < reading->n; i++)
		for (size_t block = 0; block < reading->asked[i].n_blocks; block++) {
			if (!hd_lft_block_is_zero(reading->asked[i].sw->lft, block))
				continue;
			n_zero++;
			if (sends)
				hd_osm_send_lft(osm, reading->asked[i].sw, block, NULL);
		}
	reading->found->n_unread_blocks = n_zero;
	return n_zero;
}

bool hd_osm_lfts_read(struct osm_opensm *osm, struct hd_discovered *found)
{
	struct reading reading = { .found = found };
	struct hd_patience patience = { .last = 0 };
	bool goes_on;

	cl_plock_excl_acquire(&osm->lock);
	choose(osm, &reading);
	cl_plock_release(&osm->lock);
	goes_on = hd_osm_insist(osm, &patience, look, &reading);
	free(reading.asked);
	return goes_on;
}

void hd_osm_lfts_ask_again(struct osm_opensm *osm, osm_switch_t *sw, size_t block)
{
	if (block < n_blocks(sw))
		send_block(osm, sw, block, NULL);
}

bool hd_osm_lft_is_unconfirmed(const osm_switch_t *sw)
{
	return differs(sw, n_blocks(sw));
}

size_t hd_osm_lfts_unconfirmed(struct osm_opensm *osm, bool sends, const osm_switch_t **first)
{
	size_t n = 0;

	*first = NULL;
	hd_osm_for_each_switch(sw, osm) {
		const size_t n_sent = differs(sw, n_blocks(sw)) ? n_blocks(sw) : 0;

		for (size_t block = 0; block < n_sent; block++) {
			if (hd_lft_blocks_are_equal(sw->lft, sw->new_lft, block))
				continue;
			if (!n++)
				*first = sw;
			if (sends && osm_node_get_physp_ptr(sw->p_node, 0))
				send_block(osm, sw, block, hd_lft_block(sw->new_lft, block));
		}
	}
	return n;
}

void hd_osm_lfts_fill(const struct hd_osm_engine *engine)
{
	hd_osm_for_each_switch(sw, engine->plugin->osm) {
		uint32_t s = hd_osm_find_index(engine->handout.tables->fabric, sw->p_node);
		size_t n = engine->handout.tables->lft_stride;

		if (s == HD_NONE || !sw->new_lft)
			continue;
		if (n > sw->lft_size)
			n = sw->lft_size;
		memcpy(sw->new_lft, hd_lft(engine->handout.tables, s), n);
	}
}
