// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/fat_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "support/error.h"
#include "topologies/no_hosts.h"
#include "topologies/switch_levels.h"
#include "topologies/union_find.h"

#define MOST_LEVELS 32

static uint32_t level_of(const struct hd_fat_tree *tree, const struct hd_fabric *fabric,
			 uint32_t node)
{
	return node < fabric->n_switches ? tree->level[node] : HD_NONE;
}

/* The node at the other end of @number if that is a switch of a higher level; else HD_NONE. */
static uint32_t parent_by(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
			  uint32_t s, unsigned number)
{
	uint32_t peer = hd_peer_node(fabric, s, number);

	return peer < fabric->n_switches && tree->level[peer] > tree->level[s] ? peer : HD_NONE;
}

static int allocate(const struct hd_fabric *fabric, struct hd_fat_tree **result,
		    struct hd_error *err)
{
	const size_t n = fabric->n_switches + (size_t)1;
	struct hd_fat_tree *tree = calloc(1, sizeof(*tree));

	*result = tree;
	if (!tree)
		return hd_error_nomem(err);
	tree->level = calloc(n, sizeof(*tree->level));
	tree->n_at = calloc(MOST_LEVELS, sizeof(*tree->n_at));
	tree->order = malloc(n * sizeof(*tree->order));
	tree->siblings = malloc(n * sizeof(*tree->siblings));
	tree->rank = calloc(n, sizeof(*tree->rank));
	tree->sibling = calloc(n, sizeof(*tree->sibling));
	tree->slot_parent = malloc((fabric->n_ports + (size_t)1) * sizeof(*tree->slot_parent));
	tree->divider = malloc(n * sizeof(*tree->divider));
	if (!tree->level || !tree->n_at || !tree->order || !tree->siblings || !tree->rank ||
	    !tree->sibling || !tree->slot_parent || !tree->divider)
		return hd_error_nomem(err);
	return 0;
}

/*
 * Where few end nodes are on spines, those spines look like leaves: then switches with fewer end
 * nodes than a quarter, or half, of the most are tried as switches without.
 */
static int find_levels(const struct hd_fabric *fabric, const bool *no_host,
		       struct hd_fat_tree *tree, struct hd_error *err)
{
	struct hd_switch_levels levels;
	uint32_t most = 0;
	int ret = hd_switch_levels_find_above(fabric, no_host, 0, &levels, err);

	for (uint32_t s = 0; !ret && s < fabric->n_switches; s++)
		if (levels.hosts[s] > most)
			most = levels.hosts[s];
	for (uint32_t share = 4; !ret && share > 1 && !hd_switch_levels_are_of_tree(&levels);
	     share /= 2) {
		if (most < 2 * share)
			continue;
		hd_switch_levels_clear(&levels);
		ret = hd_switch_levels_find_above(fabric, no_host, most / share, &levels, err);
	}
	if (!ret && fabric->n_switches > 1 && !hd_switch_levels_are_of_tree(&levels))
		ret = levels.n_levels == 1
			      ? hd_error_set(err, HD_EREFUSED,
					     "not a fat tree: the switches have no levels, "
					     "all of them have end nodes, or none has")
			      : hd_error_set(err, HD_EREFUSED,
					     "not a fat tree: %" PRIu32 " of %" PRIu32
					     " links between switches are within a level",
					     levels.n_links - levels.n_across, levels.n_links);
	if (!ret && levels.n_levels > MOST_LEVELS)
		ret = hd_error_set(err, HD_EREFUSED, "not a fat tree: %" PRIu32 " levels",
				   levels.n_levels);
	if (!ret)
		tree->n_levels = levels.n_levels;
	for (uint32_t s = 0; !ret && s < fabric->n_switches; s++) {
		/* switches that are linked with no leaf stand beside these */
		tree->level[s] = (uint8_t)(levels.level[s] == HD_NONE ? 0 : levels.level[s]);
		tree->n_at[tree->level[s]]++;
	}
	hd_switch_levels_clear(&levels);
	return ret;
}

