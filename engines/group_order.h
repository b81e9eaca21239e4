/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An order of the switches of a dragonfly that allows most paths around scarce links: packets turn
 * only to later switches (engines/group_even.c).
 */
#ifndef HD_ENGINES_GROUP_ORDER_H
#define HD_ENGINES_GROUP_ORDER_H

#include "topologies/dragonfly.h"

struct hd_error;

/*
 * Sets @order, [switch], to the place of each. Without scarce links, places are by position in the
 * group, then by group. The failure of a link rarely changes the order. Deterministic. HD_ENOMEM.
 */
int hd_group_order(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
		   uint64_t *order, struct hd_error *err);

#endif
