// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/trunks.h"

#include <stdbool.h>

/*
 * next[port] is the following port of @s to the same switch; after the last comes the first.
 * Returns whether there are parallel links.
 */
static bool list_trunks(const struct hd_fabric *fabric, uint32_t s, uint8_t *next)
{
	const unsigned n_ports = fabric->nodes[s].n_ports;
	bool any = false;

	for (unsigned port = 1; port <= n_ports; port++) {
		uint32_t peer = hd_peer_node(fabric, s, port);
		unsigned other = port;

		next[port] = (uint8_t)port;
		if (peer == HD_NONE || !hd_is_switch(fabric, peer))
			continue;
		do {
			other = other == n_ports ? 1 : other + 1;
		} while (hd_peer_node(fabric, s, other) != peer);
		next[port] = (uint8_t)other;
		any |= other != port;
	}
	return any;
}

void hd_trunks_spread(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		      uint32_t s, uint8_t *lft)
{
	const unsigned n_ports = fabric->nodes[s].n_ports;
	uint8_t next[HD_MAX_PORTS + 1], turn[HD_MAX_PORTS + 1];

	if (!list_trunks(fabric, s, next))
		return;
	for (unsigned pass = 0; pass < targets->n_passes; pass++) {
		for (unsigned port = 1; port <= n_ports; port++) {
			turn[port] = (uint8_t)port;
			for (unsigned k = 0; k < pass; k++)
				turn[port] = next[turn[port]];
		}
		for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++) {
			uint16_t lid = targets->list[i].lid;
			unsigned port = lft[lid];

			if (port == 0 || port > n_ports || next[port] == port)
				continue;
			lft[lid] = turn[port];
			turn[port] = next[turn[port]];
		}
	}
}
