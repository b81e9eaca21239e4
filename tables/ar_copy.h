/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* AR tables of one switch, copied whole or in parts that a subnet manager sends by themselves. */
#ifndef HD_TABLES_AR_COPY_H
#define HD_TABLES_AR_COPY_H

#include "tables/ar.h"

enum hd_ar_part {
	HD_AR_ENTRIES, /* the group table, states and groups of the LFT, entries of private LFTs */
	HD_AR_MAP,     /* the map from in-port and SL or VL to pLFTs, and what it goes by */
	HD_AR_VL2VL,   /* VL2VL rows, and whether the switch goes by them */
	HD_AR_PARTS,
};

/*
 * Switch @s of @to, which has no such tables yet, gets each part that switch @was of @from[part]
 * has; the two have as many ports. @to needs AR tables if one of @from has them. Entries of pLFTs
 * that the map names and the entries lack have no path. HD_ENOMEM.
 */
int hd_ar_copy(struct hd_tables *to, uint32_t s, const struct hd_tables *const from[HD_AR_PARTS],
	       uint32_t was);

/*
 * Switch @s of @to gets the private LFTs that only switch @s of @from has, under their numbers,
 * with their default ports and no groups; the map of @to names none of them. HD_ENOMEM.
 */
int hd_ar_add_missing(struct hd_tables *to, const struct hd_tables *from, uint32_t s);

/* What differs of switch @s in two sets of tables on one fabric; counts are added. */
struct hd_ar_changes {
	uint64_t n_sets;    /* LFT entries whose states or groups differ */
	uint64_t n_private; /* entries of private LFTs */
	uint64_t n_map;     /* in-ports whose row of the map differs, or what it goes by */
	uint64_t n_vl2vl;   /* rows */
	bool groups;        /* the group tables */
};

void hd_ar_compare(const struct hd_tables *a, const struct hd_tables *b, uint32_t s,
		   struct hd_ar_changes *changes);

/*
 * Whether the entries of pLFT @plft of switch @s for @lid have the same port, state and number of
 * the group, and the group is the same in both.
 */
bool hd_ar_is_same_entry(const struct hd_tables *a, const struct hd_tables *b, uint32_t s,
			 unsigned plft, uint32_t lid);

/* Whether the maps of switch @s are the same. */
bool hd_ar_is_same_map(const struct hd_tables *a, const struct hd_tables *b, uint32_t s);

#endif
