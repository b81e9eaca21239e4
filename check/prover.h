/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Successive states of a history (check/history.h) that are proved together, by halves where the
 * mixtures of all of them are not sound. Internal to check/.
 */
#ifndef HD_CHECK_PROVER_H
#define HD_CHECK_PROVER_H

#include "check/held.h"
#include "check/history.h"

#define HD_PROVER_MOST_STATES 4096 /* that are taken together */

/* A state, and where its changes end. */
struct hd_prover_state {
	struct hd_history_state made_by;
	size_t end;
};

/* Tables behind one of the states that are taken together. */
struct hd_prover_position {
	struct hd_tables *tables;
	bool *active;
	size_t at; /* changes that they have */
};

struct hd_prover {
	const struct hd_history_proof *proof;
	struct hd_history_verdict *verdict;
	struct hd_held held;

	/* The states that are taken together. */
	struct hd_prover_state *states; /* [HD_PROVER_MOST_STATES] */
	size_t n_states;
	struct hd_prover_state
		early; /* the last state before hd_history_proof.since, which may last until then */
	bool has_early;
	struct hd_held_change *changes;
	size_t n_changes, capacity;
	struct hd_prover_position low, high;

	/* [as lft], [as sl2vl], [port]: the state that changed it, from 1; 0: none of them */
	uint32_t *entry_by, *row_by, *link_by;
};

/*
 * Proves the states that were taken together; the next are taken from the last of them on.
 * HD_ENOMEM.
 */
int hd_prover_prove(struct hd_prover *prover, struct hd_error *err);

#endif
