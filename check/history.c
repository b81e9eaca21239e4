// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/history.h"

#include <stdlib.h>
#include <string.h>

#include "check/held.h"
#include "support/error.h"
#include "tables/onto.h"

#define MOST_STATES  4096    /* that are taken together */
#define MOST_CHANGES 4000000 /* of theirs */

/* A state, and where its changes end. */
struct state {
	struct hd_history_state made_by;
	size_t end;
};

/* Tables behind one of the states that are taken together. */
struct position {
	struct hd_tables *tables;
	bool *active;
	size_t at; /* changes that they have */
};

struct prover {
	const struct hd_history_proof *proof;
	struct hd_history_verdict *verdict;
	struct hd_held held;

	/* The states that are taken together. */
	struct state *states; /* [MOST_STATES] */
	size_t n_states;
	struct state
		early; /* the last state before hd_history_proof.since, which may last until then */
	bool has_early;
	struct hd_held_change *changes;
	size_t n_changes, capacity;
	struct position low, high;

	/* [as lft], [as sl2vl], [port]: the state that changed it, from 1; 0: none of them */
	uint32_t *entry_by, *row_by, *link_by;
};

/* Positions */

static void clear_position(struct position *position)
{
	hd_tables_free(position->tables);
	free(position->active);
	*position = (struct position){ .tables = NULL };
}

static void copy_held(const struct hd_held *held, struct position *position)
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
static int make_position(struct prover *prover, const struct hd_tables *sls,
			 struct position *position, struct hd_error *err)
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

/* Moves @position to where it has @n of the changes. */
static void move(const struct prover *prover, struct position *position, size_t n)
{
	while (position->at != n) {
		const bool is_forward = position->at < n;
		const struct hd_held_change *change =
			&prover->changes[is_forward ? position->at : position->at - 1];
		const uint64_t value = is_forward ? change->new : change->old;

		switch (change->kind) {
		case HD_HELD_ENTRY:
			position->tables->lft[change->index] = (uint8_t)value;
			break;
		case HD_HELD_ROW:
			position->tables->sl2vl[change->index] = value;
			break;
		case HD_HELD_LINK:
			position->active[change->index] = value != 0;
			break;
		}
		position->at = is_forward ? position->at + 1 : position->at - 1;
	}
}

/* Proofs */

/* Links are those that are active in either; false: no end port has a LID and a link. */
static bool set_links(struct prover *prover)
{
	struct hd_fabric *fabric = &prover->held.fabric;
	bool any = false;

	hd_for_each_port(p, fabric) {
		const bool active = prover->low.active[p] || prover->high.active[p];

		fabric->ports[p].peer = active ? prover->held.cable[p] : HD_NONE;
	}
	hd_for_each_port(p, fabric)
		any |= hd_is_end_port(fabric, p);
	return any;
}

static int check(struct prover *prover, const struct hd_tables *before,
		 struct hd_check_result *result, struct hd_error *err)
{
	const struct hd_check_options options = { .scope = prover->proof->scope,
						  .all_sls = !prover->proof->sls,
						  .before = before };

	*result = (struct hd_check_result){ .failure = HD_CHECK_SOUND };
	if (!set_links(prover))
		return 0;
	prover->verdict->n_checks++;
	return hd_check(prover->high.tables, &options, result, err);
}

/* Takes what is not about reachability for the witness. */
static int keep_witness(struct prover *prover, size_t i, struct hd_check_result *result,
			struct hd_error *err)
{
	struct hd_history_verdict *verdict = prover->verdict;
	const struct hd_fabric *from = &prover->held.fabric;
	struct hd_fabric *fabric = &verdict->fabric;

	*fabric = *from;
	fabric->ports = malloc((from->n_ports + (size_t)1) * sizeof(*from->ports));
	fabric->lids = malloc((from->top_lid + (size_t)1) * sizeof(*from->lids));
	if (!fabric->ports || !fabric->lids)
		return hd_error_nomem(err);
	memcpy(fabric->ports, from->ports, from->n_ports * sizeof(*from->ports));
	memcpy(fabric->lids, from->lids, (from->top_lid + (size_t)1) * sizeof(*from->lids));
	verdict->first = prover->states[i].made_by;
	verdict->first_number = verdict->n_states - prover->n_states + i + 1;
	verdict->witness = *result;
	for (int f = 0; f < HD_CHECK_CREDIT_LOOP; f++)
		if (f != HD_CHECK_FORWARD_LOOP)
			verdict->witness.found[f] = (struct hd_check_finding){ .n = 0 };
	verdict->witness.failure = verdict->witness.found[HD_CHECK_FORWARD_LOOP].n
					   ? HD_CHECK_FORWARD_LOOP
					   : HD_CHECK_CREDIT_LOOP;
	*result = (struct hd_check_result){ .failure = HD_CHECK_SOUND };
	return 0;
}

/* When state @i was over; the last of them lasts until the record that is being read. */
static uint64_t end_of(const struct prover *prover, size_t i)
{
	return i + 1 < prover->n_states ? prover->states[i + 1].made_by.time : prover->verdict->end;
}

