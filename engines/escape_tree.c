// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/escape_tree.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define LISTED (HD_NONE - 1) /* in place of a position: of the next level */

/* What is needed while a tree grows. */
struct growth {
	struct hd_escape_tree *tree;
	const struct hd_turn_graph *graph;
	uint32_t *order;  /* [position] switch */
	uint32_t *branch; /* [switch] the child of the root that it is below */
	uint32_t *size;   /* [switch] switches below it */
};

/* The switches that are next to those at positions begin .. end - 1, from @end on. */
static uint32_t list_level(struct growth *growth, uint32_t begin, uint32_t end)
{
	const struct hd_turn_graph *graph = growth->graph;
	uint32_t n = end;

	for (uint32_t i = begin; i < end; i++) {
		const uint32_t s = growth->order[i];

		for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++) {
			if (growth->tree->position[graph->to[c]] != HD_NONE)
				continue;
			growth->tree->position[graph->to[c]] = LISTED;
			growth->order[n++] = graph->to[c];
		}
	}
	return n;
}

/* Hangs @s below one at positions begin .. end - 1: in the smallest branch, there the smallest. */
static void hang(struct growth *growth, uint32_t s, uint32_t begin, uint32_t end)
{
	const struct hd_turn_graph *graph = growth->graph;
	const uint32_t *parent = growth->tree->parent;
	uint32_t best = HD_NONE, above;
	uint64_t least = UINT64_MAX;

	for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++) {
		const uint32_t peer = graph->to[c];
		uint64_t size;

		if (growth->tree->position[peer] < begin || growth->tree->position[peer] >= end)
			continue;
		size = (uint64_t)growth->size[growth->branch[peer]] << 32 | growth->size[peer];
		if (size >= least)
			continue;
		least = size;
		best = c;
	}
	growth->tree->parent[s] = best;
	above = graph->to[best];
	growth->branch[s] = parent[above] == HD_NONE ? s : growth->branch[above];
	for (; parent[above] != HD_NONE; above = graph->to[parent[above]])
		growth->size[above]++;
}

/* Appends the part of the fabric that @root is in. Returns the end of the order. */
static uint32_t grow(struct growth *growth, uint32_t root, uint32_t begin)
{
	uint32_t end = begin + 1;

	growth->order[begin] = root;
	growth->tree->position[root] = begin;
	growth->tree->parent[root] = HD_NONE;
	growth->branch[root] = root;
	while (begin < end) {
		const uint32_t level_end = list_level(growth, begin, end);

		for (uint32_t i = end; i < level_end; i++)
			hang(growth, growth->order[i], begin, end);
		for (uint32_t i = end; i < level_end; i++)
			growth->tree->position[growth->order[i]] = i;
		begin = end;
		end = level_end;
	}
	return end;
}

int hd_escape_tree_init(struct hd_escape_tree *tree, const struct hd_turn_graph *graph,
			uint32_t root, struct hd_error *err)
{
	const uint32_t n = graph->fabric->n_switches;
	struct growth growth = {
		.tree = tree,
		.graph = graph,
		.order = malloc((n + (size_t)1) * sizeof(*growth.order)),
		.branch = malloc((n + (size_t)1) * sizeof(*growth.branch)),
		.size = calloc(n + (size_t)1, sizeof(*growth.size)),
	};
	const bool is_ready = growth.order && growth.branch && growth.size;
	uint32_t end = 0;

	*tree = (struct hd_escape_tree){
		.position = malloc((n + (size_t)1) * sizeof(*tree->position)),
		.parent = malloc((n + (size_t)1) * sizeof(*tree->parent)),
	};
	if (is_ready && tree->position && tree->parent) {
		memset(tree->position, 0xFF, n * sizeof(*tree->position));
		if (n)
			end = grow(&growth, root, end);
		for (uint32_t s = 0; s < n; s++)
			if (tree->position[s] == HD_NONE)
				end = grow(&growth, s, end);
	}
	free(growth.order);
	free(growth.branch);
	free(growth.size);
	return is_ready && tree->position && tree->parent ? 0 : hd_error_nomem(err);
}

void hd_escape_tree_clear(struct hd_escape_tree *tree)
{
	free(tree->position);
	free(tree->parent);
	*tree = (struct hd_escape_tree){ 0 };
}

/* Whether the link of @channel, which leaves @s, is one of the tree. */
static bool is_branch(const struct hd_escape_tree *tree, const struct hd_turn_graph *graph,
		      uint32_t s, uint32_t channel)
{
	return tree->parent[s] == channel ||
	       tree->parent[graph->to[channel]] == graph->back[channel];
}

void hd_escape_tree_take_turns(const struct hd_escape_tree *tree, struct hd_turns *turns)
{
	const struct hd_turn_graph *graph = turns->graph;

	hd_for_each_switch(s, graph->fabric)
		for (uint32_t in = graph->first[s]; in < graph->first[s + 1]; in++) {
			if (!is_branch(tree, graph, s, in))
				continue;
			for (uint32_t out = graph->first[s]; out < graph->first[s + 1]; out++) {
				const struct hd_turn turn = { s, graph->back[in], out };

				if (out != in && is_branch(tree, graph, s, out))
					hd_turn_add(turns, &turn);
			}
		}
}

void hd_escape_tree_point(const struct hd_escape_tree *tree, const struct hd_turn_graph *graph,
			  uint32_t last, uint32_t *towards)
{
	memcpy(towards, tree->parent, graph->fabric->n_switches * sizeof(*towards));
	towards[last] = HD_NONE;
	for (uint32_t s = last; tree->parent[s] != HD_NONE; s = graph->to[tree->parent[s]])
		towards[graph->to[tree->parent[s]]] = graph->back[tree->parent[s]];
}
