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
 *
 * No link of the fabric can have less than the share of the flows of its switch that goes to other
 * switches; at that the search ends, too.
 */
#include "engines/even.h"

#include <stdlib.h>
#include <string.h>

#include "engines/turns.h"
#include "engines/way_columns.h"
#include "fabric/faults.h"
#include "support/error.h"

#define GAIN         40 /* the part of the busiest link that must be gained */
#define MOST_ROUNDS  64
#define LEAST_ROUNDS 3
#define WORK         (UINT64_C(1) << 27) /* of switches looked at; fewer: there are more rounds */
#define MOST_NEARER  ((size_t)1 << 23)   /* words of nearer[] */

struct even {
	const struct hd_fabric *fabric;
	struct hd_tables *tables;
	uint32_t n; /* switches */
	struct hd_turn_graph graph;
	struct hd_turns turns;
	bool has_turns;     /* turns and n_taken[] are those of all ways */
	bool is_moved;      /* a search has moved ways, so that they are not as they came */
	uint16_t *n_taken;  /* [channel out * most_outs + in] columns that take the turn */
	uint32_t *place;    /* [channel in] its place at the switch where it ends */
	uint32_t most_outs; /* channels that leave any switch */
	uint32_t *sources;  /* [switch] end ports there */
	const struct hd_even_request *request;
	const uint32_t *weight; /* request->weight */
	uint8_t *rule;  /* [switch * LFT stride + LID] as request->rule(); NULL: all may move */
	uint64_t *load; /* [channel] flows times weight */
	uint64_t bound; /* what the busiest link cannot be below */
	uint64_t hot;   /* flows from which on links are relieved */
	uint32_t n_hot; /* channels that are hot, or have been since that was set */
	struct hot *hot_list;
	bool *is_listed;     /* [channel] */
	uint8_t *is_hot;     /* [channel] 1: it has so many flows, 0: less */
	uint32_t *target_of; /* [LID] its place in the list of all targets; HD_NONE: none */
	struct hd_way_columns columns;
	struct hd_way_column *column; /* the one that is looked at */
	uint8_t *has_hot;             /* scratch, [switch] 1: a link on the way is hot */
	struct milestone *mark;       /* [switch] */
	uint32_t stamp;
	/*
	 * [(switch @last * n + switch) * n_words] bits: channels of the switch that lead nearer to
	 * @last; 0: not found out. NULL: too many.
	 */
	uint64_t *nearer;
	uint64_t *tried; /* scratch, bits: channels of a switch */
	uint32_t *ins;   /* scratch, channels by which packets of the column come to a switch */
	uint32_t n_ins;
	uint32_t *list; /* scratch, [switch] */

	/* with request->known; NULL: without */
	bool *is_missing; /* [channel] its link is missing; channels are those of the whole fabric */
	uint32_t *dirty;  /* places of targets whose ways are not as known */
	uint32_t n_dirty;
};

struct hd_even_known {
	struct even even;
	struct hd_even_request request;
	struct hd_route_targets targets; /* a copy */
	uint8_t *lft;                    /* likewise */
	size_t stride;
};

/* A channel that is hot, or has been. */
struct hot {
	const uint8_t *lft; /* of the switch that it leaves */
	uint32_t channel;
	uint8_t port;
};

/* The LIDs of a pass. */
struct pass {
	const struct hd_route_target *targets;
	size_t n;
};

/* A switch of the way that may be left, and what the way has up to there. */
struct milestone {
	uint32_t stamp; /* other than that of the search: it is not on the way */
	uint32_t length;
	uint64_t worst; /* flows of the busiest link */
};

/* A way from a switch as far as it has no switch of another one. */
struct stretch {
	uint32_t end;
	uint32_t length;
	uint64_t worst; /* flows of its busiest link */
};

static uint64_t weigh(const struct even *even, uint32_t channel, uint64_t flows)
{
	return even->weight ? even->weight[channel] * flows : flows;
}

/* Reads and sorts the ways to @target. False: some packets do not arrive. */
static bool look_at(struct even *even, const struct hd_route_target *target)
{
	even->column = hd_way_column_read(&even->columns, target);
	return even->column && hd_way_column_sort(&even->columns, even->column);
}

