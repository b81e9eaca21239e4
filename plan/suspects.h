/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Links between switches that do not fit those around them. In full lines and groups, the two
 * switches of a link are also joined by detours of two links, in other grids and in trees by those
 * of three; a link that was plugged in wrongly has hardly any. Recognisers refuse some fabrics for
 * a few such links, and find the shape without them.
 */
#ifndef HD_PLAN_SUSPECTS_H
#define HD_PLAN_SUSPECTS_H

#include "fabric/fabric.h"

struct hd_suspects {
	uint32_t n;
	uint32_t *ports;   /* a port of each link between switches, those with the fewest detours
			      first */
	uint32_t *detours; /* how many each has: those of two links if half of the links have such,
			      else those of three */
	uint32_t usual;    /* the median */
	/*
	 * Ports of end nodes on switches that have far fewer than other switches with end nodes:
	 * a host on a spine makes a leaf of it.
	 */
	uint32_t *ends, n_ends;
};

/* HD_ENOMEM. Clear also then. */
int hd_suspects_find(const struct hd_fabric *fabric, struct hd_suspects *suspects);
void hd_suspects_clear(struct hd_suspects *suspects);

#endif
