/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The proof of a batch of states (change/history_prover.h). Internal to change/. */
#ifndef HD_CHANGE_HISTORY_BATCH_H
#define HD_CHANGE_HISTORY_BATCH_H

#include "change/history_prover.h"

/*
 * Checks all mixtures of the states from @first to @last; a single state as it is. HD_ENOMEM. Clear
 * the result with hd_check_clear().
 */
int hd_prover_ask(struct hd_prover *prover, size_t first, size_t last,
		  struct hd_check_result *result, struct hd_error *err);

/* Whether @result has neither a forwarding loop nor a cycle. */
static inline bool hd_prover_is_sound(const struct hd_check_result *result)
{
	return !result->found[HD_CHECK_FORWARD_LOOP].n && !result->n_witness;
}

/*
 * Moves loops and cycles, but not unreachable LIDs, from @result of the last question to @witness,
 * with their @fabric. HD_ENOMEM.
 */
int hd_prover_keep_witness(const struct hd_prover *prover, struct hd_check_result *result,
			   struct hd_check_result *witness, struct hd_fabric *fabric,
			   struct hd_error *err);

/* Proves the states that are not proved yet, in halves. HD_ENOMEM. */
int hd_prover_states(struct hd_prover *prover, struct hd_error *err);

#endif
