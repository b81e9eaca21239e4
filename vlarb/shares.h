/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VL arbitration from shares: lanes of which each shall have a given part of a link, and sends
 * packets of a given size.
 *
 * A port sends from the lane of an entry as long as weight of that entry is left, and rounds up to
 * a whole packet. So an entry whose weight is whole packets of its lane gives the lane exactly that
 * weight, and lanes that always have packets share a link as their sums of weights.
 *
 * A lane's gap is what others send between two of its turns while all have packets: how long a
 * packet at the head of the lane waits at most. Of the tables that have the shares exactly, the one
 * is made whose longest gap of all lanes is the shortest; of those, one whose entries of a lane are
 * all alike and equally far apart, if there is one; of those, the one with the shortest gaps after
 * the longest; then the shortest table. A table is repeated as often as it fits, so that no entries
 * without weight follow it.
 */
#ifndef HD_VLARB_SHARES_H
#define HD_VLARB_SHARES_H

#include "vlarb/vlarb.h"

/* What a lane shall have of a link. */
struct hd_share {
	uint8_t vl;
	uint8_t packet; /* its packets, in units of 64 bytes; not 0 */
	uint64_t parts; /* of the sum of all lanes' parts, which is below 2^48; not 0 */
	bool high;      /* in the high-priority table */
};

/*
 * Makes the arbitration by which @lanes [n], 1 .. HD_MAX_VLS of different VLs, share a port with
 * @room, each of whose tables has up to HD_VLARB_MAX entries.
 *
 * Entries are in the low-priority table alone, unless there are more lanes than that has entries:
 * then the lanes are split over both tables, with limit 0, so that the tables send in turns, packet
 * by packet.
 *
 * Lanes of high priority are in the high-priority table alone, the others in the low-priority table.
 * @limit, in 4 KiB, is how much the first may send while the others have packets;
 * HD_VLARB_NO_LIMIT: as much as leaves the others their parts together, even if the lanes of high
 * priority want more than their own.
 *
 * Where no table has the shares exactly, the nearest is made. @error gets the greatest difference
 * between what a lane has and what it shall have, as a part of the link: 0 where shares are exact.
 *
 * HD_EREFUSED: more lanes than entries; a limit that does not leave the others their parts; with
 * the numbers.
 */
int hd_shares_table(const struct hd_share *lanes, unsigned n, const struct hd_vlarb_room *room,
		    unsigned limit, struct hd_vlarb *vlarb, double *error, struct hd_error *err);

/*
 * The longest gap of each VL in a table of @n entries, in units of 64 bytes; UINT32_MAX for VLs
 * that have no entry. Entries without weight are passed over.
 */
void hd_vlarb_gaps(const struct hd_vlarb_entry *entries, unsigned n, uint32_t gaps[HD_MAX_VLS]);

#endif
