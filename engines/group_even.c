// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A local search. LID by LID and switch by switch, what a switch sends over a link that is at least
 * half as busy as the busiest goes the way that costs least. A way costs what it adds to the sum,
 * over all links, of their flows to the sixth power: so the sum falls, the busiest links fall most,
 * and the search ends. An entry moves only where that saves nearly a third of what its way costs:
 * with a fortieth instead, a link that fails moves half as many entries again.
 *
 * Ways have at most three links. Besides local-global-local there are those through a third group
 * (two global links, and a local one before, between or behind them): they relieve pairs of groups
 * that fewer links join than others. A way through a third group may be open only if the switch
 * there takes a shorter one itself: then both entries move, if the way has a link that is 7/10 as
 * busy as the busiest, and half of its cost is saved.
 *
 * Why there is no cycle with HD_GROUP_LANES_SHIFT. Nothing waits for a packet's first link, which
 * has a layer of its own, so a cycle could be among later links alone. A local link is at the
 * switch that it leaves, a global one at the switch where it arrives. From one to the next, packets
 * turn only to a switch that is later in an order of all switches, or at the same switch from a
 * global link to a local one. All of local-global-local is of the latter kind. Any order will do;
 * how many of the other ways suit it is what engines/group_order.h sees to.
 *
 * With HD_GROUP_LANES_ORDER the groups of a way ascend or descend, as its layer does, and no two
 * local links follow one another. A first link may lead the other way, if it is a global one and
 * nothing is sent through the switch that it leaves: nothing waits for it.
 */
#include "engines/group_even.h"

#include <stdlib.h>
#include <string.h>

#include "engines/group_order.h"
#include "support/error.h"
#include "tables/lft_copy.h"

#define MOST_LINKS   3 /* of a way */
#define MOST_DETOUR  5 /* of one whose entries led nowhere */
#define POWER        6
#define GAIN         0.32 /* the part of a way's cost that a move must save */
#define JOINT_GAIN   0.5  /* the same of a move of two entries */
#define MOST_ROUNDS  8
#define WORK         (UINT64_C(1) << 23) /* entries looked at, within which there are more rounds */
#define LEAST_ROUNDS 1
#define MOST_STEPS   (UINT64_C(1) << 16) /* of the table of prices */
#define LONG         0xFE                /* ways of more links */
#define NO_WAY       0xFF

/* A link to another switch. */
struct exit {
	uint32_t port; /* index in ports[] */
	uint32_t peer;
	bool is_local;
};

/* The ways from all switches to one LID; counts are of switches that send through another one. */
struct column {
	uint16_t lid;
	uint32_t last;     /* the switch where they end */
	uint32_t group;    /* of that */
	uint32_t *out;     /* [switch] port by which packets leave */
	uint32_t *next;    /* [switch] where that leads to */
	uint8_t *length;   /* [switch] links of the way, or LONG; NO_WAY: entries lead nowhere */
	uint16_t *n_local; /* [switch] over a local link */
	uint16_t *n_near;  /* [switch] over one link */
	uint16_t *n_far;   /* [switch] over two links */
	uint32_t *through; /* [switch] flows that come through it */
	bool *is_near;     /* [switch] in another group, linked to one with a way of one link */
	bool *is_next;     /* [switch] whether a global link leads to a near one */
};

struct even {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly *dragonfly;
	struct hd_tables *tables;
	enum hd_group_lanes lanes;
	uint32_t *first_exit; /* [switch + 1] in exits[] */
	struct exit *exits;
	uint32_t *exit_at; /* [port] in exits[], or HD_NONE */
	uint32_t *sources; /* [switch] end ports there */
	uint64_t *order;   /* [switch] its place in the order of switches */
	uint32_t *mark;    /* [group] scratch */
	uint64_t *load;    /* [port] flows of the LIDs of a pass */
	uint64_t cap;      /* flows of a link that cost far more than all below */
	uint64_t hot;      /* flows from which on links are relieved */
	uint64_t hottest;  /* the same where two entries have to move */
	unsigned shift;    /* prices have steps of 2^shift flows */
	double *price;     /* [flows >> shift] */
	struct column column;
};

/* Whether @s sends on over a local link. */
static bool is_local(const struct even *even, uint32_t s)
{
	const uint32_t next = even->column.next[s];

	return next != HD_NONE && even->dragonfly->group[s] == even->dragonfly->group[next];
}

