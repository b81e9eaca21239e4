// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "intent/lid_tree.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

int hd_lid_tree_init(struct hd_lid_tree *tree, const struct hd_tree_view *view,
		     struct hd_error *err)
{
	const size_t n = view->tables->fabric->n_switches + (size_t)1;

	*tree = (struct hd_lid_tree){ .shares = !view->tables->ar };
	tree->longest = malloc(n * sizeof(*tree->longest));
	tree->some = malloc(n * view->words * sizeof(*tree->some));
	tree->order = malloc(n * sizeof(*tree->order));
	tree->own = malloc(view->words * sizeof(*tree->own));
	tree->sum.some = malloc(view->words * sizeof(*tree->sum.some));
	tree->sum.every = malloc(view->words * sizeof(*tree->sum.every));
	tree->stack = malloc(2 * n * sizeof(*tree->stack));
	tree->shortest = tree->shares ? tree->longest : malloc(n * sizeof(*tree->shortest));
	tree->every = tree->shares ? tree->some : malloc(n * view->words * sizeof(*tree->every));
	if (!tree->own || !tree->sum.some || !tree->sum.every || !tree->longest || !tree->some ||
	    !tree->order || !tree->stack || !tree->shortest || !tree->every)
		return hd_error_nomem(err);
	return 0;
}

void hd_lid_tree_clear(struct hd_lid_tree *tree)
{
	if (!tree->shares) {
		free(tree->shortest);
		free(tree->every);
	}
	free(tree->longest);
	free(tree->some);
	free(tree->order);
	free(tree->stack);
	free(tree->own);
	free(tree->sum.some);
	free(tree->sum.every);
	*tree = (struct hd_lid_tree){ 0 };
}

/* Switch @s gets what its next switch has; @next HD_NONE: the LID is at @s. */
static inline void settle(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t owner,
			  uint32_t s, uint32_t next)
{
	uint64_t *marks = tree->some + s * (size_t)view->words;

	hd_tree_take_marks(view, owner, s, marks);
	tree->longest[s] = 0;
	if (next != HD_NONE) {
		const uint64_t *behind = tree->some + next * (size_t)view->words;

		tree->longest[s] = (uint16_t)(tree->longest[next] + 1);
		for (unsigned w = 0; w < view->words; w++)
			marks[w] |= behind[w];
	}
	tree->order[tree->n_order++] = s;
}

/* Follows the LFTs from @s to what is settled, and settles all on the way back. */
static void grow_from(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t s)
{
	const struct hd_tables *tables = view->tables;
	const struct hd_lid *lid = &tables->fabric->lids[tree->lid];
	uint32_t n = 0, next = s;
	uint16_t fate = 0;

	while (tree->longest[next] == HD_TREE_UNSEEN) {
		s = next;
		tree->longest[s] = HD_TREE_ON_PATH;
		tree->stack[n++] = s;
		next = HD_NONE;
		if (!hd_lft_is_known(tables, s)) {
			fate = HD_TREE_UNKNOWN;
			break;
		}
		if (s == lid->via_switch && tree->out[s] == lid->via_port)
			break;
		next = hd_tree_next(view, tree, s);
		if (next == HD_NONE) {
			fate = HD_TREE_LOST;
			break;
		}
	}
	if (next != HD_NONE && tree->longest[next] == HD_TREE_ON_PATH)
		fate = HD_TREE_LOST;
	else if (next != HD_NONE && !hd_tree_arrives(tree, next))
		fate = tree->longest[next];
	while (n) {
		s = tree->stack[--n];
		if (fate)
			tree->longest[s] = fate;
		else
			settle(tree, view, lid->port, s, next);
		next = s;
	}
}

void hd_lid_tree_grow(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t lid)
{
	const uint32_t n = view->tables->fabric->n_switches;

	tree->lid = lid;
	tree->out = view->columns + (lid - view->first_lid) * (size_t)n;
	tree->n_order = 0;
	for (uint32_t s = 0; s < n; s++)
		tree->longest[s] = HD_TREE_UNSEEN;
	if (!tree->shares) {
		hd_lid_tree_grow_choices(tree, view);
		return;
	}
	for (uint32_t s = 0; s < n; s++)
		if (tree->longest[s] == HD_TREE_UNSEEN)
			grow_from(tree, view, s);
}

void hd_lid_tree_sum_up(struct hd_lid_tree *tree, const struct hd_tree_view *view,
			const uint32_t *at, uint32_t n)
{
	struct hd_tree_sum *sum = &tree->sum;
	const size_t words = view->words;

	sum->longest = 0;
	sum->shortest = HD_TREE_LOST;
	memset(sum->some, 0, words * sizeof(*sum->some));
	memset(sum->every, 0xFF, words * sizeof(*sum->every));
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t s = at[i];

		if (tree->longest[s] > sum->longest)
			sum->longest = tree->longest[s];
		if (tree->shortest[s] < sum->shortest)
			sum->shortest = tree->shortest[s];
		for (size_t w = 0; w < words; w++) {
			sum->some[w] |= tree->some[s * words + w];
			sum->every[w] &= tree->every[s * words + w];
		}
	}
	sum->all_arrive = sum->longest < HD_TREE_UNKNOWN;
}
