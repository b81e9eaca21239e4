// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The search for the groups of a dragonfly whose pattern of links inside groups is not known, and
 * may be as sparse as a ring.
 *
 * Neighbourhoods tell nothing there: two switches of one ring have as little in common as any
 * others. What tells is what links between groups cannot be. With groups of a switches, g of them,
 * and h links from every switch to other groups:
 *
 *	- no switch has more than h neighbours in other groups,
 *	- no two groups have more than T = ceil(a h / (g - 1)) links between them.
 *
 * Neither ceases to hold when links or switches fail. So the search puts switches into groups, one
 * group after the other, and decides neighbour by neighbour whether a link is local. A member with
 * h neighbours outside takes in all others, and a switch with more than T links to the group is in
 * it: with T = 1, every common neighbour of two members. Most decisions follow from few.
 *
 * What a partition lacks is its cost:
 *
 *	- a pair of groups without a link,
 *	- a link between groups that switches have ports left for, h on each,
 *	- a link by which a group has fewer inside than another one: all have the same pattern,
 *	- a switch by which a group is smaller than a.
 *
 * Partitions that cost nothing are tried first, for all a and h, then those that cost more. Small
 * groups come before large ones, since groups of groups of a dragonfly are formally groups as well.
 * Groups whose switches are each linked with every other group (T >= a) are not looked for: that
 * is a grid, which falls into such groups along each of its dimensions.
 */
#include "topologies/dragonfly_patterns.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"

/*
 * Neighbours that the search may look at for one size and pattern of groups: of intact fabrics; of
 * damaged ones whose groups are dense, for every link of the fabric, an eighth of them before the
 * first group is found and the rest group by group; of damaged ones in general; after the first
 * partition, for another one of the same size, and of other sizes.
 */
#define STEPS_OF_INTACT  4000000
#define STEPS_OF_DENSE   64
#define LEAST_OF_DENSE   16000
#define STEPS_OF_DAMAGED 400000
#define STEPS_OF_SECOND  400000
#define STEPS_OF_OTHERS  100000

/* The same for all sizes together: of intact fabrics, of dense groups, and in general. */
#define ALL_OF_INTACT  6000000
#define ALL_OF_DENSE   8000000
#define ALL_OF_DAMAGED 8000000

/* By how much one partition must be better than another, in quality_of(), or both are refused. */
#define BETTER 0.05

/* A change that may have to be taken back. */
struct change {
	uint32_t s;    /* CLOSED: no switch */
	uint32_t mark; /* EXCLUDED: the mark before */
	enum { INCLUDED, EXCLUDED, CLOSED } kind;
};

/* A switch that was put into the current group, though it might belong to another one. */
struct guess {
	uint32_t s;
	uint32_t n_changes; /* changes that were made before this one */
};

/* What all groups before a given one lack. */
struct lack {
	uint32_t start;    /* the group's first member in members[] */
	uint32_t pairs;    /* pairs of groups without a link */
	uint32_t ports;    /* of the h ports of every switch, those that lead to no other group */
	uint32_t local;    /* links inside groups */
	uint32_t switches; /* switches that make groups smaller than a */
};

struct search {
	const struct hd_switch_graph *graph;
	uint32_t a, g, h;
	uint32_t inside;   /* links inside an intact group */
	uint32_t most;     /* links between two groups, T */
	uint32_t missing;  /* missing switches: a g, less the switches that there are */
	uint32_t limit;    /* the most that may be missing */
	uint64_t patience; /* steps for one size and pattern of groups */
	bool dense_only;   /* only groups that have more links than switches */
	uint64_t bonus;    /* steps for each group that is found for the first time */
	uint64_t earned;   /* steps that were granted in this way */
	uint32_t furthest; /* the most groups that there were at the same time */
	uint64_t steps_left;

	uint32_t current;  /* the group that is being made */
	uint32_t size;     /* its members */
	uint32_t n_inside; /* links between these */
	uint32_t n_short;  /* ports to other groups that these lack for certain */
	struct lack *lack; /* [group] */

	uint32_t *group;   /* [switch] HD_NONE: in no group yet */
	uint32_t *members; /* in the order in which they were put into groups */
	uint32_t n_members;
	uint32_t *mark;   /* [switch] current + 1: the switch is not in the current group */
	uint32_t *near;   /* [switch in no earlier group] neighbours in the current group */
	uint32_t *closed; /* [switch in no group] neighbours in earlier groups */
	uint32_t *out;    /* [switch of the current group] neighbours known to be in other groups */
	uint32_t *pair;   /* [group] links of the current group to that group */
	uint32_t *open;   /* [group] links from that group to switches in no group */

