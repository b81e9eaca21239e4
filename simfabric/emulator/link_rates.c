// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The widths and speeds of ports, as PortInfo has them. */
#include "simfabric/emulator/private.h"

#define WIDTH_1X  1
#define WIDTH_4X  2
#define WIDTH_8X  4
#define WIDTH_12X 8
#define WIDTH_2X  16

/* Enables the widths of a port of @lanes that ibsim enables. */
void hd_port_set_width(struct hd_emulator_port *port, unsigned lanes)
{
	static const struct {
		uint8_t lanes, enabled, active;
	} widths[] = {
		{ 1, WIDTH_1X, WIDTH_1X },
		{ 2, WIDTH_2X, WIDTH_2X },
		{ 4, WIDTH_1X | WIDTH_4X, WIDTH_4X },
		{ 8, WIDTH_1X | WIDTH_4X | WIDTH_8X, WIDTH_8X },
		{ 12, WIDTH_1X | WIDTH_4X | WIDTH_12X, WIDTH_12X },
	};

	port->width_enabled = WIDTH_4X;
	port->width_active = WIDTH_4X;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (widths[i].lanes != lanes)
			continue;
		port->width_enabled = widths[i].enabled;
		port->width_active = widths[i].active;
	}
	port->width_supported = port->width_enabled;
}

void hd_port_set_speed(struct hd_emulator_port *port, enum hd_speed speed)
{
	/* in the codes of PortInfo: a bit per speed, each with all slower ones */
	static const uint8_t enabled[HD_XDR + 1] = { 1, 1, 3, 7, 7, 7, 7, 7, 7, 7 };
	static const uint8_t extended[HD_XDR + 1] = { 0, 0, 0, 0, 0, 1, 3, 7, 15, 15 };

	port->speed_supported = port->speed_enabled = enabled[speed];
	port->speed_active = (uint8_t)((enabled[speed] + 1) / 2);
	port->speed_ext_supported = port->speed_ext_enabled = extended[speed];
	port->speed_ext_active = (uint8_t)((extended[speed] + 1) / 2);
	port->speed_ext2_supported = port->speed_ext2_enabled = port->speed_ext2_active =
		speed == HD_XDR;
}

void hd_port_rates(const struct hd_fabric *fabric, uint32_t index, struct hd_emulator_port *port)
{
	const struct hd_port *wired = &fabric->ports[index];
	/* a netfile may have only one end of a link */
	const struct hd_port *other = wired->peer == HD_NONE ? wired : &fabric->ports[wired->peer];

	hd_port_set_width(port, wired->width ? wired->width : other->width);
	hd_port_set_speed(port, wired->speed ? wired->speed : other->speed);
}

void hd_port_add_supported(const struct hd_fabric *fabric, struct hd_emulator_port *port,
			   uint32_t node)
{
	const uint32_t first = fabric->nodes[node].first_port;

	for (unsigned number = 1; number <= fabric->nodes[node].n_ports; number++) {
		struct hd_emulator_port link;

		if (fabric->ports[first + number].peer == HD_NONE)
			continue;
		hd_port_rates(fabric, first + number, &link);
		port->width_supported |= link.width_supported;
		port->speed_supported |= link.speed_supported;
		port->speed_ext_supported |= link.speed_ext_supported;
		port->speed_ext2_supported |= link.speed_ext2_supported;
	}
}
