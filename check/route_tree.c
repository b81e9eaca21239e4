// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/route_tree.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

int hd_tree_init(struct hd_tree *tree, uint32_t n_switches, struct hd_error *err)
{
	size_t n = n_switches + (size_t)1;

	memset(tree, 0, sizeof(*tree));
	tree->order = malloc(n * sizeof(*tree->order));
	tree->target = malloc(n * sizeof(*tree->target));
	tree->waiting = malloc(n * sizeof(*tree->waiting));
	tree->in = malloc(n * sizeof(*tree->in));
	tree->depth = malloc(n * sizeof(*tree->depth));
	tree->arrives = malloc(n * sizeof(*tree->arrives));
	if (!tree->order || !tree->target || !tree->waiting || !tree->in || !tree->depth ||
	    !tree->arrives)
		return hd_error_nomem(err);
	return 0;
}

void hd_tree_clear(struct hd_tree *tree)
{
	free(tree->order);
	free(tree->target);
	free(tree->waiting);
	free(tree->in);
	free(tree->depth);
	free(tree->arrives);
	memset(tree, 0, sizeof(*tree));
}

static void find_targets(struct hd_tree *tree, const struct hd_check_network *network,
			 const uint8_t *next)
{
	const struct hd_fabric *fabric = network->fabric;
	uint32_t n_switches = fabric->n_switches;

	memset(tree->waiting, 0, n_switches * sizeof(*tree->waiting));
	for (uint32_t s = 0; s < n_switches; s++) {
		bool has_source = network->first_source[s] < network->first_source[s + 1];
		struct hd_far_end end = { .node = HD_NONE };

		/* port 0 has no link: only the root delivers there */
		if (s != tree->root && next[s] != HD_NO_PATH)
			end = network->far_end[hd_port_index(fabric, s, next[s])];
		tree->target[s] = end.node;
		tree->in[s] = (uint8_t)end.in;
		tree->depth[s] = has_source ? 0 : -1;
		if (end.node != HD_NONE)
			tree->waiting[end.node]++;
	}
}

/* A destination's own packets do not come back to it: it is no source for itself. */
static void leave_out_owner(struct hd_tree *tree, const struct hd_check_network *network,
			    uint16_t lid)
{
	uint32_t s = network->fabric->lids[lid].via_switch;

	if (s != HD_NONE && network->first_source[s + 1] - network->first_source[s] == 1)
		tree->depth[s] = -1;
}

/* Puts a switch in order once all that forward to it are; switches on circles never are. */
static void order_switches(struct hd_tree *tree, const struct hd_check_network *network)
{
	const uint32_t n_switches = network->fabric->n_switches;
	uint32_t n_order = 0;

	for (uint32_t s = 0; s < n_switches; s++)
		if (tree->waiting[s] == 0)
			tree->order[n_order++] = s;
	for (uint32_t i = 0; i < n_order; i++) {
		uint32_t s = tree->order[i], target = tree->target[s];

		if (target == HD_NONE) {
			tree->n_holes += s != tree->root && tree->depth[s] >= 0 &&
					 hd_lft_is_known(network->tables, s);
			continue;
		}
		if (tree->depth[s] >= 0 && tree->depth[target] <= tree->depth[s])
			tree->depth[target] = tree->depth[s] + 1;
		if (--tree->waiting[target] == 0)
			tree->order[n_order++] = target;
	}
	tree->n_order = n_order;
}

/* Counts circles that packets get into; the depths of all switches on them end up >= 0. */
static void count_circling(struct hd_tree *tree, uint32_t n_switches)
{
	for (uint32_t s = 0; s < n_switches; s++) {
		if (!tree->waiting[s] || tree->depth[s] < 0)
			continue;
		for (uint32_t t = tree->target[s]; tree->depth[t] < 0; t = tree->target[t])
			tree->depth[t] = 0;
	}
	for (uint32_t s = 0; s < n_switches; s++)
		tree->n_circling += tree->waiting[s] && tree->depth[s] >= 0;
}

/*
 * Counts sources whose packets circle: those at switches that never came in order, and upstream of
 * these. The owner of @lid is no source, and at the root nothing circles.
 */
static void count_looping(struct hd_tree *tree, const struct hd_check_network *network,
			  uint16_t lid)
{
	uint32_t n_switches = network->fabric->n_switches;
	uint32_t home = tree->root == HD_NONE ? network->fabric->lids[lid].via_switch : HD_NONE;

	for (uint32_t s = 0; s < n_switches; s++)
		tree->arrives[s] = tree->waiting[s] > 0; /* until they are counted: true where
							    packets circle */
	for (uint32_t i = tree->n_order; i-- > 0;) {
		uint32_t s = tree->order[i];

		if (tree->target[s] != HD_NONE)
			tree->arrives[s] = tree->arrives[tree->target[s]];
	}
	for (uint32_t s = 0; s < n_switches; s++)
		if (tree->arrives[s])
			tree->n_looping += network->first_source[s + 1] - network->first_source[s] -
					   (s == home);
}

/* Keeps in the order only the switches that reach the root, without the root itself. */
static void keep_arriving(struct hd_tree *tree, uint32_t n_switches)
{
	uint32_t n_kept = 0;

	memset(tree->arrives, 0, n_switches * sizeof(*tree->arrives));
	if (tree->root != HD_NONE)
		tree->arrives[tree->root] = true;
	for (uint32_t i = tree->n_order; i-- > 0;) {
		uint32_t s = tree->order[i];

		if (tree->target[s] != HD_NONE)
			tree->arrives[s] = tree->arrives[tree->target[s]];
	}
	for (uint32_t i = 0; i < tree->n_order; i++)
		if (tree->arrives[tree->order[i]] && tree->order[i] != tree->root)
			tree->order[n_kept++] = tree->order[i];
	tree->n_order = n_kept;
}

void hd_tree_build(struct hd_tree *tree, const struct hd_check_network *network,
		   const struct hd_destinations *destinations,
		   const struct hd_destination *destination)
{
	uint32_t n_switches = network->fabric->n_switches;

	tree->root = destination->root;
	tree->n_holes = 0;
	tree->n_circling = 0;
	tree->n_looping = 0;
	tree->max_hops = 0;
	find_targets(tree, network, hd_destination_next(network, destinations, destination));
	if (tree->root == HD_NONE)
		leave_out_owner(tree, network, destinations->lids[destination->first]);
	order_switches(tree, network);
	if (tree->n_order < n_switches) {
		count_circling(tree, n_switches);
		count_looping(tree, network, destinations->lids[destination->first]);
	}
	keep_arriving(tree, n_switches);
	if (tree->root != HD_NONE && tree->depth[tree->root] > 0)
		tree->max_hops = (unsigned)tree->depth[tree->root];
}
