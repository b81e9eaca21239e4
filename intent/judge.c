// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "intent/judge.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Demands that marks answer get their bits. */
static uint32_t number_marks(struct hd_judge *judge)
{
	uint32_t n = 0, rail = HD_NONE, group = HD_NONE;

	for (uint32_t d = 0; d < judge->rules->n_demands; d++) {
		const enum hd_demand_kind kind = judge->rules->demands[d].kind;
		uint32_t *mark = &judge->mark_of[d];

		*mark = HD_NONE;
		if (kind == HD_DEMAND_STAY_IN_RAIL)
			*mark = rail = rail == HD_NONE ? n++ : rail;
		else if (kind == HD_DEMAND_STAY_IN_GROUP)
			*mark = group = group == HD_NONE ? n++ : group;
		else if (kind == HD_DEMAND_AVOID || kind == HD_DEMAND_VIA ||
			 kind == HD_DEMAND_STAY_IN_SET)
			*mark = n++;
	}
	return n;
}

/* Marks that do not depend on the LID: switches of a set, or those that are not in it. */
static void fill_marks(struct hd_judge *judge)
{
	struct hd_tree_view *view = &judge->view;

	for (uint32_t d = 0; d < judge->rules->n_demands; d++) {
		const struct hd_demand *demand = &judge->rules->demands[d];
		const uint32_t mark = judge->mark_of[d];
		const bool wanted = demand->kind != HD_DEMAND_STAY_IN_SET;
		const bool *in;

		if (demand->kind == HD_DEMAND_STAY_IN_RAIL)
			view->rail_bit = mark;
		if (demand->kind == HD_DEMAND_STAY_IN_GROUP)
			view->group_bit = mark;
		if (mark == HD_NONE || demand->set == HD_NONE)
			continue;
		in = hd_members_of(&judge->members, demand->set);
		hd_for_each_switch(s, judge->fabric) {
			if (in[hd_port_index(judge->fabric, s, 0)] == wanted)
				view->marks[s * (size_t)view->words + mark / 64] |= UINT64_C(1)
										    << mark % 64;
		}
	}
}

/* A source, by what tells groups apart. */
struct keyed_source {
	uint32_t at, rail, sl_row, port;
};

static int compare_sources(const void *a, const void *b)
{
	const struct keyed_source *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->rail != y->rail)
		return x->rail < y->rail ? -1 : 1;
	if (x->sl_row != y->sl_row)
		return x->sl_row < y->sl_row ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static bool has_demand(const struct hd_judge *judge, const struct hd_rule *rule,
		       enum hd_demand_kind kind)
{
	for (uint32_t d = rule->first_demand; d < rule->first_demand + rule->n_demands; d++)
		if (judge->rules->demands[d].kind == kind)
			return true;
	return false;
}

/* The sources of @rule, sorted; rails and rows of SLs only where a demand asks for them. */
static uint32_t list_sources(const struct hd_judge *judge, const struct hd_rule *rule,
			     struct keyed_source *sources)
{
	const bool by_rail = has_demand(judge, rule, HD_DEMAND_STAY_IN_RAIL);
	const bool by_sl = has_demand(judge, rule, HD_DEMAND_SLS);
	const bool *from = hd_members_of(&judge->members, rule->from);
	uint32_t n = 0;

	hd_for_each_port(p, judge->fabric) {
		if (from[p] && hd_is_end_port(judge->fabric, p))
			sources[n++] = (struct keyed_source){
				.at = judge->members.at[p],
				.rail = by_rail ? judge->members.rail[p] : 0,
				.sl_row = by_sl ? judge->tables->sl_row_of_port[p] : 0,
				.port = p,
			};
	}
	qsort(sources, n, sizeof(*sources), compare_sources);
	return n;
}

