// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/tree_ways.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

#define NOT_SEEN UINT32_MAX
#define COLUMNS  512 /* of a block of rows that stays in the cache */

static int compare_groups(const void *a, const void *b)
{
	const struct hd_tree_group *x = a, *y = b;

	return (x->peer > y->peer) - (x->peer < y->peer);
}

/* Lists the groups of @s; their cables go to cable[] from @n_cables on. */
static uint32_t list_groups(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
			    struct hd_tree_ways *ways, uint32_t s, uint32_t *n_cables,
			    uint32_t *group_of)
{
	const uint32_t begin = ways->first_group[s];
	struct hd_tree_group *groups = ways->group + begin;
	uint32_t n = 0;

	hd_for_each_number(number, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, number);

		if (peer >= fabric->n_switches || peer == s)
			continue;
		if (group_of[peer] == NOT_SEEN) {
			group_of[peer] = n;
			groups[n++] = (struct hd_tree_group){
				.peer = peer, .is_up = tree->level[peer] > tree->level[s]
			};
		}
		groups[group_of[peer]].n_cables++;
	}
	qsort(groups, n, sizeof(*groups), compare_groups);
	for (uint32_t g = 0; g < n; g++) {
		groups[g].first_cable = *n_cables;
		*n_cables += groups[g].n_cables;
		groups[g].n_cables = 0;
		group_of[groups[g].peer] = g;
	}
	hd_for_each_number(number, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, number);
		struct hd_tree_group *group;

		if (peer >= fabric->n_switches || peer == s)
			continue;
		group = &groups[group_of[peer]];
		ways->cable[group->first_cable + group->n_cables++] = (uint8_t)number;
	}
	for (uint32_t g = 0; g < n; g++)
		group_of[groups[g].peer] = NOT_SEEN;
	return begin + n;
}

/* Lists @leaf and what is above it in @crown; returns how many. */
static uint32_t list_crown(const struct hd_tree_ways *ways, uint32_t leaf, uint32_t *crown,
			   uint32_t *mark)
{
	uint32_t n = 0;

	crown[n++] = leaf;
	mark[leaf] = leaf;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t g = ways->first_group[crown[i]]; g < ways->first_group[crown[i] + 1];
		     g++) {
			uint32_t peer = ways->group[g].peer;

			if (!ways->group[g].is_up || mark[peer] == leaf)
				continue;
			mark[peer] = leaf;
			crown[n++] = peer;
		}
	return n;
}

/* Of the leaves without a rank, that with most above it, the first along the tree. */
static uint32_t find_middle(const struct hd_fat_tree *tree, const struct hd_tree_ways *ways,
			    uint32_t *crown, uint32_t *mark)
{
	uint32_t middle = HD_NONE, most = 0;

	memset(mark, 0xFF, ways->n * sizeof(*mark));
	for (uint32_t i = 0; i < tree->n_at[0]; i++) {
		uint32_t n;

		if (ways->rank[tree->order[i]] != NOT_SEEN)
			continue;
		n = list_crown(ways, tree->order[i], crown, mark);
		if (n > most) {
			most = n;
			middle = tree->order[i];
		}
	}
	return middle;
}

static void append(struct hd_tree_ways *ways, uint32_t s, uint32_t *n)
{
	ways->rank[s] = *n;
	ways->order[(*n)++] = s;
}

/* Appends what stands below the crown, and then what is left of the part. */
static void append_below(const struct hd_fat_tree *tree, struct hd_tree_ways *ways, uint32_t begin,
			 uint32_t *n)
{
	for (unsigned level = tree->n_levels; level-- > 0;)
		for (uint32_t s = 0; s < ways->n; s++) {
			bool is_below = false;

			if (tree->level[s] != level || ways->rank[s] != NOT_SEEN)
				continue;
			for (uint32_t g = ways->first_group[s]; g < ways->first_group[s + 1]; g++)
				is_below |= ways->group[g].is_up &&
					    ways->rank[ways->group[g].peer] != NOT_SEEN;
			if (is_below)
				append(ways, s, n);
		}
	for (uint32_t i = begin; i < *n; i++)
		for (uint32_t g = ways->first_group[ways->order[i]];
		     g < ways->first_group[ways->order[i] + 1]; g++)
			if (ways->rank[ways->group[g].peer] == NOT_SEEN)
				append(ways, ways->group[g].peer, n);
}

static int order_switches(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
			  struct hd_tree_ways *ways, uint32_t *crown, uint32_t *mark,
			  struct hd_error *err)
{
	const uint32_t middle = find_middle(tree, ways, crown, mark);
	uint32_t n = 0, n_crown;

	memset(mark, 0xFF, ways->n * sizeof(*mark));
	n_crown = list_crown(ways, middle, crown, mark);
	/* levels ascend in a crown that is listed breadth first, but for links that skip some */
	for (unsigned level = 0; level < tree->n_levels; level++)
		for (uint32_t i = 0; i < n_crown; i++)
			if (tree->level[crown[i]] == level)
				append(ways, crown[i], &n);
	append_below(tree, ways, 0, &n);
	for (uint32_t s = 0; s < ways->n && n < ways->n; s++)
		if (ways->rank[s] == NOT_SEEN) {
			char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

			return hd_error_set(err, HD_EREFUSED,
					    "the fabric is in parts: no path leads from switch %s "
					    "to switch %s",
					    hd_node_label(fabric, middle, one, sizeof(one)),
					    hd_node_label(fabric, s, other, sizeof(other)));
		}
	return 0;
}

