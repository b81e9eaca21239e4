/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * AR tables give switches port sets (tables/ar.h): packets to a LID may take every port of every
 * set, and the default port. This follows all of them (check/branches.h), one LID at a time, so the
 * dependency graph has edges for each port of a set. Internal to check/.
 */
#ifndef HD_CHECK_CHOICES_H
#define HD_CHECK_CHOICES_H

#include "check/defects.h"
#include "check/states.h"
#include "tables/ar.h"

/* Failures of the choices other than credit loops. */
struct hd_choices_result {
	struct hd_failure_count
		failures[HD_CHECK_CREDIT_LOOP]; /* [NO_PATH, FORWARD_LOOP, DROPPED] */
	unsigned max_hops;
	uint64_t n_states; /* triples of in-port, VL and pLFT, for each LID */
};

/*
 * Follows the choices of all LIDs and adds their states to @usage; with network->before, those of
 * all mixtures. Does nothing if @network has one set of tables, without AR tables. HD_ENOMEM.
 */
int hd_choices_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_choices_result *result, struct hd_error *err);

/*
 * Sets in @found the flow to @lid that shows @failure, as hd_find_bad_flow() does. For a forwarding
 * loop, @loop gets its @n_loop hops; the caller frees @loop. HD_ENOMEM.
 */
int hd_choices_find_bad_flow(const struct hd_check_network *network, enum hd_check_failure failure,
			     uint32_t lid, struct hd_check_finding *found, struct hd_hop **loop,
			     size_t *n_loop, struct hd_error *err);

/*
 * The lowest flow that may take channel (@from, @from_vl), HD_NONE: any, and right after it (@to,
 * @to_vl); @flow->source stays HD_NONE if there is none. HD_ENOMEM.
 */
int hd_choices_find_flow(const struct hd_check_network *network, uint32_t from, unsigned from_vl,
			 uint32_t to, unsigned to_vl, struct hd_flow *flow, struct hd_error *err);

#endif