	struct change *changes;
	uint32_t n_changes;
	struct guess *guesses;
	uint32_t n_guesses;
	uint32_t *due; /* switches that must be in the current group */
	uint32_t n_due;
	bool failed; /* the decisions made so far contradict one another */

	uint32_t *best; /* [switch] the first partition */
	uint32_t *other;
	uint32_t n_found;
	double quality; /* quality of the best partition */
};

static uint32_t smaller(uint64_t x, uint64_t y)
{
	return (uint32_t)(x < y ? x : y);
}

static bool is_open(const struct search *search, uint32_t s)
{
	return search->group[s] == HD_NONE && search->mark[s] != search->current + 1;
}

static void spend(struct search *search, uint32_t s)
{
	uint32_t degree = search->graph->first[s + 1] - search->graph->first[s];

	search->steps_left -= smaller(degree + 1, search->steps_left);
}

/* @s must be in the current group. */
static void demand(struct search *search, uint32_t s)
{
	if (search->n_due < search->graph->n)
		search->due[search->n_due++] = s;
	else
		search->failed = true;
}

/* A member that has h neighbours outside has all its other neighbours inside. */
static void demand_neighbours(struct search *search, uint32_t member)
{
	const struct hd_switch_graph *graph = search->graph;

	if (search->out[member] > search->h)
		search->failed = true;
	if (search->failed || search->out[member] < search->h)
		return;
	for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++)
		if (is_open(search, graph->neighbour[i]))
			demand(search, graph->neighbour[i]);
}

/*
 * The least number of missing parts: with a missing switch, its links to other groups are missing,
 * too.
 */
static uint64_t cost_of(const struct search *search, const struct lack *lack, uint64_t n_short)
{
	uint64_t lost = (uint64_t)search->missing * search->h;
	uint64_t ports = lack->ports + n_short, pairs = lack->pairs;

	ports = ports > lost ? (ports - lost) / 2 : 0;
	pairs = pairs > lost ? pairs - lost : 0;
	return search->missing + lost + lack->local + (ports > pairs ? ports : pairs);
}

/* Whether the member @s has so many neighbours inside that fewer than h are left for outside. */
static bool is_short(const struct search *search, uint32_t s)
{
	const struct hd_switch_graph *graph = search->graph;

	return graph->first[s + 1] - graph->first[s] < search->near[s] + search->h;
}

static void include(struct search *search, uint32_t s)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t degree = graph->first[s + 1] - graph->first[s];

	spend(search, s);
	search->changes[search->n_changes++] = (struct change){ .s = s, .kind = INCLUDED };
	search->members[search->n_members++] = s;
	search->group[s] = search->current;
	search->out[s] = 0;
	search->n_inside += search->near[s];
	if (is_short(search, s))
		search->n_short += search->near[s] + search->h - degree;
	if (++search->size > search->a || search->n_inside > search->inside)
		search->failed = true;
	for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++) {
		uint32_t other = graph->neighbour[i], group = search->group[other];

		if (group == search->current) {
			search->near[other]++;
			search->n_short += is_short(search, other);
			continue;
		}
		if (group != HD_NONE) {
			search->out[s]++;
			search->open[group]--;
			if (++search->pair[group] > search->most)
				search->failed = true;
			continue;
		}
		search->near[other]++;
		if (search->mark[other] == search->current + 1) {
			search->out[s]++;
			if (search->near[other] > search->most)
				search->failed = true;
		} else if (search->near[other] > search->most) {
			demand(search, other);
		}
	}
	if (cost_of(search, &search->lack[search->current], search->n_short) > search->limit)
		search->failed = true;
	demand_neighbours(search, s);
}

static void take_out(struct search *search, uint32_t s)
{
	const struct hd_switch_graph *graph = search->graph;

	search->n_members--;
	search->group[s] = HD_NONE;
	search->size--;
	search->n_inside -= search->near[s];
	if (is_short(search, s))
		search->n_short -=
			search->near[s] + search->h - (graph->first[s + 1] - graph->first[s]);
	for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++) {
		uint32_t other = graph->neighbour[i], group = search->group[other];

		if (group == search->current) {
			search->n_short -= is_short(search, other);
			search->near[other]--;
		} else if (group != HD_NONE) {
			search->open[group]++;
			search->pair[group]--;
		} else {
			search->near[other]--;
		}
	}
}