/* Adds the flows of the column to links. */
static void add_flows(struct even *even)
{
	struct hd_way_column *column = even->column;

	for (uint32_t i = 0; i + 1 < even->n; i++) {
		const uint32_t s = column->order[i];

		even->load[column->out[s]] += weigh(even, column->out[s], column->through[s]);
	}
}

static struct hd_turn turn_of(const struct even *even, uint32_t in, uint32_t out)
{
	return (struct hd_turn){ .node = even->graph.to[in], .in = in, .out = out };
}

/* Turns that there may be, taken or not. */
static size_t n_kinds(const struct even *even)
{
	return (size_t)even->graph.n_channels * even->most_outs;
}

static uint16_t *count_of(const struct even *even, const struct hd_turn *turn)
{
	return &even->n_taken[(size_t)turn->out * even->most_outs + even->place[turn->in]];
}

/* One column more takes @turn. False: that would close a cycle. */
static bool take(struct even *even, const struct hd_turn *turn)
{
	uint16_t *count = count_of(even, turn);

	if (!*count && (hd_turn_state(&even->turns, turn) == HD_TURN_REFUSED ||
			!hd_turn_add(&even->turns, turn)))
		return false;
	++*count;
	return true;
}

static void leave(struct even *even, const struct hd_turn *turn)
{
	uint16_t *count = count_of(even, turn);

	if (!--*count)
		hd_turn_remove(&even->turns, turn);
}

/* Takes all turns of the column, whatever cycles they close. */
static void put_column(struct even *even)
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

/* Lists the channels by which packets of the column come to @s, where they leave by @out. */
static void list_ins(struct even *even, uint32_t s, uint32_t out)
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

/* Leaves the turns from the first @n of ins[] to @out, and that from there on. */
static void leave_turns(struct even *even, uint32_t out, uint32_t n)
{
	const uint32_t to = even->graph.to[out];
	struct hd_turn turn;

	for (uint32_t i = 0; i < n; i++) {
		turn = turn_of(even, even->ins[i], out);
		leave(even, &turn);
	}
	if (to == even->column->last)
		return;
	turn = turn_of(even, out, even->column->out[to]);
	leave(even, &turn);
}

/*
 * Takes the turns from ins[] to @out, and that from there on. False: they would close a cycle, and
 * are not taken.
 */
static bool take_turns(struct even *even, uint32_t out)
{
	const uint32_t to = even->graph.to[out];
	struct hd_turn turn;

	if (to != even->column->last) {
		turn = turn_of(even, out, even->column->out[to]);
		if (!take(even, &turn))
			return false;
	}
	for (uint32_t i = 0; i < even->n_ins; i++) {
		turn = turn_of(even, even->ins[i], out);
		if (take(even, &turn))
			continue;
		leave_turns(even, out, i);
		return false;
	}
	return true;
}

/*
 * Finds the way from @s that begins with @out, up to the one that is marked, with @flows more on
 * it. False: it has a link of @limit flows or more, or comes back to @s.
 */
static bool find_stretch(const struct even *even, uint32_t s, uint32_t out, uint64_t flows,
			 uint64_t limit, struct stretch *stretch)
{
	const struct hd_way_column *column = even->column;
	uint64_t worst = even->load[out] + weigh(even, out, flows);
	uint32_t at = even->graph.to[out], length = 1;

	/* @s is marked, too */
	for (; worst < limit && even->mark[at].stamp != even->stamp; length++) {
		const uint32_t c = column->out[at];
		const uint64_t load = even->load[c] + weigh(even, c, flows);

		worst = load > worst ? load : worst;
		at = column->next[at];
	}
	*stretch = (struct stretch){ at, length, worst };
	return worst < limit && at != s;
}

