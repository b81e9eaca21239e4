/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What becomes of packets to one LID, from any switch, by LFTs. Every switch is judged once: ways
 * that meet are followed together, so all switches of a LID take time for each switch, not for each
 * hop.
 */
#ifndef HD_CHANGE_LID_WAYS_H
#define HD_CHANGE_LID_WAYS_H

#include "tables/tables.h"

struct hd_error;

enum hd_way {
	HD_WAY_UNKNOWN,
	HD_WAY_FOLLOWED, /* just now: to come to it again closes a circle */
	HD_WAY_ARRIVES,
	HD_WAY_ENDS, /* without a next switch, or in a circle */
	HD_WAY_DARK, /* at a link that carries no packets */
};

struct hd_ways {
	const struct hd_tables *tables;
	uint32_t *next; /* [port] the switch behind it; HD_NONE: none; or a link without packets */
	uint32_t lid;
	uint8_t *ways;  /* [switch] enum hd_way */
	uint32_t *path; /* switches that are being followed */
};

/*
 * The tables must outlive @ways. @is_dark: [port] whether its link carries no packets; NULL: all
 * carry them. HD_ENOMEM; clear it also then.
 */
int hd_ways_init(struct hd_ways *ways, const struct hd_tables *tables, const bool *is_dark,
		 struct hd_error *err);
void hd_ways_clear(struct hd_ways *ways);

/* From now on packets are those to the LID @lid, not above the fabric's top LID. */
void hd_ways_to(struct hd_ways *ways, uint32_t lid);

/* HD_WAY_ARRIVES, HD_WAY_ENDS or HD_WAY_DARK. */
enum hd_way hd_ways_from(struct hd_ways *ways, uint32_t s);

#endif