/* The most links over which switches send through @s; 2 stands for more, too. */
static unsigned height(const struct column *column, uint32_t s)
{
	return column->n_far[s] ? 2 : column->n_near[s] ? 1 : 0;
}

/*
 * Counts @s, and what sends through it, at the switches behind it; with @sign -1, takes that back.
 */
static void count(struct even *even, uint32_t s, int sign)
{
	struct column *column = &even->column;
	const uint32_t next = column->next[s];

	column->n_near[next] = (uint16_t)(column->n_near[next] + sign);
	column->n_far[next] = (uint16_t)(column->n_far[next] + sign * column->n_near[s]);
	if (is_local(even, s))
		column->n_local[next] = (uint16_t)(column->n_local[next] + sign);
	if (next != column->last)
		column->n_far[column->next[next]] =
			(uint16_t)(column->n_far[column->next[next]] + sign);
}

/* Adds @flows to the links of the way from @s, and to what comes through the switches behind it. */
static void add_flows(struct even *even, uint32_t s, int64_t flows)
{
	struct column *column = &even->column;

	for (uint32_t at = s; at != column->last; at = column->next[at]) {
		even->load[column->out[at]] += (uint64_t)flows;
		column->through[column->next[at]] += (uint32_t)flows;
	}
}

static void read_entry(struct even *even, uint32_t s, unsigned port)
{
	const struct hd_fabric *fabric = even->fabric;
	struct column *column = &even->column;

	column->through[s] = 0;
	column->length[s] = s == column->last ? 0 : NO_WAY;
	column->n_local[s] = column->n_near[s] = column->n_far[s] = 0;
	column->next[s] = HD_NONE;
	if (s == column->last || !port || port > fabric->nodes[s].n_ports)
		return;
	column->out[s] = hd_port_index(fabric, s, port);
	if (even->exit_at[column->out[s]] != HD_NONE)
		column->next[s] = even->exits[even->exit_at[column->out[s]]].peer;
}

/* Whether the entries from @s on lead to the last switch. */
static bool arrives(const struct even *even, uint32_t s)
{
	for (uint32_t n = 0; s != HD_NONE && n <= even->fabric->n_switches; n++) {
		if (s == even->column.last)
			return true;
		s = even->column.next[s];
	}
	return false;
}

static void find_lengths(struct even *even)
{
	struct column *column = &even->column;
	bool is_complete = false;

	for (uint8_t length = 1; !is_complete && length <= MOST_DETOUR; length++) {
		is_complete = true;
		hd_for_each_switch(s, even->fabric) {
			if (column->length[s] != NO_WAY)
				continue;
			if (column->next[s] != HD_NONE &&
			    column->length[column->next[s]] == length - 1)
				column->length[s] = length;
			else
				is_complete = false;
		}
	}
	if (is_complete)
		return;
	hd_for_each_switch(s, even->fabric)
		if (column->length[s] == NO_WAY && arrives(even, s))
			column->length[s] = LONG;
}

/* Marks @s, which may have a way of two links, and those in other groups that have a link to it. */
static void mark_near(struct even *even, uint32_t s)
{
	struct column *column = &even->column;

	if (column->is_near[s] || even->dragonfly->group[s] == column->group)
		return;
	column->is_near[s] = true;
	for (uint32_t i = even->first_exit[s]; i < even->first_exit[s + 1]; i++)
		if (!even->exits[i].is_local)
			column->is_next[even->exits[i].peer] = true;
}

static void mark_all_near(struct even *even)
{
	const uint32_t n = even->fabric->n_switches;
	struct column *column = &even->column;

	memset(column->is_near, 0, n * sizeof(*column->is_near));
	memset(column->is_next, 0, n * sizeof(*column->is_next));
	hd_for_each_switch(s, even->fabric)
		for (uint32_t i = even->first_exit[s];
		     column->length[s] == 1 && i < even->first_exit[s + 1]; i++)
			mark_near(even, even->exits[i].peer);
}

/* Reads the ways to a LID. */
static void read_column(struct even *even, const struct hd_route_target *to)
{
	struct column *column = &even->column;

	column->lid = to->lid;
	column->last = to->via_switch;
	column->group = even->dragonfly->group[to->via_switch];
	hd_for_each_switch(s, even->fabric)
		read_entry(even, s, hd_lft(even->tables, s)[to->lid]);
	find_lengths(even);
	mark_all_near(even);
	hd_for_each_switch(s, even->fabric) {
		if (column->length[s] == NO_WAY || s == column->last)
			continue;
		column->n_near[column->next[s]]++;
		column->n_local[column->next[s]] += is_local(even, s);
		if (column->next[s] != column->last)
			column->n_far[column->next[column->next[s]]]++;
		column->through[s] += even->sources[s];
		for (uint32_t at = s; at != column->last; at = column->next[at])
			column->through[column->next[at]] += even->sources[s];
	}
}

