/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The LFT entries of one destination at all switches: the switches from which packets arrive, the
 * cost of their paths, and the flows on each link. The cost of a path is the sum of the costs of
 * its links between switches.
 */
#ifndef HD_ENGINES_LFT_COLUMN_H
#define HD_ENGINES_LFT_COLUMN_H

#include "tables/tables.h"

struct hd_error;

#define HD_NO_WAY        UINT32_MAX
#define HD_MAX_LINK_COST 4

struct hd_lft_column {
	const struct hd_tables *tables;
	const uint8_t *cost; /* [port] of the link that leaves the port, 1 .. HD_MAX_LINK_COST */
	uint32_t last;       /* the destination's switch */
	uint32_t n_lost;     /* switches from which packets do not arrive */
	uint8_t *out;        /* [switch] the entry */
	uint32_t *distance;  /* [switch] cost of the path; HD_NO_WAY: packets do not arrive */

	/* scratch */
	uint32_t *first;   /* [distance] in order[] */
	uint32_t *order;   /* [switch] ascending by distance */
	uint32_t *through; /* [switch] flows that pass it */
};

/* @cost must exist longer than @column. Clear also after an error. HD_ENOMEM. */
int hd_lft_column_init(struct hd_lft_column *column, const struct hd_tables *tables,
		       const uint8_t *cost, struct hd_error *err);
void hd_lft_column_clear(struct hd_lft_column *column);

/*
 * Reads the entries of @lid, to which some switch leads. Packets from switches on a forwarding loop
 * do not arrive.
 */
void hd_lft_column_load(struct hd_lft_column *column, uint16_t lid);

/*
 * Adds to load[port] the flows from the port to another switch, if @n_sources[switch] flows begin
 * at each switch.
 */
void hd_lft_column_add_flows(struct hd_lft_column *column, const uint32_t *n_sources,
			     uint64_t *load);

#endif
