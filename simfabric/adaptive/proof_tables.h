/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The proof of flexible VCs within the tables' layers ("flexvc"), whose ways are the tables'. */
#ifndef HD_ADAPTIVE_PROOF_TABLES_H
#define HD_ADAPTIVE_PROOF_TABLES_H

#include "simfabric/adaptive/proof.h"

struct hd_digraph;

/* hd_proof_make() of @routed, whose VC rule is that one. HD_ENOMEM. */
int hd_proof_of_tables(const struct hd_routed *routed, struct hd_proof *proof,
		       struct hd_error *err);

/*
 * What proofs share: the graph of @edges, [channel * edge_words], bit port * n_vcs + VC of the next
 * switch, of which the caller frees first and targets, also where it failed; and a cycle of
 * channels, @n of them. HD_ENOMEM.
 */
int hd_proof_graph(const struct hd_shape *shape, const uint64_t *edges, size_t n_channels,
		   unsigned n_vcs, size_t edge_words, struct hd_digraph *graph,
		   struct hd_error *err);
int hd_proof_note_cycle(struct hd_proof *proof, const struct hd_shape *shape, unsigned n_vcs,
			const uint32_t *cycle, size_t n, struct hd_error *err);

#endif
