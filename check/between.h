/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Follows all mixtures of old and new tables at once. Each LFT entry, each SL2VL row and each path
 * SL may be old or new, so a packet to a LID has up to two out-ports at every switch
 * (check/branches.h), with AR tables all of four sets, up to two VLs there, and up to two SLs. With
 * private LFTs and VL2VL, each row of the map from in-port and SL or VL to pLFT, each entry of each
 * pLFT, each group and each row of VL2VL is old or new, and so is what the map goes by, and whether
 * the switch goes by VL2VL. If all of that together has no loop, no mixture has one. Internal to
 * check/ and change/.
 *
 * Packets to a LID whose owner has failed (`failed` of the options) arrive nowhere, and are
 * followed as far as entries lead.
 *
 * LIDs of one switch to which all other switches forward alike, by old and by new tables, are
 * followed together with all of their SLs: the usage is a union anyway.
 */
#ifndef HD_CHECK_BETWEEN_H
#define HD_CHECK_BETWEEN_H

#include "check/defects.h"
#include "check/states.h"

struct hd_between_result {
	struct hd_failure_count no_path, forward_loop;
	unsigned max_hops;
	uint64_t n_states; /* as in hd_choices_result, where choices were followed; else 0 */
};

/* Follows all flows of @network, which has `before`, and adds their states to @usage. HD_ENOMEM. */
int hd_between_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_between_result *result, struct hd_error *err);

#endif
