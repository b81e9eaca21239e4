// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/held_links.h"

#include <stdlib.h>

#include "opensm/logging.h"
#include "opensm/plugin.h"
#include "support/clock.h"

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

/* Whether the switch has links that are not up. */
static bool has_new_links(osm_node_t *node)
{
	hd_osm_for_each_physp(physp, node)
	{
		if (coming_peer(physp))
			return true;
	}
	return false;
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

static osm_node_t *find_switch(struct osm_opensm *osm, uint64_t guid)
{
	const osm_switch_t *sw = osm_get_switch_by_guid(&osm->subn, cl_hton64(guid));

	return sw ? sw->p_node : NULL;
}

/* The ports of all links of the switches, at both ends. */
static size_t count_ports(struct osm_opensm *osm, const struct hd_unconfirmed_switches *switches)
{
	size_t n = 0;

	for (size_t i = 0; i < switches->n; i++) {
		const osm_node_t *node = find_switch(osm, switches->now[i].guid);

		n += node ? 2 * (size_t)osm_node_get_num_physp(node) : 0;
	}
	return n;
}

/* What stays down. */
struct held {
	size_t n_links, n_switches;
	double left; /* seconds, of the switch with the fewest */
};

static void hold_all(struct hd_osm_plugin *plugin, double now, struct held *found)
{
	struct hd_unconfirmed_switches *switches = &plugin->confirm.switches;

	for (size_t i = 0; i < switches->n; i++) {
		struct hd_unconfirmed_switch *of = &switches->now[i];
		osm_node_t *node = find_switch(plugin->osm, of->guid);
		size_t n;

		if (!node || !hd_unconfirmed_stay_down(of, has_new_links(node), now))
			continue;
		n = hold_switch(&plugin->held_links, node);
		found->n_links += n;
		found->n_switches += n != 0;
		if (of->since + HD_UNCONFIRMED_SECONDS - now < found->left)
			found->left = of->since + HD_UNCONFIRMED_SECONDS - now;
	}
}

void hd_osm_links_hold(const struct hd_osm_engine *engine)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	struct hd_osm_held_links *held = &plugin->held_links;
	struct held found = { .left = HD_UNCONFIRMED_SECONDS };

	hd_osm_links_forget(held);
	hd_osm_alarm_clear(&held->alarm);
	hd_unconfirmed_switches_take(&plugin->confirm.switches);
	if (!plugin->confirm.switches.n)
		return;
	cl_plock_excl_acquire(&plugin->osm->lock);
	held->ports = malloc((count_ports(plugin->osm, &plugin->confirm.switches) + 1) *
			     sizeof(*held->ports));
	if (held->ports)
		hold_all(plugin, hd_seconds(), &found);
	cl_plock_release(&plugin->osm->lock);
	if (!held->ports)
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "out of memory: new links come up at switches that have not "
				  "confirmed their tables");
	if (!found.n_links)
		return;
	/* the sweep after that is the first in which they may come up */
	hd_osm_alarm_set(&held->alarm, (unsigned)(found.left * 1000) + 1);
	hd_osm_engine_log(engine, OSM_LOG_ERROR,
			  "%zu new links of %zu switches stay down, because these have not "
			  "confirmed their tables; for %d s at most",
			  found.n_links, found.n_switches, HD_UNCONFIRMED_SECONDS);
}

void hd_osm_links_release(struct hd_osm_held_links *held)
{
	struct osm_opensm *osm = held->alarm.osm;

	if (!held->n)
		return;
	cl_plock_excl_acquire(&osm->lock);
	for (size_t i = 0; i < held->n; i++)
		/* unless the port has told its state meanwhile */
		if (osm_physp_get_port_state(held->ports[i].physp) == IB_LINK_DOWN)
			ib_port_info_set_port_state(&held->ports[i].physp->port_info,
						    held->ports[i].state);
	cl_plock_release(&osm->lock);
	hd_osm_links_forget(held);
}

void hd_osm_links_forget(struct hd_osm_held_links *held)
{
	free(held->ports);
	held->ports = NULL;
	held->n = 0;
}
