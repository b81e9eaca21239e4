/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof of a history (tables/history.h): for every fabric state, whether its LFTs loop and
 * whether its channel dependencies have a cycle. A state is what packets see: LFT entries, SL2VL
 * rows, LIDs and active links. A record that changes none of these makes no new state, nor does a
 * record while no link is active.
 *
 * Successive states form a batch as long as each entry, each SL of a row and each link has at most
 * two values, apart from "none" (change/history_mix.h). Each state of a batch is then a mixture of
 * two sets of tables: if all mixtures are sound (struct hd_check_options, `before`), so are the
 * states. If not, the proof tries each half, down to single states, which it checks as they are.
 *
 * Packets of one state may still be under way in the next. If packets live for `life` at most,
 * those under way at one moment were forwarded by the states of a window of that length, at each
 * switch by any of these states. So the proof also checks all mixtures of all states of each
 * window. That is sufficient, not necessary. If something has a third value in a window, the
 * longest parts of the window without a third value are checked instead, and counted. All states of
 * a question have the same LIDs and cables, so no window goes beyond a change of these; that is
 * counted, too. No window begins before the state at `since`.
 *
 * A history does not tell what hosts do: path SLs are given, or every SL is tried. A port that
 * loses its LID counts as having it until it gets another, or another port gets that LID: switches
 * still forward packets to it. Packets to a host whose link is not active are followed as far as
 * entries lead (`failed` of struct hd_check_options).
 */
#ifndef HD_CHANGE_HISTORY_PROOF_H
#define HD_CHANGE_HISTORY_PROOF_H

#include "check/check.h"
#include "tables/history.h"

struct hd_history_proof {
	enum hd_check_scope scope;
	const struct hd_tables *sls; /* tables with the hosts' path SLs and the LIDs of the history,
					on a fabric of their own; NULL: every flow may use any SL */
	uint64_t since;              /* ns: states that ended before are not proved */
	uint64_t life;               /* ns: how long packets live; 0: no windows */
	const char *name;            /* of the file, for messages */
};

/* Successive states that are not sound. */
struct hd_history_stretch {
	uint64_t first;      /* number of its first state, from 1 */
	uint64_t begin, end; /* ns: begin of the first, begin of the next sound state */
	uint64_t n_states, n_looping, n_cyclic;
};

/* What made a state. */
struct hd_history_state {
	uint64_t time;
	enum hd_history_kind kind;
	uint32_t node; /* HD_NONE: none */
	char what[96];
	unsigned line;
	uint64_t n_entries, n_rows, n_links; /* number that changed with it */
};

/* Successive states whose mixtures are not sound, while the mixtures of fewer of them are. */
struct hd_history_window {
	struct hd_history_state first, last;
	uint64_t first_number, last_number; /* of the states, from 1 */
	uint64_t over;                      /* ns: end of the first */
	struct hd_check_result witness;
	struct hd_fabric fabric; /* of the witness: with the links of all these states */
};

struct hd_history_verdict {
	uint64_t n_records, n_sets;
	uint64_t n_refused;  /* Sets whose answer had a status other than 0 */
	uint64_t n_adaptive; /* records that change adaptive routing, which is not proved */
	/*
	 * Where a switch first chooses ports, or goes by VL2VL: from there on states are sound or
	 * unsound by LFTs alone. 0: none does.
	 */
	unsigned chooses_line;
	unsigned chooses_record; /* the first line of its record */
	uint32_t chooses_node;
	uint64_t n_before;  /* states that ended before hd_history_proof.since */
	uint64_t n_states;  /* all are proved */
	uint64_t n_looping; /* with a forwarding loop */
	uint64_t n_cyclic;  /* with a cycle of channel dependencies */
	uint64_t n_unsound; /* with either */
	uint64_t n_checks;  /* checks of mixtures and of single states */
	uint64_t end;       /* ns: of the last record */

	struct hd_history_stretch *stretches; /* in order */
	size_t n_stretches;

	/* If n_unsound > 0: what made the first state that is not sound, and its witness. */
	struct hd_history_state first;
	uint64_t first_number; /* of the states, from 1 */
	struct hd_check_result witness;
	struct hd_fabric fabric; /* of the witness: with LIDs and links of that state; the rest
				    belongs to the reader */

	/* With a life: the windows that are not part of another window. */
	uint64_t n_windows, n_windows_looping, n_windows_cyclic, n_windows_unsound;
	uint64_t n_windows_again;        /* begin too late, because something had a third value */
	uint64_t n_windows_anew;         /* begin too late, because LIDs or cables changed */
	struct hd_history_window window; /* the first unsound one, if any */
};

/*
 * Reads @reader to its end, and proves all its states. HD_EPARSE with file and line; HD_EIO;
 * HD_EINVAL: a LID of the history belongs to another port in proof->sls; HD_ENOMEM. Clear also
 * after an error, before you close the reader.
 */
int hd_history_prove(struct hd_history_reader *reader, const struct hd_history_proof *proof,
		     struct hd_history_verdict *verdict, struct hd_error *err);
void hd_history_verdict_clear(struct hd_history_verdict *verdict);

#endif
