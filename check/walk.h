/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One flow's path, hop by hop, as `heddle show path` prints it. */
#ifndef HD_CHECK_WALK_H
#define HD_CHECK_WALK_H

#include "check/check.h"

/*
 * Follows @flow through @tables. @hops gets at most @capacity entries, source and destination
 * included; @n_hops the number of entries. Returns HD_CHECK_SOUND if the flow arrives. Otherwise
 * returns the failure, and the flow is lost at the last hop (HD_CHECK_FORWARD_LOOP also if
 * @capacity is too small). n_switches + 2 entries always suffice.
 *
 * HD_CHECK_NOT_COVERED: the flow comes to a switch whose LFT is not known, the last hop.
 *
 * A flow to the source's own LID never leaves the source: one hop. A packet that comes to an
 * adapter, or to port 0 of a switch, that does not own the LID, is lost (HD_CHECK_NO_PATH) at the
 * hop before. Multicast LIDs have no single path: HD_CHECK_NO_PATH at the source.
 */
enum hd_check_failure hd_walk(const struct hd_tables *tables, const struct hd_flow *flow,
			      struct hd_hop *hops, size_t capacity, size_t *n_hops);

/* hd_walk() with limits. */
struct hd_walk_options {
	bool routes_only; /* follow the LFTs and ignore SL2VL tables */
	unsigned max_vls; /* as in struct hd_check_options */
};

enum hd_check_failure hd_walk_with(const struct hd_tables *tables, const struct hd_flow *flow,
				   const struct hd_walk_options *options, struct hd_hop *hops,
				   size_t capacity, size_t *n_hops);

#endif
