/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Makes one VL arbitration table from the packets that each lane sends in an arbitration round: the
 * number and the order of a lane's entries. vlarb/shares.h has the goal. Internal to vlarb/.
 */
#ifndef HD_VLARB_ROUND_ENTRIES_H
#define HD_VLARB_ROUND_ENTRIES_H

#include "vlarb/vlarb.h"

/* The lanes of a table. */
struct hd_round {
	unsigned n;
	uint8_t vl[HD_MAX_VLS];
	uint8_t packet[HD_MAX_VLS];   /* [lane] in units of 64 bytes; not 0 */
	uint32_t packets[HD_MAX_VLS]; /* [lane] in a round; not 0 */
};

/* The least number of entries that a lane of @packets packets in a round needs. */
unsigned hd_round_least(unsigned packet, uint64_t packets);

/*
 * Puts @round into at most @room entries (1 .. HD_VLARB_MAX), as often as it fits. Returns the
 * number of entries; 0: @room is too small.
 */
unsigned hd_round_arrange(const struct hd_round *round, unsigned room,
			  struct hd_vlarb_entry entries[HD_VLARB_MAX]);

#endif
