// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/lfts.h"

#include <stdlib.h>
#include <string.h>

#include "manager/patience.h"
#include "opensm/confirm.h"
#include "opensm/smps.h"
#include "opensm/waiting.h"
#include "support/clock.h"
#include "tables/tables.h"

bool hd_osm_is_lit(const osm_node_t *node)
{
	for (uint32_t number = 1; number < osm_node_get_num_physp(node); number++) {
		const osm_physp_t *physp = osm_node_get_physp_ptr((osm_node_t *)node, number);

		if (physp && osm_physp_get_port_state(physp) == IB_LINK_ACTIVE)
			return true;
	}
	return false;
}

static size_t n_blocks(const osm_switch_t *sw)
{
	return sw->lft ? sw->max_lid_ho / IB_SMP_DATA_SIZE + 1u : 0;
}

static bool is_confirmed(const osm_switch_t *sw, size_t block)
{
	return memcmp(sw->lft + block * IB_SMP_DATA_SIZE, sw->new_lft + block * IB_SMP_DATA_SIZE,
		      IB_SMP_DATA_SIZE) == 0;
}

static bool is_zero(const osm_switch_t *sw, size_t block)
{
	static const uint8_t zeros[IB_SMP_DATA_SIZE];

	return memcmp(sw->lft + block * IB_SMP_DATA_SIZE, zeros, sizeof(zeros)) == 0;
}

/* A switch that is asked for all of its LFT, or for what OpenSM's copy lacks. */
struct asked {
	osm_switch_t *sw;
	size_t n_blocks;
};

/* Gives OpenSM's copy room for @size bytes; what is new there leads nowhere. */
static bool make_room(osm_switch_t *sw, size_t size)
{
	uint8_t *lft;

	if (size <= sw->lft_size)
		return true;
	lft = realloc(sw->lft, size);
	if (!lft)
		return false;
	memset(lft + sw->lft_size, OSM_NO_PATH, size - sw->lft_size);
	sw->lft = lft;
	sw->lft_size = (uint16_t)size;
	return true;
}

/*
 * Zeroes what is not known of the LFT of @sw; false: everything is, or there is no memory for it,
 * which is counted in @n_short.
 */
static bool forget(const struct osm_opensm *osm, osm_switch_t *sw, struct asked *asked,
		   size_t *n_short)
{
	const size_t top = cl_ptr_vector_get_size(&osm->subn.port_lid_tbl);
	size_t n = top ? (top - 1) / IB_SMP_DATA_SIZE + 1 : 1;
	bool any = false;

	if (cl_ntoh16(sw->switch_info.lin_top) / IB_SMP_DATA_SIZE + 1u > n)
		n = cl_ntoh16(sw->switch_info.lin_top) / IB_SMP_DATA_SIZE + 1u;
	if (n > cl_ntoh16(sw->switch_info.lin_cap) / IB_SMP_DATA_SIZE)
		n = cl_ntoh16(sw->switch_info.lin_cap) / IB_SMP_DATA_SIZE;
	*asked = (struct asked){ .sw = sw, .n_blocks = n };
	if (!sw->lft || sw->need_update || osm->subn.need_update) {
		if (!n)
			return false;
		if (!make_room(sw, n * IB_SMP_DATA_SIZE)) {
			++*n_short;
			return false;
		}
		memset(sw->lft, 0, n * IB_SMP_DATA_SIZE);
		return true;
	}
	asked->n_blocks = n_blocks(sw);
	for (size_t block = 0; sw->new_lft && block < asked->n_blocks; block++)
		if (!is_confirmed(sw, block)) {
			memset(sw->lft + block * IB_SMP_DATA_SIZE, 0, IB_SMP_DATA_SIZE);
			any = true;
		}
	return any;
}

void hd_osm_lfts_ask_again(struct osm_opensm *osm, osm_switch_t *sw, size_t block)
{
	if (block >= n_blocks(sw))
		return;
	memset(sw->lft + block * IB_SMP_DATA_SIZE, 0, IB_SMP_DATA_SIZE);
	hd_osm_send_lft(osm, sw, block, NULL);
}

/* Until the switch has answered, OpenSM's copy is zeros. */
static void tell(struct osm_opensm *osm, osm_switch_t *sw, size_t block)
{
	if (!osm_node_get_physp_ptr(sw->p_node, 0))
		return;
	memset(sw->lft + block * IB_SMP_DATA_SIZE, 0, IB_SMP_DATA_SIZE);
	hd_osm_send_lft(osm, sw, block, sw->new_lft + block * IB_SMP_DATA_SIZE);
}

/* Counts blocks of zeros, and asks for them. */
static size_t ask_all(struct osm_opensm *osm, const struct asked *asked, size_t n, bool send)
{
	size_t n_silent = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t block = 0; block < asked[i].n_blocks; block++) {
			if (!is_zero(asked[i].sw, block))
				continue;
			n_silent++;
			if (send)
				hd_osm_send_lft(osm, asked[i].sw, block, NULL);
		}
	return n_silent;
}

/* The switches that are to be asked; for @n_short there is no memory, with NULL for none. */
static struct asked *choose(struct osm_opensm *osm, size_t *n, size_t *n_short)
{
	const size_t n_switches = cl_qmap_count(&osm->subn.sw_guid_tbl);
	struct asked *asked = malloc((n_switches + 1) * sizeof(*asked));

	*n = 0;
	*n_short = asked ? 0 : n_switches;
	if (!asked)
		return NULL;
	hd_osm_for_each_switch(sw, osm) {
		if (sw->p_node->discovery_count && hd_osm_is_lit(sw->p_node) &&
		    forget(osm, sw, &asked[*n], n_short))
			(*n)++;
	}
	return asked;
}

bool hd_osm_lfts_read(struct osm_opensm *osm, size_t *n_silent, size_t *n_short)
{
	struct hd_patience patience = { .last = 0 };
	struct asked *asked;
	bool goes_on = true;
	size_t n;

	cl_plock_excl_acquire(&osm->lock);
	asked = choose(osm, &n, n_short);
	*n_silent = asked ? ask_all(osm, asked, n, false) : 0;
	cl_plock_release(&osm->lock);
	while (goes_on && hd_patience_lasts(&patience, *n_silent, hd_seconds())) {
		cl_plock_excl_acquire(&osm->lock);
		ask_all(osm, asked, n, true);
		cl_plock_release(&osm->lock);
		goes_on = !hd_osm_wait(osm);
		cl_plock_excl_acquire(&osm->lock);
		*n_silent = ask_all(osm, asked, n, false);
		cl_plock_release(&osm->lock);
	}
	free(asked);
	return goes_on;
}

size_t hd_osm_lfts_unconfirmed(struct osm_opensm *osm, bool send, const osm_switch_t **first)
{
	size_t n = 0;

	*first = NULL;
	hd_osm_for_each_switch(sw, osm) {
		for (size_t block = 0; sw->new_lft && block < n_blocks(sw); block++) {
			if (is_confirmed(sw, block))
				continue;
			if (!n++)
				*first = sw;
			if (send)
				tell(osm, sw, block);
		}
	}
	return n;
}
