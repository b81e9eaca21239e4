/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Matches switches of which no name and no GUID is known. A switch of the plan is tried on every
 * switch of the fabric that has the same ports in use towards the same port numbers: the match
 * grows from each pair for as many switches as time allows, and those from which the most cables
 * agree grow further, until one is left or the whole plan is matched. In a symmetric plan several
 * stay equal; then the first counts, and all are right.
 *
 * The switch that is tried may itself be cabled wrongly. So several are tried, until nearly all
 * cables agree.
 */
#ifndef HD_PLAN_ANCHOR_H
#define HD_PLAN_ANCHOR_H

#include "plan/pairs.h"

/* Matches the switches that are linked to matched nodes, and to those, and so on. HD_ENOMEM. */
int hd_match_neighbours(struct hd_plan_match *match, struct hd_error *err);

/* Matches all switches, of which none is matched, part by part. HD_ENOMEM. */
int hd_match_structure(struct hd_plan_match *match, struct hd_error *err);

#endif
