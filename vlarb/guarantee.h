/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The guarantee of a VL arbitration to each VL, for any load of the other VLs: a rate and a
 * latency. In any time t in which the VL always has packets, packets of at least rate x (t -
 * latency) begin (docs/qos.md, "Bounds", has the argument).
 */
#ifndef HD_VLARB_GUARANTEE_H
#define HD_VLARB_GUARANTEE_H

#include "tables/tables.h"

struct hd_guarantee {
	double rate[HD_MAX_VLS];    /* part of the link; 0: nothing is guaranteed */
	double latency[HD_MAX_VLS]; /* as what the link sends in that time, in units of 64 bytes;
				       not set if the rate is 0 */
};

/*
 * For @vls, with packets of @packet [VL] units of 64 bytes. It assumes the worst: all other VLs of
 * a table use their turns in full; the high-priority table sends as much as its limit allows before
 * each packet of the low-priority table; the low-priority table sends its largest packet whenever
 * it may.
 */
void hd_vlarb_guarantee(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet,
			struct hd_guarantee *guarantee);

/*
 * The most that the high-priority table, whose limit is not 255, sends between two packets of the
 * low-priority table, in units of 64 bytes.
 */
unsigned hd_vlarb_most_between(const struct hd_vlarb *vlarb, uint16_t vls, const uint8_t *packet);

#endif
