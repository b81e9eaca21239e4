// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/link_rate.h"

#include <stdio.h>

const char *const hd_speed_names[HD_XDR + 1] = {
	[HD_SPEED_UNKNOWN] = "???", [HD_SDR] = "SDR", [HD_DDR] = "DDR", [HD_QDR] = "QDR",
	[HD_FDR10] = "FDR10",       [HD_FDR] = "FDR", [HD_EDR] = "EDR", [HD_HDR] = "HDR",
	[HD_NDR] = "NDR",           [HD_XDR] = "XDR",
};

const char *hd_rate_text(unsigned width, unsigned speed, char *buffer, size_t size)
{
	char lanes[16] = "";

	if (width)
		snprintf(lanes, sizeof(lanes), "%ux", width);
	snprintf(buffer, size, "%s%s", lanes,
		 speed   ? hd_speed_names[speed]
		 : width ? ""
			 : "unknown");
	return buffer;
}

uint32_t hd_link_mbps(unsigned width, unsigned speed)
{
	/* of a lane, without the coding: 8/10 up to QDR, 64/66 from FDR10 on */
	static const uint32_t of_lane[HD_XDR + 1] = {
		[HD_SDR] = 2000,    [HD_DDR] = 4000,   [HD_QDR] = 8000,
		[HD_FDR10] = 10000, [HD_FDR] = 13636,  [HD_EDR] = 25000,
		[HD_HDR] = 50000,   [HD_NDR] = 100000, [HD_XDR] = 200000,
	};

	return speed <= HD_XDR ? width * of_lane[speed] : 0;
}

uint32_t hd_fastest_mbps(const struct hd_fabric *fabric)
{
	uint32_t fastest = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			const struct hd_port *port =
				&fabric->ports[hd_port_index(fabric, s, number)];
			uint32_t mbps;

			if (hd_peer_node(fabric, s, number) >= fabric->n_switches)
				continue;
			mbps = hd_link_mbps(port->width, port->speed);
			fastest = mbps > fastest ? mbps : fastest;
		}
	return fastest;
}

uint32_t hd_port_mbps(const struct hd_fabric *fabric, uint32_t port, uint32_t fastest)
{
	const struct hd_port *at = &fabric->ports[port];
	const uint32_t mbps = hd_link_mbps(at->width, at->speed);

	return mbps ? mbps : fastest ? fastest : 1;
}

static const uint8_t vls_by_code[] = { 0, 1, 2, 4, 8, 15 };

unsigned hd_vlcap_vls(unsigned code)
{
	return code < sizeof(vls_by_code) ? vls_by_code[code] : 0;
}

uint8_t hd_vlcap_code(unsigned vls)
{
	uint8_t code = sizeof(vls_by_code) - 1;

	while (code && vls_by_code[code] != vls)
		code--;
	return code;
}

uint8_t hd_width_of_code(unsigned code)
{
	switch (code) {
	case 1:
		return 1;
	case 2:
		return 4;
	case 4:
		return 8;
	case 8:
		return 12;
	case 16:
		return 2;
	default:
		return 0;
	}
}

uint8_t hd_speed_of_codes(unsigned extended, bool is_fdr10, unsigned original)
{
	static const uint8_t of_extended[] = { 0, HD_FDR, HD_EDR, 0, HD_HDR, 0, 0, 0, HD_NDR };
	static const uint8_t of_original[] = { 0, HD_SDR, HD_DDR, 0, HD_QDR };

	if (extended)
		return extended < sizeof(of_extended) ? of_extended[extended] : HD_SPEED_UNKNOWN;
	if (is_fdr10)
		return HD_FDR10;
	return original < sizeof(of_original) ? of_original[original] : HD_SPEED_UNKNOWN;
}
