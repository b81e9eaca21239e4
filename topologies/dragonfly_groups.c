// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The search for the groups of a dragonfly.
 *
 * In a balanced dragonfly, closed neighbourhoods decide: two linked switches u, v of one group have
 * |N[u] & N[v]| = a, those of different groups at most h + 1. Where a <= h + 1, where trunks link a
 * pair of groups several times, or where links are missing, counts tie. So the counts only order
 * and prune an exact search: switches are collected into groups of a, one group after the other,
 * and what a group lacks is its cost:
 *
 *	- a pair of its switches without a link (missing local link),
 *	- an earlier group that none of its switches is linked to (missing global link),
 *	- a switch by which it is smaller than a (missing switch).
 *
 * A group that is complete must still reach every later group. If fewer switches outside the
 * groups found so far are linked to it than there are groups to come, the difference is a lower
 * bound of what will be missing. With one link per pair of groups this leaves no choice after the
 * first group: each switch linked to it must be in a group of its own.
 *
 * Costs 0, 1, 2, ... are tried in turn, for every size of groups that the numbers of switches and
 * links allow, larger groups first; so the perfect shape is found if there is one, otherwise the
 * one that lacks least. The work for each is bounded: finding groups is as hard as finding cliques
 * in general, and fabrics that need more than a moment are no dragonflies.
 *
 * Some fabrics of other names are formally dragonflies, and are taken for one, since routes and
 * proofs of dragonflies hold on them: the lines of hyperx:4x4 are four groups with four links
 * between any two; rings of 4 and 6 are the dragonflies of a = 2, h = 1.
 */
#include "topologies/dragonfly_groups.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "topologies/dragonfly_sizes.h"

/* Steps that the search may take for one size of groups, perfect or damaged, and for all sizes. */
#define PERFECT_STEPS 10000000
#define DAMAGED_STEPS 500000
#define ALL_STEPS     20000000

/* A group in the making, or made. */
struct frame {
	uint32_t start;   /* first member in members[] */
	uint32_t pool;    /* where its candidates begin in pool[]; they end where those of the
			     next group begin */
	uint32_t local;   /* missing local links of all groups so far, without this one */
	uint32_t global;  /* missing global links between these groups */
	uint32_t missing; /* switches that these groups lack */
};

struct candidate {
	uint32_t score;
	uint32_t member;
};

/*
 * How a group whose last member came from place i of the pool goes on. In this order: add a
 * candidate after i that is linked to most members; take the group as complete; add another
 * candidate after i. So each set of candidates is met once, and a group that lost a switch is tried
 * without it before it gets a stranger in its place.
 */
struct choice {
	uint32_t place; /* of the member in pool[] */
	uint32_t turn;  /* the turn of this choice in that order, at the member before */
};

struct search {
	const struct hd_switch_graph *graph;
	struct hd_dragonfly_size shape;
	uint32_t limit;  /* the most that may be missing, switches and links */
	uint32_t enough; /* a partition of this cost is not worth improving */
	uint64_t steps_left;

	/* the groups so far; the last of them, `current`, is being made */
	struct frame *frames; /* [g] */
	uint32_t current;
	uint32_t n_members;
	uint32_t *members;     /* [switch] in the order of being put into groups */
	struct choice *choice; /* [index in members] how the member was chosen */
	uint32_t *group;       /* [switch] HD_NONE: in no group yet */
	uint32_t *degree;      /* [switch] neighbours that are in no group */
	const uint32_t *fit;   /* [switch] the largest a of an intact group that the switch may
			          be in */
	uint32_t *near;        /* [switch] neighbours in the current group */
	uint32_t *touched;     /* [group] members of the current group with a link to that group */
	uint32_t *reach;       /* [group] switches in no group with a link to that group */
	uint32_t local;        /* missing local links of the current group */
	uint32_t deficit;      /* lower bound of global links that earlier groups will miss */

	struct candidate *pool;
	size_t n_pool, pool_capacity;

