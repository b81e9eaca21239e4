/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The paths of packets through switches, each listed once: flows from one switch to the LIDs of
 * another mostly have the same path.
 */
#ifndef HD_SL2VL_HOP_PATHS_H
#define HD_SL2VL_HOP_PATHS_H

#include "tables/tables.h"

struct hd_error;

/* The number of LIDs of one switch that share a list of paths. */
#define HD_HOP_CHUNK 16

struct hd_hop_paths {
	unsigned longest; /* links between switches on the longest path */
	uint32_t source;  /* source and destination of one such path */
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
	 * path_of[lid * n_switches + switch], if that is not HD_NO_HOP_PATH.
	 */
	uint32_t n_chunks;
	uint32_t *chunk_of; /* [top_lid + 1] */
	uint32_t *base;
	uint8_t *path_of;
};

#define HD_NO_HOP_PATH 0xFFu

/*
 * Lists the paths from all switches to all LIDs of @tables, except where LFTs do not lead to the
 * destination. If the longest path is longer than @max_longest, fills in only `longest` and its
 * source and destination. Clear also after an error. HD_ENOMEM.
 */
int hd_hop_paths_find(const struct hd_tables *tables, unsigned max_longest,
		      struct hd_hop_paths *paths, struct hd_error *err);
void hd_hop_paths_clear(struct hd_hop_paths *paths);

#endif
