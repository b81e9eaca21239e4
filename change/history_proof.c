// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/history_proof.h"

#include <stdlib.h>
#include <string.h>

#include "change/history_prover.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/onto.h"

/* LIDs or cables are others. */
static int see(struct hd_prover *prover, struct hd_error *err)
{
	const struct hd_tables *given = prover->proof->sls;
	struct hd_tables *sls = NULL;
	int ret = hd_fabric_state_see(&prover->held, err);

	if (!ret && given)
		ret = hd_ar_refuse_private(given, "the proof of a history", err);
	if (!ret && given)
		ret = hd_tables_onto(given, &prover->held.fabric, &sls, NULL, err);
	if (!ret)
		ret = hd_prover_begin(prover, sls, err);
	hd_tables_free(sls);
	return ret;
}

static int add_state(struct hd_prover *prover, const struct hd_history_record *record,
		     struct hd_error *err)
{
	struct hd_prover_state state = { .made_by = { .time = record->time,
						      .kind = record->kind,
						      .node = record->node,
						      .line = record->line } };

	memcpy(state.made_by.what, record->what, sizeof(record->what));
	for (size_t i = 0; i < record->n_changes; i++) {
		const enum hd_change_kind kind = record->changes[i].kind;

		state.made_by.n_entries += kind == HD_CHANGE_LFT;
		state.made_by.n_rows += kind == HD_CHANGE_SL2VL;
		state.made_by.n_links += kind == HD_CHANGE_LINK || kind == HD_CHANGE_STATE;
	}
	if (record->time >= prover->proof->since)
		return hd_prover_add(prover, &state, err);
	prover->verdict->n_before += prover->has_early;
	prover->early = state;
	prover->has_early = true;
	return 0;
}

/* The state that was there when proofs were to begin is one of those that are proved. */
static int end_early(struct hd_prover *prover, struct hd_error *err)
{
	const bool has_early = prover->has_early;

	prover->has_early = false;
	return has_early ? hd_prover_add(prover, &prover->early, err) : 0;
}

static uint32_t count_active(const struct hd_fabric_state *held)
{
	uint32_t n = 0;

	hd_for_each_port(p, &held->fabric) {
		const uint32_t peer = held->ports[p].link;

		n += peer != HD_NONE && held->ports[p].state == HD_STATE_ACTIVE &&
		     held->ports[peer].state == HD_STATE_ACTIVE;
	}
	return n;
}

/* LIDs or cables have changed: what packets see is made anew, once they see anything. */
static int begin_anew(struct hd_prover *prover, const struct hd_history_record *record,
		      struct hd_error *err)
{
	int ret = hd_prover_end(prover, err);

	if (ret || !count_active(&prover->held))
		return ret;
	ret = see(prover, err);
	return ret ? ret : add_state(prover, record, err);
}

static int take_record(struct hd_prover *prover, const struct hd_history_record *record,
		       struct hd_error *err)
{
	int ret = record->time >= prover->proof->since ? end_early(prover, err) : 0;

	if (!ret)
		ret = hd_fabric_state_apply(&prover->held, record, prover->proof->name, err);
	if (ret)
		return ret;
	if (prover->held.is_stale)
		return begin_anew(prover, record, err);
	if (!prover->held.n_changes && !prover->held.has_moved)
		return 0;
	ret = hd_prover_keep(prover, err);
	if (!ret && prover->held.n_active) {
		ret = add_state(prover, record, err);
	} else if (!ret && prover->has_early) {
		prover->verdict->n_before++;
		prover->has_early = false;
	}
	return ret;
}

int hd_history_prove(struct hd_history_reader *reader, const struct hd_history_proof *proof,
		     struct hd_history_verdict *verdict, struct hd_error *err)
{
	struct hd_prover prover = { .proof = proof, .verdict = verdict };
	const struct hd_history_record *record;
	int ret;

	*verdict = (struct hd_history_verdict){ .n_records = 0 };
	ret = hd_fabric_state_init(&prover.held, hd_history_fabric(reader), err);
	while (!ret) {
		ret = hd_history_next(reader, &record, err);
		if (ret || !record)
			break;
		verdict->n_records++;
		verdict->n_sets += record->kind == HD_HISTORY_SET;
		verdict->n_refused += record->status != 0;
		verdict->n_adaptive += record->changes_sets;
		if (!verdict->chooses_line) {
			verdict->chooses_line = record->chooses_line;
			verdict->chooses_record = record->line;
			verdict->chooses_node = record->chooses_node;
		}
		verdict->end = record->time;
		ret = take_record(&prover, record, err);
	}
	if (!ret)
		ret = end_early(&prover, err);
	if (!ret)
		ret = hd_prover_end(&prover, err);
	hd_prover_clear(&prover);
	return ret;
}

void hd_history_verdict_clear(struct hd_history_verdict *verdict)
{
	hd_check_clear(&verdict->witness);
	free(verdict->stretches);
	free(verdict->fabric.ports);
	free(verdict->fabric.lids);
	hd_check_clear(&verdict->window.witness);
	free(verdict->window.fabric.ports);
	free(verdict->window.fabric.lids);
}