/* The lesser of @row and one link more than @beyond. */
static void take_lesser(uint8_t *restrict row, const uint8_t *restrict beyond, uint32_t n)
{
	HD_TREE_ROWS
	for (uint32_t i = 0; i < n; i++) {
		uint8_t length = (uint8_t)(beyond[i] + (beyond[i] < HD_TREE_FAR));

		row[i] = length < row[i] ? length : row[i];
	}
}

static void prefer(uint8_t *restrict row, const uint8_t *restrict fall, uint32_t n)
{
	HD_TREE_ROWS
	for (uint32_t i = 0; i < n; i++)
		row[i] = fall[i] < HD_TREE_FAR ? fall[i] : row[i];
}

/* Ways to the destinations @begin .. @begin + @n - 1. */
static void find_columns(struct hd_tree_ways *ways, uint32_t begin, uint32_t n)
{
	for (uint32_t i = ways->n; i-- > 0;) {
		const uint32_t s = ways->order[i];
		uint8_t *row = ways->fall + (size_t)s * ways->n + begin;

		memset(row, HD_TREE_FAR, n);
		if (s - begin < n)
			row[s - begin] = 0;
		for (uint32_t g = ways->first_group[s]; g < ways->first_group[s + 1]; g++)
			if (!ways->group[g].is_rising)
				take_lesser(row,
					    ways->fall + (size_t)ways->group[g].peer * ways->n +
						    begin,
					    n);
	}
	for (uint32_t i = 0; i < ways->n; i++) {
		const uint32_t s = ways->order[i];
		uint8_t *row = ways->way + (size_t)s * ways->n + begin;

		memset(row, HD_TREE_FAR, n);
		for (uint32_t g = ways->first_group[s]; g < ways->first_group[s + 1]; g++)
			if (ways->group[g].is_rising)
				take_lesser(row,
					    ways->way + (size_t)ways->group[g].peer * ways->n +
						    begin,
					    n);
		prefer(row, ways->fall + (size_t)s * ways->n + begin, n);
	}
}

int hd_tree_ways_order(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
		       struct hd_tree_ways *ways, struct hd_error *err)
{
	const uint32_t n = fabric->n_switches;
	const size_t room = n + (size_t)1, cables = fabric->n_ports + (size_t)1;
	uint32_t *crown = malloc(room * sizeof(*crown)), *mark = malloc(room * sizeof(*mark));
	uint32_t n_cables = 0;
	int ret = 0;

	*ways = (struct hd_tree_ways){
		.n = n,
		.order = malloc(room * sizeof(*ways->order)),
		.rank = malloc(room * sizeof(*ways->rank)),
		.first_group = malloc(room * sizeof(*ways->first_group)),
		.group = malloc(cables * sizeof(*ways->group)),
		.cable = malloc(cables),
	};
	if (!crown || !mark || !ways->order || !ways->rank || !ways->first_group || !ways->group ||
	    !ways->cable)
		ret = hd_error_nomem(err);
	if (!ret) {
		memset(ways->rank, 0xFF, room * sizeof(*ways->rank));
		memset(mark, 0xFF, room * sizeof(*mark));
		ways->first_group[0] = 0;
		for (uint32_t s = 0; s < n; s++)
			ways->first_group[s + 1] =
				list_groups(fabric, tree, ways, s, &n_cables, mark);
		ret = order_switches(fabric, tree, ways, crown, mark, err);
	}
	free(crown);
	free(mark);
	for (uint32_t s = 0; !ret && s < n; s++)
		for (uint32_t g = ways->first_group[s]; g < ways->first_group[s + 1]; g++)
			ways->group[g].is_rising = ways->rank[ways->group[g].peer] < ways->rank[s];
	return ret;
}

int hd_tree_ways_find(const struct hd_fabric *fabric, const struct hd_fat_tree *tree,
		      struct hd_tree_ways *ways, struct hd_error *err)
{
	const uint32_t n = fabric->n_switches;
	int ret = hd_tree_ways_order(fabric, tree, ways, err);

	if (ret)
		return ret;
	ways->fall = hd_alloc_large((size_t)n * n + 1);
	ways->way = hd_alloc_large((size_t)n * n + 1);
	if (!ways->fall || !ways->way)
		return hd_error_nomem(err);
#pragma omp parallel for schedule(dynamic, 1) if (n > 64)
	for (uint32_t begin = 0; begin < n; begin += COLUMNS)
		find_columns(ways, begin, n - begin < COLUMNS ? n - begin : COLUMNS);
	return 0;
}

void hd_tree_ways_clear(struct hd_tree_ways *ways)
{
	free(ways->order);
	free(ways->rank);
	free(ways->first_group);
	free(ways->group);
	free(ways->cable);
	free(ways->fall);
	free(ways->way);
	*ways = (struct hd_tree_ways){ 0 };
}
