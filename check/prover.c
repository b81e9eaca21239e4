// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/prover.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Moves @position to where it has @n of the changes. */
static void move(const struct hd_prover *prover, struct hd_prover_position *position, size_t n)
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

/* Links are those that are active in either; false: no end port has a LID and a link. */
static bool set_links(struct hd_prover *prover)
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

static int check(struct hd_prover *prover, const struct hd_tables *before,
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
static int keep_witness(struct hd_prover *prover, size_t i, struct hd_check_result *result,
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
static uint64_t end_of(const struct hd_prover *prover, size_t i)
{
	return i + 1 < prover->n_states ? prover->states[i + 1].made_by.time : prover->verdict->end;
}

/* Adds state @i, which is not sound, to the stretch that it continues, or begins one. */
static int add_to_stretch(struct hd_prover *prover, size_t i, bool loops, bool is_cyclic,
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

static int prove_one(struct hd_prover *prover, size_t i, struct hd_error *err)
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
static int prove(struct hd_prover *prover, size_t first, size_t end, struct hd_error *err)
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

static void forget_changes(struct hd_prover *prover, size_t n)
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

int hd_prover_prove(struct hd_prover *prover, struct hd_error *err)
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
