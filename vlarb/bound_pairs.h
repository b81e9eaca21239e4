/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The pair of hosts of each class whose packets wait longest. Internal to vlarb/. */
#ifndef HD_VLARB_BOUND_PAIRS_H
#define HD_VLARB_BOUND_PAIRS_H

#include "vlarb/bound.h"
#include "check/destinations.h"
#include "vlarb/waits.h"

/*
 * Sets wait, source and lid of the classes of @bound, from the waits of @channels [port *
 * network->n_vls + VL]. HD_ENOMEM.
 */
int hd_bound_find_pairs(const struct hd_check_network *network,
			const struct hd_destinations *destinations,
			const struct hd_wait_channel *channels, struct hd_bound *bound,
			struct hd_error *err);

#endif
