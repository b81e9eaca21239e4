// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Trees: two binary trees side by side, each with half of the data, and binomial trees.
 *
 * In the first binary tree, ranks are in order: odd places are leaves. The second one is the first
 * in a mirror, or for an odd number of places shifted by one, so that no rank but one has children
 * in both (Sanders, Speck and Traeff, Two-tree algorithms for full bandwidth broadcast, reduction
 * and scan, 2009). Broadcast and reduce have both trees over all ranks but the root, which is the
 * parent of both.
 */
#include "sim/traffic/collective_plan.h"

#define NONE UINT32_MAX

static bool has_root(const struct hd_collective_plan *plan)
{
	return plan->operation != HD_ALLREDUCE;
}

/* Lanes: for each tree a way up, unless data only comes down, and a way down. */
static unsigned tree_lanes(const struct hd_collective_plan *plan)
{
	return has_root(plan) ? 2 : 4;
}

static unsigned tree_of(const struct hd_collective_plan *plan, unsigned lane)
{
	return has_root(plan) ? lane : lane / 2;
}

static bool is_up(const struct hd_collective_plan *plan, unsigned lane)
{
	return has_root(plan) ? plan->operation == HD_REDUCE : lane % 2 == 0;
}

static uint32_t tree_blocks(const struct hd_collective_plan *plan)
{
	(void)plan;
	return 2;
}

struct node {
	uint32_t parent;   /* NONE: it is the root */
	uint32_t child[2]; /* the first ones are there */
	uint32_t n_children;
};

/* Place @p of the first tree of @n places: 0 is the root, which has one child. */
static struct node node_of_place(uint32_t p, uint32_t n)
{
	const uint32_t bit = p & -p;
	struct node node = { .parent = NONE };
	uint32_t half = bit / 2;

	if (!p) {
		if (n > 1)
			node.child[node.n_children++] = 1u << (hd_collective_doublings(n) - 1);
		return node;
	}
	node.parent = (p ^ bit) | bit << 1;
	if (node.parent >= n)
		node.parent = p ^ bit;
	if (!half)
		return node;
	node.child[node.n_children++] = p - half;
	while (half && p + half >= n)
		half /= 2;
	if (half)
		node.child[node.n_children++] = p + half;
	return node;
}

/* From a rank to its place in @tree of @n places, and back. */
static uint32_t place_of(uint32_t rank, unsigned tree, uint32_t n)
{
	if (!tree)
		return rank;
	return n % 2 ? (rank ? rank - 1 : n - 1) : n - 1 - rank;
}

static uint32_t rank_at(uint32_t place, unsigned tree, uint32_t n)
{
	if (!tree || place == NONE)
		return place;
	return n % 2 ? (place + 1 < n ? place + 1 : 0) : n - 1 - place;
}

static struct node node_of(const struct hd_collective_plan *plan, uint32_t rank, unsigned tree)
{
	const uint32_t n_roots = has_root(plan), n = plan->n - n_roots;
	struct node node = { .parent = NONE };

	if (n_roots && rank == HD_COLLECTIVE_ROOT) {
		node.child[node.n_children++] = rank_at(0, tree, n) + n_roots;
		return node;
	}
	node = node_of_place(place_of(rank - n_roots, tree, n), n);
	for (uint32_t i = 0; i < node.n_children; i++)
		node.child[i] = rank_at(node.child[i], tree, n) + n_roots;
	if (node.parent != NONE)
		node.parent = rank_at(node.parent, tree, n) + n_roots;
	else if (n_roots)
		node.parent = HD_COLLECTIVE_ROOT;
	return node;
}

static void tree_count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
		       uint32_t *sends, uint32_t *receives)
{
	const struct node node = node_of(plan, rank, tree_of(plan, lane));
	const uint32_t with_parent = node.parent == NONE ? 0 : plan->chunks;
	const uint32_t with_children = node.n_children * plan->chunks;

	*sends = is_up(plan, lane) ? with_parent : with_children;
	*receives = is_up(plan, lane) ? with_children : with_parent;
}

static void tree_send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
		      uint32_t k, struct hd_collective_send *send)
{
	const unsigned tree = tree_of(plan, lane);
	const struct node node = node_of(plan, rank, tree);

	send->first = tree;
	send->n_blocks = 1;
	if (is_up(plan, lane)) {
		const struct node parent = node_of(plan, node.parent, tree);

		send->to = node.parent;
		send->chunk = k;
		send->number = k * parent.n_children + (parent.child[0] != rank);
		send->needs = (k + 1) * node.n_children;
		send->adds = true;
		return;
	}
	send->to = node.child[k % node.n_children];
	send->chunk = send->number = k / node.n_children;
	send->needs = send->chunk + 1;
	if (node.parent != NONE)
		return;
	/* the root: of an allreduce, a chunk can go down when it has come up from all */
	if (has_root(plan)) {
		send->needs = 0;
		return;
	}
	send->on = lane - 1;
	send->needs = (send->chunk + 1) * node.n_children;
}

/* A binomial tree: the parent of a rank lacks its last bit. */

static uint32_t binomial_blocks(const struct hd_collective_plan *plan)
{
	(void)plan;
	return 1;
}

/* Children: @rank + 1, 2, 4 and so on, below its own last bit. */
static uint32_t n_branches(const struct hd_collective_plan *plan, uint32_t rank)
{
	uint32_t n = 0;

	while ((!rank || 1u << n < (rank & -rank)) && (1ull << n) + rank < plan->n)
		n++;
	return n;
}

static void binomial_count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			   uint32_t *sends, uint32_t *receives)
{
	const uint32_t with_children = n_branches(plan, rank) * plan->chunks;
	const uint32_t with_parent = rank ? plan->chunks : 0;

	(void)lane;
	*sends = plan->operation == HD_REDUCE ? with_parent : with_children;
	*receives = plan->operation == HD_REDUCE ? with_children : with_parent;
}

static void binomial_send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			  uint32_t k, struct hd_collective_send *send)
{
	const uint32_t n = n_branches(plan, rank);

	(void)lane;
	send->n_blocks = 1;
	if (plan->operation == HD_REDUCE) {
		const uint32_t parent = rank & (rank - 1);

		send->to = parent;
		send->chunk = k;
		send->number = k * n_branches(plan, parent) + (uint32_t)__builtin_ctz(rank);
		send->needs = (k + 1) * n;
		send->adds = true;
		return;
	}
	/* the largest branch first */
	send->to = rank + (1u << (n - 1 - k % n));
	send->chunk = send->number = k / n;
	send->needs = rank ? send->chunk + 1 : 0;
}

#define BIT(operation) (1u << (operation))

const struct hd_collective_algorithm hd_collective_tree = {
	.policy = { .name = "tree",
		    .summary = "two binary trees side by side, each with half of the data",
		    .reference = "Sanders et al., Two-tree algorithms for full bandwidth "
				 "broadcast, reduction and scan (2009)" },
	.operations = BIT(HD_ALLREDUCE) | BIT(HD_BROADCAST) | BIT(HD_REDUCE),
	.pipelined = BIT(HD_ALLREDUCE) | BIT(HD_BROADCAST) | BIT(HD_REDUCE),
	.lanes = tree_lanes,
	.blocks = tree_blocks,
	.count = tree_count,
	.send = tree_send,
};

const struct hd_collective_algorithm hd_collective_binomial = {
	.policy = { .name = "binomial", .summary = "a binomial tree" },
	.operations = BIT(HD_BROADCAST) | BIT(HD_REDUCE),
	.blocks = binomial_blocks,
	.count = binomial_count,
	.send = binomial_send,
};
