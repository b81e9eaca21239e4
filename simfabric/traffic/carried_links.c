// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/traffic/carried_links.h"

#include <string.h>

#define MOST_MTU  4096
#define UNIT_BITS (64 * 8)

/* The lanes of LinkWidthActive, which has a bit for each width. */
static unsigned lanes(unsigned width)
{
	return width & 8 ? 12 : width & 4 ? 8 : width & 2 ? 4 : width & 16 ? 2 : 1;
}

/* Mbit/s of data that a lane carries: the signalling rate less its 8/10 or 64/66 coding. */
static unsigned lane_rate(const struct hd_emulator_port *port)
{
	unsigned speed = port->speed_active, ext = port->speed_ext_active;

	if (port->speed_ext2_active)
		return 200000;
	if (ext)
		return ext & 8 ? 100000 : ext & 4 ? 50000 : ext & 2 ? 25000 : 13636;
	return speed & 4 ? 8000 : speed & 2 ? 4000 : 2000;
}

unsigned hd_carried_mtu(const struct hd_emulator *emulator)
{
	unsigned least = MOST_MTU;

	hd_for_each_port(p, emulator->fabric) {
		const struct hd_emulator_port *port = &emulator->ports[p];

		if (port->peer != HD_NONE && port->neighbor_mtu &&
		    128u << port->neighbor_mtu < least)
			least = 128u << port->neighbor_mtu;
	}
	return least;
}

enum hd_link_class hd_carried_link_class(const struct hd_fabric *fabric, const uint8_t *port_class,
					 uint32_t port)
{
	if (!hd_is_switch_link(fabric, port))
		return HD_LINK_TERMINAL;
	return port_class && port_class[port] == HD_PORT_GLOBAL ? HD_LINK_GLOBAL : HD_LINK_LOCAL;
}

void hd_carried_unit_ticks(const struct hd_emulator *emulator, const uint8_t *port_class,
			   uint32_t ticks[HD_LINK_CLASSES])
{
	const struct hd_fabric *fabric = emulator->fabric;
	uint32_t slowest = 1;

	memset(ticks, 0, HD_LINK_CLASSES * sizeof(*ticks));
	hd_for_each_port(p, fabric) {
		const struct hd_emulator_port *port = &emulator->ports[p];
		uint64_t rate = (uint64_t)lanes(port->width_active) * lane_rate(port);
		uint32_t unit = (uint32_t)((UNIT_BITS * UINT64_C(1000000) + rate / 2) / rate);
		uint32_t *of_class;

		if (fabric->ports[p].peer == HD_NONE)
			continue;
		of_class = &ticks[hd_carried_link_class(fabric, port_class, p)];
		if (unit > *of_class)
			*of_class = unit;
		if (unit > slowest)
			slowest = unit;
	}
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (!ticks[i])
			ticks[i] = slowest;
}
