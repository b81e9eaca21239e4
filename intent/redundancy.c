// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Demands on several paths from one switch together: those to the LIDs of one port, or to all ports
 * of a set. An element is what a path needs and what can fail: a link between switches, which is
 * the lower of its two ports, or a switch, which is its port 0.
 *
 * A failure takes a spine away if all paths over this spine need the failed element. So of all
 * paths over a spine, only the elements that they have in common matter, and these become fewer
 * with each path. Where no spines are asked for, all paths count as paths over one spine.
 */
#include <stdlib.h>
#include <string.h>

#include "intent/judge.h"
#include "support/error.h"

/* In place of a spine, where paths themselves count. */
#define ANY_SPINE 0

struct hd_path {
	uint32_t n_elements, n_spines;
	uint32_t *elements; /* ports */
	uint32_t *spines;   /* switches */
};

/* A spine, and what all paths over it need: elements[first .. first + n - 1] of the pool. */
struct spine {
	uint32_t s;
	uint32_t n;
	size_t first;
};

struct hd_path_pool {
	struct spine *spines;
	uint32_t n_spines, room_spines;
	uint32_t *elements;
	size_t n_elements, room_elements;
	bool is_enough;
};

/* What is asked of paths. */
struct asked {
	const struct hd_demand *demand;
	const bool *spines; /* [port] NULL: the highest switch */
	uint32_t least;     /* spines, or paths */
	bool counts_paths;
	bool is_last_safe; /* the last switch does not fail */
};

struct hd_path *hd_path_new(uint32_t n_switches)
{
	struct hd_path *path = calloc(1, sizeof(*path));

	if (!path)
		return NULL;
	path->elements = malloc((2 * (size_t)n_switches + 2) * sizeof(*path->elements));
	path->spines = malloc((n_switches + (size_t)1) * sizeof(*path->spines));
	if (path->elements && path->spines)
		return path;
	hd_path_free(path);
	return NULL;
}

void hd_path_free(struct hd_path *path)
{
	if (!path)
		return;
	free(path->elements);
	free(path->spines);
	free(path);
}

static struct asked ask(const struct hd_judge *judge, const struct hd_rule *rule,
			const struct hd_demand *demand)
{
	return (struct asked){
		.demand = demand,
		.spines = rule->spines == HD_NONE ? NULL
						  : hd_members_of(&judge->members, rule->spines),
		.least = demand->number ? demand->number : 1,
		.counts_paths = !demand->number,
		.is_last_safe = !rule->together,
	};
}

/* Switch @s of a path: a spine that is named, or the highest so far. */
static void take_spine(const struct hd_judge *judge, const struct asked *asked, uint32_t s,
		       struct hd_path *path)
{
	const uint32_t *level = judge->members.level;

	if (asked->counts_paths)
		return;
	if (asked->spines) {
		if (asked->spines[hd_port_index(judge->fabric, s, 0)])
			path->spines[path->n_spines++] = s;
		return;
	}
	if (level[s] == HD_NONE || !level[s])
		return;
	if (!path->n_spines || level[s] > level[path->spines[0]])
		path->spines[0] = s;
	path->n_spines = 1;
}

/* The path from @s to the LID of @tree, which arrives, in judge->path. */
static struct hd_path *walk(struct hd_judge *judge, const struct asked *asked,
			    const struct hd_lid_tree *tree, uint32_t s)
{
	const unsigned parts = asked->demand->parts;
	struct hd_path *path = judge->path;
	const uint32_t last = judge->members.at[judge->owner];

	path->n_elements = path->n_spines = 0;
	if (asked->counts_paths)
		path->spines[path->n_spines++] = ANY_SPINE;
	take_spine(judge, asked, s, path);
	while (s != last) {
		const size_t way = s * (size_t)judge->view.stride + tree->out[s];
		const uint32_t next = judge->view.to[way];

		if (parts & HD_PART_LINKS)
			path->elements[path->n_elements++] = judge->view.link[way];
		if (parts & HD_PART_SWITCHES && !(asked->is_last_safe && next == last))
			path->elements[path->n_elements++] = hd_port_index(judge->fabric, next, 0);
		take_spine(judge, asked, next, path);
		s = next;
	}
	return path;
}

/* Takes @n stamps that nothing has, and returns the first. */
static uint32_t take_stamps(struct hd_judge *judge, uint32_t n)
{
	if (judge->stamp > UINT32_MAX - n) {
		memset(judge->stamps, 0, judge->fabric->n_ports * sizeof(*judge->stamps));
		judge->stamp = 0;
	}
	judge->stamp += n;
	return judge->stamp - n + 1;
}

static uint32_t begin_stamps(struct hd_judge *judge)
{
	return take_stamps(judge, 1);
}

static bool has_element(const uint32_t *elements, uint32_t n, uint32_t element)
{
	for (uint32_t i = 0; i < n; i++)
		if (elements[i] == element)
			return true;
	return false;
}