/*
 * Counts @s, which is not in the current group, as outside for its members (@sign 1), or no longer
 * (-1).
 */
static void count_outside(struct search *search, uint32_t s, uint32_t sign)
{
	const struct hd_switch_graph *graph = search->graph;

	spend(search, s);
	for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++)
		if (search->group[graph->neighbour[i]] == search->current)
			search->out[graph->neighbour[i]] += sign;
}

static void exclude(struct search *search, uint32_t s)
{
	const struct hd_switch_graph *graph = search->graph;

	search->changes[search->n_changes++] =
		(struct change){ .s = s, .mark = search->mark[s], .kind = EXCLUDED };
	search->mark[s] = search->current + 1;
	count_outside(search, s, 1);
	for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++)
		if (search->group[graph->neighbour[i]] == search->current)
			demand_neighbours(search, graph->neighbour[i]);
}

/* Excludes all switches that might have joined a group that is full. */
static void exclude_rest(struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;

	for (uint32_t m = search->lack[search->current].start; m < search->n_members; m++) {
		uint32_t member = search->members[m];

		for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
			if (search->failed)
				return;
			if (is_open(search, graph->neighbour[i]))
				exclude(search, graph->neighbour[i]);
		}
	}
}

/* Decides what follows from the decisions made so far. */
static void conclude(struct search *search)
{
	while (search->n_due && !search->failed) {
		uint32_t s = search->due[--search->n_due];

		if (search->group[s] == search->current)
			continue;
		if (is_open(search, s))
			include(search, s);
		else
			search->failed = true;
	}
	if (!search->failed && search->size == search->a)
		exclude_rest(search);
	if (search->n_due)
		search->failed = true; /* the group is full */
	search->n_due = 0;
}

/* The neighbour of the group that looks most like a member; HD_NONE: none is left. */
static uint32_t choose(struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t best = HD_NONE, most_near = 0, most_common = 0;

	for (uint32_t m = search->lack[search->current].start; m < search->n_members; m++) {
		uint32_t member = search->members[m];

		spend(search, member);
		for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
			uint32_t s = graph->neighbour[i], near = search->near[s];

			if (!is_open(search, s) || near < most_near ||
			    (near == most_near && graph->common[i] <= most_common))
				continue;
			best = s;
			most_near = near;
			most_common = graph->common[i];
		}
	}
	return best;
}

/* Begins the current group with the switch that has most neighbours in earlier groups. */
static void open_group(struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t best = HD_NONE, most = 0;

	search->lack[search->current].start = search->n_members;
	search->size = 0;
	search->n_inside = 0;
	search->n_short = 0;
	memset(search->pair, 0, search->current * sizeof(*search->pair));
	search->steps_left -= smaller(graph->n / 8, search->steps_left);
	for (uint32_t s = 0; s < graph->n; s++)
		if (search->group[s] == HD_NONE && (best == HD_NONE || search->closed[s] > most)) {
			best = s;
			most = search->closed[s];
		}
	if (best == HD_NONE)
		search->failed = true;
	else
		include(search, best);
}

/* What is missing if the current group is taken as it is. */
static struct lack count_lack(const struct search *search)
{
	struct lack lack = search->lack[search->current];

	for (uint32_t group = 0; group < search->current; group++)
		lack.pairs += search->pair[group] == 0;
	for (uint32_t m = lack.start; m < search->n_members; m++)
		lack.ports += search->h - search->out[search->members[m]];
	lack.switches += search->a - search->size;
	if (search->size == search->a)
		lack.local += search->inside - search->n_inside;
	return lack;
}

/*
 * Whether at most an eighth of each kind of link is missing; with more missing, groups would be a
 * guess.
 */
static bool is_tolerable(const struct search *search, const struct lack *lack)
{
	uint64_t a = search->a, g = search->g, lost = (uint64_t)search->missing * search->h;

	return lack->switches <= search->missing && cost_of(search, lack, 0) <= search->limit &&
	       lack->pairs <= g * (g - 1) / 16 + lost &&
	       lack->ports <= a * g * search->h / 8 + 1 + lost &&
	       lack->local <= (uint64_t)search->inside * g / 8;
}

/* Whether the groups before the current one can be linked to all groups that are to come. */
static bool leaves_links(const struct search *search, const struct lack *lack)
{
	uint64_t to_come = search->g - search->current;
	struct lack least = *lack;

	for (uint32_t group = 0; group < search->current; group++) {
		if (search->open[group] > to_come * search->most)
			return false;
		if (search->open[group] < to_come)
			least.pairs += (uint32_t)(to_come - search->open[group]);
	}
	return cost_of(search, &least, 0) <= search->limit;
}