	uint32_t *group_mark;  /* [group] token of the last visit */
	uint32_t *switch_mark; /* [switch] token of the last visit */
	uint32_t *counter;     /* [switch] scratch: common neighbours */
	uint32_t token;

	uint32_t *best; /* [switch] the best partition, where best_cost < UINT32_MAX */
	uint32_t best_cost;
	bool gave_up; /* the search for a perfect shape ran out of steps */
	bool nomem;
};

static uint32_t smaller(uint64_t x, uint64_t y)
{
	return (uint32_t)(x < y ? x : y);
}

static uint32_t next_token(struct search *search)
{
	if (++search->token == 0) {
		memset(search->group_mark, 0, search->graph->n * sizeof(*search->group_mark));
		memset(search->switch_mark, 0, search->graph->n * sizeof(*search->switch_mark));
		search->token = 1;
	}
	return search->token;
}

/* The groups after the current one. */
static uint32_t groups_to_come(const struct search *search)
{
	return search->shape.g - search->current - 1;
}

/* Counts @member as one of the current group (@sign 1), or no longer (-1). */
static void count_member(struct search *search, uint32_t member, uint32_t sign)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t token = next_token(search);

	for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
		uint32_t other = graph->neighbour[i], group = search->group[other];

		search->near[other] += sign;
		if (group < search->current && search->group_mark[group] != token) {
			search->group_mark[group] = token;
			search->touched[group] += sign;
		}
	}
}

/* Puts @member into the current group. */
static void add_member(struct search *search, uint32_t member, struct choice choice)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t size = search->n_members - search->frames[search->current].start;
	uint32_t to_come = groups_to_come(search), token;
	uint32_t degree = graph->first[member + 1] - graph->first[member];

	search->steps_left -= smaller(degree + 1, search->steps_left);
	search->local += size - search->near[member];
	search->members[search->n_members] = member;
	search->choice[search->n_members++] = choice;
	count_member(search, member, 1);
	token = next_token(search);
	for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
		uint32_t other = graph->neighbour[i], group = search->group[other];

		search->degree[other]--;
		if (group < search->current && search->group_mark[group] != token) {
			search->group_mark[group] = token;
			if (search->reach[group]-- <= to_come)
				search->deficit++;
		}
	}
	search->group[member] = search->current;
}

/* Takes the last member out of the current group. */
static void remove_member(struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t member = search->members[--search->n_members];
	uint32_t size = search->n_members - search->frames[search->current].start;
	uint32_t to_come = groups_to_come(search), token;

	search->group[member] = HD_NONE;
	count_member(search, member, (uint32_t)-1);
	search->local -= size - search->near[member];
	token = next_token(search);
	for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
		uint32_t other = graph->neighbour[i], group = search->group[other];

		search->degree[other]++;
		if (group < search->current && search->group_mark[group] != token) {
			search->group_mark[group] = token;
			if (++search->reach[group] <= to_come)
				search->deficit--;
		}
	}
}

/* What is missing for certain, given the groups so far. */
static uint32_t lower_bound(const struct search *search)
{
	const struct frame *frame = &search->frames[search->current];

	return search->shape.missing_switches + frame->local + search->local + frame->global +
	       search->deficit;
}

static bool within_limits(const struct search *search)
{
	const struct frame *frame = &search->frames[search->current];
	const struct hd_dragonfly_size *shape = &search->shape;
	uint32_t local = frame->local + search->local;
	uint32_t global = frame->global + search->deficit;

	return lower_bound(search) <= search->limit && local <= shape->max_local &&
	       global <= shape->max_global && local + global <= shape->max_links;
}

/*
 * The switch to begin the next group with. Switches that look like members of an intact group come
 * first, since the links of intact groups decide about the others; among them, the one with the
 * fewest neighbours left, since these can be in fewest groups.
 */
