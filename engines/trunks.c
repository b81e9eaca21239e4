// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/trunks.h"

#include <stdlib.h>

/* The following port of @s to the same switch; after the last comes the first. */
static unsigned next_cable(const struct hd_fabric *fabric, uint32_t s, unsigned port)
{
	const unsigned n_ports = fabric->nodes[s].n_ports;
	const uint32_t peer = hd_peer_node(fabric, s, port);

	if (peer == HD_NONE || !hd_is_switch(fabric, peer))
		return port;
	do {
		port = port == n_ports ? 1 : port + 1;
	} while (hd_peer_node(fabric, s, port) != peer);
	return port;
}

bool hd_trunks_exist(const struct hd_fabric *fabric)
{
	hd_for_each_switch(s, fabric)
		hd_for_each_number(port, fabric, s)
			if (next_cable(fabric, s, port) != port)
				return true;
	return false;
}

/* Sorts by flows, descending, then by the place among the destinations. */
static int compare(const void *one, const void *other)
{
	const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return a < b ? -1 : a > b;
}

static void sort(uint64_t *flows, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++)
		flows[i] = (UINT32_MAX - flows[i]) << 32 | i;
	qsort(flows + begin, end - begin, sizeof(*flows), compare);
}

/* Of the cables beside @port, that with the fewest flows; of several, the first from @port on. */
static unsigned least(const uint64_t *load, const uint8_t *next, unsigned port)
{
	unsigned best = port;

	for (unsigned other = next[port]; other != port; other = next[other])
		if (load[other] < load[best])
			best = other;
	return best;
}

void hd_trunks_spread(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		      uint32_t s, uint8_t *lft, uint64_t *flows)
{
	const unsigned n_ports = fabric->nodes[s].n_ports;
	uint8_t next[HD_MAX_PORTS + 1], begin[HD_MAX_PORTS + 1];
	bool any = false;

	for (unsigned port = 1; port <= n_ports; port++) {
		next[port] = (uint8_t)next_cable(fabric, s, port);
		begin[port] = (uint8_t)port;
		any |= next[port] != port;
	}
	for (unsigned pass = 0; any && pass < targets->n_passes; pass++) {
		const size_t end = targets->first[pass + 1];
		uint64_t load[HD_MAX_PORTS + 1] = { 0 };

		if (flows)
			sort(flows, targets->first[pass], end);
		for (size_t i = targets->first[pass]; i < end; i++) {
			const size_t target = flows ? (uint32_t)flows[i] : i;
			const uint16_t lid = targets->list[target].lid;
			unsigned port = lft[lid];

			if (port == 0 || port > n_ports || next[port] == port)
				continue;
			port = least(load, next, begin[port]);
			load[port] += flows ? UINT32_MAX - (flows[i] >> 32) : 1;
			lft[lid] = (uint8_t)port;
		}
		for (unsigned port = 1; port <= n_ports; port++)
			begin[port] = next[begin[port]];
	}
}
