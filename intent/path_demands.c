// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Demands that each path meets by itself. */
#include "intent/judge.h"

/* A switch whose sources have paths to a LID. */
struct paths {
	const struct hd_judge *judge;
	struct hd_lid_tree *tree;
	const struct hd_source_group *group;
	uint32_t s;
};

/* Whether a demand is about these paths. */
static bool is_judged(const struct paths *paths, const struct hd_demand *demand)
{
	const struct hd_members *members = &paths->judge->members;
	const uint32_t owner = paths->judge->owner;

	if (demand->kind == HD_DEMAND_STAY_IN_RAIL)
		return paths->group->rail != HD_NONE && paths->group->rail == members->rail[owner];
	if (demand->kind == HD_DEMAND_STAY_IN_GROUP)
		return members->group[paths->s] == members->group[members->at[owner]];
	return true;
}

static unsigned sl_of(const struct paths *paths)
{
	const struct hd_tables *tables = paths->judge->tables;

	return tables->sl_rows[paths->group->sl_row * tables->lft_stride + paths->tree->lid];
}

/* Whether paths that arrive violate @demand; @number gets what they have instead. */
static bool is_violated(const struct paths *paths, const struct hd_demand *demand, uint32_t mark,
			uint32_t *number)
{
	const struct hd_tree_view *view = &paths->judge->view;
	const struct hd_lid_tree *tree = paths->tree;

	switch (demand->kind) {
	case HD_DEMAND_MAX_HOPS:
		*number = tree->longest[paths->s];
		return *number > demand->number;
	case HD_DEMAND_MIN_HOPS:
		*number = tree->shortest[paths->s];
		return *number < demand->number;
	case HD_DEMAND_AVOID:
	case HD_DEMAND_STAY_IN_RAIL:
	case HD_DEMAND_STAY_IN_GROUP:
	case HD_DEMAND_STAY_IN_SET:
		return hd_marks_have(view, tree->some, paths->s, mark);
	case HD_DEMAND_VIA:
		return !hd_marks_have(view, tree->every, paths->s, mark);
	case HD_DEMAND_SLS:
		*number = sl_of(paths);
		return *number >= HD_MAX_SLS || !(demand->number >> *number & 1);
	default:
		return false;
	}
}

/* The first switch on a path that has @mark: which one it is that packets pass. */
static uint32_t find_mark(const struct paths *paths, uint32_t mark)
{
	const struct hd_judge *judge = paths->judge;
	const struct hd_tree_view *view = &judge->view;
	const struct hd_members *members = &judge->members;
	const uint32_t owner = judge->owner;

	for (uint32_t s = paths->s; s != HD_NONE;
	     s = hd_lid_tree_towards(paths->tree, view, s, mark)) {
		const uint32_t port = hd_port_index(judge->fabric, s, 0);
		bool has = hd_marks_have(view, view->marks, s, mark);

		if (mark == view->rail_bit)
			has = members->rail[port] != HD_NONE &&
			      members->rail[port] != members->rail[owner];
		else if (mark == view->group_bit)
			has = members->group[s] != members->group[members->at[owner]];
		if (has)
			return port;
	}
	return HD_NONE;
}

static bool is_of_path(enum hd_demand_kind kind)
{
	return kind < HD_DEMAND_DISJOINT;
}

static void judge_arriving(struct hd_judge *judge, const struct paths *paths, uint32_t d,
			   uint32_t group, uint32_t n)
{
	const struct hd_demand *demand = &judge->rules->demands[d];
	const uint32_t mark = judge->mark_of[d];
	struct hd_violation what = { .lid = (uint16_t)paths->tree->lid, .port = HD_NONE };

	if (!is_judged(paths, demand))
		return;
	judge->verdict->demands[d].n += n;
	if (!is_violated(paths, demand, mark, &what.number))
		return;
	if (judge->verdict->demands[d].n_examples == HD_MOST_EXAMPLES) {
		judge->verdict->demands[d].n_bad += n;
		return;
	}
	if (mark != HD_NONE && demand->kind != HD_DEMAND_VIA)
		what.port = find_mark(paths, mark);
	hd_judge_count(judge, d, group, n, what);
}