static uint32_t choose_first(struct search *search)
{
	uint32_t best = HD_NONE, best_lack = UINT32_MAX, best_degree = UINT32_MAX;

	search->steps_left -= smaller(search->graph->n / 8, search->steps_left);
	for (uint32_t s = 0; s < search->graph->n; s++) {
		uint32_t fit = search->fit[s] < search->degree[s] + 1 ? search->fit[s]
								      : search->degree[s] + 1;
		uint32_t lack = fit < search->shape.a ? search->shape.a - fit : 0;

		if (search->group[s] == HD_NONE &&
		    (lack < best_lack || (lack == best_lack && search->degree[s] < best_degree))) {
			best = s;
			best_lack = lack;
			best_degree = search->degree[s];
		}
	}
	return best;
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->member < y->member ? -1 : x->member > y->member;
}

static void add_candidate(struct search *search, uint32_t member, uint32_t score)
{
	if (search->n_pool == search->pool_capacity) {
		size_t capacity = search->pool_capacity * 2;
		struct candidate *grown = realloc(search->pool, capacity * sizeof(*grown));

		if (!grown) {
			search->nomem = true;
			return;
		}
		search->pool = grown;
		search->pool_capacity = capacity;
	}
	search->pool[search->n_pool++] = (struct candidate){ score, member };
}

/*
 * Collects candidates that are not linked to @member: switches at distance two with enough
 * neighbours in common. All switches that are in no group, where no common neighbour is needed.
 */
static void collect_distant(struct search *search, uint32_t member, uint32_t min_common)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t n_left = graph->n - search->n_members, token = next_token(search);
	bool all = n_left <= 2 * search->shape.a || search->shape.a <= 3;

	search->switch_mark[member] = token;
	for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
		search->switch_mark[graph->neighbour[i]] = token;
		search->counter[graph->neighbour[i]] = 0;
	}
	for (uint32_t s = 0; all && s < graph->n; s++)
		if (search->group[s] == HD_NONE && search->switch_mark[s] != token)
			search->counter[s] = 0;
	for (int pass = 0; pass < 2; pass++) /* set to zero, then count */
		for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
			uint32_t via = graph->neighbour[i];

			for (uint32_t k = graph->first[via]; k < graph->first[via + 1]; k++) {
				uint32_t other = graph->neighbour[k];

				search->counter[other] = pass ? search->counter[other] + 1 : 0;
			}
		}
	for (uint32_t i = graph->first[member]; !all && i < graph->first[member + 1]; i++) {
		uint32_t via = graph->neighbour[i];

		for (uint32_t k = graph->first[via]; k < graph->first[via + 1]; k++) {
			uint32_t other = graph->neighbour[k];

			if (search->switch_mark[other] == token)
				continue;
			search->switch_mark[other] = token;
			if (search->group[other] == HD_NONE && search->counter[other] >= min_common)
				add_candidate(search, other, search->counter[other]);
		}
	}
	for (uint32_t s = 0; all && s < graph->n; s++)
		if (search->group[s] == HD_NONE && search->switch_mark[s] != token)
			add_candidate(search, s, search->counter[s]);
}

/* Collects what may be in one group with @member, the most likely first. */
static void collect_candidates(struct search *search, uint32_t member)
{
	const struct hd_switch_graph *graph = search->graph;
	const struct frame *frame = &search->frames[search->current];
	uint32_t budget = search->limit - lower_bound(search);
	uint32_t size = search->shape.a - (search->shape.missing_switches - frame->missing);

	if (budget > search->shape.max_local - frame->local)
		budget = search->shape.max_local - frame->local;
	for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++)
		if (search->group[graph->neighbour[i]] == HD_NONE &&
		    graph->common[i] + budget >= size)
			add_candidate(search, graph->neighbour[i], graph->common[i]);
	/*
	 * one missing link is that between the two; every further one costs at most one common
	 * neighbour
	 */
	if (budget)
		collect_distant(search, member, size > budget + 1 ? size - budget - 1 : 1);
	qsort(search->pool + frame->pool, search->n_pool - frame->pool, sizeof(*search->pool),
	      compare_candidates);
}

