/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The table of SBT as in the paper (docs/qos.md): a row for each class with the number of packets
 * that it may send before all rows are restored, 100 in all.
 */
#ifndef HD_VLARB_SBT_TABLE_H
#define HD_VLARB_SBT_TABLE_H

#include <stdint.h>

struct hd_error;

#define HD_SBT_TOTAL 100 /* the sum of all weights */

struct hd_sbt_class {
	const char *name;
	unsigned packet;    /* its packets; units are the caller's */
	uint32_t share, of; /* its part: share / of */

	/* found */
	unsigned weight; /* packets */
	double packets;  /* its part of all packets */
	double bytes;    /* its part of the link, with packets of each class's own size */
};

/*
 * Finds the weights of @classes [n], 1 .. HD_SBT_TOTAL, whose shares sum to 1: the whole hundredths
 * of a share; the rest goes to the classes that lost most by rounding. HD_EREFUSED: a class gets no
 * weight, with the numbers.
 */
int hd_sbt_make(struct hd_sbt_class *classes, unsigned n, struct hd_error *err);

#endif
