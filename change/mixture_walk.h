/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One flow's path through a mixture of old and new tables, and which node holds which. */
#ifndef HD_CHANGE_MIXTURE_WALK_H
#define HD_CHANGE_MIXTURE_WALK_H

#include "check/check.h"

/* The tables that a node must hold for a packet to take this path. */
enum hd_fabric_state {
	HD_STATE_EITHER, /* both are alike there */
	HD_STATE_BEFORE,
	HD_STATE_NOW,
	HD_STATE_MIXED, /* an item of the one and one of the other (tables/ar.h): the entry and its
			   group, the map to private LFTs and the entry, whether the switch goes by
			   VL2VL and the row */
};

struct hd_mixture_hop {
	struct hd_hop hop;
	enum hd_fabric_state entry; /* the entry, of the private LFT that the packet has, if any;
				       HD_STATE_EITHER at an adapter */
	enum hd_fabric_state row;   /* the SL2VL row, or the VL2VL row */
};

/* "-", "old", "new" */
const char *hd_fabric_state_name(enum hd_fabric_state held);

/*
 * The tables by which packets of @flow that come on @vl leave by hop->out of switch hop->node,
 * while up to @n_down of its ports are down (local repair).
 */
enum hd_fabric_state hd_fabric_state_entry(const struct hd_tables *now,
					   const struct hd_tables *before,
					   const struct hd_flow *flow, const struct hd_hop *hop,
					   unsigned vl, unsigned n_down);

/* The tables that have @flow's SL as path SL. */
enum hd_fabric_state hd_fabric_state_sl(const struct hd_tables *now, const struct hd_tables *before,
					const struct hd_flow *flow);

/*
 * A shortest path by which packets of @flow take the channel of @first and then that of @second,
 * from the source to the hop that sends into the second: @n hops, which the caller frees. @n is 0,
 * without an error, if there is no such path. @n_down: as above. HD_ENOMEM.
 */
int hd_mixture_walk(const struct hd_tables *now, const struct hd_tables *before, unsigned n_down,
		    const struct hd_flow *flow, const struct hd_witness *first,
		    const struct hd_witness *second, struct hd_mixture_hop **hops, size_t *n,
		    struct hd_error *err);

#endif
