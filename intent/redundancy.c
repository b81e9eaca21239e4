// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Demands on several paths from one switch together: those to the LIDs of one port, or to all ports
 * of a set. An element is what a path needs and what can fail: a link between switches, which is
 * the lower of its two ports, or a switch, which is its port 0.
 *
 * What counts after a failure is what the paths without the failed element have: their spines, or
 * whether there is such a path. With more paths this never becomes less. So of all ports of a set,
 * only those paths are kept that help after some failure, and no more once there is enough.
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

/* Paths that count: for each the two numbers of struct hd_path, then elements and spines. */
struct hd_path_pool {
	uint32_t *words;
	size_t n, room;
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

/* The link by which packets of @tree leave @s. */
static uint32_t link_of(const struct hd_judge *judge, const struct hd_lid_tree *tree, uint32_t s)
{
	const uint32_t port = hd_port_index(judge->fabric, s, tree->out[s]);
	const uint32_t peer = judge->fabric->ports[port].peer;

	return port < peer ? port : peer;
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
		const uint32_t next = hd_tree_next(&judge->view, tree, s);

		if (parts & HD_PART_LINKS)
			path->elements[path->n_elements++] = link_of(judge, tree, s);
		if (parts & HD_PART_SWITCHES && !(asked->is_last_safe && next == last))
			path->elements[path->n_elements++] = hd_port_index(judge->fabric, next, 0);
		take_spine(judge, asked, next, path);
		s = next;
	}
	return path;
}

static uint32_t begin_stamps(struct hd_judge *judge)
{
	if (++judge->stamp == 0) {
		memset(judge->stamps, 0, judge->fabric->n_ports * sizeof(*judge->stamps));
		judge->stamp = 1;
	}
	return judge->stamp;
}

static bool has_element(const uint32_t *elements, uint32_t n, uint32_t element)
{
	for (uint32_t i = 0; i < n; i++)
		if (elements[i] == element)
			return true;
	return false;
}

/* A path of a pool; false: there are no more. */
static bool next_path(const struct hd_path_pool *pool, size_t *at, struct hd_path *path)
{
	if (*at == pool->n)
		return false;
	path->n_elements = pool->words[*at];
	path->n_spines = pool->words[*at + 1];
	path->elements = pool->words + *at + 2;
	path->spines = path->elements + path->n_elements;
	*at += 2 + (size_t)path->n_elements + path->n_spines;
	return true;
}

/*
 * How many spines are left without @failed (HD_NONE: nothing fails). They have the stamp; a spine
 * is stamped at its port 0, or at port 0 of the first switch for ANY_SPINE.
 */
static uint32_t count_left(struct hd_judge *judge, const struct hd_path_pool *pool, uint32_t failed)
{
	const uint32_t stamp = begin_stamps(judge);
	struct hd_path path;
	uint32_t n = 0;

	for (size_t at = 0; next_path(pool, &at, &path);) {
		if (failed != HD_NONE && has_element(path.elements, path.n_elements, failed))
			continue;
		for (uint32_t i = 0; i < path.n_spines; i++) {
			uint32_t *seen =
				&judge->stamps[hd_port_index(judge->fabric, path.spines[i], 0)];

			n += *seen != stamp;
			*seen = stamp;
		}
	}
	return n;
}

/* Whether spines of @path have no stamp. */
static bool has_new_spine(const struct hd_judge *judge, const struct hd_path *path)
{
	for (uint32_t i = 0; i < path->n_spines; i++)
		if (judge->stamps[hd_port_index(judge->fabric, path->spines[i], 0)] != judge->stamp)
			return true;
	return false;
}

/*
 * The worst failure: the first element without which least is left, and less than is asked.
 * Returns what is left then; @failed gets the element. @helped, if not NULL, is a path that is not
 * in the pool: then the search ends with @helps where it would help.
 */
static uint32_t find_worst(struct hd_judge *judge, const struct asked *asked,
			   const struct hd_path_pool *pool, const struct hd_path *helped,
			   uint32_t *failed, bool *helps)
{
	uint32_t worst = count_left(judge, pool, HD_NONE);
	struct hd_path path;

	*failed = HD_NONE;
	*helps = helped && worst < asked->least && has_new_spine(judge, helped);
	for (size_t at = 0; !*helps && next_path(pool, &at, &path);)
		for (uint32_t i = 0; !*helps && i < path.n_elements; i++) {
			const uint32_t left = count_left(judge, pool, path.elements[i]);

			if (left < asked->least && helped &&
			    !has_element(helped->elements, helped->n_elements, path.elements[i]))
				*helps = has_new_spine(judge, helped);
			if (left >= worst)
				continue;
			worst = left;
			*failed = path.elements[i];
		}
	return worst;
}

