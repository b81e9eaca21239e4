/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a VL arbitration guarantees each VL, whatever the other VLs do: a rate and a latency, such
 * that in any time t in which the VL has packets to send, packets of at least rate x (t - latency)
 * begin (docs/qos.md, "Bounds", has the argument).
 */
#ifndef HD_VLARB_GUARANTEE_H
#define HD_VLARB_GUARANTEE_H

#include "tables/tables.h"

struct hd_guarantee {
	double rate[HD_MAX_VLS];    /* part of the link; 0: nothing is guaranteed */
	double latency[HD_MAX_VLS]; /* what the link sends in that time, in units of 64 bytes;
				       meaningless where the rate is 0 */
};

/*
 * For @vls, whose packets are of @packet [VL] units of 64 bytes. In the table of a VL the turns of
 * all others count in full. Before each packet of the low-priority table the high-priority table
 * sends as much as its limit allows; the low-priority table sends its largest packet whenever it
 * may.
 */
void hd_vlarb_guarantee(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet,
			struct hd_guarantee *guarantee);

/*
 * What the high-priority table, whose limit is not 255, sends at most between two packets of the
 * other one, in units of 64 bytes.
 */
unsigned hd_vlarb_most_between(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet);

#endif
