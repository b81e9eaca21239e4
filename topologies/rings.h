/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rings of a grid, for bubble flow control: links in one direction around a ring of switches.
 * Of n parallel links from each switch to the next, the first links are a ring, the second another.
 */
#ifndef HD_TOPOLOGIES_RINGS_H
#define HD_TOPOLOGIES_RINGS_H

#include "topologies/structure.h"

struct hd_error;

struct hd_rings {
	uint32_t n;   /* numbers of rings: 1 .. n; some have no link */
	uint32_t *of; /* [port] the ring of the link that leaves by the port; 0: none */
};

/*
 * Finds the rings of @grid, the grid of @fabric; NULL: recognises the grid first. If links are
 * missing, the rest of a ring keeps its number. Free `of` with free(). HD_EINVAL: there are no
 * rings; HD_ENOMEM.
 */
int hd_rings_find(const struct hd_fabric *fabric, const struct hd_grid *grid,
		  struct hd_rings *rings, struct hd_error *err);

#endif
