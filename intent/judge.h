/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Judges the paths of tables by the rules of a file: destination by destination, with a tree of
 * paths for each of its LIDs (intent/lid_tree.h). heddle-rules(5) says what each demand means.
 */
#ifndef HD_INTENT_JUDGE_H
#define HD_INTENT_JUDGE_H

#include "intent/lid_tree.h"
#include "intent/verdicts.h"

struct hd_error;

/*
 * @done, if not NULL, counts LIDs. HD_EPARSE, with a line of the rule file: the fabric has no
 * groups or levels that the file asks for; HD_ENOMEM. Clear @verdict in any case.
 */
int hd_rules_judge(const struct hd_rules *rules, const struct hd_tables *tables, uint64_t *done,
		   struct hd_rules_verdict *verdict, struct hd_error *err);
void hd_rules_verdict_clear(struct hd_rules_verdict *verdict);

/* What follows is internal to intent/. */

/* Sources of a rule whose paths to a LID are the same but for the first link. */
struct hd_source_group {
	uint32_t at; /* switch */
	uint32_t rail;
	uint32_t sl_row;
	uint32_t first, n; /* in sources[] of the rule */
};

struct hd_rule_state {
	uint32_t n_groups, n_sources;
	struct hd_source_group *groups;
	uint32_t *sources;  /* ports, by group */
	uint32_t *group_of; /* [port] HD_NONE: no source */
	uint32_t *sl_rows;  /* [n_sl_rows] those of the sources, where a demand asks for SLs */
	uint32_t n_sl_rows;
	bool has_loads;
	uint64_t *flows;            /* [port] that leave it to another switch */
	uint32_t *starts;           /* [switch] sources */
	struct hd_path_pool *pools; /* [demand of the rule * n_groups + group] where together */
	bool has_redundancy;
};

struct hd_judge {
	const struct hd_rules *rules;
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	struct hd_members members;
	struct hd_tree_view view;
	uint32_t *mark_of; /* [demand] its bit of marks */
	struct hd_rule_state *states;
	struct hd_rules_verdict *verdict;
	uint32_t *starts; /* [n_starts] switches that have sources of any rule */
	uint32_t n_starts;
	struct hd_lid_tree *trees; /* [n_trees] of the LIDs of one port */
	uint32_t n_trees;
	uint32_t owner; /* of these LIDs */
	/* scratch */
	uint32_t *carried; /* [switch] */
	uint32_t *stamps;  /* [port] */
	uint32_t stamp;
	struct hd_path *path;
};

/* Sources of @group that are not @owner. */
static inline uint32_t hd_others(const struct hd_rule_state *state, uint32_t group, uint32_t owner)
{
	return state->groups[group].n - (state->group_of[owner] == group);
}

/*
 * Counts a violation of @n sources of @group by @demand; @what is the example, but for its source.
 */
void hd_judge_count(struct hd_judge *judge, uint32_t demand, uint32_t group, uint32_t n,
		    struct hd_violation what);

/* The demands on single paths, to the LID of @tree. */
void hd_judge_paths(struct hd_judge *judge, const struct hd_rule *rule, struct hd_rule_state *state,
		    struct hd_lid_tree *tree);

/* Adds the flows to the LID of @tree; judges all when they are added. */
void hd_judge_add_load(struct hd_judge *judge, struct hd_rule_state *state,
		       const struct hd_lid_tree *tree);
void hd_judge_loads(struct hd_judge *judge, const struct hd_rule *rule,
		    const struct hd_rule_state *state);

/* Redundancy: of the LIDs of one port, then of all ports together. HD_ENOMEM. */
int hd_judge_lids(struct hd_judge *judge, const struct hd_rule *rule, struct hd_rule_state *state,
		  struct hd_error *err);
void hd_judge_together(struct hd_judge *judge, const struct hd_rule *rule,
		       struct hd_rule_state *state);
int hd_redundancy_init(struct hd_judge *judge, const struct hd_rule *rule,
		       struct hd_rule_state *state, struct hd_error *err);
void hd_redundancy_clear(struct hd_rule_state *state);
struct hd_path *hd_path_new(uint32_t n_switches);
void hd_path_free(struct hd_path *path);

#endif