/* Marks @s and the switches on the way from there. Returns the flows of its busiest link. */
static uint64_t mark_way(struct even *even, uint32_t s)
{
	const struct hd_way_column *column = even->column;
	struct milestone here = { .stamp = ++even->stamp };

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
static void add_load(struct even *even, uint32_t channel, uint64_t flows)
{
	even->load[channel] += weigh(even, channel, flows);
	even->is_hot[channel] = even->load[channel] >= even->hot;
	if (!even->is_hot[channel] || even->is_listed[channel])
		return;
	even->is_listed[channel] = true;
	even->hot_list[even->n_hot++] =
		(struct hot){ hd_lft(even->tables, hd_turn_from(&even->graph, channel)), channel,
			      even->graph.port[channel] };
}

/* Lists all hot channels. */
static void list_hot(struct even *even)
{
	even->n_hot = 0;
	memset(even->is_listed, 0, even->graph.n_channels * sizeof(*even->is_listed));
	for (uint32_t c = 0; c < even->graph.n_channels; c++)
		add_load(even, c, 0);
}

/* Adds @flows to the links of that way, and to its switches. */
static void add_to_stretch(struct even *even, uint32_t out, uint32_t end, uint64_t flows)
{
	struct hd_way_column *column = even->column;

	add_load(even, out, flows);
	for (uint32_t at = even->graph.to[out]; at != end; at = column->next[at]) {
		add_load(even, column->out[at], flows);
		column->through[at] = (uint16_t)(column->through[at] + flows);
	}
}

/* Word @w of the channels of @s that lead nearer to @last. */
static uint64_t find_nearer(const struct even *even, uint32_t last, uint32_t s, unsigned w)
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

static void set_tried(struct even *even, uint32_t s, uint32_t channel)
{
	const uint32_t bit = channel - even->graph.first[s];

	even->tried[bit / 64] |= UINT64_C(1) << bit % 64;
}

/* Whether the turn behind @channel, on the ways of the column, is known to close a cycle. */
static bool is_refused(const struct even *even, uint32_t channel)
{
	const uint32_t to = even->graph.to[channel];
	struct hd_turn turn;

	if (to == even->column->last)
		return false;
	turn = turn_of(even, channel, even->column->out[to]);
	return hd_turn_state(&even->turns, &turn) == HD_TURN_REFUSED;
}

/*
 * The best first link of another way from @s that has not been tried, all of whose links have less
 * than @limit; HD_NONE: there is none.
 */
static uint32_t find_better(const struct even *even, uint32_t s, uint64_t limit,
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
			const struct milestone *mine;
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
static bool move(struct even *even, uint32_t s)
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
	list_ins(even, s, old);
	while (!take_turns(even, out)) {
		set_tried(even, s, out);
		out = find_better(even, s, worst, &way);
		if (out == HD_NONE)
			return false;
	}
	leave_turns(even, old, even->n_ins);
	add_to_stretch(even, old, way.end, -(uint64_t)column->through[s]);
	add_to_stretch(even, out, way.end, column->through[s]);
	column->out[s] = out;
	column->next[s] = (uint16_t)even->graph.to[out];
	/* ways of the same length stay where they are in order[] */
	column->is_sorted = way.length == even->mark[way.end].length && column->is_sorted;
	return true;
}

/* Whether any link that flows to @lid take is hot. LFTs are nearer in memory than columns. */
static bool has_hot(const struct even *even, uint16_t lid)
{
	const struct hot *end = even->hot_list + even->n_hot;

	for (const struct hot *hot = even->hot_list; hot < end; hot++)
		if (hot->lft[lid] == hot->port && even->is_hot[hot->channel])
			return true;
	return false;
}

/* Lists the switches whose ways have a hot link, those with the longest ways first. */
static uint32_t *list_relieved(struct even *even, uint32_t *n)
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

static bool is_by_rule(const struct even *even, uint32_t s, uint16_t lid)
{
	const size_t at = s * even->tables->lft_stride + lid;

	return even->rule && even->rule[at] == even->tables->lft[at];
}

/* Relieves hot links of the flows to @target. */
static void relieve_column(struct even *even, const struct hd_route_target *target)
{
	uint32_t *list, n;

	/* they arrived before, and each way that took another's place does */
	if (!has_hot(even, target->lid) || !look_at(even, target))
		return;
	list = list_relieved(even, &n);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t s = list[i];

		if (even->column->through[s] && !is_by_rule(even, s, target->lid) && move(even, s))
			hd_way_columns_write(&even->columns, s, target->lid,
					     even->graph.port[even->column->out[s]]);
	}
}

static uint64_t find_busiest(const struct even *even)
{
	uint64_t busiest = 0;

	for (uint32_t c = 0; c < even->graph.n_channels; c++)
		busiest = even->load[c] > busiest ? even->load[c] : busiest;
	return busiest;
}

