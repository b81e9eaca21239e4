/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Port sets for routes that know nothing but their turns: a switch may also send to a LID by ports
 * that lead closer, as long as the turns of all choices together have no cycle (engines/turns.h).
 */
#ifndef HD_ENGINES_TURN_SETS_H
#define HD_ENGINES_TURN_SETS_H

#include "tables/ar.h"

struct hd_error;

/*
 * Gives entries of @tables, whose LFTs are free of cycles in each layer, sets in @state.
 * @layer[LID] is below @n_layers: packets to a LID keep one lane. LIDs come in an order by chance,
 * since the turns of the first ones exclude others; the chance is from a fixed seed. HD_ENOMEM;
 * HD_EREFUSED: the LFTs have a cycle.
 */
int hd_turn_sets_add(struct hd_tables *tables, const uint8_t *layer, unsigned n_layers,
		     enum hd_ar_state state, struct hd_error *err);

#endif
