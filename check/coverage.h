/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How much of the traffic has a verdict if a dump lacks some switches' LFTs. Internal to check/. */
#ifndef HD_CHECK_COVERAGE_H
#define HD_CHECK_COVERAGE_H

#include "check/view.h"

/*
 * Counts in @n_flows the flows (pairs of end port and LID) in the network's scope, and in
 * @n_uncovered those that come to a switch whose LFT is not known. With @base_lids, LIDs at LMC
 * offsets above 0 are left out. Both are 0 if all LFTs are known. HD_ENOMEM.
 */
int hd_coverage_count(const struct hd_check_network *network, bool base_lids, uint64_t *n_uncovered,
		      uint64_t *n_flows, struct hd_error *err);

#endif
