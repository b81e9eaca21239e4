/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Gauges: how full buffers are over time. */
#ifndef HD_MODEL_GAUGES_H
#define HD_MODEL_GAUGES_H

#include "simfabric/model/state.h"

int hd_gauges_new(struct hd_model *model, struct hd_error *err);

/* @units more, or less, in the buffer behind @out's link, and in the one before it. */
void hd_gauge_buffer(struct hd_model *model, uint32_t out, unsigned vl, int64_t units);
void hd_gauge_output(struct hd_model *model, uint32_t out, int64_t units);

#endif
