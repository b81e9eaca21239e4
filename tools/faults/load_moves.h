/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How the load of links moves between two sets of tables, on fabrics that may differ. */
#ifndef HD_FAULTS_LOAD_MOVES_H
#define HD_FAULTS_LOAD_MOVES_H

#include <stddef.h>
#include <stdint.h>

#include "tables/diff.h"
#include "tables/tables.h"

struct hd_error;

/*
 * A link between switches, in one direction, in one fabric or in both. Which links of the two are
 * the same is decided as in tables/diff_match.h.
 */
struct hd_link_load {
	uint64_t from, to; /* node GUIDs */
	uint32_t port[2];  /* before, after: index in ports[], HD_NONE: the link is not there */
	uint32_t flows[2];
};

struct hd_load_moves {
	size_t n;
	struct hd_link_load *links; /* those whose load changes most come first */
	size_t n_changed;
	uint32_t max[2]; /* flows on the most loaded link */
	double mean[2];
};

/*
 * Compares. @diff, of the same tables: where it has the flows, they are not counted again. Clear
 * with hd_load_moves_clear(). HD_ENOMEM.
 */
int hd_load_moves_compute(const struct hd_tables *before, const struct hd_tables *after,
			  const struct hd_diff *diff, struct hd_load_moves *moves,
			  struct hd_error *err);
void hd_load_moves_clear(struct hd_load_moves *moves);

#endif
