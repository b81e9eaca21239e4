// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/history.h"

#include <stdlib.h>
#include <string.h>

#include "check/prover.h"
#include "support/error.h"
#include "tables/onto.h"

#define MOST_CHANGES 4000000 /* of the states that are taken together */

/* Positions */

static void clear_position(struct hd_prover_position *position)
{
	hd_tables_free(position->tables);
	free(position->active);
	*position = (struct hd_prover_position){ .tables = NULL };
}

static void copy_held(const struct hd_held *held, struct hd_prover_position *position)
{
	const struct hd_tables *from = held->tables;
	struct hd_tables *to = position->tables;

	memcpy(to->lft, from->lft, held->fabric.n_switches * from->lft_stride);
	memcpy(to->sl2vl, from->sl2vl,
	       from->sl2vl_first[held->fabric.n_nodes] * sizeof(*from->sl2vl));
	memcpy(position->active, held->active, held->fabric.n_ports * sizeof(*held->active));
}

static int take_sls(const struct hd_tables *sls, struct hd_tables *to, struct hd_error *err)
{
	int ret = hd_tables_set_sl_rows(to, sls->n_sl_rows, err);

	if (ret)
		return ret;
	memcpy(to->sl_rows, sls->sl_rows, sls->n_sl_rows * sls->lft_stride);
	memcpy(to->sl_row_of_port, sls->sl_row_of_port,
	       to->fabric->n_ports * sizeof(*to->sl_row_of_port));
	return 0;
}

/* A position for the LIDs of now, with path SLs. */
static int make_position(struct hd_prover *prover, const struct hd_tables *sls,
			 struct hd_prover_position *position, struct hd_error *err)
{
	const struct hd_fabric *fabric = &prover->held.fabric;
	int ret;

	clear_position(position);
	position->active = malloc(fabric->n_ports + (size_t)1);
	if (!position->active)
		return hd_error_nomem(err);
	ret = hd_tables_new(fabric, &position->tables, err);
	if (!ret)
		position->tables->has_sl2vl = true;
	return ret || !sls ? ret : take_sls(sls, position->tables, err);
}

/* States */

static int see(struct hd_prover *prover, struct hd_error *err)
{
	const struct hd_tables *given = prover->proof->sls;
	const struct hd_fabric *fabric = &prover->held.fabric;
	struct hd_tables *sls = NULL;
	int ret = hd_held_see(&prover->held, err);

	if (!ret && given)
		ret = hd_tables_onto(given, fabric, &sls, NULL, err);
	if (!ret)
		ret = make_position(prover, sls, &prover->low, err);
	if (!ret)
		ret = make_position(prover, sls, &prover->high, err);
	hd_tables_free(sls);
	if (ret)
		return ret;
	copy_held(&prover->held, &prover->low);
	copy_held(&prover->held, &prover->high);
	free(prover->entry_by);
	free(prover->row_by);
	free(prover->link_by);
	prover->entry_by = calloc(fabric->n_switches * prover->held.tables->lft_stride + 1,
				  sizeof(*prover->entry_by));
	prover->row_by =
		calloc(prover->held.rows_first[fabric->n_nodes] + 1, sizeof(*prover->row_by));
	prover->link_by = calloc(fabric->n_ports + (size_t)1, sizeof(*prover->link_by));
	return prover->entry_by && prover->row_by && prover->link_by ? 0 : hd_error_nomem(err);
}

/* Who changed last what @change changes. */
static uint32_t *changed_by(const struct hd_prover *prover, const struct hd_held_change *change)
{
	switch (change->kind) {
	case HD_HELD_ENTRY:
		return &prover->entry_by[change->index];
	case HD_HELD_ROW:
		return &prover->row_by[change->index];
	default:
		return &prover->link_by[change->index];
	}
}

/* Whether some state that is taken together changed already what the record changes. */
static bool changes_again(const struct hd_prover *prover)
{
	for (size_t i = 0; i < prover->held.n_changes; i++)
		if (*changed_by(prover, &prover->held.changes[i]))
			return true;
	return false;
}

