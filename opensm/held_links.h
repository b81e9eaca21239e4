/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Links that stay down at the end of a sweep. OpenSM brings up all links that it has found, also
 * where a switch has not confirmed its tables. A plan knows nothing of what such a switch holds for
 * a link that carries no packets: it takes the goal's tables, which were to be there before the
 * link is up (opensm/programmed.h). So links of such a switch that are not up are left as they are,
 * by OpenSM's copies of port states: it does nothing to ports that are down.
 *
 * Links to hosts come up: no cycle goes through them.
 */
#ifndef HD_OPENSM_HELD_LINKS_H
#define HD_OPENSM_HELD_LINKS_H

#include "opensm/osm.h"

struct hd_osm_engine;

/* Ports whose copies of states say down. Begin with zeros. */
struct hd_osm_held_links {
	struct hd_osm_held_port {
		osm_physp_t *physp;
		uint8_t state; /* before */
	} * ports;
	size_t n;
};

/*
 * To be called when the tables of @engine were confirmed or not, and before OpenSM brings links up.
 * Call without OpenSM's lock.
 */
void hd_osm_links_hold(const struct hd_osm_engine *engine);

/* The sweep is over: the states are as they were. Call without OpenSM's lock. */
void hd_osm_links_release(struct hd_osm_held_links *held, struct osm_opensm *osm);

/* A sweep begins, which reads all states. */
void hd_osm_links_forget(struct hd_osm_held_links *held);

#endif
