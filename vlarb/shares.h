/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration from shares: each lane shall get a given part of a link, and sends packets of a
 * given size.
 *
 * A port sends from the lane of an entry while weight of that entry is left, and rounds up to a
 * whole packet. So an entry whose weight is a whole number of its lane's packets gives the lane
 * exactly that weight, and lanes that always have packets share a link by their sums of weights.
 *
 * A lane's gap is what others send between two of its turns while all have packets: the longest
 * wait of a packet at the head of the lane. Of the tables with exact shares, the choice goes by
 * these criteria in order: the longest gap of all lanes is the shortest; the entries of each lane
 * are alike and equally far apart; the other gaps are the shortest; the table is the shortest. The
 * table is repeated as often as it fits, so that no entries without weight follow it.
 */
#ifndef HD_VLARB_SHARES_H
#define HD_VLARB_SHARES_H

#include "vlarb/vlarb.h"

/* The share of a link that a lane shall get. */
struct hd_share {
	uint8_t vl;
	uint8_t packet; /* its packets, in units of 64 bytes; not 0 */
	uint64_t parts; /* of the sum of all lanes' parts, which is below 2^48; not 0 */
	bool high;      /* in the high-priority table */
};

/*
 * Makes the arbitration by which @lanes [n], 1 .. HD_MAX_VLS with different VLs, share a port with
 * @room; each table has at most HD_VLARB_MAX entries.
 *
 * Only the low-priority table has entries, unless there are more lanes than it has room for: then
 * the lanes are split over both tables, with limit 0, so that the tables alternate packet by
 * packet.
 *
 * Lanes of high priority are in the high-priority table alone, the others in the low-priority
 * table. @limit, in 4 KiB, is how much the high-priority table may send while the others have
 * packets; HD_VLARB_NO_LIMIT: as much as possible while the others get the sum of their parts, even
 * if lanes of high priority want more than their own parts.
 *
 * If no table has the shares exactly, the nearest is made. @error gets the greatest difference
 * between what a lane gets and what it shall get, as a part of the link; 0: shares are exact.
 *
 * HD_EREFUSED: more lanes than entries; a limit that does not leave the others their parts; with
 * the numbers.
 */
int hd_shares_table(const struct hd_share *lanes, unsigned n, const struct hd_vlarb_room *room,
		    unsigned limit, struct hd_vlarb *vlarb, double *error, struct hd_error *err);

/*
 * The longest gap of each VL in a table of @n entries, in units of 64 bytes; UINT32_MAX for VLs
 * that have no entry. Entries without weight are ignored.
 */
void hd_vlarb_gaps(const struct hd_vlarb_entry *entries, unsigned n, uint32_t gaps[HD_MAX_VLS]);

#endif
