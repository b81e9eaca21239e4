// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/flow_trees.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Flows by a tree, and what is done with them. */
struct addition {
	struct hd_flow_tree *tree;
	struct hd_flow_sums *sums;
	const struct hd_flow_view *view;
	const struct hd_flow_lanes *lanes;
	const struct hd_flow_column *column;
	struct hd_flow_scratch *scratch;
	uint32_t last; /* the switch that delivers */
	uint32_t sign; /* 1 or -1 */
};

int hd_flow_tree_init(struct hd_flow_tree *tree, uint32_t n_switches, struct hd_error *err)
{
	const size_t n = n_switches + (size_t)1;

	*tree = (struct hd_flow_tree){
		.nodes = calloc(n, sizeof(*tree->nodes)),
		.order = malloc(n * sizeof(*tree->order)),
		.stack = malloc(n * sizeof(*tree->stack)),
	};
	return tree->nodes && tree->order && tree->stack ? 0 : hd_error_nomem(err);
}

void hd_flow_tree_clear(struct hd_flow_tree *tree)
{
	free(tree->nodes);
	free(tree->order);
	free(tree->stack);
	*tree = (struct hd_flow_tree){ .nodes = NULL };
}

static void enter(struct hd_flow_tree *tree, uint32_t s, uint32_t n_hops)
{
	tree->nodes[s] = (struct hd_flow_node){ .stamp = tree->stamp, .n_hops = n_hops };
	tree->order[tree->n++] = s;
}

/* The link by which packets leave @s; NULL: there is none. */
static const struct hd_flow_link *link_of(const struct addition *a, uint32_t s)
{
	const unsigned out = a->column->out[s * a->column->stride];
	const struct hd_node *node = &a->view->fabric->nodes[s];
	const struct hd_flow_link *link = &a->sums->links[node->first_port + out];

	return out && out <= node->n_ports && link->node != HD_NONE ? link : NULL;
}

/* Enters the switches on the way from @s. False: packets do not arrive. */
static bool enter_way(const struct addition *a, uint32_t s)
{
	struct hd_flow_tree *tree = a->tree;
	uint32_t n = 0, n_hops;

	while (tree->nodes[s].stamp != tree->stamp) {
		const struct hd_flow_link *link = link_of(a, s);

		if (!link || n == a->view->n)
			return false;
		tree->stack[n++] = s;
		s = link->node;
	}
	for (n_hops = tree->nodes[s].n_hops; n;)
		enter(tree, tree->stack[--n], ++n_hops);
	return true;
}

static bool grow(const struct addition *a, const uint32_t *from, uint32_t n)
{
	struct hd_flow_tree *tree = a->tree;

	if (!++tree->stamp) {
		memset(tree->nodes, 0, a->view->n * sizeof(*tree->nodes));
		tree->stamp = 1;
	}
	tree->n = 0;
	enter(tree, a->last, 0);
	for (uint32_t i = 0; i < n; i++)
		if (!enter_way(a, from[i]))
			return false;
	return true;
}

static void count_use(const struct addition *a, size_t row, uint32_t n)
{
	if (n)
		hd_flow_count_use(a->sums, a->scratch, row, a->sign * n);
}

/* Counts what a switch of the tree sends itself. */
static void count_own(const struct addition *a, uint32_t s)
{
	const struct hd_flow_view *view = a->view;
	struct hd_flow_node *node = &a->tree->nodes[s];
	const unsigned out = a->column->out[s * a->column->stride];

	if (view->has_load[a->column->lids[0]])
		node->load = view->hosts[s];
	if (!view->starts[s])
		return;
	a->sums->n_ways[node->n_hops] += a->sign;
	if (!a->lanes->rows)
		return;
	count_use(a, hd_flow_row_of(view, s, 0, out), 1);
	/* those that no row takes to the lane are lost, as all are that no row does */
	node->n_uses = view->injected[view->fabric->nodes[s].first_port + out] & 1;
}

/* Counts what goes from @s to the next switch, and its use there. */
static void pass(const struct addition *a, uint32_t s)
{
	const struct hd_flow_view *view = a->view;
	const struct hd_flow_node *node = &a->tree->nodes[s];
	const unsigned out = a->column->out[s * a->column->stride];
	const uint32_t port = view->fabric->nodes[s].first_port + out;
	const struct hd_flow_link *link = &a->sums->links[port];
	struct hd_flow_node *next = &a->tree->nodes[link->node];
	size_t row;

	a->sums->load[port] += a->sign * node->load;
	next->load += node->load;
	if (!a->lanes->rows || !node->n_uses)
		return;
	if (link->node == a->last) {
		if (view->to_ends)
			count_use(a,
				  hd_flow_row_of(view, a->last, link->in,
						 view->fabric->lids[a->column->lids[0]].via_port),
				  node->n_uses);
		return;
	}
	row = hd_flow_row_of(view, link->node, link->in,
			     a->column->out[link->node * a->column->stride]);
	count_use(a, row, node->n_uses);
	if (hd_row_vl(hd_flow_row(a->lanes, row), 0))
		a->scratch->is_bad = true;
	else
		next->n_uses += node->n_uses;
}

bool hd_flow_tree_add(struct hd_flow_tree *tree, struct hd_flow_sums *sums,
		      const struct hd_flow_view *view, const struct hd_flow_lanes *lanes,
		      const struct hd_flow_column *column, const uint32_t *from, uint32_t n,
		      bool take_away, struct hd_flow_scratch *scratch)
{
	const struct addition a = {
		.tree = tree,
		.sums = sums,
		.view = view,
		.lanes = lanes,
		.column = column,
		.scratch = scratch,
		.last = view->fabric->lids[column->lids[0]].via_switch,
		.sign = take_away ? -1u : 1,
	};

	if (!grow(&a, from, n))
		return false;
	for (uint32_t i = 0; i < n; i++)
		count_own(&a, from[i]);
	for (uint32_t i = tree->n; i-- > 1;)
		pass(&a, tree->order[i]);
	return true;
}
