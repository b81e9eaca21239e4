// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/history_prover.h"

#include <stdlib.h>
#include <string.h>

#include "change/history_batch.h"
#include "change/history_windows.h"
#include "support/error.h"

#define MOST_CHANGES 4000000 /* that are taken together, beside those of states that were proved */

void hd_prover_clear(struct hd_prover *prover)
{
	hd_prover_mix_clear(&prover->mix);
	hd_fabric_state_clear(&prover->held);
	free(prover->states);
	free(prover->changes);
	free(prover->entry_by);
	free(prover->row_by);
	free(prover->link_by);
	free(prover->failed);
}

int hd_prover_begin(struct hd_prover *prover, const struct hd_tables *sls, struct hd_error *err)
{
	const struct hd_fabric_state *held = &prover->held;

	hd_prover_mix_clear(&prover->mix);
	free(prover->entry_by);
	free(prover->row_by);
	free(prover->link_by);
	free(prover->failed);
	prover->entry_by = calloc(held->fabric.n_switches * held->tables->lft_stride + 1,
				  sizeof(*prover->entry_by));
	prover->row_by =
		calloc(held->rows_first[held->fabric.n_nodes] + 1, sizeof(*prover->row_by));
	prover->link_by = calloc(held->fabric.n_ports + (size_t)1, sizeof(*prover->link_by));
	prover->failed = calloc(held->fabric.top_lid + (size_t)1, sizeof(*prover->failed));
	if (!prover->entry_by || !prover->row_by || !prover->link_by || !prover->failed)
		return hd_error_nomem(err);
	return hd_prover_mix_init(&prover->mix, held, sls, err);
}

/* Changes */

/* Which change was the last of what @change changes. */
static uint32_t *changed_by(const struct hd_prover *prover,
			    const struct hd_fabric_state_change *change)
{
	switch (change->kind) {
	case HD_STATE_ENTRY:
		return &prover->entry_by[change->index];
	case HD_STATE_ROW:
		return &prover->row_by[change->index];
	default:
		return &prover->link_by[change->index];
	}
}

/* What happened before the first @n changes had happened is not asked about any more. */
static void forget(struct hd_prover *prover, size_t n)
{
	hd_prover_mix_forget(&prover->mix, prover->changes, n);
	for (size_t i = 0; i < n; i++)
		*changed_by(prover, &prover->changes[i].of) = 0;
	prover->n_changes -= n;
	if (prover->n_changes)
		memmove(prover->changes, prover->changes + n,
			prover->n_changes * sizeof(*prover->changes));
	for (size_t i = 0; i < prover->n_changes; i++) {
		struct hd_prover_change *change = &prover->changes[i];

		change->earlier = change->earlier > n ? change->earlier - (uint32_t)n : 0;
		*changed_by(prover, &change->of) = (uint32_t)i + 1;
	}
}

static int make_room(struct hd_prover *prover, size_t n, struct hd_error *err)
{
	void *grown;

	if (prover->n_changes + n <= prover->most_changes)
		return 0;
	n += 2 * prover->n_changes + 1024;
	grown = realloc(prover->changes, n * sizeof(*prover->changes));
	if (!grown)
		return hd_error_nomem(err);
	prover->changes = grown;
	prover->most_changes = n;
	return 0;
}

int hd_prover_keep(struct hd_prover *prover, struct hd_error *err)
{
	const uint32_t state = (uint32_t)prover->n_states;
	int ret = make_room(prover, prover->held.n_changes, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < prover->held.n_changes; i++) {
		const struct hd_fabric_state_change *change = &prover->held.changes[i];
		uint32_t *by = changed_by(prover, change);

		/* what was there within the state was no state */
		if (*by && prover->changes[*by - 1].state == state) {
			prover->changes[*by - 1].of.new = change->new;
			continue;
		}
		prover->changes[prover->n_changes++] = (struct hd_prover_change){
			.of = *change,
			.state = state,
			.earlier = *by,
		};
		*by = (uint32_t)prover->n_changes;
	}
	if (!prover->n_states)
		forget(prover, prover->n_changes);
	return 0;
}

/* States */

/*
 * Proves the states, of which the next group has those from @next on.
 */
static int prove(struct hd_prover *prover, size_t next, struct hd_error *err)
{
	int ret = prover->proof->life ? hd_prover_windows(prover, next, err) : 0;

	return ret ? ret : hd_prover_states(prover, err);
}

/* Forgets the states before @first, which is the last state at most; the others are proved. */
static void forget_states(struct hd_prover *prover, size_t first)
{
	const size_t n = prover->states[first].end;

	forget(prover, n);
	for (size_t i = 0; i < prover->n_changes; i++)
		prover->changes[i].state -= (uint32_t)first;
	prover->n_states -= first;
	memmove(prover->states, prover->states + first, prover->n_states * sizeof(*prover->states));
	for (size_t i = 0; i < prover->n_states; i++) {
		prover->states[i].end -= n;
		prover->states[i].is_proved = true;
	}
	prover->n_old = prover->n_states;
}

/* Forgets all states, but not the changes of the next one. */
static void forget_all(struct hd_prover *prover)
{
	prover->n_states = prover->n_old = 0;
	forget(prover, prover->n_changes);
}

static size_t n_old_changes(const struct hd_prover *prover)
{
	return prover->n_old ? prover->states[prover->n_old - 1].end : 0;
}

/* From which state on there is room for the values of the next one. */
static uint32_t find_room(const struct hd_prover *prover)
{
	uint32_t first = 0;

	for (size_t i = prover->states[prover->n_states - 1].end; i < prover->n_changes; i++) {
		const uint32_t from = hd_prover_mix_first(prover->changes, i);

		first = from > first ? from : first;
	}
	return first;
}

/* Proves what is there, as far as the next state, which came at @time, needs that. */
static int make_way(struct hd_prover *prover, uint64_t time, struct hd_error *err)
{
	const uint32_t room = find_room(prover);
	size_t first;
	int ret;

	if (!room && prover->n_states - prover->n_old < HD_PROVER_MOST_STATES &&
	    prover->n_changes - n_old_changes(prover) <= MOST_CHANGES)
		return 0;
	first = prover->proof->life ? hd_prover_window(prover, time) : prover->n_states;
	first = room > first ? room : first;
	ret = prove(prover, first, err);
	if (ret)
		return ret;
	if (first > 0)
		prover->past = HD_PROVER_AGAIN;
	if (first < prover->n_states)
		forget_states(prover, first);
	else
		forget_all(prover);
	return 0;
}

static int push(struct hd_prover *prover, const struct hd_prover_state *state, struct hd_error *err)
{
	if (prover->n_states == prover->most_states) {
		const size_t most = 2 * prover->most_states + 64;
		void *grown = realloc(prover->states, most * sizeof(*prover->states));

		if (!grown)
			return hd_error_nomem(err);
		prover->states = grown;
		prover->most_states = most;
	}
	prover->states[prover->n_states] = *state;
	prover->states[prover->n_states++].end = prover->n_changes;
	prover->verdict->n_states++;
	return 0;
}

int hd_prover_add(struct hd_prover *prover, const struct hd_prover_state *state,
		  struct hd_error *err)
{
	int ret = prover->n_states ? make_way(prover, state->made_by.time, err) : 0;

	return ret ? ret : push(prover, state, err);
}

int hd_prover_end(struct hd_prover *prover, struct hd_error *err)
{
	int ret = prover->n_states ? prove(prover, prover->n_states, err) : 0;

	if (ret)
		return ret;
	if (prover->n_states)
		prover->past = HD_PROVER_ANEW;
	forget_all(prover);
	return 0;
}