/* Begins group `current`. The frame's counts are set. False: it cannot be within the limits. */
static bool open_group(struct search *search)
{
	struct frame *frame = &search->frames[search->current];
	uint32_t to_come = groups_to_come(search), first;

	frame->start = search->n_members;
	frame->pool = (uint32_t)search->n_pool;
	search->local = 0;
	search->deficit = 0;
	for (uint32_t group = 0; group < search->current; group++) {
		search->touched[group] = 0;
		if (search->reach[group] < to_come)
			search->deficit += to_come - search->reach[group];
	}
	if (!within_limits(search))
		return false;
	first = choose_first(search);
	if (first == HD_NONE)
		return false;
	collect_candidates(search, first);
	add_member(search, first, (struct choice){ .place = frame->pool - 1 });
	return within_limits(search);
}

static uint32_t count_reach(struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t token = next_token(search), reach = 0;

	for (uint32_t m = search->frames[search->current].start; m < search->n_members; m++) {
		uint32_t member = search->members[m];

		for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++) {
			uint32_t other = graph->neighbour[i];

			if (search->group[other] == HD_NONE &&
			    search->switch_mark[other] != token) {
				search->switch_mark[other] = token;
				reach++;
			}
		}
	}
	return reach;
}

static void record(struct search *search, uint32_t cost)
{
	memcpy(search->best, search->group, search->graph->n * sizeof(*search->best));
	search->best_cost = cost;
	if (cost)
		search->limit = cost - 1;
}

/*
 * Takes the current group as complete and begins the next. When all groups are made, records the
 * partition. False: go back.
 */
static bool close_group(struct search *search)
{
	const struct frame *frame = &search->frames[search->current];
	uint32_t size = search->n_members - frame->start;
	struct frame next = {
		.local = frame->local + search->local,
		.global = frame->global,
		.missing = frame->missing + search->shape.a - size,
	};
	uint32_t reach;

	if (next.missing > search->shape.missing_switches)
		return false;
	for (uint32_t group = 0; group < search->current; group++)
		next.global += search->touched[group] == 0;
	if (search->shape.missing_switches + next.local + next.global > search->limit ||
	    next.global > search->shape.max_global ||
	    next.local + next.global > search->shape.max_links)
		return false;
	if (search->current + 1 == search->shape.g) {
		if (search->n_members == search->graph->n)
			record(search, search->shape.missing_switches + next.local + next.global);
		return false;
	}
	reach = count_reach(search);
	for (uint32_t m = frame->start; m < search->n_members; m++)
		count_member(search, search->members[m], (uint32_t)-1);
	search->reach[search->current] = reach;
	search->frames[++search->current] = next;
	return true;
}

/* Undoes close_group(): the previous group is the current one again, complete. */
static void reopen_group(struct search *search)
{
	const struct frame *frame = &search->frames[--search->current];

	search->n_pool = search->frames[search->current + 1].pool;
	search->local = search->frames[search->current + 1].local - frame->local;
	memset(search->touched, 0, search->current * sizeof(*search->touched));
	for (uint32_t m = frame->start; m < search->n_members; m++)
		count_member(search, search->members[m], 1);
	search->deficit = 0;
	for (uint32_t group = 0; group < search->current; group++)
		if (search->reach[group] < groups_to_come(search))
			search->deficit += groups_to_come(search) - search->reach[group];
}

/* The candidates after the last member of the current group. */
static uint32_t candidates_left(const struct search *search)
{
	return (uint32_t)search->n_pool - search->choice[search->n_members - 1].place - 1;
}

/*
 * Adds the candidate at @place if that is within the limits, and if it is linked to most members,
 * or to few, as asked.
 */
