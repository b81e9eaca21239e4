/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Follows packets to one destination state by state, where pairs of switch and private LFT make a
 * circle (check/branches.h). A state is (in-port, VL, SL); it has one pLFT, and leads to a state
 * for each port of that pLFT's set. Only a circle of states is one of packets. Internal to check/.
 */
#ifndef HD_CHECK_BRANCH_STATES_H
#define HD_CHECK_BRANCH_STATES_H

#include "check/branches.h"

struct hd_branch_states;

/* Makes branches->by_states. HD_ENOMEM. */
int hd_branch_states_new(struct hd_branches *branches, struct hd_error *err);
void hd_branch_states_free(struct hd_branch_states *by_states);

/* Finds all states of the packets that were injected, hops and circles. */
void hd_branch_states_follow(struct hd_branches *branches);

/* Then: as hd_branches_find_circle(). */
int hd_branch_states_find_circle(struct hd_branches *branches, struct hd_hop **hops, size_t *n,
				 struct hd_error *err);

#endif
