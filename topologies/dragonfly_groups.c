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
 * Few large groups, joined by several links each, also fall into twice as many halves: these are
 * all linked to one another, and lack nothing even where a link of a group is missing. But the
 * halves of one group have far more links between them than others have. So links between groups
 * should be spread evenly, and what other pairs of groups lack beside the pair with the most links
 * counts, too. A perfect, even shape comes first, unless other groups have far more of the
 * links inside; then large groups that lack a little, since they are found soon; then what takes a
 * longer search.
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

/*
 * Steps that the search may take for one size of groups, perfect or damaged, and for all sizes; and
 * for what may be better than a shape that is found, but is uneven.
 */
#define PERFECT_STEPS 10000000
#define DAMAGED_STEPS 500000
#define ALL_STEPS     20000000
#define BETTER_STEPS  8000000

/*
 * Shares of links inside groups beyond those of random groups: a perfect shape that has less is
 * worth another look, and this much more makes another shape the better one, whatever it lacks.
 */
#define POOR_QUALITY   0.25
#define BETTER_QUALITY 0.15

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

	uint32_t best_cost; /* of the best partition of this size of groups */
	uint32_t *kept;     /* [switch] the best partition of all sizes */
	uint64_t kept_cost; /* its cost, with the links that make it uneven; UINT64_MAX: none yet */
	uint32_t kept_missing; /* its cost without these */
	double quality;        /* of what is kept: the share of links inside groups beyond chance */
	uint64_t *pair;        /* [group] scratch: links of one group to the others */
	uint64_t all_steps;    /* that are left for all sizes */
	bool gave_up;          /* the search for a perfect shape ran out of steps */
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

/* Counts the links of @group, one of all groups, to each other one in search->pair. */
static void count_pairs(struct search *search, uint32_t group)
{
	const struct hd_switch_graph *graph = search->graph;
	const uint32_t end =
		group < search->current ? search->frames[group + 1].start : search->n_members;

	memset(search->pair, 0, search->shape.g * sizeof(*search->pair));
	for (uint32_t m = search->frames[group].start; m < end; m++) {
		uint32_t member = search->members[m];

		for (uint32_t i = graph->first[member]; i < graph->first[member + 1]; i++)
			search->pair[search->group[graph->neighbour[i]]]++;
	}
	search->pair[group] = 0;
}

/*
 * The links that pairs of groups lack to be even, when all groups are made: half as many as the
 * pair with the most links is enough, since parallel links count once, and some may be missing.
 * Pairs without any link are counted apart.
 */
static uint64_t count_uneven(struct search *search)
{
	const uint32_t g = search->shape.g;
	uint64_t most = 0, n_lacking = 0;

	for (uint32_t group = 0; group < g; group++) {
		count_pairs(search, group);
		for (uint32_t other = group + 1; other < g; other++)
			if (search->pair[other] > most)
				most = search->pair[other];
	}
	for (uint32_t group = 0; most > 3 && group < g; group++) {
		count_pairs(search, group);
		for (uint32_t other = group + 1; other < g; other++) {
			const uint64_t n = search->pair[other] ? search->pair[other] : 1;

			if (n < most / 2)
				n_lacking += most / 2 - n;
		}
	}
	return n_lacking;
}

/* Newman's modularity of groups of equal degree. */
static double quality_of(const struct search *search)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t n_inside = 0;

	for (uint32_t s = 0; s < graph->n; s++)
		for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++)
			n_inside += search->group[s] == search->group[graph->neighbour[i]];
	return n_inside / (graph->first[graph->n] + 1e-9) - 1.0 / search->shape.g;
}