/* Room for one more spine, and @n elements. */
static int make_room(struct hd_path_pool *pool, uint32_t n, struct hd_error *err)
{
	if (pool->n_spines == pool->room_spines) {
		const uint32_t room = 2 * pool->room_spines + 4;
		struct spine *spines = realloc(pool->spines, room * sizeof(*spines));

		if (!spines)
			return hd_error_nomem(err);
		pool->spines = spines;
		pool->room_spines = room;
	}
	/* at least some, as spines without elements begin somewhere, too */
	if (!pool->elements || pool->room_elements - pool->n_elements < n) {
		const size_t room = 2 * (pool->room_elements + n) + 4;
		uint32_t *elements = realloc(pool->elements, room * sizeof(*elements));

		if (!elements)
			return hd_error_nomem(err);
		pool->elements = elements;
		pool->room_elements = room;
	}
	return 0;
}

static int add_spine(struct hd_path_pool *pool, uint32_t s, const struct hd_path *path,
		     struct hd_error *err)
{
	int ret = make_room(pool, path->n_elements, err);

	if (ret)
		return ret;
	pool->spines[pool->n_spines++] =
		(struct spine){ .s = s, .n = path->n_elements, .first = pool->n_elements };
	if (path->n_elements)
		memcpy(pool->elements + pool->n_elements, path->elements,
		       path->n_elements * sizeof(*path->elements));
	pool->n_elements += path->n_elements;
	return 0;
}

/* Keeps what @spine and @path have in common; true if that is less than before. */
static bool cut(struct hd_path_pool *pool, struct spine *spine, const struct hd_path *path)
{
	uint32_t *elements = pool->elements + spine->first;
	uint32_t n = 0;
	bool is_less;

	for (uint32_t i = 0; i < spine->n; i++)
		if (has_element(path->elements, path->n_elements, elements[i]))
			elements[n++] = elements[i];
	is_less = n < spine->n;
	spine->n = n;
	return is_less;
}

/* One more path; @changes: the pool is another one by that. */
static int add_path(struct hd_path_pool *pool, const struct hd_path *path, bool *changes,
		    struct hd_error *err)
{
	int ret = 0;

	*changes = false;
	for (uint32_t i = 0; !ret && i < path->n_spines; i++) {
		uint32_t known = 0;

		while (known < pool->n_spines && pool->spines[known].s != path->spines[i])
			known++;
		if (known < pool->n_spines) {
			*changes |= cut(pool, &pool->spines[known], path);
		} else {
			ret = add_spine(pool, path->spines[i], path, err);
			*changes = true;
		}
	}
	return ret;
}

/*
 * How many spines are left after the worst failure: that of the element that most spines need,
 * which @failed gets; HD_NONE: no failure takes one away. A stamp above the first counts spines.
 */
static uint32_t find_worst(struct hd_judge *judge, const struct hd_path_pool *pool,
			   uint32_t *failed)
{
	const uint32_t zero = take_stamps(judge, pool->n_spines + 1);
	uint32_t most = 0;

	*failed = HD_NONE;
	for (uint32_t i = 0; i < pool->n_spines; i++) {
		const struct spine *spine = &pool->spines[i];

		for (uint32_t e = 0; e < spine->n; e++) {
			const uint32_t element = pool->elements[spine->first + e];
			uint32_t *stamp = &judge->stamps[element];

			*stamp = *stamp < zero ? zero + 1 : *stamp + 1;
			if (*stamp - zero > most) {
				most = *stamp - zero;
				*failed = element;
			}
		}
	}
	return pool->n_spines - most;
}

/* The paths from @group to the LIDs of the owner: what is left after the worst failure. */
static int judge_redundant(struct hd_judge *judge, const struct hd_rule_state *state,
			   const struct asked *asked, uint32_t d, uint32_t group,
			   struct hd_path_pool *pool, struct hd_error *err)
{
	const uint32_t s = state->groups[group].at;
	const uint32_t n = hd_others(state, group, judge->owner);
	struct hd_violation what = { .lid = (uint16_t)judge->trees[0].lid, .port = HD_NONE };
	bool changes;
	int ret = 0;

	judge->verdict->demands[d].n += n;
	pool->n_spines = 0;
	pool->n_elements = 0;
	for (uint32_t t = 0; !ret && t < judge->n_trees; t++)
		if (hd_tree_arrives(&judge->trees[t], s))
			ret = add_path(pool, walk(judge, asked, &judge->trees[t], s), &changes,
				       err);
	if (ret)
		return ret;
	what.number = find_worst(judge, pool, &what.port);
	if (what.number < asked->least)
		hd_judge_count(judge, d, group, n, what);
	return 0;
}

