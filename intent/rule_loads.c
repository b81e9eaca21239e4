// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Demands on loads: how many of a rule's flows pass each link between switches. */
#include <string.h>

#include "intent/judge.h"

/* The farthest switches first: each hands on what it has and what comes to it. */
void hd_judge_add_load(struct hd_judge *judge, struct hd_rule_state *state,
		       const struct hd_lid_tree *tree)
{
	const struct hd_fabric *fabric = judge->fabric;
	const uint32_t owner = judge->owner;

	memcpy(judge->carried, state->starts, fabric->n_switches * sizeof(*judge->carried));
	if (state->group_of[owner] != HD_NONE)
		judge->carried[judge->members.at[owner]]--;
	for (uint32_t i = tree->n_order; i--;) {
		const uint32_t s = tree->order[i], n = judge->carried[s];
		const uint32_t next = hd_tree_next(&judge->view, tree, s);

		if (!n || next == HD_NONE)
			continue;
		judge->carried[next] += n;
		state->flows[hd_port_index(fabric, s, tree->out[s])] += n;
	}
}

static void judge_load(struct hd_judge *judge, const struct hd_rule_state *state, uint32_t d)
{
	struct hd_demand_verdict *verdict = &judge->verdict->demands[d];
	const struct hd_demand *demand = &judge->rules->demands[d];
	uint64_t sum = 0;
	double most = demand->number;

	hd_for_each_port(p, judge->fabric) {
		verdict->n += state->flows[p] != 0;
		sum += state->flows[p];
	}
	verdict->mean = verdict->n ? (double)sum / (double)verdict->n : 0;
	if (demand->kind == HD_DEMAND_MAX_LOAD)
		most = demand->factor * verdict->mean;
	hd_for_each_port(p, judge->fabric) {
		const struct hd_violation what = { .source = HD_NONE,
						   .port = p,
						   .number = (uint32_t)state->flows[p] };

		if ((double)state->flows[p] <= most)
			continue;
		verdict->n_bad++;
		if (verdict->n_examples < HD_MOST_EXAMPLES)
			verdict->examples[verdict->n_examples++] = what;
	}
}

void hd_judge_loads(struct hd_judge *judge, const struct hd_rule *rule,
		    const struct hd_rule_state *state)
{
	for (uint32_t d = rule->first_demand; d < rule->first_demand + rule->n_demands; d++) {
		const enum hd_demand_kind kind = judge->rules->demands[d].kind;

		if (kind == HD_DEMAND_MAX_LOAD || kind == HD_DEMAND_MAX_FLOWS)
			judge_load(judge, state, d);
	}
}
