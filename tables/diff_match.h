/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which node, port and link of one fabric is which of another: what a diff stands on. */
#ifndef HD_TABLES_DIFF_MATCH_H
#define HD_TABLES_DIFF_MATCH_H

#include "tables/diff.h"

struct hd_match {
	const struct hd_fabric *before, *after;
	uint32_t *node; /* [before->n_nodes] the same node after; HD_NONE: removed */
	uint32_t *port; /* [before->n_ports] the same end of the same link, or the same port 0 of a
				switch; HD_NONE: no link before, or none after */
	uint32_t n_endports; /* end ports that both have, with a LID in both, ascending by GUID: */
	struct hd_match_endport {
		uint32_t before, after; /* indices in ports[] */
	} * endports;
};

/*
 * Matches nodes and end ports by GUID and links by the nodes at their ends: links on the same two
 * ports first, then those that kept one, then the rest in order of port numbers. Fills the counts
 * of nodes, links, ports and LIDs in @diff. Clear with hd_match_clear(), also on failure.
 * HD_ENOMEM.
 */
int hd_match_fabrics(const struct hd_fabric *before, const struct hd_fabric *after,
		     struct hd_match *match, struct hd_diff *diff, struct hd_error *err);
void hd_match_clear(struct hd_match *match);

/* Counts pairs of end nodes' ports into @diff; diff.h has the rest. */
int hd_diff_pairs(const struct hd_match *match, const struct hd_tables *before,
		  const struct hd_tables *after, hd_diff_pair_fn each, void *context,
		  struct hd_diff *diff, struct hd_error *err);

#endif
