/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof of a history (tables/history.h): of every state that the fabric was in, whether its
 * LFTs loop and whether its channel dependencies have a cycle. A state is what packets see: LFT
 * entries, SL2VL rows, LIDs and active links; a record that changes nothing of that makes none, nor
 * does one while no link is active.
 *
 * States are taken together as long as each entry, row and link changes once at most. Each of them
 * is then a mixture of the tables before the first and behind the last; where all mixtures are
 * sound (struct hd_check_options, `before`), so are the states. Where they are not, either half is
 * tried, down to single states, each of which is checked as it is.
 *
 * What hosts do is not in a history: path SLs are given, or every SL is tried.
 */
#ifndef HD_CHECK_HISTORY_H
#define HD_CHECK_HISTORY_H

#include "check/check.h"
#include "tables/history.h"

struct hd_history_proof {
	enum hd_check_scope scope;
	const struct hd_tables *sls; /* tables whose path SLs hosts have, with the LIDs of the
					history, on a fabric of their own; NULL: every flow may
					use any SL */
	uint64_t since;              /* ns: states that were over by then are not proved */
	const char *name;            /* of the file, for messages */
};

/* States that are not sound, one behind the other. */
struct hd_history_stretch {
	uint64_t first;      /* number of its first state, from 1 */
	uint64_t begin, end; /* ns: the first came, the next sound one came */
	uint64_t n_states, n_looping, n_cyclic;
};

struct hd_history_verdict {
	uint64_t n_records, n_sets;
	uint64_t n_refused; /* Sets that were answered with another status than 0 */
	uint64_t n_before;  /* states that were over before hd_history_proof.since */
	uint64_t n_states;  /* all are proved */
	uint64_t n_looping; /* with a forwarding loop */
	uint64_t n_cyclic;  /* with a cycle of channel dependencies */
	uint64_t n_unsound; /* with either */
	uint64_t n_checks;  /* of mixtures and of single states */
	uint64_t end;       /* ns: of the last record */

	struct hd_history_stretch *stretches; /* in order */
	size_t n_stretches;

	/* Of the first state that is not sound: what made it, and a witness, if n_unsound > 0. */
	struct hd_history_state {
		uint64_t time;
		enum hd_history_kind kind;
		uint32_t node; /* HD_NONE: none */
		char what[96];
		unsigned line;
		uint64_t n_entries, n_rows, n_links; /* that changed with it */
	} first;
	uint64_t first_number; /* of the states, from 1 */
	struct hd_check_result witness;
	struct hd_fabric fabric; /* of the witness: LIDs and links of that state; the rest belongs
				    to the reader */
};

/*
 * Proves all states of @reader, which is read to its end. HD_EPARSE with file and line; HD_EIO;
 * HD_EINVAL: a LID of the history belongs to another port in proof->sls; HD_ENOMEM. Clear in any
 * case, before the reader is closed.
 */
int hd_history_prove(struct hd_history_reader *reader, const struct hd_history_proof *proof,
		     struct hd_history_verdict *verdict, struct hd_error *err);
void hd_history_verdict_clear(struct hd_history_verdict *verdict);

#endif