/* Scratch for siblings. */
struct kin {
	uint32_t *parents; /* [first[s] ..] parents of s, with a number for each cable, ascending */
	uint32_t *first;   /* [switch + 1] */
	uint32_t *mark;    /* [switch] the last switch that looked at it */
	uint32_t *last_kid; /* [switch] siblings of its last child */
	uint32_t *leader;   /* [siblings] their first member */
	uint32_t *member;   /* [n_switches] by siblings */
	uint32_t *first_of; /* [siblings + 1] in member[] */
	uint64_t *sorted;   /* keys and parents */
	uint64_t *key;      /* [siblings] what the slots of those below are ordered by */
	uint32_t *count;    /* [parent] members with a cable more */
};

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void list_parents(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
			 struct kin *kin)
{
	uint32_t n = 0;

	hd_for_each_switch(s, fabric) {
		kin->first[s] = n;
		hd_for_each_number(number, fabric, s) {
			uint32_t parent = parent_by(fabric, tree, s, number);

			if (parent != HD_NONE)
				kin->parents[n++] = parent;
		}
		qsort(kin->parents + kin->first[s], n - kin->first[s], sizeof(*kin->parents),
		      compare_numbers);
	}
	kin->first[fabric->n_switches] = n;
}

/* Whether half and more of the parents of both are common ones; those of @s are marked. */
static bool are_siblings(const struct kin *kin, uint32_t s, uint32_t other)
{
	uint32_t n_mine = 0, n_theirs = 0, n_common = 0;

	for (uint32_t i = kin->first[s]; i < kin->first[s + 1]; i++)
		n_mine += i == kin->first[s] || kin->parents[i] != kin->parents[i - 1];
	for (uint32_t i = kin->first[other]; i < kin->first[other + 1]; i++) {
		if (i > kin->first[other] && kin->parents[i] == kin->parents[i - 1])
			continue;
		n_theirs++;
		n_common += kin->mark[kin->parents[i]] == s;
	}
	return 2 * n_common >= n_mine && 2 * n_common >= n_theirs;
}

static void find_siblings(const struct hd_fabric *fabric, struct hd_fat_tree *tree, struct kin *kin)
{
	memset(kin->mark, 0xFF, fabric->n_switches * sizeof(*kin->mark));
	memset(kin->last_kid, 0xFF, fabric->n_switches * sizeof(*kin->last_kid));
	hd_for_each_switch(s, fabric) {
		uint32_t found = HD_NONE, tried = HD_NONE;

		tree->siblings[s] = HD_NONE;
		if (kin->first[s] == kin->first[s + 1])
			continue;
		for (uint32_t i = kin->first[s]; i < kin->first[s + 1]; i++)
			kin->mark[kin->parents[i]] = s;
		for (uint32_t i = kin->first[s]; i < kin->first[s + 1] && found == HD_NONE; i++) {
			uint32_t kid = kin->last_kid[kin->parents[i]];

			if (kid == HD_NONE || kid == tried)
				continue;
			tried = kid;
			if (tree->level[kin->leader[kid]] == tree->level[s] &&
			    are_siblings(kin, s, kin->leader[kid]))
				found = kid;
		}
		if (found == HD_NONE) {
			found = tree->n_siblings++;
			kin->leader[found] = s;
		}
		tree->siblings[s] = found;
		tree->rank[s] = tree->sibling[found].n_members++;
		for (uint32_t i = kin->first[s]; i < kin->first[s + 1]; i++)
			kin->last_kid[kin->parents[i]] = found;
	}
}

static void list_members(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
			 struct kin *kin)
{
	uint32_t n = 0;

	for (uint32_t c = 0; c < tree->n_siblings; c++) {
		kin->first_of[c] = n;
		n += tree->sibling[c].n_members;
	}
	kin->first_of[tree->n_siblings] = n;
	hd_for_each_switch(s, fabric)
		if (tree->siblings[s] != HD_NONE)
			kin->member[kin->first_of[tree->siblings[s]] + tree->rank[s]] = s;
}

static uint64_t key_of(const struct hd_fat_tree *tree, const struct kin *kin, uint32_t s)
{
	return tree->siblings[s] == HD_NONE ? s : kin->key[tree->siblings[s]];
}

/*
 * Siblings go by the first of their parents, from the top down: so parents have the same order in
 * every pod, by the plane that they are in, whatever their GUIDs are.
 */
static void find_keys(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
		      struct kin *kin)
{
	memset(kin->key, 0xFF, tree->n_siblings * sizeof(*kin->key));
	for (unsigned level = tree->n_levels; level-- > 0;)
		hd_for_each_switch(s, fabric)
			for (uint32_t i = kin->first[s];
			     tree->level[s] == level && i < kin->first[s + 1]; i++) {
				uint64_t key = key_of(tree, kin, kin->parents[i]);

				if (key < kin->key[tree->siblings[s]])
					kin->key[tree->siblings[s]] = key;
			}
}

