/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What differs between the port sets of adaptive routing (tables/ar.h). */
#ifndef HD_TABLES_DIFF_AR_H
#define HD_TABLES_DIFF_AR_H

#include "tables/diff_match.h"

/* A destination that both fabrics have. */
struct hd_lid_pair {
	uint16_t before, after;
};

/*
 * Counts the entries of switch @s, by its place before the change, for @lids whose state differs,
 * or whose port set leads over other links. A link that is gone makes a set differ.
 */
uint32_t hd_diff_count_ar(const struct hd_match *match, const struct hd_tables *before,
			  const struct hd_tables *after, uint32_t s, const struct hd_lid_pair *lids,
			  size_t n_lids);

#endif
