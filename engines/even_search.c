// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A local search. Destination by destination and switch by switch, from the farthest on, flows
 * whose way has a hot link go another way, where all links that only the new way has stay below the
 * busiest of those that only the old one has. So the loads, sorted from the highest down, fall
 * lexicographically, and the search ends. Hot are links within a sixteenth of the busiest at first;
 * where that does not lower the busiest any more, an eighth, then a quarter.
 *
 * A way may begin by any link that leads nearer to its destination, up or down, if the turns that
 * it takes close no cycle with those of all ways that are there (engines/turns.h). Turns are
 * counted, so that one that is no longer taken makes room for others.
 */
#include "engines/even_search.h"

#include <string.h>

#define MOST_ROUNDS  64
#define LEAST_ROUNDS 3
#define WORK         (UINT64_C(1) << 27) /* of switches looked at; fewer: there are more rounds */

/* A way from a switch as far as it has no switch of another one. */
struct stretch {
	uint32_t end;
	uint32_t length;
	uint64_t worst; /* flows of its busiest link */
};

/*
 * Finds the way from @s that begins with @out, up to the one that is marked, with @flows more on
 * it. False: it has a link of @limit flows or more, or comes back to @s.
 */
static bool find_stretch(const struct hd_even *even, uint32_t s, uint32_t out, uint64_t flows,
			 uint64_t limit, struct stretch *stretch)
{
	const struct hd_way_column *column = even->column;
	uint64_t worst = even->load[out] + hd_even_weigh(even, out, flows);
	uint32_t at = even->graph.to[out], length = 1;

	/* @s is marked, too */
	for (; worst < limit && even->mark[at].stamp != even->stamp; length++) {
		const uint32_t c = column->out[at];
		const uint64_t load = even->load[c] + hd_even_weigh(even, c, flows);

		worst = load > worst ? load : worst;
		at = column->next[at];
	}
	*stretch = (struct stretch){ at, length, worst };
	return worst < limit && at != s;
}

/* Marks @s and the switches on the way from there. Returns the flows of its busiest link. */
static uint64_t mark_way(struct hd_even *even, uint32_t s)
{
	const struct hd_way_column *column = even->column;
	struct hd_even_mark here = { .stamp = ++even->stamp };

	even->mark[s] = here;
	while (s != column->last) {
		const uint64_t load = even->load[column->out[s]];

		here.worst = load > here.worst ? load : here.worst;
		here.length++;
		s = column->next[s];
		even->mark[s] = here;
	}
	return here.worst;
}

/* Adds @flows, or takes them away, and lists @channel where it becomes hot. */
static void add_load(struct hd_even *even, uint32_t channel, uint64_t flows)
{
	even->load[channel] += hd_even_weigh(even, channel, flows);
	even->is_hot[channel] = even->load[channel] >= even->hot;
	if (!even->is_hot[channel] || even->is_listed[channel])
		return;
	even->is_listed[channel] = true;
	even->hot_list[even->n_hot++] =
		(struct hd_even_hot){ hd_lft(even->tables, hd_turn_from(&even->graph, channel)),
				      channel, even->graph.port[channel] };
}

/* Lists all hot channels. */
static void list_hot(struct hd_even *even)
{
	even->n_hot = 0;
	memset(even->is_listed, 0, even->graph.n_channels * sizeof(*even->is_listed));
	for (uint32_t c = 0; c < even->graph.n_channels; c++)
		add_load(even, c, 0);
}

/* Adds @flows to the links of that way, and to its switches. */
static void add_to_stretch(struct hd_even *even, uint32_t out, uint32_t end, uint64_t flows)
{
	struct hd_way_column *column = even->column;

	add_load(even, out, flows);
	for (uint32_t at = even->graph.to[out]; at != end; at = column->next[at]) {
		add_load(even, column->out[at], flows);
		column->through[at] = (uint16_t)(column->through[at] + flows);
	}
}

/* Word @w of the channels of @s that lead nearer to @last. */
static uint64_t find_nearer(const struct hd_even *even, uint32_t last, uint32_t s, unsigned w)
{
	const struct hd_turn_graph *graph = &even->graph;
	const size_t place = last * (size_t)even->n + s;
	const uint8_t *row = even->columns.distances + last * (size_t)even->n;
	const uint32_t first = graph->first[s] + 64 * w, end = graph->first[s + 1];
	uint64_t *known = even->nearer ? &even->nearer[place * graph->n_words + w] : NULL;
	uint64_t bits = known ? *known : 0;

	if (bits)
		return bits;
	for (uint32_t c = first; c < end && c - first < 64; c++)
		bits |= (uint64_t)(row[graph->to[c]] < row[s] &&
				   !(even->is_missing && even->is_missing[c]))
			<< (c - first);
	if (known)
		*known = bits;
	return bits;
}

void hd_even_fill_nearer(struct hd_even *even)
{
	for (uint32_t last = 0; even->nearer && last < even->n; last++)
		for (uint32_t s = 0; s < even->n; s++)
			for (unsigned w = 0; w < even->graph.n_words; w++)
				find_nearer(even, last, s, w);
}