/* Relieves the busiest links until that no longer helps. Returns the flows of the busiest. */
static uint64_t relieve(struct even *even, const struct hd_route_target *targets, size_t n,
			uint64_t busiest)
{
	const uint64_t most = WORK / (n * even->n + 1) + LEAST_ROUNDS;
	const uint64_t gained = busiest - busiest / GAIN; /* what is moved is kept then */
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
		now = find_busiest(even);
		part -= now == busiest;
		busiest = now;
	}
	return busiest;
}

/* Puts the LFTs of before a search back. */
static void restore_entries(struct even *even, const struct pass *pass, const uint8_t *kept)
{
	memcpy(even->tables->lft, kept, even->n * even->tables->lft_stride);
	for (size_t i = 0; i < pass->n; i++)
		hd_way_column_forget(&even->columns, &pass->targets[i]);
}

/* The ways that are known to the target of dirty[] at @i. */
static const struct hd_way_column *known_column(const struct even *even, uint32_t i)
{
	return &even->request->known->even.columns.list[even->dirty[i]];
}

/* Leaves all turns of the ways in @column. */
static void leave_column(struct even *even, const struct hd_way_column *column)
{
	for (uint32_t s = 0; s < even->n; s++) {
		const struct hd_turn turn = { column->next[s], column->out[s],
					      column->out[column->next[s]] };

		if (turn.out != HD_NONE)
			leave(even, &turn);
	}
}

/* Takes the turns of all ways, from those that are known. False: packets do not arrive. */
static bool take_known(struct even *even, const struct hd_route_targets *targets)
{
	const struct even *known = &even->request->known->even;
	const size_t n = even->graph.n_channels * (size_t)even->graph.n_words;

	memcpy(even->n_taken, known->n_taken, n_kinds(even) * sizeof(*even->n_taken));
	memcpy(even->turns.after, known->turns.after, n * sizeof(*even->turns.after));
	memcpy(even->turns.before, known->turns.before, n * sizeof(*even->turns.before));
	for (uint32_t i = 0; i < even->n_dirty; i++)
		leave_column(even, known_column(even, i));
	for (uint32_t i = 0; i < even->n_dirty; i++) {
		even->column = hd_way_column_read(&even->columns, &targets->list[even->dirty[i]]);
		if (!even->column)
			return false;
		put_column(even);
	}
	return true;
}

/* Takes the turns of all ways that there are. HD_EREFUSED: they close a cycle. */
static int take_all(struct even *even, const struct hd_route_targets *targets, struct hd_error *err)
{
	int ret;

	/* those that a search has left are taken; ranks begin anew */
	if (even->has_turns)
		return hd_turns_settle(&even->turns) ? 0 : HD_EREFUSED;
	hd_turns_clear(&even->turns);
	ret = hd_turns_init(&even->turns, &even->graph, NULL, err);
	if (ret)
		return ret;
	if (even->is_missing && !even->is_moved) {
		even->has_turns = take_known(even, targets) && hd_turns_settle(&even->turns);
		return even->has_turns ? 0 : HD_EREFUSED;
	}
	memset(even->n_taken, 0, n_kinds(even) * sizeof(*even->n_taken));
	/* in the order of LIDs, so that entries which are next to each other are read together */
	hd_for_each_lid(lid, even->fabric) {
		if (even->target_of[lid] == HD_NONE)
			continue;
		even->column =
			hd_way_column_read(&even->columns, &targets->list[even->target_of[lid]]);
		if (!even->column)
			return HD_EREFUSED;
		put_column(even);
	}
	even->has_turns = hd_turns_settle(&even->turns);
	return even->has_turns ? 0 : HD_EREFUSED;
}

/* The same by the loads that are known, for the first pass. */
static uint64_t find_known_loads(struct even *even, const struct hd_route_targets *all,
				 const struct pass *pass)
{
	const struct even *known = &even->request->known->even;

	memcpy(even->load, known->load, even->graph.n_channels * sizeof(*even->load));
	for (uint32_t i = 0; i < even->n_dirty; i++) {
		const uint32_t at = even->dirty[i];
		const struct hd_way_column *old = known_column(even, i);

		if (at >= pass->n)
			continue;
		for (uint32_t s = 0; s < even->n; s++)
			if (s != old->last)
				even->load[old->out[s]] -=
					weigh(even, old->out[s], old->through[s]);
		if (!look_at(even, &all->list[at]))
			return 0;
		add_flows(even);
	}
	return find_busiest(even);
}