/* Adds state @i, which is not sound, to the stretch that it continues, or begins one. */
static int add_to_stretch(struct prover *prover, size_t i, bool loops, bool is_cyclic,
			  struct hd_error *err)
{
	struct hd_history_verdict *verdict = prover->verdict;
	const size_t n = verdict->n_stretches;
	const uint64_t number = verdict->n_states - prover->n_states + i + 1;
	struct hd_history_stretch *stretch = n ? verdict->stretches + n - 1 : NULL;

	if (!stretch || stretch->first + stretch->n_states != number) {
		/* doubled where the number is a power of two */
		if (!(n & (n - 1))) {
			stretch = realloc(verdict->stretches, (n ? 2 * n : 1) * sizeof(*stretch));
			if (!stretch)
				return hd_error_nomem(err);
			verdict->stretches = stretch;
		}
		verdict->n_stretches++;
		stretch = verdict->stretches + n;
		*stretch = (struct hd_history_stretch){
			.first = number,
			.begin = prover->states[i].made_by.time,
		};
	}
	stretch->end = end_of(prover, i);
	stretch->n_states++;
	stretch->n_looping += loops;
	stretch->n_cyclic += is_cyclic;
	return 0;
}

static int prove_one(struct prover *prover, size_t i, struct hd_error *err)
{
	struct hd_history_verdict *verdict = prover->verdict;
	struct hd_check_result result;
	bool loops, is_cyclic;
	int ret;

	move(prover, &prover->low, prover->states[i].end);
	move(prover, &prover->high, prover->states[i].end);
	ret = check(prover, NULL, &result, err);
	if (ret)
		return ret;
	loops = result.found[HD_CHECK_FORWARD_LOOP].n > 0;
	is_cyclic = result.n_witness > 0;
	verdict->n_looping += loops;
	verdict->n_cyclic += is_cyclic;
	if (loops || is_cyclic)
		ret = add_to_stretch(prover, i, loops, is_cyclic, err);
	if (!ret && (loops || is_cyclic) && !verdict->n_unsound++)
		ret = keep_witness(prover, i, &result, err);
	hd_check_clear(&result);
	return ret;
}

/* Proves the states from @first to before @end. */
static int prove(struct prover *prover, size_t first, size_t end, struct hd_error *err)
{
	struct hd_check_result result;
	bool is_sound;
	int ret;

	if (end - first == 1)
		return prove_one(prover, first, err);
	move(prover, &prover->low, prover->states[first].end);
	move(prover, &prover->high, prover->states[end - 1].end);
	ret = check(prover, prover->low.tables, &result, err);
	if (ret)
		return ret;
	is_sound = !result.found[HD_CHECK_FORWARD_LOOP].n && !result.n_witness;
	hd_check_clear(&result);
	if (is_sound)
		return 0;
	ret = prove(prover, first, first + (end - first) / 2, err);
	return ret ? ret : prove(prover, first + (end - first) / 2, end, err);
}

static void forget_changes(struct prover *prover, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct hd_held_change *change = &prover->changes[i];

		switch (change->kind) {
		case HD_HELD_ENTRY:
			prover->entry_by[change->index] = 0;
			break;
		case HD_HELD_ROW:
			prover->row_by[change->index] = 0;
			break;
		case HD_HELD_LINK:
			prover->link_by[change->index] = 0;
			break;
		}
	}
}

/* Proves the states that were taken together; the next are taken from the last of them on. */
static int prove_all(struct prover *prover, struct hd_error *err)
{
	const size_t n = prover->n_changes;
	int ret = prover->n_states ? prove(prover, 0, prover->n_states, err) : 0;

	if (ret)
		return ret;
	move(prover, &prover->low, n);
	move(prover, &prover->high, n);
	forget_changes(prover, n);
	prover->low.at = prover->high.at = 0;
	prover->n_states = prover->n_changes = 0;
	return 0;
}

/* States */

static int see(struct prover *prover, struct hd_error *err)
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
static uint32_t *changed_by(const struct prover *prover, const struct hd_held_change *change)
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
static bool changes_again(const struct prover *prover)
{
	for (size_t i = 0; i < prover->held.n_changes; i++)
		if (*changed_by(prover, &prover->held.changes[i]))
			return true;
	return false;
}

static int keep_changes(struct prover *prover, struct hd_error *err)
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

static void push_state(struct prover *prover, const struct state *state)
{
	prover->states[prover->n_states] = *state;
	prover->states[prover->n_states++].end = prover->n_changes;
	prover->verdict->n_states++;
}

static void add_state(struct prover *prover, const struct hd_history_record *record)
{
	struct state state = { .made_by = { .time = record->time,
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
static void end_early(struct prover *prover)
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
static int begin_anew(struct prover *prover, const struct hd_history_record *record,
		      struct hd_error *err)
{
	int ret = prove_all(prover, err);

	if (ret || !count_active(&prover->held))
		return ret;
	ret = see(prover, err);
	if (!ret)
		add_state(prover, record);
	return ret;
}

static int take_record(struct prover *prover, const struct hd_history_record *record,
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
	if (changes_again(prover) || prover->n_states == MOST_STATES ||
	    prover->n_changes > MOST_CHANGES)
		ret = prove_all(prover, err);
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
	struct prover prover = { .proof = proof, .verdict = verdict };
	const struct hd_history_record *record;
	int ret;

	*verdict = (struct hd_history_verdict){ .n_records = 0 };
	prover.states = malloc(MOST_STATES * sizeof(*prover.states));
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
		ret = prove_all(&prover, err);
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
