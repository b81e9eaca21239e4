/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The flows that make the dependencies of a cycle. Internal to check/. */
#ifndef HD_CHECK_WITNESS_H
#define HD_CHECK_WITNESS_H

#include "check/check.h"
#include "check/destinations.h"

/*
 * For every channel of the cycle @witness (port and VL given), finds a flow that takes this channel
 * and then the next: the lowest LID's lowest source (in ports[]) on its lowest SL; a multicast flow
 * only if no unicast flow does so. HD_ENOMEM.
 */
int hd_witness_find_flows(const struct hd_check_network *network,
			  const struct hd_destinations *destinations, unsigned max_vls,
			  struct hd_witness *witness, size_t n_witness, struct hd_error *err);

#endif