/* Keeps the partition if it is the best one so far; one that lacks more must be clearly better. */
static void record(struct search *search, uint32_t cost)
{
	const uint64_t all = cost + count_uneven(search);
	const double quality = quality_of(search);

	search->best_cost = cost;
	if (cost)
		search->limit = cost - 1;
	if (cost <= search->kept_missing ? all >= search->kept_cost
					 : quality <= search->quality + BETTER_QUALITY)
		return;
	memcpy(search->kept, search->group, search->graph->n * sizeof(*search->kept));
	search->kept_missing = cost;
	search->kept_cost = all;
	search->quality = quality;
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

/*
 * Whether the members and all candidates that are left to try from @turn on are too few for a
 * group, without those that are linked to too few members: what a candidate costs only grows.
 */
static bool lacks_candidates(struct search *search, uint32_t turn)
{
	const struct frame *frame = &search->frames[search->current];
	const uint32_t least = search->shape.a - (search->shape.missing_switches - frame->missing);
	const uint32_t size = search->n_members - frame->start;
	const uint32_t spare = search->limit - lower_bound(search);
	const uint32_t begin = search->choice[search->n_members - 1].place + 1;
	const uint32_t n_left = candidates_left(search);
	const bool is_second = turn > n_left;
	const uint32_t tried = begin + (is_second ? turn - n_left - 1 : turn);
	uint32_t n = size, place = is_second ? tried : begin;

	for (; n < least && place < search->n_pool; place++) {
		const uint32_t near = search->near[search->pool[place].member];

		/* before @tried, sets that begin with one that is linked to most were tried */
		if (place < tried && n == size && 2 * near > size)
			continue;
		n += near + spare >= size;
	}
	search->steps_left -= smaller((place - begin) / 4, search->steps_left);
	return n < least;
}

/* Does the first thing that is possible from @turn on, in the order of struct choice. */
static enum outcome advance(struct search *search, uint32_t turn)
{
	uint32_t n = candidates_left(search);
	uint32_t next = search->choice[search->n_members - 1].place + 1;
	bool full = search->n_members - search->frames[search->current].start == search->shape.a;

	if (lacks_candidates(search, turn))
		return EXHAUSTED;
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

/* One pass over sizes of groups. */
struct pass {
	uint32_t limit;   /* the most missing parts */
	uint32_t tried;   /* shapes with at most these missing parts were tried before */
	uint32_t least_a; /* sizes of groups that are tried */
	uint64_t n_steps; /* for each size */
	bool is_doubt;    /* a perfect shape was found that is poor */
};

/* Whether nothing that @pass may still find is better than what is kept. */
static bool is_settled(const struct search *search, const struct pass *pass)
{
	if (pass->is_doubt && !search->kept_cost)
		return false;
	return search->kept_cost <= (pass->limit ? pass->tried + UINT64_C(1) : 0);
}

/* Searches groups of search->shape in the steps that @pass and all sizes have. */
static void search_size(struct search *search, const struct pass *pass)
{
	const bool had_none = search->kept_cost == UINT64_MAX;

	search->steps_left = smaller(pass->n_steps, search->all_steps);
	search->all_steps -= search->steps_left;
	search->best_cost = UINT32_MAX;
	run(search);
	search->gave_up |= !pass->limit && !search->steps_left;
	search->all_steps += search->steps_left;
	if (had_none && search->kept_cost < UINT64_MAX && search->all_steps > BETTER_STEPS)
		search->all_steps = BETTER_STEPS;
}

static void search_sizes(struct search *search, const struct hd_dragonfly_census *census,
			 const struct pass *pass)
{
	const struct hd_switch_graph *graph = search->graph;
	uint32_t n = graph->n, limit = pass->limit;
	uint32_t largest = smaller(n, graph->max_degree + 2);

	search->enough = limit ? pass->tried + 1 : 0;
	for (uint32_t a = largest; a >= pass->least_a; a--) {
		uint64_t n_misfits = n - census->n_fit[a];

		/* an intact group has no misfits, and no more than `limit` groups are damaged */
		if (n_misfits > (uint64_t)limit * a)
			continue;
		for (uint32_t g = (n - 1) / a + 1; (uint64_t)a * g <= (uint64_t)n + limit; g++) {
			uint32_t most;

			search->limit =
				pass->is_doubt ? limit : smaller(limit, search->kept_cost - 1);
			search->shape = (struct hd_dragonfly_size){ .a = a, .g = g };
			if (!hd_dragonfly_size_is_possible(census, graph, &search->shape,
							   search->limit))
				continue;
			most = search->shape.missing_switches + search->shape.max_links;
			if (limit && pass->tried >= most)
				continue;
			search_size(search, pass);
			if (is_settled(search, pass) || search->nomem || search->all_steps == 0)
				return;
		}
	}
}

/* Tries limits 1, 2, 3, 4, 6, 9, 13, ... up to a number that no shape tolerates. */
static void search_damaged(struct search *search, const struct hd_dragonfly_census *census,
			   uint32_t least_a)
{
	const uint32_t n = search->graph->n;
	struct pass pass = {
		.limit = 1,
		.least_a = least_a,
		.n_steps = DAMAGED_STEPS,
		.is_doubt = search->kept_cost == 0,
	};

	while (!is_settled(search, &pass) && !search->nomem && search->all_steps &&
	       pass.limit <= n / 8 + (n + census->n_links) / 8) {
		search_sizes(search, census, &pass);
		pass.tried = pass.limit;
		pass.limit += pass.limit / 2 ? pass.limit / 2 : 1;
	}
}

/* Fills search->kept, as far as there are groups. */
static void search_all(struct search *search, const struct hd_dragonfly_census *census)
{
	const uint32_t least_a = search->graph->n > 1 ? 2 : 1;
	/* at least half of the links of a switch stay in its group: neighbourhoods decide */
	const uint32_t large_a = search->graph->max_degree / 2 + 1;
	struct pass perfect = { .least_a = least_a, .n_steps = DAMAGED_STEPS };

	search_sizes(search, census, &perfect);
	if (search->kept_cost || search->quality < POOR_QUALITY)
		search_damaged(search, census, large_a);
	if (search->kept_cost == UINT64_MAX && search->gave_up) {
		perfect.n_steps = PERFECT_STEPS;
		search_sizes(search, census, &perfect);
	}
	if (search->kept_cost != search->kept_missing) /* none, or an uneven one */
		search_damaged(search, census, least_a);
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
	search->kept = calloc(n, sizeof(uint32_t));
	search->pair = calloc(n, sizeof(*search->pair));
	return search->pool && search->frames && search->members && search->choice &&
	       search->group && search->degree && search->near && search->touched &&
	       search->reach && search->group_mark && search->switch_mark && search->counter &&
	       search->kept && search->pair;
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
	free(search->kept);
	free(search->pair);
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
	struct search search = {
		.graph = graph,
		.kept_cost = UINT64_MAX,
		.kept_missing = UINT32_MAX,
		.all_steps = ALL_STEPS,
	};
	struct hd_dragonfly_census census = { 0 };
	int ret = hd_dragonfly_census_take(graph, &census, err);

	if (!ret && !allocate(&search))
		ret = hd_error_nomem(err);
	search.fit = census.fit;
	if (!ret)
		search_all(&search, &census);
	if (!ret && search.nomem)
		ret = hd_error_nomem(err);
	if (!ret && search.kept_cost == UINT64_MAX)
		ret = refuse(&search, !search.all_steps, err);
	if (!ret)
		memcpy(group, search.kept, graph->n * sizeof(*group));
	release(&search);
	hd_dragonfly_census_clear(&census);
	return ret;
}
