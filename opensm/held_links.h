/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Links that stay down for a while. OpenSM brings up all links that it has found, also where a
 * switch has not confirmed its tables. A plan knows nothing of what such a switch has for a link
 * that carries no packets: it takes the goal's tables, which were to be there before the link is up
 * (opensm/programmed.h). So new links of such a switch are left as they are, by OpenSM's copies of
 * port states: it does nothing to ports that are down. They come up with the first sweep in which
 * the switch confirms, or after HD_UNCONFIRMED_SECONDS, for which a sweep of its own is asked.
 *
 * Links to hosts come up: no cycle goes through them. Ports whose links stay down miss other Sets of
 * PortInfo of that sweep, too.
 */
#ifndef HD_OPENSM_HELD_LINKS_H
#define HD_OPENSM_HELD_LINKS_H

#include "opensm/alarm.h"

struct hd_osm_engine;

/* A port whose copy of the state says down. */
struct hd_osm_held_port {
	osm_physp_t *physp;
	uint8_t state; /* before */
};

/* Begin with zeros, and start the alarm. */
struct hd_osm_held_links {
	struct hd_osm_alarm alarm; /* has OpenSM sweep when they are to come up */
	struct hd_osm_held_port *ports;
	size_t n;
};

/*
 * To be called when the tables of @engine were confirmed or not, and before links come up. Call
 * without OpenSM's lock.
 */
void hd_osm_links_hold(const struct hd_osm_engine *engine);

/* Links have come up: the copies are as they were. Call without OpenSM's lock. */
void hd_osm_links_release(struct hd_osm_held_links *held);

/* A sweep begins, which reads all states. */
void hd_osm_links_forget(struct hd_osm_held_links *held);

#endif
