/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All mixtures of successive states of a history, as two sets of tables (struct hd_check_options,
 * `before`): each LFT entry, each SL of a row and each link may have any value that it had in one of
 * the states. An entry that leads nowhere, an SL that is dropped and a link that is not active add
 * no way to a mixture, so these are left out where there is no room for them; two other values have
 * room. Internal to check/.
 */
#ifndef HD_CHANGE_HISTORY_MIX_H
#define HD_CHANGE_HISTORY_MIX_H

#include "change/fabric_state.h"

/* A change, in the order of the history. */
struct hd_prover_change {
	struct hd_fabric_state_change of;
	uint32_t state;   /* number of the state that it belongs to, among those taken together */
	uint32_t earlier; /* the change before of the same entry, row or link, from 1; 0: none */
};

/* The values of changes @from to before @to, and those of before. */
struct hd_prover_mix {
	struct hd_tables *low, *high;
	bool *low_active, *high_active; /* [port] */
	size_t from, to;
};

/* What nodes hold now, with the path SLs of @sls (NULL: none). HD_ENOMEM. Clear in any case. */
int hd_prover_mix_init(struct hd_prover_mix *mix, const struct hd_fabric_state *held,
		       const struct hd_tables *sls, struct hd_error *err);
void hd_prover_mix_clear(struct hd_prover_mix *mix);

/* Moves to the mixtures of the states behind change @from to behind change @to. */
void hd_prover_mix_move(struct hd_prover_mix *mix, const struct hd_prover_change *changes,
			size_t from, size_t to);

/* Has the first @n changes, where the mix is, forgotten: the next one has number 0 then. */
void hd_prover_mix_forget(struct hd_prover_mix *mix, const struct hd_prover_change *changes,
			  size_t n);

/*
 * The first state from which on there is room for all values up to those of the change with the
 * number @last.
 */
uint32_t hd_prover_mix_first(const struct hd_prover_change *changes, size_t last);

#endif
