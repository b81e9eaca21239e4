/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle diff --schedule: in which order new tables may be sent. */
#ifndef HD_TOOLS_DIFF_SCHEDULE_H
#define HD_TOOLS_DIFF_SCHEDULE_H

#include "tables/snapshot.h"

struct hd_common;
struct hd_error;

/*
 * Plans how the nodes of @new get its tables when they hold those of @old, which the user calls
 * @old_name, and prints the rounds. *@status: 0 there is a schedule, 1 there is none. HD_EINVAL:
 * the two do not belong together; HD_ENOMEM.
 */
int hd_schedule_run(const struct hd_snapshot *old, const char *old_name,
		    const struct hd_snapshot *new, const struct hd_common *common, bool json,
		    int *status, struct hd_error *err);

#endif
