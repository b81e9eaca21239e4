/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Failures other than credit loops: their number, and a flow that shows each. Internal to check/.
 */
#ifndef HD_CHECK_DEFECTS_H
#define HD_CHECK_DEFECTS_H

#include "check/multicast.h"

/* One kind of failure. */
struct hd_failure_count {
	uint64_t n;         /* pairs of node and destination LID */
	uint32_t first_lid; /* the lowest LID that fails; HD_NONE: no failure */
};

static inline void hd_failure_add(struct hd_failure_count *count, uint64_t n, uint32_t lid)
{
	if (!n)
		return;
	count->n += n;
	if (lid < count->first_lid)
		count->first_lid = lid;
}

/* Flows from adapters that are linked to another adapter, to the LIDs behind switches. */
void hd_count_direct_failures(const struct hd_check_network *network,
			      struct hd_failure_count *no_path);

/* Counts nodes that drop unicast packets, destination by destination. HD_ENOMEM. */
int hd_count_drops(const struct hd_check_network *network,
		   const struct hd_destinations *destinations, struct hd_failure_count *dropped,
		   struct hd_error *err);

/*
 * Sets in @found the flow that shows @failure for @lid: from the lowest source (in ports[]), on its
 * lowest SL that fails, and the port where it fails. HD_ENOMEM.
 */
int hd_find_bad_flow(const struct hd_check_network *network, enum hd_check_failure failure,
		     uint32_t lid, unsigned max_vls, struct hd_check_finding *found,
		     struct hd_error *err);

/*
 * The forwarding loop of @flow: @n hops, each leading to the next, the last to the first. The
 * caller frees @loop. HD_ENOMEM.
 */
int hd_find_loop(const struct hd_check_network *network, const struct hd_flow *flow,
		 struct hd_hop **loop, size_t *n, struct hd_error *err);

#endif