/*
 * Finds the loads of links by the LIDs of a pass. Returns the busiest; 0: not all packets arrive.
 */
static uint64_t find_loads(struct even *even, const struct hd_route_targets *all,
			   const struct pass *pass)
{
	const size_t first = (size_t)(pass->targets - all->list);

	if (even->is_missing && !even->is_moved && !first)
		return find_known_loads(even, all, pass);
	memset(even->load, 0, (even->graph.n_channels + (size_t)1) * sizeof(*even->load));
	hd_for_each_lid(lid, even->fabric) {
		const uint32_t i = even->target_of[lid];

		if (i == HD_NONE || i < first || i - first >= pass->n)
			continue;
		if (!look_at(even, &all->list[i]))
			return 0;
		add_flows(even);
	}
	return find_busiest(even);
}

/* Relieves links, unless that helps too little; *@busiest is that before and afterwards. */
static int try_to_relieve(struct even *even, const struct hd_route_targets *all,
			  const struct pass *pass, uint64_t *busiest, struct hd_error *err)
{
	const size_t size = even->n * even->tables->lft_stride;
	uint8_t *kept = malloc(size + 1);
	int ret = kept ? take_all(even, all, err) : hd_error_nomem(err);

	if (!ret) {
		uint64_t after;

		memcpy(kept, even->tables->lft, size);
		even->is_moved = true;
		after = relieve(even, pass->targets, pass->n, *busiest);
		if (after <= *busiest - *busiest / GAIN) {
			*busiest = after;
		} else {
			restore_entries(even, pass, kept);
			find_loads(even, all, pass);
			even->has_turns = false;
		}
	}
	free(kept);
	return ret;
}

/* Relieves links of flows whose entries are not as the engine's rule has them. */
static int relieve_others(struct even *even, const struct hd_route_targets *all,
			  const struct pass *pass, uint64_t *busiest, struct hd_error *err)
{
	int ret;

	even->rule = calloc(even->n + (size_t)1, even->tables->lft_stride);
	if (!even->rule)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < even->n; s++)
		even->request->rule(even->request->context, s,
				    even->rule + s * even->tables->lft_stride);
	ret = try_to_relieve(even, all, pass, busiest, err);
	free(even->rule);
	even->rule = NULL;
	return ret;
}

/* Evens out the LIDs of a pass; *@busiest gets what their busiest link has then, or 0. */
static int even_out_pass(struct even *even, const struct hd_route_targets *all,
			 const struct pass *pass, uint64_t *busiest, struct hd_error *err)
{
	int ret = 0;

	*busiest = find_loads(even, all, pass);
	if (*busiest - *busiest / GAIN <= even->bound || *busiest <= even->request->enough)
		return 0;
	if (even->request->rule) {
		ret = relieve_others(even, all, pass, busiest, err);
		if (ret || *busiest <= even->bound + even->bound / 32 ||
		    *busiest <= even->request->enough)
			return ret == HD_EREFUSED ? 0 : ret;
	}
	ret = try_to_relieve(even, all, pass, busiest, err);
	return ret == HD_EREFUSED ? 0 : ret;
}

/*
 * What the busiest link cannot be below: all of a switch's links share its end ports' flows, those
 * that weigh less take more of them.
 */
static void find_bound(struct even *even)
{
	uint64_t n_hosts = 0;

	for (uint32_t s = 0; s < even->n; s++)
		n_hosts += even->sources[s];
	for (uint32_t s = 0; s < even->n; s++) {
		const double flows = (double)(even->sources[s] * (n_hosts - even->sources[s]));
		double links = 0;

		for (uint32_t c = even->graph.first[s]; c < even->graph.first[s + 1]; c++)
			if (!even->is_missing || !even->is_missing[c])
				links += 1 / (double)weigh(even, c, 1);
		if (links > 0 && flows / links > (double)even->bound)
			even->bound = (uint64_t)(flows / links);
	}
}

