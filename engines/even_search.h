/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The moves of a search for even loads: engines/even.h says which, engines/even_state.h on what. */
#ifndef HD_ENGINES_EVEN_SEARCH_H
#define HD_ENGINES_EVEN_SEARCH_H

#include "engines/even_state.h"

/*
 * Relieves the busiest links until that no longer helps, of flows to @n @targets whose loads and
 * turns @even has. @busiest: the flows of the busiest link. Returns these afterwards.
 */
uint64_t hd_even_relieve(struct hd_even *even, const struct hd_route_target *targets, size_t n,
			 uint64_t busiest);

/* Finds out all channels that lead nearer, where nearer[] has room. */
void hd_even_fill_nearer(struct hd_even *even);

#endif
