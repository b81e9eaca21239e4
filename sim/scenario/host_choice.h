/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How hosts choose among LIDs, from scenarios: host.policy and its options. */
#ifndef HD_SCENARIO_HOST_CHOICE_H
#define HD_SCENARIO_HOST_CHOICE_H

#include "sim/model/model.h"
#include "sim/scenario/scenario.h"

struct hd_error;

/*
 * Sets it in @model, for @point of @scenario. HD_EINVAL, HD_ERANGE: an option has no such value;
 * HD_ENOMEM.
 */
int hd_host_choice_make(const struct hd_scenario *scenario, size_t point,
			struct hd_model_options *model, struct hd_error *err);

#endif
