/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The flow classes of a sweep, known before any run: classes of traffic, those of patterns,
 * requests and replies ("voice", "background", "voice request"). All of them have columns of
 * results.
 */
#ifndef HD_SCENARIO_FLOW_NAMES_H
#define HD_SCENARIO_FLOW_NAMES_H

#include "sim/scenario/setup.h"

struct hd_flow_names {
	unsigned n;
	char (*names)[HD_FLOW_NAME]; /* in the order in which points have them */
};

/*
 * Adds the new flow classes of @setup, unless all its packets are of one class without a name.
 * HD_ENOMEM; HD_ERANGE: more than HD_FLOW_NAMES_MAX.
 */
int hd_flow_names_add(struct hd_flow_names *flows, const struct hd_setup *setup,
		      struct hd_error *err);

/*
 * Adds those of all points of @scenario, and checks each point. Also returns what hd_setup_make()
 * returns.
 */
int hd_flow_names_find(struct hd_flow_names *flows, const struct hd_scenario *scenario,
		       struct hd_error *err);
void hd_flow_names_clear(struct hd_flow_names *flows);

#define HD_FLOW_NAMES_MAX 1024

#endif
