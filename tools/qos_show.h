/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle qos show: prints a view. */
#ifndef HD_TOOLS_QOS_SHOW_H
#define HD_TOOLS_QOS_SHOW_H

#include "tools/qos_view.h"

/* Prints @view. HD_ENOMEM. */
int hd_qos_show(const struct hd_qos_view *view, struct hd_error *err);
void hd_qos_show_json(const struct hd_qos_view *view);

#endif
