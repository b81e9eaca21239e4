/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Links of several rates, as the fabric's file has them: link.rates. */
#ifndef HD_SCENARIO_FABRIC_RATES_H
#define HD_SCENARIO_FABRIC_RATES_H

#include "sim/scenario/setup.h"

/*
 * For `port_ticks` of the model's options: where widths or speeds of @fabric's links differ, what a
 * unit takes on each. link.bandwidth is what most hosts' links carry, and others carry in
 * proportion; link.bandwidth_local and the like what most links of their class carry. @port_class
 * may be NULL. *@ticks is from malloc(); NULL: links are as their classes, since the scenario says
 * so or no link is another. HD_ERANGE: a link is too fast or slow to be told in ticks; HD_ENOMEM.
 */
int hd_rates_make(const struct hd_setup *setup, const struct hd_fabric *fabric,
		  const uint8_t *port_class, uint32_t **ticks, struct hd_error *err);

#endif