/* Counts the current group's links as those of an earlier group (@sign 1), or no longer (-1). */
static void count_closed(struct search *search, uint32_t sign)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t group = search->current;

	search->open[group] = 0;
	for (uint32_t m = search->lack[group].start; m < search->n_members; m++) {
		uint32_t member = search->members[m];

		spend(search, member);
		for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
			uint32_t s = graph->neighbour[i];

			if (search->group[s] != HD_NONE)
				continue;
			search->closed[s] += sign;
			search->near[s] -= sign;
			search->open[group]++;
			/* a neighbour must be left for the switch's own group, too */
			if (search->closed[s] > search->h ||
			    graph->first[s + 1] - graph->first[s] <= search->closed[s])
				search->failed = true;
		}
	}
}

/* Takes the current group as it is, and begins the next. */
static void close_group(struct search *search)
{
	struct lack lack = count_lack(search);

	if (!is_tolerable(search, &lack)) {
		search->failed = true;
		return;
	}
	search->changes[search->n_changes++] = (struct change){ .s = HD_NONE, .kind = CLOSED };
	count_closed(search, 1);
	search->current++;
	search->lack[search->current] = lack;
	if (search->current > search->furthest) {
		search->furthest = search->current;
		search->steps_left += search->bonus;
		search->earned += search->bonus;
	}
	if (search->failed || search->current == search->g)
		return;
	if (!leaves_links(search, &lack))
		search->failed = true;
	else
		open_group(search);
}

/* Undoes close_group(). */
static void reopen_group(struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;

	search->current--;
	search->n_inside = 0;
	search->n_short = 0;
	memset(search->pair, 0, search->current * sizeof(*search->pair));
	search->size = search->n_members - search->lack[search->current].start;
	for (uint32_t m = search->lack[search->current].start; m < search->n_members; m++) {
		uint32_t member = search->members[m];

		for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
			uint32_t group = search->group[graph->neighbour[i]];

			if (group < search->current)
				search->pair[group]++;
			search->n_inside += group == search->current;
		}
		if (is_short(search, member))
			search->n_short += search->near[member] + search->h -
					   (graph->first[member + 1] - graph->first[member]);
	}
	search->n_inside /= 2;
	count_closed(search, (uint32_t)-1);
}

static void undo(struct search *search, uint32_t n_changes)
{
	while (search->n_changes > n_changes) {
		const struct change *change = &search->changes[--search->n_changes];

		if (change->kind == INCLUDED) {
			take_out(search, change->s);
		} else if (change->kind == EXCLUDED) {
			count_outside(search, change->s, (uint32_t)-1);
			search->mark[change->s] = change->mark;
		} else {
			reopen_group(search);
		}
	}
	search->n_due = 0;
	search->failed = false;
}

/* Treats the last guess as wrong: its switch is not in the group. False: there is no guess left. */
static bool go_back(struct search *search)
{
	const struct guess *guess;

	if (!search->n_guesses)
		return false;
	guess = &search->guesses[--search->n_guesses];
	undo(search, guess->n_changes);
	exclude(search, guess->s);
	conclude(search);
	return true;
}

/* Whether each group of @large is a union of groups of @small. @scratch is [n]. */
static bool is_coarser(const uint32_t *large, const uint32_t *small, uint32_t n, uint32_t *scratch)
{
	memset(scratch, 0xFF, n * sizeof(*scratch));
	for (uint32_t s = 0; s < n; s++) {
		if (scratch[small[s]] == HD_NONE)
			scratch[small[s]] = large[s];
		if (scratch[small[s]] != large[s])
			return false;
	}
	return true;
}

/*
 * The share of links inside groups beyond that of groups by chance (Newman's modularity): how much
 * better the groups of search->group are than random ones.
 */
static double quality_of(const struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t n_inside = 0;

	for (uint32_t s = 0; s < graph->n; s++)
		for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++)
			n_inside += search->group[s] == search->group[graph->neighbour[i]];
	return (double)n_inside / graph->first[graph->n] - 1.0 / search->g;
}

