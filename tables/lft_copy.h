/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A copy of LFTs for tables that differ from them in few rows: one set of tables after another has
 * the copy on loan, changes some rows, and gives it back with all rows as they were. So nobody
 * writes or compares the other rows.
 *
 * Where the row of a switch is a table of ports by key, translated from a key for each LID
 * (support/translate.h), the copy notes both. Who would translate the same again need not.
 */
#ifndef HD_TABLES_LFT_COPY_H
#define HD_TABLES_LFT_COPY_H

#include "tables/tables.h"

#define HD_LFT_KEYS 256

struct hd_lft_copy {
	const struct hd_tables *of; /* outlives the copy; NULL: there is none */
	uint8_t *lft;
	bool *differs; /* [switch] the row may differ from that of @of */
	bool is_lent;

	uint32_t n_sets;   /* of keys */
	uint8_t *keys;     /* [set * lft_stride + LID] */
	uint32_t *version; /* [set] how often it got new keys */
	/* By what the row of @of is translated, by switch; version 0: not known. */
	uint32_t *set_of, *version_of;
	uint8_t *ports_of; /* [switch * HD_LFT_KEYS + key] */
};

/* HD_ENOMEM. Clear in any case, when no tables have it. */
int hd_lft_copy_init(struct hd_lft_copy *copy, const struct hd_tables *of, struct hd_error *err);
void hd_lft_copy_clear(struct hd_lft_copy *copy);

/* For hd_tables_free(). */
void hd_lft_copy_give_back(struct hd_lft_copy *copy);

static inline void hd_lft_touch(struct hd_tables *tables, uint32_t s)
{
	if (tables->copy)
		tables->copy->differs[s] = true;
}

/* Whether the row of @s may differ in @a and @b, whose LFTs are of equal size. */
static inline bool hd_lft_may_differ(const struct hd_tables *a, const struct hd_tables *b,
				     uint32_t s)
{
	return !a->copy || a->copy->of->lft != b->lft || a->copy->differs[s];
}

/* Room for @n sets of keys, none of which is there. HD_ENOMEM. */
int hd_lft_copy_make_room(struct hd_lft_copy *copy, uint32_t n, struct hd_error *err);

/*
 * Makes @keys those of @set. Several threads may each have sets and switches of their own, here and
 * below.
 */
void hd_lft_copy_set_keys(struct hd_lft_copy *copy, uint32_t set, const uint8_t *keys);

/* Whether the row of @s in the LFTs that were copied is translated by @set and @ports. */
bool hd_lft_copy_is_by(const struct hd_lft_copy *copy, uint32_t s, uint32_t set,
		       const uint8_t ports[HD_LFT_KEYS]);

/* Notes that it is. */
void hd_lft_copy_note(struct hd_lft_copy *copy, uint32_t s, uint32_t set,
		      const uint8_t ports[HD_LFT_KEYS]);

#endif
