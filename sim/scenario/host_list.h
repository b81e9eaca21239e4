/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lists of hosts in scenarios: "0,5,8..12". */
#ifndef HD_SCENARIO_HOST_LIST_H
#define HD_SCENARIO_HOST_LIST_H

#include "sim/model/model.h"

struct hd_error;

/* @ranges is to be freed; an empty text gives none. HD_EINVAL: no such list; HD_ENOMEM. */
int hd_hosts_parse(const char *text, struct hd_host_range **ranges, size_t *n,
		   struct hd_error *err);

#endif
