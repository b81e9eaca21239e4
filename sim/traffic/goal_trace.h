/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A GOAL schedule as a trace of heddle, whose lines come after those that they wait for. A calc is
 * a line of a task to itself, and so is a receive that waits for more than its message.
 */
#ifndef HD_TRAFFIC_GOAL_TRACE_H
#define HD_TRAFFIC_GOAL_TRACE_H

#include <stdio.h>

#include "sim/traffic/goal.h"

/*
 * Writes @goal, which is done, and is of @file. HD_EPARSE, with the place: what a trace cannot say
 * (receives from any source or with any tag, more than 2^31 bytes, processors that may be busy with
 * another operation), or operations that wait for ever; HD_ENOMEM. The stream's errors are the
 * caller's to find.
 */
int hd_goal_write_trace(const struct hd_goal *goal, const char *file, FILE *stream,
			struct hd_error *err);

#endif
