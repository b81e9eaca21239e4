/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Traces of other formats as GOAL schedules. */
#ifndef HD_TRAFFIC_GOAL_RECORDS_H
#define HD_TRAFFIC_GOAL_RECORDS_H

#include "sim/traffic/goal.h"
#include "sim/traffic/records.h"

/*
 * The schedule of @records, whose ticks are units of time, whose units are bytes, and whose tasks
 * become ranks; @file is their name. Free with hd_goal_free(), also after an error. HD_ERANGE: too
 * many operations; HD_EPARSE; HD_ENOMEM.
 */
int hd_goal_from_records(const struct hd_records *records, const char *file, struct hd_goal *goal,
			 struct hd_error *err);

#endif
