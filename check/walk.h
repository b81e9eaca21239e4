/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One flow's path, hop by hop: what `heddle show path` prints and tests compare. */
#ifndef HD_CHECK_WALK_H
#define HD_CHECK_WALK_H

#include "check/check.h"

struct hd_hop {
	uint32_t node;
	uint8_t in;    /* 0 at the source */
	uint8_t out;   /* 0 at the destination */
	uint8_t vl;    /* of the link that leaves through `out` */
};

/*
 * Follows @flow through @tables. @hops gets at most @capacity entries, source and destination
 * included; @n_hops the number of entries. Returns HD_CHECK_SOUND when the flow arrives, or why not:
 * the last hop is then where it is lost (HD_CHECK_FORWARD_LOOP also when @capacity is too small).
 * n_switches + 2 entries always suffice.
 */
enum hd_check_failure hd_walk(const struct hd_tables *tables, const struct hd_flow *flow,
			      struct hd_hop *hops, size_t capacity, size_t *n_hops);

#endif