/* Whether paths arrive. The rest is asked of those that do. */
static void judge_group(struct hd_judge *judge, const struct hd_rule *rule,
			const struct paths *paths, uint32_t group, uint32_t n)
{
	const uint32_t first = rule->first_demand;
	const struct hd_lid_tree *tree = paths->tree;
	const bool is_isolated = judge->rules->demands[first].kind == HD_DEMAND_ISOLATED;
	const struct hd_violation what = { .lid = (uint16_t)tree->lid, .port = HD_NONE };
	const bool arrives = hd_tree_arrives(tree, paths->s);

	if (tree->longest[paths->s] == HD_TREE_UNKNOWN) {
		judge->verdict->n_uncovered += n;
		return;
	}
	judge->verdict->demands[first].n += n;
	if (is_isolated ? tree->shortest[paths->s] < HD_TREE_UNKNOWN : !arrives)
		hd_judge_count(judge, first, group, n, what);
	for (uint32_t d = first + 1; arrives && d < first + rule->n_demands; d++)
		if (is_of_path(judge->rules->demands[d].kind))
			judge_arriving(judge, paths, d, group, n);
}

/* Whether all sources have an SL that @demand allows. */
static bool are_allowed(const struct hd_judge *judge, const struct hd_rule_state *state,
			const struct hd_demand *demand, uint32_t lid)
{
	const struct hd_tables *tables = judge->tables;

	for (uint32_t r = 0; r < state->n_sl_rows; r++) {
		const unsigned sl = tables->sl_rows[state->sl_rows[r] * tables->lft_stride + lid];

		if (sl >= HD_MAX_SLS || !(demand->number >> sl & 1))
			return false;
	}
	return true;
}

/* Whether the sum of all paths to the LID shows that none violates @demand. */
static bool is_surely_kept(const struct hd_judge *judge, const struct hd_rule_state *state,
			   uint32_t d, const struct hd_lid_tree *tree)
{
	const struct hd_demand *demand = &judge->rules->demands[d];
	const struct hd_tree_sum *sum = &tree->sum;
	const uint32_t mark = judge->mark_of[d];

	switch (demand->kind) {
	case HD_DEMAND_REACHABLE:
		return true;
	case HD_DEMAND_MAX_HOPS:
		return sum->longest <= demand->number;
	case HD_DEMAND_MIN_HOPS:
		return sum->shortest >= demand->number;
	case HD_DEMAND_AVOID:
	case HD_DEMAND_STAY_IN_SET:
		return !hd_marks_have(&judge->view, sum->some, 0, mark);
	case HD_DEMAND_VIA:
		return hd_marks_have(&judge->view, sum->every, 0, mark);
	case HD_DEMAND_SLS:
		return are_allowed(judge, state, demand, tree->lid);
	default:
		return !is_of_path(demand->kind);
	}
}

/* Whether this is so of all demands of @rule; then counts the paths. */
static bool count_kept(struct hd_judge *judge, const struct hd_rule *rule,
		       const struct hd_rule_state *state, const struct hd_lid_tree *tree)
{
	const uint32_t first = rule->first_demand, end = first + rule->n_demands;
	const uint32_t n = state->n_sources - (state->group_of[judge->owner] != HD_NONE);

	if (!tree->sum.all_arrive)
		return false;
	for (uint32_t d = first; d < end; d++)
		if (!is_surely_kept(judge, state, d, tree))
			return false;
	for (uint32_t d = first; d < end; d++)
		if (is_of_path(judge->rules->demands[d].kind))
			judge->verdict->demands[d].n += n;
	return true;
}

void hd_judge_paths(struct hd_judge *judge, const struct hd_rule *rule, struct hd_rule_state *state,
		    struct hd_lid_tree *tree)
{
	if (count_kept(judge, rule, state, tree))
		return;
	for (uint32_t g = 0; g < state->n_groups; g++) {
		const struct paths paths = { judge, tree, &state->groups[g], state->groups[g].at };
		const uint32_t n = hd_others(state, g, judge->owner);

		if (n)
			judge_group(judge, rule, &paths, g, n);
	}
}