static void set_tried(struct hd_even *even, uint32_t s, uint32_t channel)
{
	const uint32_t bit = channel - even->graph.first[s];

	even->tried[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Whether the turn behind @channel, on the ways of the column, is known to close a cycle. */
static bool is_refused(const struct hd_even *even, uint32_t channel)
{
	const uint32_t to = even->graph.to[channel];
	struct hd_turn turn;

	if (to == even->column->last)
		return false;
	turn = hd_even_turn(even, channel, even->column->out[to]);
	return hd_turn_state(&even->turns, &turn) == HD_TURN_REFUSED;
}

/*
 * The best first link of another way from @s that has not been tried, all of whose links have less
 * than @limit; HD_NONE: there is none.
 */
static uint32_t find_better(const struct hd_even *even, uint32_t s, uint64_t limit,
			    struct stretch *best)
{
	const struct hd_turn_graph *graph = &even->graph;
	const uint32_t flows = even->column->through[s];
	uint32_t found = HD_NONE;

	for (unsigned w = 0; w < graph->n_words; w++) {
		uint64_t left = find_nearer(even, even->column->last, s, w) & ~even->tried[w];

		for (; left; left &= left - 1) {
			const uint32_t c =
				graph->first[s] + 64 * w + (unsigned)__builtin_ctzll(left);
			const struct hd_even_mark *mine;
			struct stretch other;

			if (!find_stretch(even, s, c, flows, limit, &other))
				continue;
			mine = &even->mark[other.end];
			if (other.worst >= mine->worst || other.length > mine->length ||
			    is_refused(even, c))
				continue;
			*best = other;
			limit = other.worst;
			found = c;
		}
	}
	return found;
}

/* Sends what comes through @s another way where that is better. Returns whether it does. */
static bool move(struct hd_even *even, uint32_t s)
{
	struct hd_way_column *column = even->column;
	const uint32_t old = column->out[s];
	const uint64_t worst = mark_way(even, s);
	struct stretch way;
	uint32_t out;

	*even->tried = 0;
	for (unsigned w = 1; w < even->graph.n_words; w++)
		even->tried[w] = 0;
	set_tried(even, s, old);
	out = find_better(even, s, worst, &way);
	if (out == HD_NONE)
		return false;
	hd_even_list_ins(even, s, old);
	while (!hd_even_take_turns(even, out)) {
		set_tried(even, s, out);
		out = find_better(even, s, worst, &way);
		if (out == HD_NONE)
			return false;
	}
	hd_even_leave_turns(even, old, even->n_ins);
	add_to_stretch(even, old, way.end, -(uint64_t)column->through[s]);
	add_to_stretch(even, out, way.end, column->through[s]);
	column->out[s] = out;
	column->next[s] = (uint16_t)even->graph.to[out];
	/* ways of the same length stay where they are in order[] */
	column->is_sorted = way.length == even->mark[way.end].length && column->is_sorted;
	return true;
}

/* Whether any link that flows to @lid take is hot. LFTs are nearer in memory than columns. */
static bool has_hot(const struct hd_even *even, uint16_t lid)
{
	const struct hd_even_hot *end = even->hot_list + even->n_hot;

	for (const struct hd_even_hot *hot = even->hot_list; hot < end; hot++)
		if (hot->lft[lid] == hot->port && even->is_hot[hot->channel])
			return true;
	return false;
}

/* Lists the switches whose ways have a hot link, those with the longest ways first. */
static uint32_t *list_relieved(struct hd_even *even, uint32_t *n)
{
	const struct hd_way_column *column = even->column;
	const uint16_t *order = column->order, *next = column->next;
	const uint32_t *out = column->out;
	const uint8_t *is_hot = even->is_hot;
	uint8_t *restrict has_hot = even->has_hot;
	uint32_t *restrict list = even->list + even->n;

	has_hot[column->last] = 0;
	for (uint32_t i = even->n - 1; i-- > 0;) {
		const uint32_t s = order[i];
		const uint8_t hot = is_hot[out[s]] | has_hot[next[s]];

		has_hot[s] = hot;
		list[-1] = s;
		list -= hot;
	}
	*n = (uint32_t)(even->list + even->n - list);
	return list;
}

static bool is_by_rule(const struct hd_even *even, uint32_t s, uint16_t lid)
{
	const size_t at = s * even->tables->lft_stride + lid;

	return even->rule && even->rule[at] == even->tables->lft[at];
}

/* Relieves hot links of the flows to @target. */
static void relieve_column(struct hd_even *even, const struct hd_route_target *target)
{
	uint32_t *list, n;

	/* they arrived before, and each way that took another's place does */
	if (!has_hot(even, target->lid) || !hd_even_look_at(even, target))
		return;
	list = list_relieved(even, &n);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t s = list[i];

		if (even->column->through[s] && !is_by_rule(even, s, target->lid) && move(even, s))
			hd_way_columns_write(&even->columns, s, target->lid,
					     even->graph.port[even->column->out[s]]);
	}
}

uint64_t hd_even_relieve(struct hd_even *even, const struct hd_route_target *targets, size_t n,
			 uint64_t busiest)
{
	const uint64_t most = WORK / (n * even->n + 1) + LEAST_ROUNDS;
	const uint64_t gained = busiest - busiest / HD_EVEN_GAIN; /* what is moved is kept then */
	const uint64_t enough = even->request->enough < gained ? even->request->enough : gained;
	unsigned part = 4; /* hot is the upper 2^-part */

	for (unsigned round = 0; round < MOST_ROUNDS && round < most && part > 1; round++) {
		uint64_t now;

		if (busiest <= even->bound + even->bound / 32 || busiest <= enough)
			break;
		even->hot = busiest - (busiest >> part);
		if (even->hot <= even->bound)
			even->hot = even->bound + 1;
		list_hot(even);
		hd_turns_forgive(&even->turns);
		for (size_t i = 0; i < n; i++)
			relieve_column(even, &targets[i]);
		now = hd_even_find_busiest(even);
		part -= now == busiest;
		busiest = now;
	}
	return busiest;
}
