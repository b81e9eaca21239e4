/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The proof of flexible VCs within the tables' layers ("flexvc"), whose ways are the tables'. */
#ifndef HD_ADAPTIVE_PROOF_TABLES_H
#define HD_ADAPTIVE_PROOF_TABLES_H

#include "simfabric/adaptive/proof.h"

/* hd_proof_make() of @routed, whose VC rule is that one. HD_ENOMEM. */
int hd_proof_of_tables(const struct hd_routed *routed, struct hd_proof *proof,
		       struct hd_error *err);

/*
 * What proofs share: a shortest cycle in the graph of @edges, [channel * edge_words], bit port *
 * n_vcs + VC of the next switch. @group is [channel] or NULL: a cycle within one group other than 0
 * is none. HD_ENOMEM.
 */
int hd_proof_find_cycle(const struct hd_shape *shape, const uint64_t *edges, unsigned n_vcs,
			size_t edge_words, const uint32_t *group, struct hd_proof *proof,
			struct hd_error *err);

#endif
