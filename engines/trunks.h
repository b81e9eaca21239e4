/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parallel links between two switches. */
#ifndef HD_ENGINES_TRUNKS_H
#define HD_ENGINES_TRUNKS_H

#include <stdbool.h>

#include "engines/targets.h"

/* Whether two switches of @fabric are joined by several links. */
bool hd_trunks_exist(const struct hd_fabric *fabric);

/*
 * Spreads the destinations that leave switch @s by the first of several parallel links over all of
 * these; each pass begins with another link. @lft is the LFT of @s.
 *
 * @flows has, for each of @targets, the number of flows that pass, in any unit up to UINT32_MAX;
 * the function overwrites the array. Each pass gives the destination with the most flows to the
 * link with the fewest, then the next: no link has more than another by more than the flows of its
 * last destination (Graham, Bounds on multiprocessing timing anomalies, 1969). If all destinations
 * have equal flows, or @flows is NULL, this is round robin.
 */
void hd_trunks_spread(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		      uint32_t s, uint8_t *lft, uint64_t *flows);

#endif
