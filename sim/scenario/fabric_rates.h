/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Links of several rates, from the fabric's file: link.rates. */
#ifndef HD_SCENARIO_FABRIC_RATES_H
#define HD_SCENARIO_FABRIC_RATES_H

#include "sim/scenario/setup.h"

/*
 * Makes `port_ticks` of the model's options, the time of a unit on each link, if widths or speeds
 * of @fabric's links differ. link.bandwidth is the rate of most hosts' links, and others follow in
 * proportion; link.bandwidth_local and the like are the rates of most links of their class.
 * @port_class may be NULL. *@ticks is from malloc(); NULL: links are as their classes, because the
 * scenario says so or no link differs. HD_ERANGE: a link is too fast or slow for a number of ticks;
 * HD_ENOMEM.
 */
int hd_rates_make(const struct hd_setup *setup, const struct hd_fabric *fabric,
		  const uint8_t *port_class, uint32_t **ticks, struct hd_error *err);

#endif
