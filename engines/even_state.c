// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/even_state.h"

#include <stdlib.h>

bool hd_even_look_at(struct hd_even *even, const struct hd_route_target *target)
{
	even->column = hd_way_column_read(&even->columns, target);
	return even->column && hd_way_column_sort(&even->columns, even->column);
}

void hd_even_add_flows(struct hd_even *even)
{
	struct hd_way_column *column = even->column;

	for (uint32_t i = 0; i + 1 < even->n; i++) {
		const uint32_t s = column->order[i];

		even->load[column->out[s]] +=
			hd_even_weigh(even, column->out[s], column->through[s]);
	}
}

uint64_t hd_even_find_busiest(const struct hd_even *even)
{
	uint64_t busiest = 0;

	for (uint32_t c = 0; c < even->graph.n_channels; c++)
		busiest = even->load[c] > busiest ? even->load[c] : busiest;
	return busiest;
}

static uint16_t *count_of(const struct hd_even *even, const struct hd_turn *turn)
{
	return &even->n_taken[(size_t)turn->out * even->most_outs + even->place[turn->in]];
}

/* One column more takes @turn. False: that would close a cycle. */
static bool take(struct hd_even *even, const struct hd_turn *turn)
{
	uint16_t *count = count_of(even, turn);

	if (!*count && (hd_turn_state(&even->turns, turn) == HD_TURN_REFUSED ||
			!hd_turn_add(&even->turns, turn)))
		return false;
	++*count;
	return true;
}

static void leave(struct hd_even *even, const struct hd_turn *turn)
{
	uint16_t *count = count_of(even, turn);

	if (!--*count)
		hd_turn_remove(&even->turns, turn);
}

void hd_even_put_column(struct hd_even *even)
{
	const uint16_t *next = even->column->next;
	const uint32_t *out = even->column->out, *place = even->place;
	const size_t most_outs = even->most_outs;
	uint16_t *n_taken = even->n_taken;

	for (uint32_t s = 0; s < even->n; s++) {
		const struct hd_turn turn = { next[s], out[s], out[next[s]] };

		/* that of @last, which is its own next one, is HD_NONE */
		if (turn.out != HD_NONE && !n_taken[turn.out * most_outs + place[turn.in]]++)
			hd_turn_put(&even->turns, &turn);
	}
}

void hd_even_leave_column(struct hd_even *even, const struct hd_way_column *column)
{
	for (uint32_t s = 0; s < even->n; s++) {
		const struct hd_turn turn = { column->next[s], column->out[s],
					      column->out[column->next[s]] };

		if (turn.out != HD_NONE)
			leave(even, &turn);
	}
}

void hd_even_list_ins(struct hd_even *even, uint32_t s, uint32_t out)
{
	const struct hd_turn_graph *graph = &even->graph;
	const uint32_t *outs = even->column->out;
	const uint64_t *before = even->turns.before + (size_t)out * graph->n_words;

	even->n_ins = 0;
	for (unsigned w = 0; w < graph->n_words; w++)
		for (uint64_t left = before[w]; left; left &= left - 1) {
			const uint32_t c =
				graph->first[s] + 64 * w + (unsigned)__builtin_ctzll(left);

			if (outs[graph->to[c]] == graph->back[c])
				even->ins[even->n_ins++] = graph->back[c];
		}
}

void hd_even_leave_turns(struct hd_even *even, uint32_t out, uint32_t n)
{
	const uint32_t to = even->graph.to[out];
	struct hd_turn turn;

	for (uint32_t i = 0; i < n; i++) {
		turn = hd_even_turn(even, even->ins[i], out);
		leave(even, &turn);
	}
	if (to == even->column->last)
		return;
	turn = hd_even_turn(even, out, even->column->out[to]);
	leave(even, &turn);
}

bool hd_even_take_turns(struct hd_even *even, uint32_t out)
{
	const uint32_t to = even->graph.to[out];
	struct hd_turn turn;

	if (to != even->column->last) {
		turn = hd_even_turn(even, out, even->column->out[to]);
		if (!take(even, &turn))
			return false;
	}
	for (uint32_t i = 0; i < even->n_ins; i++) {
		turn = hd_even_turn(even, even->ins[i], out);
		if (take(even, &turn))
			continue;
		hd_even_leave_turns(even, out, i);
		return false;
	}
	return true;
}

void hd_even_state_clear(struct hd_even *even)
{
	if (!even->is_missing)
		hd_turn_graph_clear(&even->graph);
	free(even->is_missing);
	free(even->dirty);
	hd_turns_clear(&even->turns);
	free(even->n_taken);
	free(even->place);
	free(even->target_of);
	hd_way_columns_clear(&even->columns);
	free(even->sources);
	free(even->load);
	free(even->hot_list);
	free(even->is_listed);
	free(even->mark);
	free(even->nearer);
	free(even->tried);
	free(even->ins);
	free(even->list);
	free(even->has_hot);
	free(even->is_hot);
}
