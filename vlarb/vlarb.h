/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration tables that fit the lanes in use. No entry has weight 0, so that no lane starves.
 * An entry's weight is at least one packet of the largest MTU, so that no turn is cut into several.
 *
 * Only low-priority tables have entries, unless a port's table has fewer entries than there are
 * lanes: then some of the lanes go to the high-priority table, with limit 0. After each packet of
 * that table the low-priority table has its turn: the two alternate packet by packet.
 */
#ifndef HD_VLARB_VLARB_H
#define HD_VLARB_VLARB_H

#include "tables/tables.h"

struct hd_error;

/* The default number of entries of each table: what ports of real switches usually have. */
#define HD_VLARB_CAP 8

/* The unit of the limit of high priority, 4 KiB, in units of 64 bytes; 255 is no limit. */
#define HD_VLARB_LIMIT_UNITS 64
#define HD_VLARB_NO_LIMIT    255

/* How many entries the tables of a port have. Both 0: the port arbitrates by itself. */
struct hd_vlarb_room {
	uint8_t low, high;
};

/* How the lanes in use of a link share it. */
enum hd_vlarb_policy {
	HD_VLARB_LAYERS, /* as the layer rule says: with most rules equally */
	HD_VLARB_EQUAL,
	HD_VLARB_FLOWS, /* by the number of flows that each lane carries */
};

/* "layers", "equal" or "flows"; NULL: layers. HD_EINVAL. */
int hd_vlarb_parse(const char *text, enum hd_vlarb_policy *policy, struct hd_error *err);

/* The most packets of an arbitration turn that one entry can express. */
#define HD_VLARB_MOST_PACKETS 3

/*
 * Arbitration turns of @packets [HD_MAX_VLS] packets, 1 .. HD_VLARB_MOST_PACKETS, for the VLs whose
 * bits are set in @vls; @packets NULL: one packet each.
 */
void hd_vlarb_turns(uint16_t vls, const uint8_t *packets, struct hd_vlarb *vlarb);

/*
 * Shares by @flows [HD_MAX_VLS], rounded to a quarter of the smallest; VLs without flows count as
 * the VL with the fewest. A VL with many more flows than others has several entries, with those of
 * others in between. If 64 entries cannot express the ratio, the smallest shares are too large.
 */
void hd_vlarb_weighted(uint16_t vls, const uint64_t *flows, struct hd_vlarb *vlarb);

/*
 * Makes @vlarb fit into @room: with fewer entries for nearly the same shares, or with lanes in both
 * tables. False: there are more lanes than entries, and @vlarb is unchanged.
 */
bool hd_vlarb_fit(struct hd_vlarb *vlarb, const struct hd_vlarb_room *room);

/*
 * The same for all linked ports of @tables: by @rooms [port]; if @rooms is NULL, with @cap entries
 * in each table of every port. Ports without room have no known arbitration afterwards.
 * HD_EREFUSED: more lanes than entries, with the arithmetic; HD_ENOMEM.
 */
int hd_vlarb_fit_ports(struct hd_tables *tables, const struct hd_vlarb_room *rooms, unsigned cap,
		       struct hd_error *err);

/*
 * Gives the ports of @tables shares by flows: one flow from every end node to every LID of another.
 * @tables have lanes and arbitration already. End nodes of one switch must have the same path SLs.
 * HD_ENOMEM.
 */
int hd_vlarb_share_by_flows(struct hd_tables *tables, struct hd_error *err);

/*
 * Gives the ports of @tables an arbitration in which service classes have their shares
 * (vlarb/shares.h), with room as for hd_vlarb_fit_ports(). Lanes of one service class share its
 * part by the arbitration that the port has. Notes the greatest error in tables->classes.
 * HD_EREFUSED: more lanes than entries, with the arithmetic; HD_ENOMEM.
 */
int hd_vlarb_share_by_classes(struct hd_tables *tables, const struct hd_vlarb_room *rooms,
			      unsigned cap, struct hd_error *err);

#endif
