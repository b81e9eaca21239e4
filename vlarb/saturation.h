/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The shares that VL arbitration gives to lanes that always have packets. */
#ifndef HD_VLARB_SATURATION_H
#define HD_VLARB_SATURATION_H

#include "tables/tables.h"

struct hd_backlog {
	double share[HD_MAX_VLS]; /* part of the link; 0 for VLs that never send */
	uint32_t gap[HD_MAX_VLS]; /* the most that others send between two of its packets that do
				     not follow one another, in units of 64 bytes; UINT32_MAX for
				     VLs that never send */
};

/*
 * Serves @vls, which always have packets of @packet [VL] units of 64 bytes, until the sequence
 * repeats: a port sends from an entry while weight is left (InfiniBand 7.6.9). The high-priority
 * table goes first until it has sent limit x 4 KiB, or one packet with limit 0; then the
 * low-priority table sends a packet.
 */
void hd_vlarb_backlog(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet,
		      struct hd_backlog *backlog);

#endif
