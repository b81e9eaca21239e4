/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Matching in-ports, which send one packet at a time, with out-ports, which take one at a time:
 * among those that became free or got credits in this tick, usually a single out-port.
 */
#ifndef HD_SWITCHES_ALLOCATOR_H
#define HD_SWITCHES_ALLOCATOR_H

#include "sim/switches/allocator_input.h"
#include "sim/switches/allocator_output.h"

/* Matches the @n out-ports in @outs of switch @at. */
static inline void match(struct hd_model *model, uint32_t at, uint32_t *outs, unsigned n)
{
	size_t words = hd_words(model);
	struct crossbar *crossbar = hd_crossbar(model, at);
	unsigned round = 0;

	for (; n && (!hd_iterations(model) || round < hd_iterations(model)); round++) {
		if (!hd_is_input_first(model))
			n = match_outputs(model, crossbar, outs, n, round == 0);
		else if (words == 1)
			n = match_few_inputs(model, crossbar, outs, n);
		else
			n = match_inputs(model, crossbar, outs, n);
	}
	/* hardware tries pairs that lost every iteration again in its next cycle */
	if (n)
		hd_events_post(&model->events, model->retry_line, at, 0);
	for (unsigned i = 0; i < n; i++)
		set_bit(hd_dirty(crossbar, words), words, hd_local(model, outs[i]));
}

/* The same for a single out-port, which needs no matching. */
static inline void serve(struct hd_model *model, struct crossbar *crossbar, uint32_t out)
{
	struct choice choice = choose(model, out, hd_in_free(crossbar));

	if (choice.queue)
		take(model, crossbar, out, &choice, true);
	else
		hd_model_no_turn(model, out);
}

/* Switch @at was marked: matches what its ports have and want. */
static inline void hd_model_switch_arbitrate(struct hd_model *model, uint32_t at)
{
	size_t words = hd_words(model);
	struct crossbar *crossbar = hd_crossbar(model, at);
	uint32_t first = hd_first_port(model, at), outs[HD_MAX_PORTS + 1];
	uint64_t *dirty = hd_dirty(crossbar, words), tried[(HD_MAX_PORTS + 64) / 64];
	const uint64_t *out_free = hd_out_free(crossbar, words);
	unsigned n = 0;

	crossbar->is_dirty = false;
	for (unsigned w = 0; w < words; w++) {
		tried[w] = dirty[w] & out_free[w];
		dirty[w] = 0;
		for (uint64_t bits = tried[w]; bits; bits &= bits - 1)
			outs[n++] = first + w * 64 + __builtin_ctzll(bits);
	}
	if (n == 1 && !hd_is_input_first(model)) {
		serve(model, crossbar, outs[0]);
		return;
	}
	match(model, at, outs, n);
	for (unsigned w = 0; w < words; w++)
		for (uint64_t bits = tried[w] & out_free[w]; bits; bits &= bits - 1)
			hd_model_no_turn(model, first + w * 64 + __builtin_ctzll(bits));
}

#endif
