/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof of a history (tables/history.h): of every state that the fabric was in, whether its
 * LFTs loop and whether its channel dependencies have a cycle. A state is what packets see: LFT
 * entries, SL2VL rows, LIDs and active links; a record that changes nothing of that makes none, nor
 * does one while no link is active.
 *
 * States are taken together as long as each entry, each SL of a row and each link has two values at
 * most, beside none (change/history_mix.h). Each of them is then a mixture of two sets of tables;
 * where all mixtures are sound (struct hd_check_options, `before`), so are the states. Where they
 * are not, either half is tried, down to single states, each of which is checked as it is.
 *
 * Packets of one state may still be under way in the next. If they live for `life` at most, those
 * that are there at one moment were sent on by the states of a window of that length, by any of
 * them at each switch: so all mixtures of all states of each window are asked, too. That none loops
 * and none has a cycle is sufficient, not necessary. Where something has a third value in a window,
 * the longest parts of the window without one are asked instead, and counted. No window goes beyond
 * a change of LIDs or cables, which are one thing in all that is asked at once: that is counted,
 * too. Nor does one begin before the state that was there at `since`.
 *
 * What hosts do is not in a history: path SLs are given, or every SL is tried. A port that loses its
 * LID is taken to have it still, until it gets another or another port gets it: packets to it are
 * sent on as before.
 */
#ifndef HD_CHANGE_HISTORY_PROOF_H
#define HD_CHANGE_HISTORY_PROOF_H

#include "check/check.h"
#include "tables/history.h"

struct hd_history_proof {
	enum hd_check_scope scope;
	const struct hd_tables *sls; /* tables whose path SLs hosts have, with the LIDs of the
					history, on a fabric of their own; NULL: every flow may
					use any SL */
	uint64_t since;              /* ns: states that were over by then are not proved */
	uint64_t life;               /* ns: how long packets live; 0: windows are not asked about */
	const char *name;            /* of the file, for messages */
};

/* States that are not sound, one behind the other. */
struct hd_history_stretch {
	uint64_t first;      /* number of its first state, from 1 */
	uint64_t begin, end; /* ns: the first came, the next sound one came */
	uint64_t n_states, n_looping, n_cyclic;
};

/* What made a state. */
struct hd_history_state {
	uint64_t time;
	enum hd_history_kind kind;
	uint32_t node; /* HD_NONE: none */
	char what[96];
	unsigned line;
	uint64_t n_entries, n_rows, n_links; /* that changed with it */
};

/* Successive states whose mixtures are not sound, while those of less of them are. */
struct hd_history_window {
	struct hd_history_state first, last;
	uint64_t first_number, last_number; /* of the states, from 1 */
	uint64_t over;                      /* ns: the first ended */
	struct hd_check_result witness;
	struct hd_fabric fabric; /* of the witness: links are those of any of the states */
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
	struct hd_history_state first;
	uint64_t first_number; /* of the states, from 1 */
	struct hd_check_result witness;
	struct hd_fabric fabric; /* of the witness: LIDs and links of that state; the rest belongs
				    to the reader */

	/* With a life: the windows that are not within another one. */
	uint64_t n_windows, n_windows_looping, n_windows_cyclic, n_windows_unsound;
	uint64_t n_windows_again;        /* begin too late, behind what had a third value */
	uint64_t n_windows_anew;         /* begin too late, where LIDs or cables changed */
	struct hd_history_window window; /* of the first unsound one, if there is one */
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
