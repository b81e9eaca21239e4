/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Starved VLs: packets leave a port on the VL, but neither table of its VL arbitration has an entry
 * with a weight for it. Internal to check/.
 */
#ifndef HD_CHECK_STARVED_H
#define HD_CHECK_STARVED_H

#include "check/dependencies.h"
#include "check/destinations.h"

struct hd_starved {
	uint64_t n;            /* pairs of port and VL */
	uint32_t port;         /* if n > 0: the lowest such port, */
	unsigned vl;           /* and the lowest VL of it */
	struct hd_gap unknown; /* ports with VLs above 0 in use whose arbitration is not known */
};

void hd_find_starved(const struct hd_check_network *network,
		     const struct hd_dependencies *dependencies, struct hd_starved *starved);

/*
 * Sets in @found the flow that leaves @port on @vl: to the first LID, from the lowest source (in
 * ports[]), on its lowest SL; a multicast flow only if no unicast flow does so. HD_ENOMEM.
 */
int hd_find_starved_flow(const struct hd_check_network *network,
			 const struct hd_destinations *destinations, unsigned max_vls,
			 uint32_t port, unsigned vl, struct hd_check_finding *found,
			 struct hd_error *err);

#endif