static int keep(struct hd_path_pool *pool, const struct hd_path *path, struct hd_error *err)
{
	const size_t n = 2 + (size_t)path->n_elements + path->n_spines;
	uint32_t *words = pool->words;

	if (pool->room - pool->n < n) {
		const size_t room = 2 * (pool->room + n);

		words = realloc(words, room * sizeof(*words));
		if (!words)
			return hd_error_nomem(err);
		pool->words = words;
		pool->room = room;
	}
	words += pool->n;
	words[0] = path->n_elements;
	words[1] = path->n_spines;
	memcpy(words + 2, path->elements, path->n_elements * sizeof(*words));
	memcpy(words + 2 + path->n_elements, path->spines, path->n_spines * sizeof(*words));
	pool->n += n;
	return 0;
}

/* Whether @path shares nothing with the paths that have the stamp; then it gets the stamp, too. */
static bool stamp_if_new(struct hd_judge *judge, const struct hd_path *path, uint32_t stamp)
{
	for (uint32_t i = 0; i < path->n_elements; i++)
		if (judge->stamps[path->elements[i]] == stamp)
			return false;
	for (uint32_t i = 0; i < path->n_elements; i++)
		judge->stamps[path->elements[i]] = stamp;
	return true;
}

/* Whether no path that shares no element with this one has the same spine. */
static bool has_own_spine(const struct hd_judge *judge, const struct asked *asked,
			  const struct hd_path *path)
{
	for (uint32_t i = 0; i < path->n_spines; i++)
		if (asked->counts_paths ||
		    has_element(path->elements, path->n_elements,
				hd_port_index(judge->fabric, path->spines[i], 0)))
			return true;
	return false;
}

/*
 * Enough in the simplest way: one path more than is asked, that have nothing in common, each with a
 * spine of its own. A failure leaves all but one.
 */
static bool is_surely_enough(struct hd_judge *judge, const struct asked *asked, uint32_t s)
{
	const uint32_t stamp = begin_stamps(judge);
	const uint32_t wanted = asked->least + 1;
	uint32_t n = 0;

	if (judge->n_trees < wanted)
		return false;
	for (uint32_t t = 0; n < wanted && t < judge->n_trees; t++) {
		const struct hd_path *path;

		if (!hd_tree_arrives(&judge->trees[t], s))
			continue;
		path = walk(judge, asked, &judge->trees[t], s);
		n += has_own_spine(judge, asked, path) && stamp_if_new(judge, path, stamp);
	}
	return n == wanted;
}

/* The paths from @group to the LIDs of the owner: what is left after the worst failure. */
static int judge_redundant(struct hd_judge *judge, const struct hd_rule_state *state,
			   const struct asked *asked, uint32_t d, uint32_t group,
			   struct hd_path_pool *pool, struct hd_error *err)
{
	const uint32_t s = state->groups[group].at;
	const uint32_t n = hd_others(state, group, judge->owner);
	struct hd_violation what = { .lid = (uint16_t)judge->trees[0].lid, .port = HD_NONE };
	bool helps;
	int ret = 0;

	judge->verdict->demands[d].n += n;
	if (is_surely_enough(judge, asked, s))
		return 0;
	pool->n = 0;
	for (uint32_t t = 0; !ret && t < judge->n_trees; t++)
		if (hd_tree_arrives(&judge->trees[t], s))
			ret = keep(pool, walk(judge, asked, &judge->trees[t], s), err);
	if (ret)
		return ret;
	what.number = find_worst(judge, asked, pool, NULL, &what.port, &helps);
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
	bool helps;

	for (uint32_t t = 0; !pool->is_enough && t < judge->n_trees; t++) {
		const struct hd_path *path;
		int ret;

		if (!hd_tree_arrives(&judge->trees[t], s))
			continue;
		path = walk(judge, asked, &judge->trees[t], s);
		find_worst(judge, asked, pool, path, &failed, &helps);
		if (!helps)
			continue;
		ret = keep(pool, path, err);
		if (ret)
			return ret;
		pool->is_enough =
			find_worst(judge, asked, pool, NULL, &failed, &helps) >= asked->least;
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
	bool helps;

	for (uint32_t d = rule->first_demand; d < rule->first_demand + rule->n_demands; d++) {
		const struct hd_demand *demand = &judge->rules->demands[d];
		const struct asked asked = ask(judge, rule, demand);

		if (demand->kind != HD_DEMAND_REDUNDANT || !rule->together)
			continue;
		judge->owner = HD_NONE;
		for (uint32_t g = 0; g < state->n_groups; g++) {
			struct hd_violation what = { .port = HD_NONE };

			judge->verdict->demands[d].n += state->groups[g].n;
			if (state->pools[g].is_enough)
				continue;
			what.number = find_worst(judge, &asked, &state->pools[g], NULL, &what.port,
						 &helps);
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
	for (uint32_t g = 0; state->pools && g <= state->n_groups; g++)
		free(state->pools[g].words);
	free(state->pools);
}
