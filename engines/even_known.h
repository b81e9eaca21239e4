/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A search for even loads that starts from the ways, turns and loads of the whole fabric, of which
 * some links are missing. All give what a search from nothing finds.
 */
#ifndef HD_ENGINES_EVEN_KNOWN_H
#define HD_ENGINES_EVEN_KNOWN_H

#include "engines/even_state.h"

/*
 * The links between switches; those that are known if that can be: is_missing[] then tells those
 * that are missing, and dirty[] the targets whose ways are not as known. HD_ENOMEM.
 */
int hd_even_find_channels(struct hd_even *even, const struct hd_route_targets *targets,
			  struct hd_error *err);

/* Takes the ways that are known, but for those that differ. */
void hd_even_take_ways(struct hd_even *even, const struct hd_route_targets *targets);

/* Takes the turns of all ways, from those that are known. False: packets do not arrive. */
bool hd_even_take_known(struct hd_even *even, const struct hd_route_targets *targets);

/*
 * Finds the loads of links by the first @n of @all, from those that are known. Returns the busiest;
 * 0: not all packets arrive.
 */
uint64_t hd_even_known_loads(struct hd_even *even, const struct hd_route_targets *all, size_t n);

#endif
