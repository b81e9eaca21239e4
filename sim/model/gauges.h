/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gauges: the occupancy of buffers over time. They are an observer of their model. */
#ifndef HD_MODEL_GAUGES_H
#define HD_MODEL_GAUGES_H

#include "sim/model/state.h"

/* Gauges of buffers that are empty. HD_ENOMEM. */
int hd_gauges_new(struct hd_model *model, struct hd_error *err);
void hd_gauges_free(struct hd_gauges *gauges);

#endif