static void order_slots(struct hd_fat_tree *tree, struct kin *kin, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; i++)
		kin->sorted[i - begin] =
			key_of(tree, kin, tree->slot_parent[i]) << 32 | tree->slot_parent[i];
	qsort(kin->sorted, end - begin, sizeof(*kin->sorted), compare_keys);
	for (uint32_t i = begin; i < end; i++)
		tree->slot_parent[i] = (uint32_t)kin->sorted[i - begin];
}

/*
 * Lists the parents to which half and more of the members have @cable parallel cables and one more.
 * Returns whether any member has so many at all.
 */
static bool add_slots(struct hd_fat_tree *tree, struct kin *kin, uint32_t c, uint32_t cable,
		      uint32_t *n_slots)
{
	struct hd_siblings *siblings = &tree->sibling[c];
	const uint32_t begin = *n_slots;
	bool any = false;

	for (unsigned add = 1; add < 2; add--) { /* counts, then forgets the counts */
		for (uint32_t m = kin->first_of[c]; m < kin->first_of[c + 1]; m++) {
			uint32_t s = kin->member[m], run = 0;

			for (uint32_t i = kin->first[s]; i < kin->first[s + 1]; i++) {
				uint32_t parent = kin->parents[i];

				run = i > kin->first[s] && kin->parents[i - 1] == parent ? run + 1
											 : 0;
				if (run != cable)
					continue;
				any = true;
				if (!add)
					kin->count[parent] = 0;
				else if (2 * ++kin->count[parent] >= siblings->n_members &&
					 2 * (kin->count[parent] - 1) < siblings->n_members)
					tree->slot_parent[(*n_slots)++] = parent;
			}
		}
	}
	order_slots(tree, kin, begin, *n_slots);
	return any;
}

static void find_slots(struct hd_fat_tree *tree, struct kin *kin)
{
	uint32_t n_slots = 0;

	for (uint32_t c = 0; c < tree->n_siblings; c++) {
		struct hd_siblings *siblings = &tree->sibling[c];

		siblings->first_slot = n_slots;
		for (uint32_t cable = 0; add_slots(tree, kin, c, cable, &n_slots); cable++)
			if (cable == 0)
				siblings->n_parents = n_slots - siblings->first_slot;
		siblings->n_slots = n_slots - siblings->first_slot;
	}
}

static void note(uint32_t *n, uint32_t pair[2], uint32_t many, uint32_t a, uint32_t b)
{
	if (!*n) {
		pair[0] = a;
		pair[1] = b;
	}
	*n += many;
}

/* Counts what the members lack of the slots, and what they have beside them. */
static void count_gaps(struct hd_fat_tree *tree, struct kin *kin, uint32_t s)
{
	const struct hd_siblings *siblings = &tree->sibling[tree->siblings[s]];
	const uint32_t *slots = tree->slot_parent + siblings->first_slot;

	/* count[] is what there is more in cables than in slots */
	for (uint32_t i = kin->first[s]; i < kin->first[s + 1]; i++)
		kin->count[kin->parents[i]]++;
	for (uint32_t i = 0; i < siblings->n_slots; i++) {
		if (kin->count[slots[i]])
			kin->count[slots[i]]--;
		else
			note(&tree->n_missing, tree->missing, 1, s, slots[i]);
	}
	for (uint32_t i = kin->first[s]; i < kin->first[s + 1]; i++) {
		uint32_t parent = kin->parents[i];

		if (kin->count[parent])
			note(&tree->n_odd, tree->odd, kin->count[parent], s, parent);
		kin->count[parent] = 0;
	}
}

/* Sets the dividers, level by level. */
static void find_dividers(const struct hd_fabric *fabric, struct hd_fat_tree *tree,
			  const struct kin *kin)
{
	hd_for_each_switch(s, fabric)
		tree->divider[s] = 1;
	for (unsigned level = 0; level < tree->n_levels; level++)
		hd_for_each_switch(s, fabric) {
			uint64_t above = tree->divider[s];

			if (tree->level[s] != level || tree->siblings[s] == HD_NONE)
				continue;
			if (tree->sibling[tree->siblings[s]].n_parents)
				above *= tree->sibling[tree->siblings[s]].n_parents;
			if (above > HD_MAX_LID)
				above = HD_MAX_LID + 1; /* beyond any number of a destination */
			for (uint32_t i = kin->first[s]; i < kin->first[s + 1]; i++)
				if (tree->divider[kin->parents[i]] < above)
					tree->divider[kin->parents[i]] = (uint32_t)above;
		}
}

