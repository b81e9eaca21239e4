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
 * or whose group leads over other links, in some subgroup; of private LFTs also those whose default
 * port does. A link that is gone makes a group differ.
 */
uint32_t hd_diff_count_ar(const struct hd_match *match, const struct hd_tables *before,
			  const struct hd_tables *after, uint32_t s, const struct hd_lid_pair *lids,
			  size_t n_lids);

/*
 * Counts the in-ports of switch @s whose rows of the map to private LFTs differ, and its VL2VL rows
 * that do, between ports whose links are still there.
 */
uint32_t hd_diff_count_ar_rows(const struct hd_match *match, const struct hd_tables *before,
			       const struct hd_tables *after, uint32_t s);

#endif
