/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How much of the traffic tables tell of, where a dump lacks some switches' LFTs. Internal to
 * check/.
 */
#ifndef HD_CHECK_COVERAGE_H
#define HD_CHECK_COVERAGE_H

#include "check/view.h"

/*
 * Counts the flows, pairs of end port and LID in the network's scope, in @n_flows, and those of
 * them that come to a switch whose LFT is not known in @n_uncovered. With @base_lids LIDs at LMC
 * offsets above 0 are left out. Both are 0 where all LFTs are known. HD_ENOMEM.
 */
int hd_coverage_count(const struct hd_check_network *network, bool base_lids, uint64_t *n_uncovered,
		      uint64_t *n_flows, struct hd_error *err);

#endif