/* Whether packets that come over the link @a - @b may turn to the link @b - @c. */
static bool may_turn(const struct even *even, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t *group = even->dragonfly->group;
	const uint32_t from = group[a] == group[b] ? a : b;
	const uint32_t to = group[b] == group[c] ? b : c;

	return even->order[from] < even->order[to] || (from == b && to == b);
}

/* Whether all turns of a way from @s over @peer suit HD_GROUP_LANES_SHIFT. */
static bool may_turn_all(const struct even *even, uint32_t s, uint32_t peer)
{
	const struct column *column = &even->column;
	bool is_first = !height(column, s); /* a turn that has no link before it */

	for (uint32_t a = s, b = peer; b != column->last; a = b, b = column->next[b]) {
		if (!is_first && !may_turn(even, a, b, column->next[b]))
			return false;
		is_first = false;
	}
	return true;
}

/* Whether group @b is the last one, or between @a and that. */
static bool is_between(const struct even *even, uint32_t a, uint32_t b)
{
	const uint32_t to = even->column.group;

	return b == to || (a < b) == (b < to);
}

/* Whether a way from @s that begins with @exit suits HD_GROUP_LANES_ORDER. */
static bool is_in_order(const struct even *even, uint32_t s, const struct exit *exit)
{
	const struct column *column = &even->column;
	const uint32_t *group = even->dragonfly->group;
	const uint32_t from = group[s], through = group[exit->peer], to = column->group;

	for (uint32_t at = exit->peer; at != column->last; at = column->next[at])
		if (!is_local(even, at) && !is_between(even, group[at], group[column->next[at]]))
			return false;
	if (exit->is_local)
		return !column->n_local[s] && !is_local(even, exit->peer);
	if (height(column, s))
		return is_between(even, from, through);
	return through == to || (from < to) == (through < to);
}

/* Whether the way over @exit is as short as one of @s must be, which sends over @now or nowhere. */
static bool is_short(const struct column *column, uint32_t s, const struct exit *now,
		     const struct exit *exit)
{
	const unsigned most = now ? MOST_LINKS : MOST_DETOUR;

	return column->length[exit->peer] + height(column, s) < most;
}

/* Whether @s may send what it sends, now over @now or nowhere, over @exit. */
static bool may_take(const struct even *even, uint32_t s, const struct exit *now,
		     const struct exit *exit)
{
	const struct column *column = &even->column;
	const uint32_t peer = exit->peer;

	if (!is_short(column, s, now, exit))
		return false;
	for (uint32_t at = peer; at != column->last; at = column->next[at])
		if (at == s)
			return false;
	return even->lanes == HD_GROUP_LANES_SHIFT ? may_turn_all(even, s, exit->peer)
						   : is_in_order(even, s, exit);
}

static double price(const struct even *even, uint64_t load)
{
	if (load <= even->cap)
		return even->price[load >> even->shift];
	return even->price[even->cap >> even->shift] * (double)(1000 * (load - even->cap));
}

/* What @flows more cost on the link of @port. */
static double price_link(const struct even *even, uint32_t port, uint32_t flows)
{
	const uint64_t load = even->load[port];

	return price(even, load + flows) - price(even, load);
}

/* What @flows more cost on the way that begins with @exit. */
static double price_way(const struct even *even, const struct exit *exit, uint32_t flows)
{
	const struct column *column = &even->column;
	double sum = price_link(even, exit->port, flows);

	for (uint32_t at = exit->peer; at != column->last; at = column->next[at])
		sum += price_link(even, column->out[at], flows);
	return sum;
}

/* Takes the way from @s away. */
static void detach(struct even *even, uint32_t s)
{
	count(even, s, -1);
	add_flows(even, s, -(int64_t)even->column.through[s]);
}

/* Sends what comes through @s, which has no way, over @exit. */
static void take(struct even *even, uint32_t s, const struct exit *exit)
{
	struct column *column = &even->column;

	column->out[s] = exit->port;
	column->next[s] = exit->peer;
	column->length[s] = (uint8_t)(column->length[exit->peer] + 1);
	add_flows(even, s, column->through[s]);
	count(even, s, 1);
}

