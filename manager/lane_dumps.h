/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What OpenSM's routing dumps leave out: path SLs, without which nobody can judge the lanes, and VL
 * arbitration. The files stand beside the subnet manager's dumps and always belong to the same
 * sweep.
 */
#ifndef HD_MANAGER_LANE_DUMPS_H
#define HD_MANAGER_LANE_DUMPS_H

#include "tables/tables.h"

/* Begin with zeros; clear in the end. */
struct hd_lane_dumps {
	struct hd_classes *written; /* classes whose path SLs stand in the directory */
};

/*
 * Writes the files in @directory: path SLs of @tables, the rest of @goal, on the way to which
 * @tables are. Both NULL: old files are removed. @tell gets a line for each file that is missing or
 * out of date then.
 */
void hd_lane_dumps_write(struct hd_lane_dumps *dumps, const char *directory,
			 const struct hd_tables *tables, const struct hd_tables *goal,
			 void (*tell)(void *context, const char *line), void *context);

void hd_lane_dumps_clear(struct hd_lane_dumps *dumps);

#endif
