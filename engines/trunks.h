/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parallel links between two switches. */
#ifndef HD_ENGINES_TRUNKS_H
#define HD_ENGINES_TRUNKS_H

#include <stdbool.h>

#include "engines/targets.h"

/* Whether two switches of @fabric are joined by several links. */
bool hd_trunks_exist(const struct hd_fabric *fabric);

/*
 * Destinations that leave switch @s by the first of several parallel links are shared out among all
 * of them; each pass begins with another link. @lft is the row of @s.
 *
 * @flows has, for each of @targets, how many flows to it pass, in any unit up to UINT32_MAX; the
 * function uses the array for its own ends. Each pass gives the destination with most flows to the
 * link that has least, then the next: no link has more than another by more than the flows of the
 * last destination that it got (Graham, Bounds on multiprocessing timing anomalies, 1969). Where
 * all destinations have as many, or @flows is NULL, that is in turn.
 */
void hd_trunks_spread(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		      uint32_t s, uint8_t *lft, uint64_t *flows);

#endif