/* Keeps the best partition, and another one if it is as good. */
static void record(struct search *search)
{
	size_t bytes = search->graph->n * sizeof(*search->best);
	double quality = quality_of(search);

	search->steps_left = smaller(STEPS_OF_SECOND, search->steps_left);
	search->steps_left -= smaller(search->graph->first[search->graph->n], search->steps_left);
	if (search->n_found &&
	    is_coarser(search->group, search->best, search->graph->n, search->due))
		return;
	if (search->n_found == 0 || quality > search->quality + BETTER) {
		memcpy(search->best, search->group, bytes);
		search->quality = quality;
		search->n_found = 1;
	} else if (quality >= search->quality - BETTER) {
		memcpy(search->other, search->group, bytes);
		search->n_found = 2;
	}
}

/* Searches partitions for one size of groups. True: all were tried. */
static bool run(struct search *search)
{
	size_t bytes = search->graph->n * sizeof(uint32_t);

	search->current = search->furthest = 0;
	search->earned = 0;
	search->n_members = search->n_changes = search->n_guesses = search->n_due = 0;
	search->failed = false;
	search->lack[0] = (struct lack){ 0 };
	memset(search->group, 0xFF, bytes);
	memset(search->mark, 0, bytes);
	memset(search->near, 0, bytes);
	memset(search->closed, 0, bytes);
	open_group(search);
	conclude(search);
	while (search->steps_left && search->n_found < 2) {
		uint32_t s;

		if (search->failed) {
			if (!go_back(search))
				return true;
			continue;
		}
		if (search->current == search->g) {
			if (search->n_members == search->graph->n)
				record(search);
			search->failed = true;
			continue;
		}
		s = search->size < search->a ? choose(search) : HD_NONE;
		if (s == HD_NONE) {
			close_group(search);
			if (!search->failed && search->current < search->g)
				conclude(search);
			continue;
		}
		search->guesses[search->n_guesses++] =
			(struct guess){ .s = s, .n_changes = search->n_changes };
		include(search, s);
		conclude(search);
	}
	return false;
}

/* Whether the numbers of switches and links allow groups of this size and pattern; sets `most`. */
static bool is_possible(struct search *search)
{
	uint64_t n = search->graph->n, n_links = search->graph->first[n] / 2;
	uint64_t a = search->a, g = search->g, h = search->h;
	uint64_t intact = a * g * h / 2 + g * search->inside;

	search->most = smaller((a * h + g - 2) / (g - 1), UINT32_MAX);
	return a * h >= g - 1 && search->most < a && n_links <= intact &&
	       intact <= n_links + search->limit +
				 (uint64_t)search->missing * search->graph->max_degree;
}

static bool allocate(struct search *search, uint32_t *best, uint32_t *other)
{
	size_t n = search->graph->n + (size_t)1;

	search->best = best;
	search->other = other;
	search->lack = calloc(n + 1, sizeof(*search->lack));
	search->group = calloc(n, sizeof(uint32_t));
	search->members = calloc(n, sizeof(uint32_t));
	search->mark = calloc(n, sizeof(uint32_t));
	search->near = calloc(n, sizeof(uint32_t));
	search->closed = calloc(n, sizeof(uint32_t));
	search->out = calloc(n, sizeof(uint32_t));
	search->pair = calloc(n, sizeof(uint32_t));
	search->open = calloc(n, sizeof(uint32_t));
	/* a switch is included once, and excluded from the group of each of its neighbours */
	search->changes =
		calloc(2 * n + search->graph->first[search->graph->n], sizeof(*search->changes));
	search->guesses = calloc(n, sizeof(*search->guesses));
	search->due = calloc(n, sizeof(uint32_t));
	return search->lack && search->group && search->members && search->mark && search->near &&
	       search->closed && search->out && search->pair && search->open && search->changes &&
	       search->guesses && search->due;
}

static void release(struct search *search)
{
	free(search->lack);
	free(search->group);
	free(search->members);
	free(search->mark);
	free(search->near);
	free(search->closed);
	free(search->out);
	free(search->pair);
	free(search->open);
	free(search->changes);
	free(search->guesses);
	free(search->due);
}

