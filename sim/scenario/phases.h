/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Phases of traffic as text: "uniform load=0.2 until=1ms then tornado". */
#ifndef HD_SCENARIO_PHASES_H
#define HD_SCENARIO_PHASES_H

#include "sim/scenario/quantity.h"
#include "sim/traffic/traffic.h"

struct hd_error;

/*
 * Cuts @text into words in place; @phases, with room for HD_PHASES_MAX, refer to them. Values that
 * a phase does not give are those of @whole. HD_EINVAL: malformed, or times do not rise.
 */
int hd_phases_parse(char *text, enum hd_clock clock, const struct hd_traffic_phase *whole,
		    struct hd_traffic_phase *phases, size_t *n, struct hd_error *err);

#endif