static int keep_changes(struct hd_prover *prover, struct hd_error *err)
{
	const size_t n = prover->n_changes + prover->held.n_changes;

	if (n > prover->capacity) {
		void *grown = realloc(prover->changes, (2 * n + 1024) * sizeof(*prover->changes));

		if (!grown)
			return hd_error_nomem(err);
		prover->changes = grown;
		prover->capacity = 2 * n + 1024;
	}
	for (size_t i = 0; i < prover->held.n_changes; i++) {
		const struct hd_held_change *change = &prover->held.changes[i];

		prover->changes[prover->n_changes++] = *change;
		*changed_by(prover, change) = (uint32_t)prover->n_states + 1;
	}
	return 0;
}

static void push_state(struct hd_prover *prover, const struct hd_prover_state *state)
{
	prover->states[prover->n_states] = *state;
	prover->states[prover->n_states++].end = prover->n_changes;
	prover->verdict->n_states++;
}

static void add_state(struct hd_prover *prover, const struct hd_history_record *record)
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
	if (record->time >= prover->proof->since) {
		push_state(prover, &state);
		return;
	}
	prover->verdict->n_before += prover->has_early;
	prover->early = state;
	prover->has_early = true;
}

/* The state that was there when proofs were to begin is one of those that are proved. */
static void end_early(struct hd_prover *prover)
{
	if (prover->has_early)
		push_state(prover, &prover->early);
	prover->has_early = false;
}

static uint32_t count_active(const struct hd_held *held)
{
	uint32_t n = 0;

	hd_for_each_port(p, &held->fabric) {
		const uint32_t peer = held->ports[p].link;

		n += peer != HD_NONE && held->ports[p].state == HD_HELD_ACTIVE &&
		     held->ports[peer].state == HD_HELD_ACTIVE;
	}
	return n;
}

/* LIDs or cables have changed: what packets see is made anew, once they see anything. */
static int begin_anew(struct hd_prover *prover, const struct hd_history_record *record,
		      struct hd_error *err)
{
	int ret = hd_prover_prove(prover, err);

	if (ret || !count_active(&prover->held))
		return ret;
	ret = see(prover, err);
	if (!ret)
		add_state(prover, record);
	return ret;
}

static int take_record(struct hd_prover *prover, const struct hd_history_record *record,
		       struct hd_error *err)
{
	int ret;

	if (record->time >= prover->proof->since)
		end_early(prover);
	ret = hd_held_apply(&prover->held, record, prover->proof->name, err);
	if (ret)
		return ret;
	if (prover->held.is_stale)
		return begin_anew(prover, record, err);
	if (!prover->held.n_changes)
		return 0;
	if (changes_again(prover) || prover->n_states == HD_PROVER_MOST_STATES ||
	    prover->n_changes > MOST_CHANGES)
		ret = hd_prover_prove(prover, err);
	if (!ret)
		ret = keep_changes(prover, err);
	if (!ret && prover->held.n_active) {
		add_state(prover, record);
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
	prover.states = malloc(HD_PROVER_MOST_STATES * sizeof(*prover.states));
	ret = hd_held_init(&prover.held, hd_history_fabric(reader), err);
	if (!ret && !prover.states)
		ret = hd_error_nomem(err);
	while (!ret) {
		ret = hd_history_next(reader, &record, err);
		if (ret || !record)
			break;
		verdict->n_records++;
		verdict->n_sets += record->kind == HD_HISTORY_SET;
		verdict->n_refused += record->status != 0;
		verdict->end = record->time;
		ret = take_record(&prover, record, err);
	}
	if (!ret) {
		end_early(&prover);
		ret = hd_prover_prove(&prover, err);
	}
	clear_position(&prover.low);
	clear_position(&prover.high);
	hd_held_clear(&prover.held);
	free(prover.states);
	free(prover.changes);
	free(prover.entry_by);
	free(prover.row_by);
	free(prover.link_by);
	return ret;
}

void hd_history_verdict_clear(struct hd_history_verdict *verdict)
{
	hd_check_clear(&verdict->witness);
	free(verdict->stretches);
	free(verdict->fabric.ports);
	free(verdict->fabric.lids);
}