static void group_sources(const struct hd_judge *judge, struct hd_rule_state *state,
			  const struct keyed_source *sources, uint32_t n)
{
	hd_for_each_port(p, judge->fabric)
		state->group_of[p] = HD_NONE;
	for (uint32_t i = 0; i < n; i++) {
		const struct keyed_source *s = &sources[i];

		if (!i || s->at != s[-1].at || s->rail != s[-1].rail || s->sl_row != s[-1].sl_row)
			state->groups[state->n_groups++] = (struct hd_source_group){
				.at = s->at, .rail = s->rail, .sl_row = s->sl_row, .first = i
			};
		state->groups[state->n_groups - 1].n++;
		state->sources[i] = s->port;
		state->group_of[s->port] = state->n_groups - 1;
		state->starts[s->at]++;
	}
	state->n_sources = n;
}

static int compare_rows(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void list_sl_rows(struct hd_rule_state *state)
{
	uint32_t n = 0;

	for (uint32_t g = 0; g < state->n_groups; g++)
		state->sl_rows[g] = state->groups[g].sl_row;
	qsort(state->sl_rows, state->n_groups, sizeof(*state->sl_rows), compare_rows);
	for (uint32_t g = 0; g < state->n_groups; g++)
		if (!g || state->sl_rows[g] != state->sl_rows[n - 1])
			state->sl_rows[n++] = state->sl_rows[g];
	state->n_sl_rows = n;
}

static int init_state(struct hd_judge *judge, uint32_t r, struct keyed_source *sources,
		      struct hd_error *err)
{
	const struct hd_rule *rule = &judge->rules->rules[r];
	struct hd_rule_state *state = &judge->states[r];
	const size_t n_ports = judge->fabric->n_ports + (size_t)1;
	const uint32_t n = list_sources(judge, rule, sources);

	state->groups = malloc((n + (size_t)1) * sizeof(*state->groups));
	state->sources = malloc((n + (size_t)1) * sizeof(*state->sources));
	state->group_of = malloc(n_ports * sizeof(*state->group_of));
	state->starts = calloc(judge->fabric->n_switches + (size_t)1, sizeof(*state->starts));
	state->sl_rows = malloc((n + (size_t)1) * sizeof(*state->sl_rows));
	state->has_loads = has_demand(judge, rule, HD_DEMAND_MAX_LOAD) ||
			   has_demand(judge, rule, HD_DEMAND_MAX_FLOWS);
	if (state->has_loads)
		state->flows = calloc(n_ports, sizeof(*state->flows));
	if (!state->groups || !state->sources || !state->sl_rows || !state->group_of ||
	    !state->starts || (state->has_loads && !state->flows))
		return hd_error_nomem(err);
	group_sources(judge, state, sources, n);
	list_sl_rows(state);
	return hd_redundancy_init(judge, rule, state, err);
}

static void clear_states(struct hd_judge *judge)
{
	for (uint32_t r = 0; judge->states && r < judge->rules->n_rules; r++) {
		struct hd_rule_state *state = &judge->states[r];

		hd_redundancy_clear(state);
		free(state->groups);
		free(state->sources);
		free(state->sl_rows);
		free(state->group_of);
		free(state->starts);
		free(state->flows);
	}
	free(judge->states);
}

static int init_states(struct hd_judge *judge, struct hd_error *err)
{
	struct keyed_source *sources =
		malloc((judge->fabric->n_ports + (size_t)1) * sizeof(*sources));
	int ret = sources ? 0 : hd_error_nomem(err);

	for (uint32_t r = 0; !ret && r < judge->rules->n_rules; r++)
		ret = init_state(judge, r, sources, err);
	free(sources);
	return ret;
}

/* Switches that have sources of any rule. */
static void list_starts(struct hd_judge *judge)
{
	hd_for_each_switch(s, judge->fabric) {
		bool has = false;

		for (uint32_t r = 0; !has && r < judge->rules->n_rules; r++)
			has = judge->states[r].starts[s] != 0;
		if (has)
			judge->starts[judge->n_starts++] = s;
	}
}

static const enum hd_judged judged_by[HD_N_DEMANDS] = {
	[HD_DEMAND_DISJOINT] = HD_JUDGED_PAIRS,
	[HD_DEMAND_REDUNDANT] = HD_JUDGED_PAIRS,
	[HD_DEMAND_MAX_LOAD] = HD_JUDGED_LINKS,
	[HD_DEMAND_MAX_FLOWS] = HD_JUDGED_LINKS,
};

static void name_judged(struct hd_judge *judge)
{
	const struct hd_rules *rules = judge->rules;

	for (uint32_t d = 0; d < rules->n_demands; d++) {
		const struct hd_demand *demand = &rules->demands[d];
		enum hd_judged *judged = &judge->verdict->demands[d].judged;

		*judged = judged_by[demand->kind];
		if (demand->kind == HD_DEMAND_REDUNDANT && rules->rules[demand->rule].together)
			*judged = HD_JUDGED_SOURCES;
	}
}

static int make_room(struct hd_judge *judge, struct hd_error *err)
{
	const struct hd_rules *rules = judge->rules;
	const struct hd_fabric *fabric = judge->fabric;
	struct hd_rules_verdict *verdict = judge->verdict;
	const size_t n = fabric->n_switches + (size_t)1;

	verdict->demands = calloc(rules->n_demands + (size_t)1, sizeof(*verdict->demands));
	verdict->nodes = malloc((rules->n_sets + (size_t)1) * sizeof(*verdict->nodes));
	judge->mark_of = malloc((rules->n_demands + (size_t)1) * sizeof(*judge->mark_of));
	judge->states = calloc(rules->n_rules + (size_t)1, sizeof(*judge->states));
	judge->trees = calloc((size_t)1 << HD_MAX_LMC, sizeof(*judge->trees));
	judge->starts = malloc(n * sizeof(*judge->starts));
	judge->carried = malloc(n * sizeof(*judge->carried));
	judge->stamps = calloc(fabric->n_ports + (size_t)1, sizeof(*judge->stamps));
	judge->path = hd_path_new(fabric->n_switches);
	if (!verdict->demands || !verdict->nodes || !judge->mark_of || !judge->states ||
	    !judge->trees || !judge->starts || !judge->carried || !judge->stamps || !judge->path)
		return hd_error_nomem(err);
	return 0;
}

static int begin(struct hd_judge *judge, struct hd_error *err)
{
	struct hd_rules_verdict *verdict = judge->verdict;
	uint32_t n_marks;
	int ret = make_room(judge, err);

	if (!ret)
		ret = hd_members_find(judge->rules, judge->fabric, &judge->members, err);
	if (ret)
		return ret;
	n_marks = number_marks(judge);
	ret = hd_tree_view_init(&judge->view, judge->tables, &judge->members, n_marks, err);
	if (ret)
		return ret;
	fill_marks(judge);
	name_judged(judge);
	for (uint32_t s = 0; s < judge->rules->n_sets; s++) {
		verdict->nodes[s] = judge->members.nodes[s];
		verdict->n_small += verdict->nodes[s] < judge->rules->sets[s].at_least;
	}
	ret = init_states(judge, err);
	if (!ret)
		list_starts(judge);
	return ret;
}

static void end(struct hd_judge *judge)
{
	clear_states(judge);
	for (uint32_t t = 0; judge->trees && t < 1u << HD_MAX_LMC; t++)
		hd_lid_tree_clear(&judge->trees[t]);
	free(judge->trees);
	free(judge->mark_of);
	free(judge->starts);
	free(judge->carried);
	free(judge->stamps);
	hd_path_free(judge->path);
	hd_tree_view_clear(&judge->view);
	hd_members_clear(&judge->members);
}

/* Whether a rule is about paths to the port. */
static bool is_wanted(const struct hd_judge *judge, uint32_t port)
{
	for (uint32_t r = 0; r < judge->rules->n_rules; r++)
		if (hd_members_of(&judge->members, judge->rules->rules[r].to)[port])
			return true;
	return false;
}

/* The trees of the LIDs of judge->owner, of which @lid is the first. */
static int grow_trees(struct hd_judge *judge, uint32_t lid, struct hd_error *err)
{
	const uint32_t n = 1u << judge->fabric->ports[judge->owner].lmc;

	judge->n_trees = 0;
	while (judge->n_trees < n && lid + judge->n_trees <= judge->fabric->top_lid &&
	       judge->fabric->lids[lid + judge->n_trees].port == judge->owner)
		judge->n_trees++;
	hd_tree_view_load(&judge->view, lid, judge->n_trees);
	for (uint32_t t = 0; t < judge->n_trees; t++) {
		struct hd_lid_tree *tree = &judge->trees[t];
		int ret = tree->longest ? 0 : hd_lid_tree_init(tree, &judge->view, err);

		if (ret)
			return ret;
		hd_lid_tree_grow(tree, &judge->view, lid + t);
		hd_lid_tree_sum_up(tree, &judge->view, judge->starts, judge->n_starts);
	}
	return 0;
}

static int judge_rule(struct hd_judge *judge, uint32_t r, struct hd_error *err)
{
	const struct hd_rule *rule = &judge->rules->rules[r];
	struct hd_rule_state *state = &judge->states[r];
	const uint32_t n_trees = judge->n_trees;
	int ret = 0;

	if (rule->base_lids)
		judge->n_trees = 1;
	for (uint32_t t = 0; t < judge->n_trees; t++) {
		hd_judge_paths(judge, rule, state, &judge->trees[t]);
		if (state->has_loads)
			hd_judge_add_load(judge, state, &judge->trees[t]);
	}
	if (state->has_redundancy)
		ret = hd_judge_lids(judge, rule, state, err);
	judge->n_trees = n_trees;
	return ret;
}

/* All paths to the port that has @lid as its first LID. */
static int judge_port(struct hd_judge *judge, uint32_t lid, struct hd_error *err)
{
	const uint32_t port = judge->fabric->lids[lid].port;
	int ret;

	if (port == HD_NONE || judge->fabric->ports[port].lid != lid ||
	    judge->members.at[port] == HD_NONE || !is_wanted(judge, port))
		return 0;
	judge->owner = port;
	ret = grow_trees(judge, lid, err);
	for (uint32_t r = 0; !ret && r < judge->rules->n_rules; r++)
		if (hd_members_of(&judge->members, judge->rules->rules[r].to)[port])
			ret = judge_rule(judge, r, err);
	return ret;
}

static void sum_up(struct hd_judge *judge)
{
	const struct hd_rules *rules = judge->rules;
	struct hd_rules_verdict *verdict = judge->verdict;

	for (uint32_t r = 0; r < rules->n_rules; r++) {
		const struct hd_rule_state *state = &judge->states[r];

		if (state->has_loads)
			hd_judge_loads(judge, &rules->rules[r], state);
		if (state->has_redundancy)
			hd_judge_together(judge, &rules->rules[r], &judge->states[r]);
	}
	for (uint32_t d = 0; d < rules->n_demands; d++)
		verdict->n_bad += verdict->demands[d].n_bad != 0;
}

int hd_rules_judge(const struct hd_rules *rules, const struct hd_tables *tables, uint64_t *done,
		   struct hd_rules_verdict *verdict, struct hd_error *err)
{
	struct hd_judge judge = {
		.rules = rules, .tables = tables, .fabric = tables->fabric, .verdict = verdict
	};
	int ret;

	*verdict = (struct hd_rules_verdict){ 0 };
	ret = begin(&judge, err);
	for (uint32_t lid = 1; !ret && lid <= judge.fabric->top_lid; lid++) {
		ret = judge_port(&judge, lid, err);
		if (done)
			__atomic_add_fetch(done, 1, __ATOMIC_RELAXED);
	}
	if (!ret)
		sum_up(&judge);
	end(&judge);
	return ret;
}

void hd_rules_verdict_clear(struct hd_rules_verdict *verdict)
{
	free(verdict->demands);
	free(verdict->nodes);
	*verdict = (struct hd_rules_verdict){ 0 };
}
