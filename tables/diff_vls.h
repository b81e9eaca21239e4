/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where VLs stay equal. Pairs use few combinations of (SL before, SL after), and SL2VL tables have
 * few kinds of rows (before, after). So each kind has a mask, with a bit for each combination: the
 * VL is equal. The masks of all rows of a path, by "and", are the mask of the path.
 */
#ifndef HD_TABLES_DIFF_VLS_H
#define HD_TABLES_DIFF_VLS_H

#include "tables/diff_match.h"

#define HD_DIFF_COMBINATIONS (HD_MAX_SLS * HD_MAX_SLS)

struct hd_diff_vls {
	unsigned n;                           /* combinations that some pair has */
	unsigned n_words;                     /* of a mask; at least one */
	uint8_t number[HD_DIFF_COMBINATIONS]; /* [SL before * 16 + SL after] */
	uint32_t *kind; /* [SL2VL row before]; 0 where a port is not there any more */
	uint32_t n_kinds, capacity;
	struct hd_diff_kind {
		hd_sl2vl_row before, after;
	} * kinds;
	uint32_t *buckets;  /* kind + 1 by hash, linear probing; 0: empty */
	uint32_t n_buckets; /* a power of two, at least twice n_kinds */
	uint64_t *equal;    /* [kind * n_words] */
};

/* What a pair's two SLs are: the number of their combination, and these bits. */
#define HD_DIFF_NO_SL 0x100u /* before or after: no VLs to compare */
#define HD_DIFF_SL    0x200u /* they differ */

static inline unsigned hd_diff_combination(const struct hd_diff_vls *vls, unsigned before,
					   unsigned after)
{
	unsigned differs = before != after ? HD_DIFF_SL : 0;

	if (before >= HD_MAX_SLS || after >= HD_MAX_SLS)
		return differs | HD_DIFF_NO_SL;
	return differs | vls->number[before * HD_MAX_SLS + after];
}

/*
 * Finds the kinds of rows: vls->kind. Clear with hd_diff_vls_clear(), also on failure. HD_ENOMEM.
 */
int hd_diff_vls_init(const struct hd_match *match, const struct hd_tables *before,
		     const struct hd_tables *after, struct hd_diff_vls *vls, struct hd_error *err);

/* Fills the masks for combinations that are @used, [SL before * 16 + SL after]. HD_ENOMEM. */
int hd_diff_vls_fill(struct hd_diff_vls *vls, const bool *used, struct hd_error *err);
void hd_diff_vls_clear(struct hd_diff_vls *vls);

#endif
