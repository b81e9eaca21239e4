// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/held_links.h"

#include <stdlib.h>

#include "opensm/logging.h"
#include "opensm/plugin.h"

/* The port at the other end if that is a switch's and one of the two ends is not up; or NULL. */
static osm_physp_t *coming_peer(osm_physp_t *physp)
{
	osm_physp_t *peer = osm_physp_get_remote(physp);

	if (!osm_physp_get_port_num(physp) || !peer || !osm_physp_get_node_ptr(peer)->sw)
		return NULL;
	return osm_physp_get_port_state(physp) < IB_LINK_ACTIVE ||
			       osm_physp_get_port_state(peer) < IB_LINK_ACTIVE
		       ? peer
		       : NULL;
}

/* A port that is up stays up, and one of a link that is held already is down. */
static void hold_port(struct hd_osm_held_links *held, osm_physp_t *physp)
{
	const uint8_t state = osm_physp_get_port_state(physp);

	if (state <= IB_LINK_DOWN || state >= IB_LINK_ACTIVE)
		return;
	held->ports[held->n++] = (struct hd_osm_held_port){ physp, state };
	ib_port_info_set_port_state(&physp->port_info, IB_LINK_DOWN);
}

/* Returns how many links of the switch stay down. */
static size_t hold_switch(struct hd_osm_held_links *held, osm_node_t *node)
{
	size_t n = 0;

	hd_osm_for_each_physp(physp, node)
	{
		const size_t n_before = held->n;
		osm_physp_t *peer = coming_peer(physp);

		if (!peer)
			continue;
		hold_port(held, physp);
		hold_port(held, peer);
		n += held->n != n_before;
	}
	return n;
}

/* The ports of all links of the switches, at both ends. */
static size_t count_ports(struct osm_opensm *osm, const struct hd_unconfirmed_switches *switches)
{
	size_t n = 0;

	for (size_t i = 0; i < switches->n_last; i++) {
		const osm_switch_t *sw =
			osm_get_switch_by_guid(&osm->subn, cl_hton64(switches->last[i].guid));

		n += sw ? 2 * (size_t)osm_node_get_num_physp(sw->p_node) : 0;
	}
	return n;
}

void hd_osm_links_hold(const struct hd_osm_engine *engine)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	struct hd_osm_held_links *held = &plugin->held_links;
	struct hd_unconfirmed_switches *switches = &plugin->confirm.switches;
	struct osm_opensm *osm = plugin->osm;
	size_t n_links = 0, n_switches = 0;

	hd_osm_links_forget(held);
	hd_unconfirmed_switches_end_sweep(switches);
	if (!switches->n_last)
		return;
	cl_plock_excl_acquire(&osm->lock);
	held->ports = malloc((count_ports(osm, switches) + 1) * sizeof(*held->ports));
	for (size_t i = 0; held->ports && i < switches->n_last; i++) {
		const osm_switch_t *sw =
			osm_get_switch_by_guid(&osm->subn, cl_hton64(switches->last[i].guid));
		const size_t n = sw && hd_unconfirmed_holds(&switches->last[i])
					 ? hold_switch(held, sw->p_node)
					 : 0;

		n_links += n;
		n_switches += n != 0;
	}
	cl_plock_release(&osm->lock);
	if (n_links)
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "%zu new links of %zu switches stay down, because these have not "
				  "confirmed their tables; for %d sweeps at most",
				  n_links, n_switches, HD_UNCONFIRMED_MOST_SWEEPS);
}

void hd_osm_links_release(struct hd_osm_held_links *held, struct osm_opensm *osm)
{
	if (!held->n)
		return;
	cl_plock_excl_acquire(&osm->lock);
	for (size_t i = 0; i < held->n; i++)
		ib_port_info_set_port_state(&held->ports[i].physp->port_info, held->ports[i].state);
	cl_plock_release(&osm->lock);
	hd_osm_links_forget(held);
}

void hd_osm_links_forget(struct hd_osm_held_links *held)
{
	free(held->ports);
	*held = (struct hd_osm_held_links){ .n = 0 };
}
