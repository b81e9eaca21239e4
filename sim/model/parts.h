/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The parts of packets' latency: an observer of the model, if the option asks for them. */
#ifndef HD_MODEL_PARTS_H
#define HD_MODEL_PARTS_H

#include "sim/model/state.h"

int hd_parts_new(struct hd_model *model, struct hd_error *err); /* HD_ENOMEM */
void hd_parts_free(struct hd_parts *parts);

#endif
