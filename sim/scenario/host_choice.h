/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What scenarios say of how hosts choose among LIDs: host.policy and its options. */
#ifndef HD_SCENARIO_HOST_CHOICE_H
#define HD_SCENARIO_HOST_CHOICE_H

#include "sim/model/model.h"
#include "sim/scenario/scenario.h"

struct hd_error;

/*
 * Sets in @model what @point of @scenario says. HD_EINVAL, HD_ERANGE: an option has no such value;
 * HD_ENOMEM.
 */
int hd_host_choice_make(const struct hd_scenario *scenario, size_t point,
			struct hd_model_options *model, struct hd_error *err);

#endif
