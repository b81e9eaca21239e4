/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ways on which packets pass switches, each listed once: flows from one switch to LIDs of
 * another mostly have the same way.
 */
#ifndef HD_SL2VL_HOP_PATHS_H
#define HD_SL2VL_HOP_PATHS_H

#include "tables/tables.h"

struct hd_error;

/* How many LIDs of one switch share their paths. */
#define HD_HOP_CHUNK 16

struct hd_hop_paths {
	unsigned longest; /* links between switches on the longest path */
	uint32_t source;  /* source of one such path, and its destination */
	uint32_t lid;

	/*
	 * Path i passes the switches after its first at the rows (of tables->sl2vl) steps[first[i]]
	 * .. steps[first[i + 1] - 1]. Paths without such a step are not listed.
	 */
	uint32_t n;
	size_t *first;
	uint32_t *steps;

	/*
	 * The path of the flow from a switch to a LID: base[chunk_of[lid] * n_switches + switch] +
	 * path_of[lid * n_switches + switch], where that is not HD_NO_HOP_PATH.
	 */
	uint32_t n_chunks;
	uint32_t *chunk_of; /* [top_lid + 1] */
	uint32_t *base;
	uint8_t *path_of;
};

#define HD_NO_HOP_PATH 0xFFu

/*
 * Lists the paths from all switches to all LIDs of @tables; where LFTs do not lead to the
 * destination there is no path. Where the longest path is longer than @max_longest, only `longest`
 * and its path are filled in. Clear in any case. HD_ENOMEM.
 */
int hd_hop_paths_find(const struct hd_tables *tables, unsigned max_longest,
		      struct hd_hop_paths *paths, struct hd_error *err);
void hd_hop_paths_clear(struct hd_hop_paths *paths);

#endif