static void release(struct even *even)
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

static int allocate(struct even *even, struct hd_error *err)
{
	const size_t n = even->n + (size_t)1;

	even->sources = calloc(n, sizeof(*even->sources));
	even->mark = calloc(n, sizeof(*even->mark));
	even->list = malloc(n * sizeof(*even->list));
	even->ins = malloc((HD_MAX_PORTS + 1) * sizeof(*even->ins));
	even->tried = calloc(HD_MAX_PORTS / 64 + 1, sizeof(*even->tried));
	even->has_hot = malloc(n);
	if (!even->sources || !even->mark || !even->list || !even->ins || !even->tried ||
	    !even->has_hot)
		return hd_error_nomem(err);
	return 0;
}

/* Whether @known is of the same fabric with more links, and of the same targets. */
static bool fits_known(const struct even *even, const struct hd_even_known *known,
		       const struct hd_route_targets *targets)
{
	return known && !even->request->weight && known->stride == even->tables->lft_stride &&
	       known->targets.n == targets->n && known->targets.n_passes == targets->n_passes &&
	       !memcmp(known->targets.list, targets->list, targets->n * sizeof(*targets->list)) &&
	       !memcmp(known->targets.first, targets->first,
		       targets->n_passes * sizeof(*targets->first));
}

/* Lists the targets whose ways are not as known. HD_ENOMEM. */
static int list_dirty(struct even *even, const struct hd_even_known *known,
		      const struct hd_route_targets *targets, struct hd_error *err)
{
	bool *differs = calloc(known->stride, sizeof(*differs));

	even->dirty = malloc((targets->n + 1) * sizeof(*even->dirty));
	if (!differs || !even->dirty) {
		free(differs);
		return hd_error_nomem(err);
	}
	for (uint32_t s = 0; s < even->n; s++) {
		const uint8_t *mine = hd_lft(even->tables, s);
		const uint8_t *other = known->lft + s * known->stride;

		for (size_t block = 0; block < known->stride; block += HD_LFT_BLOCK)
			if (memcmp(mine + block, other + block, HD_LFT_BLOCK))
				for (size_t lid = block; lid < block + HD_LFT_BLOCK; lid++)
					differs[lid] |= mine[lid] != other[lid];
	}
	for (size_t i = 0; i < targets->n; i++)
		if (differs[targets->list[i].lid])
			even->dirty[even->n_dirty++] = (uint32_t)i;
	free(differs);
	return 0;
}

/*
 * Takes the channels that are known, and marks those that are missing, unless the fabric lacks more
 * than links, or most ways are others.
 */
static int take_channels(struct even *even, const struct hd_even_known *known,
			 const struct hd_route_targets *targets, struct hd_error *err)
{
	const struct hd_turn_graph *graph = &known->even.graph;
	const struct hd_fabric *whole = known->even.fabric;
	uint32_t *cut = malloc((whole->n_ports + (size_t)1) * sizeof(*cut)), n_cut = 0;
	int ret = cut ? 0 : hd_error_nomem(err);

	if (!ret && hd_fabric_lost_links(whole, even->fabric, cut, &n_cut))
		ret = list_dirty(even, known, targets, err);
	if (!ret && even->dirty && even->n_dirty <= targets->n / 2) {
		even->is_missing = calloc(graph->n_channels + (size_t)1, sizeof(bool));
		if (!even->is_missing)
			ret = hd_error_nomem(err);
	}
	for (uint32_t i = 0; even->is_missing && i < n_cut; i++) {
		const struct hd_port *port = &whole->ports[cut[i]];

		for (uint32_t c = graph->first[port->node]; c < graph->first[port->node + 1]; c++)
			even->is_missing[c] |= graph->port[c] == port->number;
	}
	if (even->is_missing)
		even->graph = *graph;
	free(cut);
	return ret;
}

/* The links between switches; those that are known if that can be. */
static int find_channels(struct even *even, const struct hd_route_targets *targets,
			 struct hd_error *err)
{
	const struct hd_even_known *known = even->request->known;
	const int ret =
		fits_known(even, known, targets) ? take_channels(even, known, targets, err) : 0;

	if (ret || even->is_missing)
		return ret;
	return hd_turn_graph_init(&even->graph, even->fabric, err);
}

