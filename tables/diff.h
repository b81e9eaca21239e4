/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What differs between two sets of tables, on fabrics that may differ too. GUIDs identify nodes, so
 * LIDs that were renumbered and cables that moved to other ports are seen as such.
 */
#ifndef HD_TABLES_DIFF_H
#define HD_TABLES_DIFF_H

#include "tables/tables.h"

struct hd_error;

/* One SL2VL row of a switch, by its ports after the change. */
struct hd_diff_row {
	uint8_t in, out;
};

struct hd_diff_switch {
	uint64_t guid;
	/* Of LFTs, where both are known: */
	uint32_t lft_entries; /* destinations (by GUID and LMC offset) forwarded elsewhere: to
			        another neighbour or over another of several parallel links */
	uint32_t lft_blocks;  /* blocks of 64 LIDs that a subnet manager would have to send; all
			        blocks of a switch that was added */
	uint32_t ar_entries;  /* destinations whose state or group differs (tables/ar.h), in any
				 pLFT */
	uint32_t ar_rows;     /* of the map to private LFTs, and of VL2VL */
	uint32_t sl2vl_rows;  /* between ports whose links are still there */
	size_t first_block;   /* where its lft_blocks begin in blocks[] of struct hd_diff */
	size_t first_row;     /* where its sl2vl_rows begin in rows[] */
};

struct hd_diff {
	/* nodes and links, by GUID */
	uint32_t nodes_added, nodes_removed;
	uint32_t links_added, links_removed;
	uint32_t ports_moved;  /* links between the same nodes, on other ports */
	uint32_t lids_changed; /* end ports whose base LID or LMC differs */

	/* ordered pairs of ports, of two distinct end nodes, that both fabrics have, base LIDs */
	uint64_t pairs;
	uint64_t pairs_path; /* another sequence of nodes, or of parallel links */
	uint64_t pairs_sl;
	uint64_t pairs_vl;      /* some hop on another VL, on the same path, by the pair's own SL
					before and after */
	uint64_t pairs_changed; /* any of these */
	uint64_t pairs_lost;    /* connected before, not after */
	uint64_t pairs_gained;
	uint64_t
		pairs_uncovered; /* the way passes a switch whose LFT is not known, before or after:
				     of these SLs alone are compared */

	uint64_t lft_entries, lft_blocks;
	bool has_ar; /* there are port sets, before or after */
	uint64_t ar_entries, ar_rows;
	uint64_t sl2vl_rows;  /* those of adapters too */
	uint32_t vlarb_ports; /* ports whose VL arbitration is known on both sides and differs */
	uint32_t classes;     /* service classes, by name, that are on one side alone, or differ in
			     SLs, lanes, share or packets */
	size_t n_switches;    /* switches after the change with any difference */
	struct hd_diff_switch *switches; /* ascending by GUID */
	uint16_t *blocks; /* numbers of LFT blocks: block b has the LIDs from 64 * b on */
	struct hd_diff_row *rows;

	/*
	 * [before, after][port] flows on links between switches, as hd_load_compute() counts them
	 * (check/load.h). NULL: they are not counted here, as tables drop some, or some end ports
	 * are on one side alone.
	 */
	uint32_t *flows[2];
};

struct hd_diff_pair {
	uint64_t source, destination; /* port GUIDs */
	bool path, sl, vl, lost, gained;
};
/*
 * Called for every pair that changes, with what changed, in order of destination and source GUIDs.
 * Returns non-zero to be called no more.
 */
typedef int (*hd_diff_pair_fn)(const struct hd_diff_pair *pair, void *context);

/*
 * Compares, in time linear in destinations x (switches + groups of sources). @each may be NULL.
 * Clear with hd_diff_clear(). HD_ENOMEM.
 */
int hd_diff_compute(const struct hd_tables *before, const struct hd_tables *after,
		    hd_diff_pair_fn each, void *context, struct hd_diff *diff,
		    struct hd_error *err);
void hd_diff_clear(struct hd_diff *diff);

/* Whether nothing differs. */
bool hd_diff_is_empty(const struct hd_diff *diff);

#endif
