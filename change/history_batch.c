// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/history_batch.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Links are those that are active in either; false: no end port has a LID and a link. */
static bool set_links(struct hd_prover *prover)
{
	struct hd_fabric *fabric = &prover->held.fabric;
	bool any = false;

	hd_for_each_port(p, fabric) {
		const bool active = prover->mix.low_active[p] || prover->mix.high_active[p];

		fabric->ports[p].peer = active ? prover->held.cable[p] : HD_NONE;
	}
	hd_for_each_port(p, fabric)
		any |= hd_is_end_port(fabric, p);
	return any;
}

/* Others still send to a host whose link is down: its packets take channels on their way. */
static void find_failed(struct hd_prover *prover)
{
	const struct hd_fabric *fabric = &prover->held.fabric;

	hd_for_each_lid(lid, fabric) {
		const uint32_t p = fabric->lids[lid].port;

		prover->failed[lid] = p != HD_NONE && !hd_is_end_port(fabric, p);
	}
}

int hd_prover_ask(struct hd_prover *prover, size_t first, size_t last,
		  struct hd_check_result *result, struct hd_error *err)
{
	struct hd_check_options options = { .scope = prover->proof->scope,
					    .all_sls = !prover->proof->sls };

	*result = (struct hd_check_result){ .failure = HD_CHECK_SOUND };
	hd_prover_mix_move(&prover->mix, prover->changes, prover->states[first].end,
			   prover->states[last].end);
	if (!set_links(prover))
		return 0;
	prover->verdict->n_checks++;
	find_failed(prover);
	options.before = prover->mix.low;
	options.failed = prover->failed;
	return hd_check(prover->mix.high, &options, result, err);
}

int hd_prover_keep_witness(const struct hd_prover *prover, struct hd_check_result *result,
			   struct hd_check_result *witness, struct hd_fabric *fabric,
			   struct hd_error *err)
{
	const struct hd_fabric *from = &prover->held.fabric;

	*fabric = *from;
	fabric->ports = malloc((from->n_ports + (size_t)1) * sizeof(*from->ports));
	fabric->lids = malloc((from->top_lid + (size_t)1) * sizeof(*from->lids));
	if (!fabric->ports || !fabric->lids)
		return hd_error_nomem(err);
	memcpy(fabric->ports, from->ports, from->n_ports * sizeof(*from->ports));
	memcpy(fabric->lids, from->lids, (from->top_lid + (size_t)1) * sizeof(*from->lids));
	*witness = *result;
	for (int f = 0; f < HD_CHECK_CREDIT_LOOP; f++)
		if (f != HD_CHECK_FORWARD_LOOP)
			witness->found[f] = (struct hd_check_finding){ .n = 0 };
	witness->failure = witness->found[HD_CHECK_FORWARD_LOOP].n ? HD_CHECK_FORWARD_LOOP
								   : HD_CHECK_CREDIT_LOOP;
	*result = (struct hd_check_result){ .failure = HD_CHECK_SOUND };
	return 0;
}

/* Adds state @i, which is not sound, to the stretch that it continues, or begins one. */
static int add_to_stretch(struct hd_prover *prover, size_t i, bool loops, bool is_cyclic,
			  struct hd_error *err)
{
	struct hd_history_verdict *verdict = prover->verdict;
	const size_t n = verdict->n_stretches;
	const uint64_t number = hd_prover_number(prover, i);
	struct hd_history_stretch *stretch = n ? verdict->stretches + n - 1 : NULL;

	if (!n || stretch->first + stretch->n_states != number) {
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
	stretch->end = hd_prover_end_of(prover, i);
	stretch->n_states++;
	stretch->n_looping += loops;
	stretch->n_cyclic += is_cyclic;
	return 0;
}

/* Counts state @i, which is not sound. */
static int add_unsound(struct hd_prover *prover, size_t i, struct hd_check_result *result,
		       struct hd_error *err)
{
	struct hd_history_verdict *verdict = prover->verdict;
	const bool loops = result->found[HD_CHECK_FORWARD_LOOP].n > 0;
	const bool is_cyclic = result->n_witness > 0;
	int ret;

	verdict->n_looping += loops;
	verdict->n_cyclic += is_cyclic;
	ret = add_to_stretch(prover, i, loops, is_cyclic, err);
	if (ret || verdict->n_unsound++)
		return ret;
	verdict->first = prover->states[i].made_by;
	verdict->first_number = hd_prover_number(prover, i);
	return hd_prover_keep_witness(prover, result, &verdict->witness, &verdict->fabric, err);
}

/* Proves the states from @first to before @end. */
static int prove(struct hd_prover *prover, size_t first, size_t end, struct hd_error *err)
{
	const size_t middle = first + (end - first) / 2;
	struct hd_check_result result;
	bool is_sound;
	int ret = hd_prover_ask(prover, first, end - 1, &result, err);

	if (ret)
		return ret;
	is_sound = hd_prover_is_sound(&result);
	if (!is_sound && end - first == 1)
		ret = add_unsound(prover, first, &result, err);
	hd_check_clear(&result);
	if (ret || is_sound || end - first == 1)
		return ret;
	ret = prove(prover, first, middle, err);
	return ret ? ret : prove(prover, middle, end, err);
}

int hd_prover_states(struct hd_prover *prover, struct hd_error *err)
{
	const struct hd_prover_state *states = prover->states;
	size_t first = prover->n_old, end;
	int ret = 0;

	while (!ret && first < prover->n_states) {
		end = first + 1;
		while (end < prover->n_states && states[end].is_proved == states[first].is_proved)
			end++;
		if (!states[first].is_proved)
			ret = prove(prover, first, end, err);
		first = end;
	}
	return ret;
}
