/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All mixtures of successive states of a history, as two sets of tables (struct hd_check_options,
 * `before`): each LFT entry, each SL of a row and each link has any value that it had in one of the
 * states. Two sets of tables have room for two values. An entry that leads nowhere, an SL that is
 * dropped and a link that is not active add no path to a mixture, so they need no room. Internal to
 * change/.
 */
#ifndef HD_CHANGE_HISTORY_MIX_H
#define HD_CHANGE_HISTORY_MIX_H

#include "change/fabric_state.h"

/* A change, in the order of the history. */
struct hd_prover_change {
	struct hd_fabric_state_change of;
	uint32_t state;   /* number of its state within the batch */
	uint32_t earlier; /* the previous change of the same entry, row or link, from 1; 0: none */
};

/* Two sets of tables: the values before some changes, and the values of these changes. */
struct hd_prover_mix {
	struct hd_tables *low, *high;
	bool *low_active, *high_active; /* [port] */
	size_t from, to;
};

/*
 * Begins with what nodes hold now, and the path SLs of @sls (NULL: none). HD_ENOMEM. Clear also
 * after an error.
 */
int hd_prover_mix_init(struct hd_prover_mix *mix, const struct hd_fabric_state *held,
		       const struct hd_tables *sls, struct hd_error *err);
void hd_prover_mix_clear(struct hd_prover_mix *mix);

/* Moves to the mixtures of the states after change @from to after change @to. */
void hd_prover_mix_move(struct hd_prover_mix *mix, const struct hd_prover_change *changes,
			size_t from, size_t to);

/* Forgets the first @n changes, after which the mix is; then the next change has number 0. */
void hd_prover_mix_forget(struct hd_prover_mix *mix, const struct hd_prover_change *changes,
			  size_t n);

/* The first state from which there is room for all values up to those of change number @last. */
uint32_t hd_prover_mix_first(const struct hd_prover_change *changes, size_t last);

#endif
