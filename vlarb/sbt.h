/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * SBT, the simple bandwidth table: a port serves a class for as many packets as its weight says,
 * then the next ("Providing quality of service in omni-path networks", J. Supercomputing 2022, 3.2,
 * Algorithm 1; docs/qos.md). Weights from shares, and the port.
 */
#ifndef HD_VLARB_SBT_H
#define HD_VLARB_SBT_H

#include <stdbool.h>
#include <stdint.h>

#define HD_SBT_CLASSES 16

/* The share of a link that a class shall get. */
struct hd_sbt_share {
	uint64_t parts;  /* of the sum of all classes' parts, which is below 2^48; not 0 */
	uint32_t packet; /* length of its packets, in any unit; not 0 */
};

/*
 * Weights, the packets of an arbitration round, for @classes [n], at most HD_SBT_CLASSES: the
 * smallest numbers of packets that give the shares of the link. If these exceed 65,535, the nearest
 * that do not. The weights in the paper are shares of packets: see sbt_table.h.
 */
void hd_sbt_weights(const struct hd_sbt_share *classes, unsigned n, uint32_t *weights);

struct hd_sbt {
	/*
	 * As Algorithm 1 is written: weights are restored when as many VLs as there are entries
	 * have packets and no weight; until then VLs without weight go on sending. Otherwise
	 * weights are restored when no VL with packets has weight.
	 */
	bool is_literal;
	unsigned n_vls;
	unsigned n_entries;               /* classes of the table */
	uint32_t weights[HD_SBT_CLASSES]; /* [class] packets */
	uint8_t class_of[32];             /* [VL] */
};

/* The state of a port. */
struct hd_sbt_port {
	unsigned last;                 /* VL */
	uint32_t left[HD_SBT_CLASSES]; /* [class] the rest of its weight */
};

void hd_sbt_begin(const struct hd_sbt *sbt, struct hd_sbt_port *port);

/* The VL among @vls, not 0, of which @port sends a packet now; the packet is counted. */
unsigned hd_sbt_serve(const struct hd_sbt *sbt, struct hd_sbt_port *port, uint32_t vls);

#endif
