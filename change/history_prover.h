/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A batch: successive states of a history (change/history_proof.h) that are proved together, or in
 * halves if the mixtures of all of them are not sound. Internal to change/.
 */
#ifndef HD_CHANGE_HISTORY_PROVER_H
#define HD_CHANGE_HISTORY_PROVER_H

#include "change/fabric_state.h"
#include "change/history_proof.h"
#include "change/history_mix.h"

#define HD_PROVER_MOST_STATES 4096 /* of a batch, apart from those that are proved */

/* A state, and where its changes end. */
struct hd_prover_state {
	struct hd_history_state made_by;
	size_t end;
	bool is_proved; /* needs no proof of its own any more */
};

struct hd_prover {
	const struct hd_history_proof *proof;
	struct hd_history_verdict *verdict;
	struct hd_fabric_state held;

	/* The states of the batch; there is room for all their values. */
	struct hd_prover_state *states;
	size_t n_states, most_states;
	size_t n_old; /* the first n_old are proved already, and share windows with the others */
	enum hd_prover_past {
		HD_PROVER_BEGIN,
		HD_PROVER_AGAIN, /* something had a third value */
		HD_PROVER_ANEW,  /* LIDs or cables changed */
	} past;                  /* what separates the first of them from the state before */
	struct hd_prover_state
		early; /* the last state before hd_history_proof.since, which may last until that
			  time */
	bool has_early;

	/* Their changes, then those of the next state; the first has number 0. */
	struct hd_prover_change *changes;
	size_t n_changes, most_changes;
	struct hd_prover_mix mix;

	/*
	 * [as lft], [as sl2vl], [port]: the last change of the entry, row or link, from 1; 0: none
	 */
	uint32_t *entry_by, *row_by, *link_by;

	bool *failed; /* [LID] that of an adapter whose link is not active, in the last question */
};

/* Begins with what nodes hold now, and the path SLs of @sls (NULL: none). HD_ENOMEM. */
int hd_prover_begin(struct hd_prover *prover, const struct hd_tables *sls, struct hd_error *err);
void hd_prover_clear(struct hd_prover *prover);

/* Keeps what the last record changed, as changes of the next state. HD_ENOMEM. */
int hd_prover_keep(struct hd_prover *prover, struct hd_error *err);

/*
 * Adds a state with the kept changes. If the batch has no room for it, proves the batch first.
 * HD_ENOMEM.
 */
int hd_prover_add(struct hd_prover *prover, const struct hd_prover_state *state,
		  struct hd_error *err);

/* Proves the states of the batch, and forgets them. HD_ENOMEM. */
int hd_prover_end(struct hd_prover *prover, struct hd_error *err);

/* The end of state @i; the last one lasts until the record that is being read. */
static inline uint64_t hd_prover_end_of(const struct hd_prover *prover, size_t i)
{
	return i + 1 < prover->n_states ? prover->states[i + 1].made_by.time : prover->verdict->end;
}

/* Number of state @i, from 1, of all states of the history. */
static inline uint64_t hd_prover_number(const struct hd_prover *prover, size_t i)
{
	return prover->verdict->n_states - prover->n_states + i + 1;
}

#endif
