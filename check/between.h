/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All mixtures of tables before and after a change at once. Each entry of an LFT, each SL2VL row
 * and each path SL may be of either, so a packet to a LID has up to two ways on at every switch
 * (check/branches.h), up to two VLs there, and up to two SLs. Where none of that makes a circle,
 * no mixture does. Internal to check/.
 *
 * LIDs of one switch to which all others forward alike, before as after, are followed together,
 * with all of their SLs: what goes into the usage is a union anyway.
 */
#ifndef HD_CHECK_BETWEEN_H
#define HD_CHECK_BETWEEN_H

#include "check/defects.h"
#include "check/states.h"

struct hd_between_result {
	struct hd_failure_count no_path, forward_loop;
	unsigned max_hops;
};

/* Follows all flows of @network, which has `before`, and adds what is seen to @usage. HD_ENOMEM. */
int hd_between_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_between_result *result, struct hd_error *err);

#endif
