/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration tables that fit the lanes in use. Only low-priority tables have entries, and no
 * entry has weight 0, so that no lane waits for ever. An entry's weight is at least one packet of
 * the largest MTU, so that a turn is never cut into several.
 */
#ifndef HD_SL2VL_VLARB_H
#define HD_SL2VL_VLARB_H

#include "tables/tables.h"

struct hd_error;

/* How the lanes in use of a link share it. */
enum hd_vlarb_policy {
	HD_VLARB_LAYERS, /* as the layer rule prefers some layers: equally with most rules */
	HD_VLARB_EQUAL,
	HD_VLARB_FLOWS, /* by the flows that each carries */
};

/* "layers", "equal" or "flows"; NULL: layers. HD_EINVAL. */
int hd_vlarb_parse(const char *text, enum hd_vlarb_policy *policy, struct hd_error *err);

/* The most packets of a turn that one entry can say. */
#define HD_VLARB_MOST_PACKETS 3

/*
 * Turns of @packets [HD_MAX_VLS] packets, 1 .. HD_VLARB_MOST_PACKETS, for the VLs whose bits are set
 * in @vls; NULL: of one packet each.
 */
void hd_vlarb_turns(uint16_t vls, const uint8_t *packets, struct hd_vlarb *vlarb);

/*
 * Shares by @flows [HD_MAX_VLS], to a quarter of the least; VLs without flows count as the one with
 * fewest. A VL with much more than others has several entries, in between theirs. Where 64 entries
 * cannot express how much more, the least shares are more than their flows.
 */
void hd_vlarb_weighted(uint16_t vls, const uint64_t *flows, struct hd_vlarb *vlarb);

/*
 * Gives the ports of @tables, which have lanes and arbitration, shares by flows: one flow from every
 * end node to every LID of another one. End nodes of one switch must have the same path SLs.
 * HD_ENOMEM.
 */
int hd_vlarb_share_by_flows(struct hd_tables *tables, struct hd_error *err);

#endif