/* Searches all patterns of groups of a switches, g groups. False: not all partitions were tried. */
static bool search_patterns(struct search *search, uint64_t *all_steps)
{
	uint32_t largest = search->graph->max_degree < search->g - 1 ? search->graph->max_degree
								     : search->g - 1;
	uint64_t n_links = search->graph->first[search->graph->n] / 2;
	bool complete = true;

	for (search->h = 1; search->h < largest; search->h++) {
		uint64_t global = (uint64_t)search->a * search->g * search->h / 2;

		if (*all_steps <= 1)
			return false;
		--*all_steps;
		search->inside = search->dense_only ? search->a + 1 : search->a - 1;
		if (n_links > global + (uint64_t)search->g * search->inside)
			search->inside = smaller((n_links - global + search->g - 1) / search->g,
						 UINT32_MAX / 2);
		for (; search->inside < search->a * (search->a - UINT64_C(1)) / 2 &&
		       is_possible(search);
		     search->inside++) {
			uint64_t patience = search->n_found ? STEPS_OF_OTHERS : search->patience;

			search->steps_left = smaller(patience, *all_steps);
			search->bonus =
				search->dense_only ? STEPS_OF_DENSE * n_links / search->g : 0;
			*all_steps -= search->steps_left;
			complete &= run(search);
			*all_steps += search->steps_left;
			*all_steps -= smaller(search->earned, *all_steps);
			if (search->n_found == 2 || *all_steps == 0)
				return false;
		}
	}
	return complete;
}

/*
 * Searches all sizes of groups for which @least to @most switches are missing, and at most
 * search->limit parts in all. False: not all partitions were tried.
 */
static bool search_sizes(struct search *search, uint32_t least, uint32_t most, uint64_t *all_steps)
{
	uint32_t n = search->graph->n;
	bool complete = true;

	for (search->a = 3; search->a <= n / 3 + 1; search->a++)
		for (search->g = (n - 1) / search->a + 1; search->g >= 3; search->g++) {
			uint64_t missing = (uint64_t)search->a * search->g - n;

			if (missing > most || missing > n / 8)
				break;
			search->missing = (uint32_t)missing;
			if (missing >= least)
				complete &= search_patterns(search, all_steps);
			if (search->n_found == 2 || *all_steps == 0)
				return false;
		}
	return complete;
}

/* The next larger number of parts that may be missing. */
static uint32_t more(uint32_t limit)
{
	return limit + (limit / 2 ? limit / 2 : 1);
}

/* False: not all partitions were tried. */
static bool search_intact(struct search *search)
{
	uint64_t steps = ALL_OF_INTACT;

	search->patience = STEPS_OF_INTACT;
	search->limit = 0;
	return search_sizes(search, 0, 0, &steps);
}

/*
 * Searches groups with more links than switches. A partition into such groups that fits is seldom a
 * wrong one, so the first one will do, and missing switches are tried last.
 */
static void search_dense(struct search *search)
{
	uint32_t n_links = search->graph->first[search->graph->n] / 2;
	uint64_t steps = ALL_OF_DENSE;

	search->patience = LEAST_OF_DENSE + STEPS_OF_DENSE / 8 * n_links;
	search->dense_only = true;
	for (uint32_t missing = 0; missing <= n_links / 16; missing = more(missing))
		for (uint32_t limit = missing ? missing : 1; limit <= n_links / 16;
		     limit = more(limit)) {
			uint32_t least = missing > 2 ? missing - (missing - 1) / 3 : missing;

			if (search->n_found || !steps)
				return;
			search->limit = limit;
			search_sizes(search, least, missing, &steps);
		}
}

/* False: not all partitions were tried. */
static bool search_damaged(struct search *search)
{
	uint32_t n_links = search->graph->first[search->graph->n] / 2;
	uint64_t steps = ALL_OF_DAMAGED;
	bool complete = true;

	search->patience = STEPS_OF_DAMAGED;
	search->dense_only = false;
	for (uint32_t limit = 1; limit <= n_links / 16 && !search->n_found; limit = more(limit)) {
		search->limit = limit;
		complete &= search_sizes(search, 0, limit, &steps);
	}
	return complete;
}

int hd_dragonfly_find_patterns(const struct hd_switch_graph *graph, uint32_t *group,
			       uint32_t *other, enum hd_dragonfly_patterns *outcome,
			       struct hd_error *err)
{
	static const enum hd_dragonfly_patterns outcomes[] = {
		HD_PATTERNS_NONE,
		HD_PATTERNS_FOUND,
		HD_PATTERNS_AMBIGUOUS,
	};
	struct search search = { .graph = graph };
	bool complete = true;
	int ret = allocate(&search, group, other) ? 0 : hd_error_nomem(err);

	if (!ret)
		complete = search_intact(&search);
	if (!ret && !search.n_found)
		search_dense(&search);
	if (!ret && !search.n_found)
		complete &= search_damaged(&search);
	*outcome = search.n_found || complete ? outcomes[search.n_found] : HD_PATTERNS_GIVEN_UP;
	release(&search);
	return ret;
}
