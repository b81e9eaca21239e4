/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parallel links between two switches. */
#ifndef HD_ENGINES_TRUNKS_H
#define HD_ENGINES_TRUNKS_H

#include "engines/targets.h"

/*
 * Destinations that leave switch @s by the first of several parallel links take turns over all of
 * them; each pass begins with another link. @lft is the row of @s.
 */
void hd_trunks_spread(const struct hd_fabric *fabric, const struct hd_route_targets *targets,
		      uint32_t s, uint8_t *lft);

#endif
