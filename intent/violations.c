// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "intent/judge.h"

void hd_judge_count(struct hd_judge *judge, uint32_t demand, uint32_t group, uint32_t n,
		    struct hd_violation what)
{
	struct hd_demand_verdict *verdict = &judge->verdict->demands[demand];
	const struct hd_rule_state *state = &judge->states[judge->rules->demands[demand].rule];
	const uint32_t *sources = state->sources + state->groups[group].first;

	verdict->n_bad += n;
	if (verdict->n_examples == HD_MOST_EXAMPLES)
		return;
	what.source = sources[*sources == judge->owner];
	verdict->examples[verdict->n_examples++] = what;
}
