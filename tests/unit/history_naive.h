/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Windows of a history (change/history_proof.h) in a simple way, without batches, moves and halves:
 * keeps every state, and checks every window with the values of all its states together.
 */
#ifndef HD_TESTS_HISTORY_NAIVE_H
#define HD_TESTS_HISTORY_NAIVE_H

#include "change/fabric_state.h"

#define HISTORY_NAIVE_STATES 200

struct history_naive {
	struct hd_history_reader *reader;
	struct hd_fabric_state held;
	struct history_naive_state {
		uint64_t time;
		uint8_t *lft;
		hd_sl2vl_row *rows;
		bool *active;
	} states[HISTORY_NAIVE_STATES];
	unsigned n;
	struct hd_tables *sides[2];

	/* What history_naive_ask() found, as in struct hd_history_verdict. */
	uint64_t n_windows, n_unsound, n_again;
};

/* Reads the history at @path, of less than HISTORY_NAIVE_STATES states, all with the same LIDs. */
void history_naive_begin(struct history_naive *naive, const char *path);
void history_naive_end(struct history_naive *naive);

/* The windows of packets that live for @life ns. */
void history_naive_ask(struct history_naive *naive, uint64_t life);

#endif
