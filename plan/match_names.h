/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Matches nodes by their names: as they are, then as lists of cables and subnets have them in
 * common (hd_device_key()), then end nodes by the first word alone ("node7" for "node7 HCA-1"). A
 * name counts where it is unique on both sides.
 */
#ifndef HD_PLAN_MATCH_NAMES_H
#define HD_PLAN_MATCH_NAMES_H

#include "plan/pairs.h"

/* HD_ENOMEM. */
int hd_match_names(struct hd_plan_match *match, struct hd_error *err);

/* Those nodes that are left, by GUID. */
void hd_match_guids(struct hd_plan_match *match);

#endif
