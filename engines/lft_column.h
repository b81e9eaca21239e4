/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The LFT entries of one destination at all switches: from which of them packets arrive, at what
 * cost, and how many flows links carry thereby. The cost of a way is the sum of the costs of its
 * links between switches.
 */
#ifndef HD_ENGINES_LFT_COLUMN_H
#define HD_ENGINES_LFT_COLUMN_H

#include "tables/tables.h"

struct hd_error;

#define HD_NO_WAY        UINT32_MAX
#define HD_MAX_LINK_COST 4

struct hd_lft_column {
	const struct hd_tables *tables;
	uint32_t *peer;      /* [port] the switch at the other end; HD_NONE: there is none */
	const uint8_t *cost; /* [port] of the link that leaves the port, 1 .. HD_MAX_LINK_COST */
	uint16_t lid;
	uint32_t last;      /* the destination's switch */
	uint32_t n_lost;    /* switches from which packets do not arrive */
	uint8_t *out;       /* [switch] the entry */
	uint32_t *distance; /* [switch] cost of the way; HD_NO_WAY: packets do not arrive */

	uint32_t *seen; /* [switch] == stamp: out[] and distance[] are those of the LID */
	uint32_t stamp;

	/* scratch */
	uint32_t *first;   /* [distance] in order[] */
	uint32_t *order;   /* [switch] ascending by distance */
	uint32_t *through; /* [switch] flows that come through it */
};

/* @cost must outlive @column. Clear also after an error. HD_ENOMEM. */
int hd_lft_column_init(struct hd_lft_column *column, const struct hd_tables *tables,
		       const uint8_t *cost, struct hd_error *err);
void hd_lft_column_clear(struct hd_lft_column *column);

/*
 * Reads the entries of @lid, which some switch leads to. Packets do not arrive from switches on a
 * circle.
 */
void hd_lft_column_load(struct hd_lft_column *column, uint16_t lid);

/* The same with @entries, [switch], which the caller has read. */
void hd_lft_column_take(struct hd_lft_column *column, uint16_t lid, const uint8_t *entries);

/*
 * The same, but reads what is asked for alone: distances are those of hd_lft_column_distance(),
 * out[] is there on the ways from switches asked about, and n_lost is not known.
 */
void hd_lft_column_begin(struct hd_lft_column *column, uint16_t lid);
uint32_t hd_lft_column_find(struct hd_lft_column *column, uint32_t s);

static inline uint32_t hd_lft_column_distance(struct hd_lft_column *column, uint32_t s)
{
	return column->seen[s] == column->stamp ? column->distance[s]
						: hd_lft_column_find(column, s);
}

/*
 * Adds to load[port] the flows that leave the port to another switch, @n_sources[switch] from each
 * switch to each of @n_lids LIDs that have this column.
 */
void hd_lft_column_add_flows(struct hd_lft_column *column, const uint32_t *n_sources,
			     uint64_t n_lids, uint64_t *load);

#endif
