/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VLs that packets take out of a port whose VL arbitration never serves them: neither table has an
 * entry for the VL with a weight. Internal to check/.
 */
#ifndef HD_CHECK_STARVED_H
#define HD_CHECK_STARVED_H

#include "check/dependencies.h"
#include "check/destinations.h"

struct hd_starved {
	uint64_t n;            /* pairs of port and VL */
	uint32_t port;         /* where n > 0: the lowest such port, */
	unsigned vl;           /* and the lowest VL of it */
	struct hd_gap unknown; /* ports with VLs above 0 in use whose arbitration is not known */
};

void hd_find_starved(const struct hd_check_network *network,
		     const struct hd_dependencies *dependencies, struct hd_starved *starved);

/*
 * Sets in @found the flow that takes @vl out of @port: to the first LID from the lowest source (in
 * ports[]) on its lowest SL; multicast only where no unicast flow does. HD_ENOMEM.
 */
int hd_find_starved_flow(const struct hd_check_network *network,
			 const struct hd_destinations *destinations, unsigned max_vls,
			 uint32_t port, unsigned vl, struct hd_check_finding *found,
			 struct hd_error *err);

#endif
