/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rules there are: one file each, listed in registry.c and nowhere else. */
#ifndef HD_SL2VL_RULES_H
#define HD_SL2VL_RULES_H

#include "sl2vl/lanes.h"

extern const struct hd_layer_rule hd_layer_class;
extern const struct hd_layer_rule hd_layer_dateline;
extern const struct hd_layer_rule hd_layer_shift;
extern const struct hd_layer_rule hd_layer_single;

extern const struct hd_queue_rule hd_queue_dbbm;
extern const struct hd_queue_rule hd_queue_single;
extern const struct hd_queue_rule hd_queue_xordet;

#endif