/*
 * The exit of @s whose way costs least, @now if none saves enough. Where there was no way (@now is
 * NULL), one of the shortest; NULL: there is none.
 */
static const struct exit *find_best(const struct even *even, uint32_t s, const struct exit *now)
{
	const uint8_t *length = even->column.length;
	const uint32_t flows = even->column.through[s];
	const struct exit *best = now;
	double least = now ? price_way(even, now, flows) : 0;

	least -= least * GAIN;
	for (uint32_t i = even->first_exit[s]; i < even->first_exit[s + 1]; i++) {
		const struct exit *exit = &even->exits[i];
		double sum;

		if (exit == now || !is_short(&even->column, s, now, exit) ||
		    (!now && best && length[exit->peer] > length[best->peer]))
			continue;
		sum = price_way(even, exit, flows);
		if (best && sum >= least && (now || length[exit->peer] == length[best->peer]))
			continue;
		if (!may_take(even, s, now, exit))
			continue;
		best = exit;
		least = sum;
	}
	return best;
}

static const struct exit *exit_of(const struct even *even, uint32_t s)
{
	return &even->exits[even->exit_at[even->column.out[s]]];
}

/* Sends what @s sends over @then, not over @now. Returns what that costs. */
static double redirect(struct even *even, uint32_t s, const struct exit *now,
		       const struct exit *then)
{
	const uint32_t flows = even->column.through[s];
	double sum;

	detach(even, s);
	sum = price_way(even, then, flows) - price_way(even, now, flows);
	take(even, s, then);
	return sum;
}

/*
 * The exit of @s, which sends over @now, whose way has two links and costs least; NULL if @flows
 * cost @most or more on each.
 */
static const struct exit *find_short(const struct even *even, uint32_t s, const struct exit *now,
				     uint32_t flows, double most)
{
	const struct exit *best = NULL;
	double least = most;

	for (uint32_t i = even->first_exit[s]; i < even->first_exit[s + 1]; i++) {
		const struct exit *exit = &even->exits[i];
		double sum;

		if (even->column.length[exit->peer] != 1)
			continue;
		sum = price_way(even, exit, flows);
		if (sum >= least || !may_take(even, s, now, exit))
			continue;
		best = exit;
		least = sum;
	}
	return best;
}

/* The flows of the busiest link of the way from @s that begins with @exit, @s's own among them. */
static uint64_t busiest_on_way(const struct even *even, uint32_t s, const struct exit *exit)
{
	const struct column *column = &even->column;
	uint64_t busiest = even->load[exit->port];

	for (uint32_t at = exit->peer; at != column->last; at = column->next[at])
		if (even->load[column->out[at]] > busiest)
			busiest = even->load[column->out[at]];
	return busiest + column->through[s];
}

/*
 * An exit of @s, which sends over @now, to a switch of a third group that has to take a shorter way
 * itself. Moves that if both save enough. Returns @now if there is none.
 */
static const struct exit *find_joint(struct even *even, uint32_t s, const struct exit *now)
{
	const struct column *column = &even->column;
	const uint32_t flows = column->through[s];
	double most;

	if (!column->is_next[s] || height(column, s) ||
	    busiest_on_way(even, s, now) < even->hottest)
		return now;
	most = price_way(even, now, flows);
	most -= most * JOINT_GAIN;
	for (uint32_t i = even->first_exit[s]; i < even->first_exit[s + 1]; i++) {
		const struct exit *exit = &even->exits[i], *old, *then;
		const uint32_t peer = exit->peer;
		double more;

		if (exit->is_local || !column->is_near[peer] ||
		    column->length[peer] != MOST_LINKS || height(column, peer))
			continue;
		old = exit_of(even, peer);
		then = find_short(even, peer, old, flows,
				  most - price_link(even, exit->port, flows));
		if (!then)
			continue;
		more = redirect(even, peer, old, then);
		if (may_take(even, s, now, exit) && more + price_way(even, exit, flows) < most) {
			hd_lft(even->tables, peer)[column->lid] =
				even->fabric->ports[then->port].number;
			return exit;
		}
		redirect(even, peer, then, old);
	}
	return now;
}

/* Sends what comes through @s the best way. Returns whether that is another one than before. */
static bool move(struct even *even, uint32_t s)
{
	struct column *column = &even->column;
	const struct exit *now = NULL, *best;

	if (column->length[s] == NO_WAY) {
		column->through[s] = even->sources[s];
		column->next[s] = HD_NONE;
	} else {
		now = exit_of(even, s);
		detach(even, s);
	}
	best = find_best(even, s, now);
	if (now && best == now)
		best = find_joint(even, s, now);
	if (best)
		take(even, s, best);
	return best != now;
}

