/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The rings of a grid, for bubble flow control: links of one way around a ring of switches. Of n
 * parallel links from each switch to the next, the first ones are a ring, the second ones another.
 */
#ifndef HD_TOPOLOGIES_RINGS_H
#define HD_TOPOLOGIES_RINGS_H

#include "topologies/structure.h"

struct hd_error;

struct hd_rings {
	uint32_t n;   /* numbers of rings: 1 .. n; some have no link */
	uint32_t *of; /* [port] ring that the link which leaves by the port is part of; 0: none */
};

/*
 * Finds the rings of @grid, that of @fabric; NULL: the grid that @fabric is, if it is one. Where
 * links are missing, what is left of a ring has its number. Free `of` with free(). HD_EINVAL: there
 * are no rings; HD_ENOMEM.
 */
int hd_rings_find(const struct hd_fabric *fabric, const struct hd_grid *grid,
		  struct hd_rings *rings, struct hd_error *err);

#endif
