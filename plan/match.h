/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which node of a plan is which node of a fabric: by name, then by GUID, then by structure. A plan
 * has no real GUIDs, and may have other names.
 *
 * Names and GUIDs match where they are unique on both sides (plan/match_names.h). Structure matches
 * switches along cables between the same two port numbers: a pair of switches whose neighbours are
 * matched has a vote for each cable that agrees, and the pair with the most votes comes first
 * (plan/grow.h). So a few wrong cables are outvoted. If nothing is matched to begin with, a pair
 * is sought from which this goes best (plan/anchor.h). Adapters have the places of their cables.
 */
#ifndef HD_PLAN_MATCH_H
#define HD_PLAN_MATCH_H

#include "plan/pairs.h"

/*
 * Matches the nodes of @plan, which has some of its own, with @now. Clear with
 * hd_plan_match_clear(), also after an error. HD_EINVAL: neither names nor structure agree, so that
 * nothing can be said; HD_ENOMEM.
 */
int hd_cable_plan_match(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			struct hd_plan_match *match, struct hd_error *err);

#endif
