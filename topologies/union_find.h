/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Disjoint sets of numbers (Tarjan, 1975) in an array of parents: sets begin as parent[i] = i. */
#ifndef HD_TOPOLOGIES_UNION_FIND_H
#define HD_TOPOLOGIES_UNION_FIND_H

#include <stdint.h>

/* The number that stands for the set of @i: the least one in it. */
static inline uint32_t hd_find(uint32_t *parent, uint32_t i)
{
	while (parent[i] != i) {
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

static inline void hd_union(uint32_t *parent, uint32_t a, uint32_t b)
{
	a = hd_find(parent, a);
	b = hd_find(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

#endif
