/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle convert: traces and schedules, from one format to another. */
#ifndef HD_TOOLS_CONVERT_GOAL_H
#define HD_TOOLS_CONVERT_GOAL_H

#include <stdbool.h>

struct hd_error;

/* Whether the name of @file is that of a GOAL schedule, text or binary, or of a trace of heddle. */
bool hd_convert_is_goal(const char *file);

/*
 * Reads @from, a schedule, a trace of heddle, or one in VEF (*.vef), and writes it to @to: as text,
 * as LogGOPSim's binary form (*.bin), or as a trace of heddle (*.trace). HD_EIO; HD_EPARSE, with
 * file and line; HD_ENOMEM.
 */
int hd_convert_goal(const char *from, const char *to, struct hd_error *err);

#endif
