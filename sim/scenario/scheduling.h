/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Schedulers by shares, from scenarios: switch.dtable and switch.weights. */
#ifndef HD_SCENARIO_SCHEDULING_H
#define HD_SCENARIO_SCHEDULING_H

#include "sim/model/model.h"
#include "sim/scenario/scenario.h"

struct hd_error;

/* Sets them in @model, for @point of @scenario. HD_EINVAL: no such form, or no such weights. */
int hd_scheduling_make(const struct hd_scenario *scenario, size_t point,
		       struct hd_model_options *model, struct hd_error *err);

#endif