static int find_kin(const struct hd_fabric *fabric, struct hd_fat_tree *tree, struct hd_error *err)
{
	const size_t n = fabric->n_switches + (size_t)1;
	struct kin kin = {
		.parents = malloc((fabric->n_ports + (size_t)1) * sizeof(*kin.parents)),
		.first = malloc(n * sizeof(*kin.first)),
		.mark = malloc(n * sizeof(*kin.mark)),
		.last_kid = malloc(n * sizeof(*kin.last_kid)),
		.leader = malloc(n * sizeof(*kin.leader)),
		.member = malloc(n * sizeof(*kin.member)),
		.first_of = malloc(n * sizeof(*kin.first_of)),
		.key = malloc(n * sizeof(*kin.key)),
		.sorted = malloc(n * sizeof(*kin.sorted)),
		.count = calloc(n, sizeof(*kin.count)),
	};
	int ret = 0;

	if (!kin.parents || !kin.first || !kin.mark || !kin.last_kid || !kin.leader || !kin.key ||
	    !kin.sorted || !kin.member || !kin.first_of || !kin.count) {
		ret = hd_error_nomem(err);
	} else {
		list_parents(fabric, tree, &kin);
		find_siblings(fabric, tree, &kin);
		list_members(fabric, tree, &kin);
		find_keys(fabric, tree, &kin);
		find_slots(tree, &kin);
		hd_for_each_switch(s, fabric)
			if (tree->siblings[s] != HD_NONE)
				count_gaps(tree, &kin, s);
		find_dividers(fabric, tree, &kin);
	}
	free(kin.parents);
	free(kin.first);
	free(kin.mark);
	free(kin.last_kid);
	free(kin.leader);
	free(kin.member);
	free(kin.first_of);
	free(kin.key);
	free(kin.sorted);
	free(kin.count);
	return ret;
}

/* A switch with what stands before its number in the order along the tree. */
struct place {
	uint32_t s;
	bool is_above;
	uint32_t part[MOST_LEVELS]; /* [level] the least leaf of those that are linked by no
					   higher switches */
	unsigned n_levels;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->is_above != y->is_above)
		return x->is_above ? 1 : -1;
	for (unsigned l = x->n_levels; !x->is_above && l-- > 0;)
		if (x->part[l] != y->part[l])
			return x->part[l] < y->part[l] ? -1 : 1;
	return (x->s > y->s) - (x->s < y->s);
}

static int find_order(const struct hd_fabric *fabric, struct hd_fat_tree *tree,
		      struct hd_error *err)
{
	const uint32_t n = fabric->n_switches;
	struct place *places = malloc((n + (size_t)1) * sizeof(*places));
	uint32_t *set = malloc((n + (size_t)1) * sizeof(*set));

	if (!places || !set) {
		free(places);
		free(set);
		return hd_error_nomem(err);
	}
	for (uint32_t s = 0; s < n; s++) {
		places[s] = (struct place){ .s = s,
					    .is_above = tree->level[s],
					    .n_levels = tree->n_levels };
		set[s] = s;
	}
	for (unsigned level = 0; level < tree->n_levels; level++) {
		hd_for_each_switch(s, fabric) {
			if (tree->level[s] > level)
				continue;
			hd_for_each_number(number, fabric, s)
				if (level_of(tree, fabric, hd_peer_node(fabric, s, number)) <=
				    level)
					hd_union(set, s, hd_peer_node(fabric, s, number));
		}
		hd_for_each_switch(s, fabric)
			places[s].part[level] = hd_find(set, s);
	}
	qsort(places, n, sizeof(*places), compare_places);
	for (uint32_t i = 0; i < n; i++)
		tree->order[i] = places[i].s;
	free(places);
	free(set);
	return 0;
}

