/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An emulated fabric whose history is written to a file, and proved from there. */
#ifndef HD_TESTS_HISTORY_CASE_H
#define HD_TESTS_HISTORY_CASE_H

#include "change/history_proof.h"
#include "simfabric/emulator/history_writer.h"
#include "support/random.h"
#include "tests/unit/emulator_case.h"

struct history_case {
	struct emulator_case c;
	struct hd_history *history; /* NULL: not begun */
	char path[64];
};

/*
 * A fabric as emulator_case_new() makes it with LMC 0; its history begins with
 * history_case_begin().
 */
void history_case_new(struct history_case *s, const char *spec, const char *engine);
void history_case_begin(struct history_case *s);
/* Ends the history. */
void history_case_end(struct history_case *s);
void history_case_free(struct history_case *s);

/*
 * [LID up to the highest] that of a host whose link is down, which others still send to. The caller
 * frees the result.
 */
bool *history_case_failed(const struct hd_fabric *fabric);

/* Sends a Set with @data to switch @node, from the first host. */
void history_case_set(struct history_case *s, uint32_t node, unsigned attribute, uint32_t modifier,
		      const uint8_t *data);

/* Sets one LFT entry, with the block that it is in. */
void history_case_set_entry(struct history_case *s, uint32_t node, uint16_t lid, unsigned out);

/* Makes a random change: of an entry or a row, or a link that fails or comes back. */
void history_case_change(struct history_case *s, struct hd_random *random);

/*
 * Proves the file at @path, with packets that live for @life ns (0: no windows). Frees the
 * witnesses.
 */
int history_case_prove_file(const char *path, uint64_t life, struct hd_history_verdict *verdict,
			    struct hd_error *err);

/* The same for the text @s, which must be a history. */
struct hd_history_verdict history_case_prove(const struct history_case *s, uint64_t life);

#endif
