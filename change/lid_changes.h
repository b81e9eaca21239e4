/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * LFT entries that change, LID by LID. LFTs are rows of switches, which are read from one end to
 * the other once; a LID's entries are a column, far apart.
 */
#ifndef HD_CHANGE_LID_CHANGES_H
#define HD_CHANGE_LID_CHANGES_H

#include "tables/tables.h"

struct hd_error;

/* The LIDs of a block that a switch gets another entry for. */
struct hd_block_change {
	uint32_t s, block;
	uint64_t lids;
};

struct hd_lid_changes {
	uint32_t n_blocks, top_lid;
	struct hd_block_change *list;
	size_t n, allocated;
	uint64_t *lids;     /* [block] that any switch gets another entry for */
	uint32_t *first;    /* [block] where its changes begin in `by_block`; n_blocks: end */
	uint32_t *by_block; /* places in `list`, by block and switch */
	uint32_t *switches; /* of one LID */
};

/* Both tables are on one fabric. HD_ENOMEM; clear it also then. */
int hd_lid_changes_find(struct hd_lid_changes *changes, const struct hd_tables *next,
			const struct hd_tables *now, struct hd_error *err);
void hd_lid_changes_clear(struct hd_lid_changes *changes);

/*
 * The first LID from @lid on, up to the fabric's top LID, that a switch gets another entry for;
 * HD_NONE: there is none.
 */
uint32_t hd_lid_changes_next(const struct hd_lid_changes *changes, uint32_t lid);

/* The *@n switches that get another entry for @lid, ascending; valid until the next call. */
const uint32_t *hd_lid_changes_switches(struct hd_lid_changes *changes, uint32_t lid, size_t *n);

#define hd_for_each_changed_lid(lid, changes)                                  \
	for (uint32_t lid = hd_lid_changes_next((changes), 1); lid != HD_NONE; \
	     lid = hd_lid_changes_next((changes), lid + 1))

#endif