/* Whether what @s sends is to go another way: there is none, or it has a hot link. */
static bool is_hot(const struct even *even, uint32_t s)
{
	const struct column *column = &even->column;

	if (column->length[s] == NO_WAY)
		return true;
	if (column->length[s] > MOST_LINKS || !column->through[s] || height(column, s) > 1 ||
	    even->dragonfly->group[s] == column->group)
		return false;
	for (uint32_t at = s; at != column->last; at = column->next[at])
		if (even->load[column->out[at]] >= even->hot)
			return true;
	return false;
}

/* Looks for a better entry of @s. Returns whether there is one. */
static bool relieve_entry(struct even *even, uint32_t s)
{
	const struct column *column = &even->column;
	uint8_t *entry = &hd_lft(even->tables, s)[column->lid];

	if (!is_hot(even, s))
		return false;
	if (move(even, s)) {
		*entry = even->fabric->ports[column->out[s]].number;
		return true;
	}
	if (column->length[s] == NO_WAY)
		*entry = HD_NO_PATH;
	return false;
}

/* Relieves hot links of the flows to a LID. Returns how many entries have moved. */
static uint64_t relieve(struct even *even, const struct hd_route_target *to)
{
	const struct hd_dragonfly *d = even->dragonfly;
	uint64_t n_moved = 0;

	read_column(even, to);
	/* other groups go by what there is in that of the LID */
	for (uint32_t i = d->first[even->column.group]; i < d->first[even->column.group + 1]; i++)
		n_moved += relieve_entry(even, d->switches[i]);
	hd_for_each_switch(s, even->fabric)
		if (d->group[s] != even->column.group)
			n_moved += relieve_entry(even, s);
	return n_moved;
}

/* Finds the loads of links by @n LIDs. */
static void find_loads(struct even *even, const struct hd_route_target *targets, size_t n)
{
	const struct column *column = &even->column;

	memset(even->load, 0, (even->fabric->n_ports + (size_t)1) * sizeof(*even->load));
	for (size_t i = 0; i < n; i++) {
		read_column(even, &targets[i]);
		hd_for_each_switch(s, even->fabric)
			if (column->through[s] && s != column->last)
				even->load[column->out[s]] += column->through[s];
	}
}

static uint64_t find_busiest(const struct even *even)
{
	uint64_t busiest = 0;

	for (uint32_t p = 0; p < even->fabric->n_ports; p++)
		busiest = even->load[p] > busiest ? even->load[p] : busiest;
	return busiest;
}

/* Makes prices, of loads up to @busiest. */
static void set_prices(struct even *even, uint64_t busiest)
{
	even->cap = busiest;
	for (even->shift = 0; busiest >> even->shift >= MOST_STEPS;)
		even->shift++;
	for (uint64_t x = 0; x <= busiest >> even->shift; x++) {
		even->price[x] = 1;
		for (unsigned i = 0; i < POWER; i++)
			even->price[x] *= (double)x;
	}
}

static void even_out_pass(struct even *even, const struct hd_route_target *targets, size_t n)
{
	const uint64_t most = WORK / (n * even->fabric->n_switches + 1) + LEAST_ROUNDS;
	uint64_t n_moved = 1;

	find_loads(even, targets, n);
	set_prices(even, find_busiest(even));
	for (unsigned round = 0; n_moved && round < MOST_ROUNDS && round < most; round++) {
		const uint64_t busiest = find_busiest(even);

		/* of the flows to switches, those that have a way stay on it */
		even->hot = targets->via_port ? busiest / 2 : UINT64_MAX;
		even->hottest = busiest * 7 / 10;
		n_moved = 0;
		for (size_t i = 0; i < n; i++)
			n_moved += relieve(even, &targets[i]);
	}
}

static void release(struct even *even)
{
	struct column *column = &even->column;

	free(even->first_exit);
	free(even->exits);
	free(even->exit_at);
	free(even->sources);
	free(even->order);
	free(even->mark);
	free(even->load);
	free(even->price);
	free(column->out);
	free(column->next);
	free(column->length);
	free(column->n_local);
	free(column->n_near);
	free(column->n_far);
	free(column->through);
	free(column->is_near);
	free(column->is_next);
}

