/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Cycles in a graph of escapes, for all proofs. */
#ifndef HD_ADAPTIVE_PROOF_CYCLE_H
#define HD_ADAPTIVE_PROOF_CYCLE_H

#include "sim/adaptive/proof.h"

/* The buffer with the number @channel: (switch * ports + port) * @n_vcs + VC. */
struct hd_proof_channel hd_proof_channel_at(const struct hd_shape *shape, unsigned n_vcs,
					    uint32_t channel);

/*
 * A shortest cycle in the graph of @edges, [channel * edge_words], bit port * n_vcs + VC of the
 * next switch. @group is [channel] or NULL: a cycle within one group other than 0 does not count.
 * Sets `edges`, `cycle` and `n_cycle` of @proof. HD_ENOMEM.
 */
int hd_proof_find_cycle(const struct hd_shape *shape, const uint64_t *edges, unsigned n_vcs,
			size_t edge_words, const uint32_t *group, struct hd_proof *proof,
			struct hd_error *err);

#endif