static void judge_disjoint(struct hd_judge *judge, const struct hd_rule_state *state,
			   const struct asked *asked, uint32_t d, uint32_t group)
{
	const uint32_t s = state->groups[group].at;
	const uint32_t n = hd_others(state, group, judge->owner), stamp = begin_stamps(judge);
	struct hd_violation what = { .lid = (uint16_t)judge->trees[0].lid, .port = HD_NONE };
	bool is_bad = judge->n_trees == 1;

	judge->verdict->demands[d].n += n;
	for (uint32_t t = 0; !is_bad && t < judge->n_trees; t++) {
		const struct hd_path *path;

		if (!hd_tree_arrives(&judge->trees[t], s))
			continue;
		path = walk(judge, asked, &judge->trees[t], s);
		for (uint32_t i = 0; !is_bad && i < path->n_elements; i++) {
			is_bad = judge->stamps[path->elements[i]] == stamp;
			judge->stamps[path->elements[i]] = stamp;
			if (is_bad) {
				what.port = path->elements[i];
				what.lid = (uint16_t)judge->trees[t].lid;
			}
		}
	}
	if (is_bad)
		hd_judge_count(judge, d, group, n, what);
}

/* One more port of a rule whose ports count together. */
static int add_together(struct hd_judge *judge, const struct asked *asked, uint32_t s,
			struct hd_path_pool *pool, struct hd_error *err)
{
	uint32_t failed;

	for (uint32_t t = 0; !pool->is_enough && t < judge->n_trees; t++) {
		bool changes;
		int ret;

		if (!hd_tree_arrives(&judge->trees[t], s))
			continue;
		ret = add_path(pool, walk(judge, asked, &judge->trees[t], s), &changes, err);
		if (ret)
			return ret;
		pool->is_enough = changes && pool->n_spines >= asked->least &&
				  find_worst(judge, pool, &failed) >= asked->least;
	}
	return 0;
}

/* @d: a demand on the sources of each group. The pool of a port's LIDs is the last one. */
static int judge_demand(struct hd_judge *judge, const struct hd_rule *rule,
			struct hd_rule_state *state, uint32_t d, struct hd_error *err)
{
	const struct hd_demand *demand = &judge->rules->demands[d];
	const struct asked asked = demand->kind == HD_DEMAND_DISJOINT
					   ? (struct asked){ .demand = demand,
							     .counts_paths = true,
							     .is_last_safe = true }
					   : ask(judge, rule, demand);
	const uint32_t last = judge->members.at[judge->owner];
	int ret = 0;

	for (uint32_t g = 0; !ret && g < state->n_groups; g++) {
		const uint32_t s = state->groups[g].at;

		if (rule->together && demand->kind == HD_DEMAND_REDUNDANT) {
			if (s == last)
				state->pools[g].is_enough = true;
			ret = add_together(judge, &asked, s, &state->pools[g], err);
		} else if (s == last || !hd_others(state, g, judge->owner)) {
			continue;
		} else if (demand->kind == HD_DEMAND_DISJOINT) {
			judge_disjoint(judge, state, &asked, d, g);
		} else {
			ret = judge_redundant(judge, state, &asked, d, g,
					      &state->pools[state->n_groups], err);
		}
	}
	return ret;
}

static bool is_of_several(enum hd_demand_kind kind)
{
	return kind == HD_DEMAND_DISJOINT || kind == HD_DEMAND_REDUNDANT;
}

int hd_judge_lids(struct hd_judge *judge, const struct hd_rule *rule, struct hd_rule_state *state,
		  struct hd_error *err)
{
	int ret = 0;

	for (uint32_t d = rule->first_demand; !ret && d < rule->first_demand + rule->n_demands; d++)
		if (is_of_several(judge->rules->demands[d].kind))
			ret = judge_demand(judge, rule, state, d, err);
	return ret;
}

void hd_judge_together(struct hd_judge *judge, const struct hd_rule *rule,
		       struct hd_rule_state *state)
{
	for (uint32_t d = rule->first_demand; d < rule->first_demand + rule->n_demands; d++) {
		const struct hd_demand *demand = &judge->rules->demands[d];

		if (demand->kind != HD_DEMAND_REDUNDANT || !rule->together)
			continue;
		judge->owner = HD_NONE;
		for (uint32_t g = 0; g < state->n_groups; g++) {
			struct hd_violation what = { .port = HD_NONE };

			judge->verdict->demands[d].n += state->groups[g].n;
			if (state->pools[g].is_enough)
				continue;
			what.number = find_worst(judge, &state->pools[g], &what.port);
			hd_judge_count(judge, d, g, state->groups[g].n, what);
		}
	}
}

int hd_redundancy_init(struct hd_judge *judge, const struct hd_rule *rule,
		       struct hd_rule_state *state, struct hd_error *err)
{
	for (uint32_t d = rule->first_demand; d < rule->first_demand + rule->n_demands; d++)
		state->has_redundancy |= is_of_several(judge->rules->demands[d].kind);
	state->pools = calloc(state->n_groups + (size_t)1, sizeof(*state->pools));
	return state->pools ? 0 : hd_error_nomem(err);
}

void hd_redundancy_clear(struct hd_rule_state *state)
{
	for (uint32_t g = 0; state->pools && g <= state->n_groups; g++) {
		free(state->pools[g].spines);
		free(state->pools[g].elements);
	}
	free(state->pools);
}