static void count_odd_things(const struct hd_fabric *fabric, struct hd_fat_tree *tree)
{
	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer == HD_NONE)
				continue;
			if (peer < fabric->n_switches) {
				if (peer > s && tree->level[peer] == tree->level[s])
					note(&tree->n_within, tree->within, 1, s, peer);
				continue;
			}
			if (!tree->level[s])
				continue;
			tree->n_above++;
			tree->n_aggregation += hd_is_aggregation_node(fabric, peer);
		}
}

/* Counts the pairs of leaves that no way up and down joins; with a bit for every leaf. */
static int count_apart(const struct hd_fabric *fabric, struct hd_fat_tree *tree,
		       struct hd_error *err)
{
	const uint32_t n_leaves = tree->n_at[0];
	const size_t words = (n_leaves + (size_t)63) / 64;
	uint64_t *reach = calloc(fabric->n_switches * words + 1, sizeof(*reach));
	uint64_t joined = 0;

	if (!reach)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n_leaves; i++)
		reach[tree->order[i] * words + i / 64] = UINT64_C(1) << i % 64;
	/* up: what is below; then down: what can be reached by those above */
	for (unsigned turn = 0; turn < 2 * tree->n_levels; turn++) {
		const unsigned level = turn < tree->n_levels ? turn : 2 * tree->n_levels - 1 - turn;

		hd_for_each_switch(s, fabric) {
			if (tree->level[s] != level)
				continue;
			hd_for_each_number(number, fabric, s) {
				uint32_t parent = parent_by(fabric, tree, s, number);
				const bool is_up = turn < tree->n_levels;
				uint64_t *to, *from;

				if (parent == HD_NONE)
					continue;
				to = reach + (is_up ? parent : s) * words;
				from = reach + (is_up ? s : parent) * words;
				for (size_t w = 0; w < words; w++)
					to[w] |= from[w];
			}
		}
	}
	for (uint32_t i = 0; i < n_leaves; i++)
		for (size_t w = 0; w < words; w++)
			joined += (uint64_t)__builtin_popcountll(reach[tree->order[i] * words + w]);
	free(reach);
	tree->n_apart = (uint32_t)(((uint64_t)n_leaves * n_leaves - joined) / 2);
	return 0;
}

int hd_fat_tree_recognise(const struct hd_fabric *fabric, struct hd_fat_tree **result,
			  struct hd_error *err)
{
	return hd_fat_tree_recognise_without(fabric, NULL, result, err);
}

int hd_fat_tree_recognise_without(const struct hd_fabric *fabric, const char *no_hosts,
				  struct hd_fat_tree **result, struct hd_error *err)
{
	struct hd_fat_tree *tree;
	bool *no_host = NULL;
	int ret = fabric->n_switches ? 0 : HD_EREFUSED;

	*result = NULL;
	if (ret)
		return hd_error_set(err, ret, "not a fat tree: there are no switches");
	ret = allocate(fabric, &tree, err);
	if (!ret)
		ret = hd_no_hosts_find(fabric, no_hosts, &no_host, err);
	if (!ret)
		ret = find_levels(fabric, no_host, tree, err);
	free(no_host);
	if (!ret)
		ret = find_order(fabric, tree, err);
	if (!ret)
		ret = find_kin(fabric, tree, err);
	if (!ret)
		ret = count_apart(fabric, tree, err);
	if (!ret && tree->n_apart * UINT64_C(16) > (uint64_t)tree->n_at[0] * tree->n_at[0])
		ret = hd_error_set(err, HD_EREFUSED,
				   "not a fat tree: %" PRIu32 " of %" PRIu64
				   " pairs of leaf switches have no path up and down",
				   tree->n_apart,
				   tree->n_at[0] * (tree->n_at[0] - UINT64_C(1)) / 2);
	if (ret) {
		hd_fat_tree_free(tree);
		return ret;
	}
	count_odd_things(fabric, tree);
	*result = tree;
	return 0;
}

void hd_fat_tree_free(struct hd_fat_tree *tree)
{
	if (!tree)
		return;
	free(tree->level);
	free(tree->n_at);
	free(tree->order);
	free(tree->siblings);
	free(tree->rank);
	free(tree->sibling);
	free(tree->slot_parent);
	free(tree->divider);
	free(tree);
}

bool hd_fat_tree_is_perfect(const struct hd_fat_tree *tree)
{
	return !tree->n_missing && !tree->n_odd && !tree->n_within && !tree->n_apart;
}