static bool try_candidate(struct search *search, uint32_t place, uint32_t turn, bool to_most)
{
	uint32_t size = search->n_members - search->frames[search->current].start;
	uint32_t member = search->pool[place].member, near = search->near[member];

	if ((2 * near > size) != to_most || lower_bound(search) + size - near > search->limit)
		return false;
	add_member(search, member, (struct choice){ place, turn });
	if (within_limits(search))
		return true;
	remove_member(search);
	return false;
}

enum outcome {
	ADDED,     /* a member was added */
	COMPLETED, /* the group was taken as complete, and the next begins */
	EXHAUSTED, /* nothing is left to try */
};

/* Does the first thing that is possible from @turn on, in the order of struct choice. */
static enum outcome advance(struct search *search, uint32_t turn)
{
	uint32_t n = candidates_left(search);
	uint32_t next = search->choice[search->n_members - 1].place + 1;
	bool full = search->n_members - search->frames[search->current].start == search->shape.a;

	for (; !full && turn < n && search->steps_left; turn++)
		if (try_candidate(search, next + turn, turn, true))
			return ADDED;
	if (full && turn < n)
		turn = n;
	if (turn == n && close_group(search))
		return COMPLETED;
	for (turn = turn > n ? turn - n - 1 : 0; !full && turn < n && search->steps_left; turn++)
		if (try_candidate(search, next + turn, turn + n + 1, false))
			return ADDED;
	return EXHAUSTED;
}

/*
 * Takes back the last step, a member added or a group completed; @turn gets the turn to go on with.
 * False: there is nothing to take back.
 */
static bool go_back(struct search *search, uint32_t *turn)
{
	uint32_t start = search->frames[search->current].start;

	if (search->n_members > start) {
		*turn = search->choice[search->n_members - 1].turn + 1;
		remove_member(search);
		if (search->n_members > start)
			return true;
	}
	if (search->current == 0)
		return false;
	reopen_group(search);
	*turn = candidates_left(search) + 1;
	return true;
}

/* Searches partitions for search->shape that cost at most search->limit. */
static void run(struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t turn = 0;
	bool possible;

	search->current = 0;
	search->n_members = 0;
	search->n_pool = 0;
	search->frames[0] = (struct frame){ 0 };
	memset(search->group, 0xFF, graph->n * sizeof(*search->group));
	memset(search->near, 0, graph->n * sizeof(*search->near));
	for (uint32_t s = 0; s < graph->n; s++)
		search->degree[s] = graph->first[s + 1] - graph->first[s];
	possible = open_group(search);
	while (search->steps_left && !search->nomem && search->best_cost > search->enough) {
		enum outcome outcome = possible ? advance(search, turn) : EXHAUSTED;

		possible = true;
		turn = 0;
		if (outcome == COMPLETED)
			possible = open_group(search);
		else if (outcome == EXHAUSTED && !go_back(search, &turn))
			return;
	}
}

/*
 * Tries all sizes of groups with at most @limit missing parts; those with at most @tried were tried
 * before.
 */
static void search_sizes(struct search *search, const struct hd_dragonfly_census *census,
			 uint32_t limit, uint32_t tried, uint64_t *all_steps)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t n = graph->n;
	uint32_t largest = smaller(n, graph->max_degree + 2);

	search->enough = limit ? tried + 1 : 0;
	for (uint32_t a = largest; a >= (n > 1 ? 2 : 1); a--) {
		uint64_t n_misfits = n - census->n_fit[a];

		/* an intact group has no misfits, and no more than `limit` groups are damaged */
		if (n_misfits > (uint64_t)limit * a)
			continue;
		for (uint32_t g = (n - 1) / a + 1; (uint64_t)a * g <= (uint64_t)n + limit; g++) {
			uint32_t most;

			search->limit = smaller(limit, search->best_cost - 1);
			search->shape = (struct hd_dragonfly_size){ .a = a, .g = g };
			if (!hd_dragonfly_size_is_possible(census, graph, &search->shape,
							   search->limit))
				continue;
			most = search->shape.missing_switches + search->shape.max_links;
			if (limit && tried >= most)
				continue;
			search->steps_left =
				smaller(limit ? DAMAGED_STEPS : PERFECT_STEPS, *all_steps);
			*all_steps -= search->steps_left;
			run(search);
			search->gave_up |= !limit && !search->steps_left;
			*all_steps += search->steps_left;
			if (search->best_cost <= search->enough || search->nomem || *all_steps == 0)
				return;
		}
	}
}

