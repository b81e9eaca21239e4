/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle diff --schedule: the order in which new tables may be sent. */
#ifndef HD_TOOLS_DIFF_SCHEDULE_H
#define HD_TOOLS_DIFF_SCHEDULE_H

#include "tables/snapshot.h"

struct hd_common;
struct hd_error;

/*
 * Plans how the nodes of @new get from the tables of @old to those of @new, and prints the rounds.
 * The user calls @old @old_name. *@status: 0 there is a schedule, 1 there is none. HD_EINVAL: the
 * two do not belong together; HD_ENOMEM.
 */
int hd_schedule_run(const struct hd_snapshot *old, const char *old_name,
		    const struct hd_snapshot *new, const struct hd_common *common, bool json,
		    int *status, struct hd_error *err);

#endif