/* Takes what is known of channels that lead nearer, where distances are the same. */
static void take_nearer(struct even *even, const struct even *known)
{
	const struct hd_turn_graph *graph = &even->graph;
	const size_t n = even->n, n_row = n * graph->n_words;

	memcpy(even->nearer, known->nearer, n * n_row * sizeof(*even->nearer));
	for (size_t last = 0; last < n; last++)
		if (memcmp(even->columns.distances + last * n, known->columns.distances + last * n,
			   n))
			memset(even->nearer + last * n_row, 0, n_row * sizeof(*even->nearer));
	for (uint32_t s = 0; s < n; s++)
		for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++)
			for (size_t last = 0; even->is_missing[c] && last < n; last++)
				even->nearer[(last * n + s) * graph->n_words +
					     (c - graph->first[s]) / 64] &=
					~(UINT64_C(1) << (c - graph->first[s]) % 64);
}

/* Takes the ways that are known, but for those that differ. */
static void take_ways(struct even *even, const struct hd_route_targets *targets)
{
	hd_way_columns_copy(&even->columns, &even->request->known->even.columns, targets->n);
	for (uint32_t i = 0; i < even->n_dirty; i++)
		even->columns.list[even->dirty[i]].is_read = false;
	for (uint32_t s = 0; s < even->n; s++)
		for (uint32_t c = even->graph.first[s]; c < even->graph.first[s + 1]; c++)
			if (even->is_missing[c])
				even->columns
					.outs[s * (size_t)even->columns.n_outs +
					      even->graph.port[c]]
					.channel = HD_NONE;
	if (even->nearer && even->request->known->even.nearer)
		take_nearer(even, &even->request->known->even);
}

static int prepare(struct even *even, const struct hd_route_targets *targets, struct hd_error *err)
{
	const struct hd_turn_graph *graph = &even->graph;
	int ret = allocate(even, err);

	if (!ret)
		ret = find_channels(even, targets, err);
	if (ret)
		return ret;
	for (uint32_t s = 0; s < even->n; s++)
		if (graph->first[s + 1] - graph->first[s] > even->most_outs)
			even->most_outs = graph->first[s + 1] - graph->first[s];
	for (size_t i = 0; targets->n_passes && i < targets->first[1]; i++)
		even->sources[targets->list[i].via_switch] += targets->list[i].via_port != 0;
	find_bound(even);
	even->load = malloc((graph->n_channels + (size_t)1) * sizeof(*even->load));
	even->place = malloc((graph->n_channels + (size_t)1) * sizeof(*even->place));
	even->hot_list = malloc((graph->n_channels + (size_t)1) * sizeof(*even->hot_list));
	even->is_listed = malloc((graph->n_channels + (size_t)1) * sizeof(*even->is_listed));
	even->is_hot = malloc(graph->n_channels + (size_t)1);
	if ((size_t)even->n * even->n * graph->n_words <= MOST_NEARER)
		even->nearer = calloc((size_t)even->n * even->n * graph->n_words + 1,
				      sizeof(*even->nearer));
	even->n_taken = malloc((n_kinds(even) + 1) * sizeof(*even->n_taken));
	even->target_of = malloc((even->fabric->top_lid + (size_t)1) * sizeof(*even->target_of));
	if (!even->load || !even->hot_list || !even->is_listed || !even->is_hot || !even->n_taken ||
	    !even->place || !even->target_of)
		return hd_error_nomem(err);
	memset(even->target_of, 0xFF,
	       (even->fabric->top_lid + (size_t)1) * sizeof(*even->target_of));
	for (size_t i = 0; i < targets->n; i++)
		even->target_of[targets->list[i].lid] = (uint32_t)i;
	for (uint32_t c = 0; c < graph->n_channels; c++)
		even->place[c] = graph->back[c] - graph->first[graph->to[c]];
	ret = hd_way_columns_init(&even->columns, even->tables, graph, targets, even->sources, err);
	if (!ret && even->is_missing)
		take_ways(even, targets);
	return ret;
}

static int copy_targets(struct hd_route_targets *copy, const struct hd_route_targets *from,
			struct hd_error *err)
{
	const size_t n_first = from->n_passes + (size_t)1;