static bool allocate(struct search *search)
{
	size_t n = search->graph->n + (size_t)1;

	search->pool_capacity = 1024;
	search->pool = malloc(search->pool_capacity * sizeof(*search->pool));
	search->frames = malloc(n * sizeof(*search->frames));
	search->members = calloc(n, sizeof(uint32_t));
	search->choice = calloc(n, sizeof(*search->choice));
	search->group = calloc(n, sizeof(uint32_t));
	search->degree = calloc(n, sizeof(uint32_t));
	search->near = calloc(n, sizeof(uint32_t));
	search->touched = calloc(n, sizeof(uint32_t));
	search->reach = calloc(n, sizeof(uint32_t));
	search->group_mark = calloc(n, sizeof(uint32_t));
	search->switch_mark = calloc(n, sizeof(uint32_t));
	search->counter = calloc(n, sizeof(uint32_t));
	search->best = calloc(n, sizeof(uint32_t));
	return search->pool && search->frames && search->members && search->choice &&
	       search->group && search->degree && search->near && search->touched &&
	       search->reach && search->group_mark && search->switch_mark && search->counter &&
	       search->best;
}

static void release(struct search *search)
{
	free(search->pool);
	free(search->frames);
	free(search->members);
	free(search->choice);
	free(search->group);
	free(search->degree);
	free(search->near);
	free(search->touched);
	free(search->reach);
	free(search->group_mark);
	free(search->switch_mark);
	free(search->counter);
	free(search->best);
}

/* Tells why there are no groups. @exhausted: not all damaged shapes were tried either. */
static int refuse(const struct search *search, bool exhausted, struct hd_error *err)
{
	unsigned n_switches = search->graph->n;
	unsigned n_links = search->graph->first[search->graph->n] / 2;

	if (search->gave_up)
		return hd_error_set(
			err, HD_EREFUSED,
			"no dragonfly found: the search for groups of %u switches with "
			"%u links between them was given up: give them by a file (groups)",
			n_switches, n_links);
	return hd_error_set(
		err, HD_EREFUSED,
		"not a dragonfly: %u switches with %u links between them do not fall into "
		"equal, fully connected groups that are all linked to one another%s",
		n_switches, n_links, exhausted ? " (search for damaged ones given up)" : "");
}

int hd_dragonfly_find_groups(const struct hd_switch_graph *graph, uint32_t *group,
			     struct hd_error *err)
{
	struct search search = { .graph = graph, .best_cost = UINT32_MAX };
	struct hd_dragonfly_census census = { 0 };
	uint64_t steps = ALL_STEPS;
	uint32_t tried = 0, limit = 0;
	int ret = hd_dragonfly_census_take(graph, &census, err);

	if (!ret && !allocate(&search))
		ret = hd_error_nomem(err);
	search.fit = census.fit;
	/* the limits are 0, 1, 2, 3, 4, 6, 9, 13, ... up to a number that no shape tolerates */
	while (!ret && search.best_cost == UINT32_MAX && steps &&
	       (limit == 0 || limit <= graph->n / 8 + (graph->n + census.n_links) / 8)) {
		search_sizes(&search, &census, limit, tried, &steps);
		if (search.nomem)
			ret = hd_error_nomem(err);
		tried = limit;
		limit += limit / 2 ? limit / 2 : 1;
	}
	if (!ret && search.best_cost == UINT32_MAX)
		ret = refuse(&search, !steps, err);
	if (!ret)
		memcpy(group, search.best, graph->n * sizeof(*group));
	release(&search);
	hd_dragonfly_census_clear(&census);
	return ret;
}
