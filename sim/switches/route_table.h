/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The static route: out-port and lane by the tables. */
#ifndef HD_SWITCHES_ROUTE_TABLE_H
#define HD_SWITCHES_ROUTE_TABLE_H

#include "sim/switches/crossbar.h"

/*
 * The out-port of a packet to @dlid with @sl that came in by @port of a switch; @vl gets the VL of
 * the next buffer. HD_NONE: the tables drop it.
 */
static inline uint32_t hd_route_table_look_up(const struct hd_model *model, uint32_t port,
					      uint16_t dlid, unsigned sl, unsigned *vl)
{
	const struct hd_forwarding *forwarding = &model->network.forwarding;
	uint32_t at = hd_switch_of(model, port);
	unsigned out = hd_forwarding_hop(forwarding, at, dlid);

	if (out == HD_HOP_NONE)
		return HD_NONE;
	*vl = hd_row_vl(hd_forwarding_row(forwarding, at, hd_crossbar(model, at)->n_ports,
					  hd_local(model, port), out),
			sl);
	return *vl == HD_VL_DROP ? HD_NONE : hd_first_port(model, at) + out;
}

#endif