	*copy = (struct hd_route_targets){ .n = from->n, .n_passes = from->n_passes };
	copy->first = malloc(n_first * sizeof(*copy->first));
	copy->list = malloc((from->n + 1) * sizeof(*copy->list));
	if (!copy->first || !copy->list)
		return hd_error_nomem(err);
	memcpy(copy->first, from->first, n_first * sizeof(*copy->first));
	memcpy(copy->list, from->list, from->n * sizeof(*copy->list));
	return 0;
}

/*
 * Reads all ways, and adds up loads of the first pass and turns; *@is_whole false: some packets do
 * not arrive.
 */
static int read_all(struct hd_even_known *known, bool *is_whole, struct hd_error *err)
{
	struct even *even = &known->even;
	const struct hd_route_targets *targets = &known->targets;
	const struct pass pass = { targets->list, targets->first[1] };
	int ret;

	*is_whole = find_loads(even, targets, &pass) > 0;
	if (!*is_whole)
		return 0;
	ret = take_all(even, targets, err);
	/* with a cycle, too, turns are those of all ways */
	if (ret && ret != HD_EREFUSED)
		return ret;
	for (size_t i = 0; *is_whole && i < targets->n; i++)
		*is_whole = look_at(even, &targets->list[i]);
	for (uint32_t last = 0; even->nearer && last < even->n; last++)
		for (uint32_t s = 0; s < even->n; s++)
			for (unsigned w = 0; w < even->graph.n_words; w++)
				find_nearer(even, last, s, w);
	return 0;
}

int hd_even_know(struct hd_tables *tables, const struct hd_route_targets *targets,
		 struct hd_even_known **result, struct hd_error *err)
{
	const size_t size = tables->fabric->n_switches * tables->lft_stride;
	struct hd_even_known *known;
	bool is_whole = false;
	int ret;

	*result = NULL;
	if (tables->fabric->n_switches > HD_WAY_MOST_SWITCHES || !targets->n_passes)
		return 0;
	known = calloc(1, sizeof(*known));
	if (!known)
		return hd_error_nomem(err);
	known->even = (struct even){ .fabric = tables->fabric,
				     .tables = tables,
				     .request = &known->request,
				     .n = tables->fabric->n_switches };
	known->stride = tables->lft_stride;
	known->lft = malloc(size + 1);
	ret = known->lft ? copy_targets(&known->targets, targets, err) : hd_error_nomem(err);
	if (!ret) {
		memcpy(known->lft, tables->lft, size);
		ret = prepare(&known->even, &known->targets, err);
	}
	if (!ret && known->even.columns.are_kept)
		ret = read_all(known, &is_whole, err);
	if (ret || !is_whole) {
		hd_even_known_free(known);
		return ret;
	}
	known->even.tables = NULL; /* they may go now */
	*result = known;
	return 0;
}

void hd_even_known_free(struct hd_even_known *known)
{
	if (!known)
		return;
	release(&known->even);
	free(known->targets.first);
	free(known->targets.list);
	free(known->lft);
	free(known);
}

int hd_even_out(struct hd_tables *tables, const struct hd_route_targets *targets,
		const struct hd_even_request *request, uint64_t *busiest, struct hd_error *err)
{
	struct even even = { .fabric = tables->fabric,
			     .tables = tables,
			     .request = request,
			     .weight = request->weight,
			     .n = tables->fabric->n_switches };
	uint64_t most = 0, most_of_pass;
	bool is_known = true;
	int ret;

	if (busiest)
		*busiest = 0;
	/* some without LIDs, then: InfiniBand has not so many */
	if (even.n > HD_WAY_MOST_SWITCHES)
		return 0;
	ret = prepare(&even, targets, err);

	for (unsigned i = 0; !ret && i < targets->n_passes; i++) {
		const struct pass pass = { targets->list + targets->first[i],
					   targets->first[i + 1] - targets->first[i] };

		if (!pass.targets->via_port) /* switches' own LIDs */
			break;
		ret = even_out_pass(&even, targets, &pass, &most_of_pass, err);
		is_known &= most_of_pass > 0;
		most = most_of_pass > most ? most_of_pass : most;
	}
	if (busiest)
		*busiest = is_known ? most : 0;
	release(&even);
	return ret;
}