static int allocate(struct even *even, struct hd_error *err)
{
	const size_t n = even->fabric->n_switches + (size_t)1;
	const size_t n_ports = even->fabric->n_ports + (size_t)1;
	struct column *column = &even->column;

	even->first_exit = malloc(n * sizeof(*even->first_exit));
	even->exits = malloc(n_ports * sizeof(*even->exits));
	even->exit_at = malloc(n_ports * sizeof(*even->exit_at));
	even->sources = calloc(n, sizeof(*even->sources));
	even->order = malloc(n * sizeof(*even->order));
	even->mark = malloc(n * sizeof(*even->mark));
	even->load = malloc(n_ports * sizeof(*even->load));
	even->price = malloc(MOST_STEPS * sizeof(*even->price));
	column->out = malloc(n * sizeof(*column->out));
	column->next = malloc(n * sizeof(*column->next));
	column->length = malloc(n * sizeof(*column->length));
	column->n_local = malloc(n * sizeof(*column->n_local));
	column->n_near = malloc(n * sizeof(*column->n_near));
	column->n_far = malloc(n * sizeof(*column->n_far));
	column->through = malloc(n * sizeof(*column->through));
	column->is_near = malloc(n * sizeof(*column->is_near));
	column->is_next = malloc(n * sizeof(*column->is_next));
	if (!even->first_exit || !even->exits || !even->exit_at || !even->sources || !even->order ||
	    !even->mark || !even->load || !even->price || !column->out || !column->next ||
	    !column->length || !column->n_local || !column->n_near || !column->n_far ||
	    !column->through || !column->is_near || !column->is_next)
		return hd_error_nomem(err);
	return 0;
}

static void list_exits(struct even *even)
{
	const struct hd_dragonfly *d = even->dragonfly;
	const struct hd_fabric *fabric = even->fabric;
	uint32_t n = 0;

	memset(even->exit_at, 0xFF, fabric->n_ports * sizeof(*even->exit_at));
	hd_for_each_switch(s, fabric) {
		even->first_exit[s] = n;
		hd_for_each_number(number, fabric, s) {
			const uint32_t port = hd_port_index(fabric, s, number);
			const uint8_t class = d->port_class[port];

			if (class != HD_PORT_LOCAL && class != HD_PORT_GLOBAL)
				continue;
			even->exit_at[port] = n;
			even->exits[n++] = (struct exit){
				.port = port,
				.peer = hd_peer_node(fabric, s, number),
				.is_local = class == HD_PORT_LOCAL,
			};
		}
	}
	even->first_exit[fabric->n_switches] = n;
}

/* Whether several global links join some two groups. */
static bool has_trunks(const struct even *even)
{
	const struct hd_dragonfly *d = even->dragonfly;

	memset(even->mark, 0xFF, d->n_groups * sizeof(*even->mark));
	for (uint32_t i = 0; i < even->fabric->n_switches; i++) {
		const uint32_t s = d->switches[i], group = d->group[s];

		for (uint32_t e = even->first_exit[s]; e < even->first_exit[s + 1]; e++) {
			const uint32_t to = d->group[even->exits[e].peer];

			if (!even->exits[e].is_local && even->mark[to] == group)
				return true;
			even->mark[to] = group;
		}
	}
	return false;
}

static void even_out(struct even *even, const struct hd_route_targets *targets)
{
	for (size_t i = 0; targets->n_passes && i < targets->first[1]; i++)
		even->sources[targets->list[i].via_switch] += targets->list[i].via_port != 0;
	for (unsigned pass = 0; pass < targets->n_passes; pass++) {
		const size_t first = targets->first[pass];

		even_out_pass(even, targets->list + first, targets->first[pass + 1] - first);
	}
}

int hd_group_even_out(const struct hd_dragonfly *dragonfly, const struct hd_route_targets *targets,
		      enum hd_group_lanes lanes, struct hd_tables *tables, bool *has_relays,
		      struct hd_error *err)
{
	struct even even = {
		.fabric = tables->fabric, .dragonfly = dragonfly, .tables = tables, .lanes = lanes
	};
	int ret = allocate(&even, err);

	*has_relays = false;
	if (!ret) {
		list_exits(&even);
		*has_relays = has_trunks(&even);
		if (*has_relays && lanes == HD_GROUP_LANES_SHIFT)
			ret = hd_group_order(tables->fabric, dragonfly, even.order, err);
	}
	if (!ret && *has_relays) {
		hd_for_each_switch(s, tables->fabric)
			hd_lft_touch(tables, s);
		even_out(&even, targets);
	}
	release(&even);
	return ret;
}
