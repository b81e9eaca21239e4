// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * All paths to a LID where switches choose among ports (tables/ar.h): depth first along every
 * choice, so a switch is settled when all switches that it may send to are.
 */
#include <string.h>

#include "intent/lid_tree.h"
#include "tables/ar.h"

struct growth {
	struct hd_lid_tree *tree;
	const struct hd_tree_view *view;
	const struct hd_lid *lid;
	bool has_circle;
};

/* The lowest choice of @s from port @from on; HD_NO_PATH: there is none. */
static unsigned next_choice(const struct growth *growth, uint32_t s, unsigned from)
{
	const struct hd_port_set *set = hd_ar_ports(growth->view->tables, s, growth->tree->lid);

	if (set)
		return hd_port_set_next(set, from);
	return from <= growth->tree->out[s] ? growth->tree->out[s] : HD_NO_PATH;
}

static bool is_last(const struct growth *growth, uint32_t s, unsigned port)
{
	return s == growth->lid->via_switch && port == growth->lid->via_port;
}

static uint32_t follow(const struct growth *growth, uint32_t s, unsigned port)
{
	const struct hd_tree_view *view = growth->view;

	return port < view->stride ? view->to[s * (size_t)view->stride + port] : HD_NONE;
}

/* What the choices of one switch have together. */
struct fate {
	bool is_lost, is_unknown, is_begun;
	uint16_t longest, shortest;
};

/* One more choice: the LID itself (@next HD_NONE), or a switch that is settled. */
static void add_choice(struct growth *growth, uint32_t s, uint32_t next, struct fate *fate)
{
	struct hd_lid_tree *tree = growth->tree;
	const unsigned words = growth->view->words;
	uint64_t *some = tree->some + s * (size_t)words, *every = tree->every + s * (size_t)words;
	const uint16_t longest = next == HD_NONE ? 0 : (uint16_t)(tree->longest[next] + 1);
	const uint16_t shortest = next == HD_NONE ? 0 : (uint16_t)(tree->shortest[next] + 1);

	fate->longest = longest > fate->longest ? longest : fate->longest;
	fate->shortest = shortest < fate->shortest ? shortest : fate->shortest;
	for (unsigned w = 0; w < words; w++) {
		const uint64_t behind_some =
			next == HD_NONE ? 0 : tree->some[next * (size_t)words + w];
		const uint64_t behind_every =
			next == HD_NONE ? 0 : tree->every[next * (size_t)words + w];

		some[w] = fate->is_begun ? some[w] | behind_some : behind_some;
		every[w] = fate->is_begun ? every[w] & behind_every : behind_every;
	}
	fate->is_begun = true;
}

static void take_choice(struct growth *growth, uint32_t s, unsigned port, struct fate *fate)
{
	const struct hd_lid_tree *tree = growth->tree;
	const uint32_t next = follow(growth, s, port);

	if (is_last(growth, s, port)) {
		add_choice(growth, s, HD_NONE, fate);
		return;
	}
	if (next == HD_NONE || tree->longest[next] == HD_TREE_ON_PATH ||
	    tree->longest[next] == HD_TREE_LOST) {
		fate->is_lost = true;
		growth->has_circle |= next != HD_NONE && tree->longest[next] == HD_TREE_ON_PATH;
	} else if (tree->longest[next] == HD_TREE_UNKNOWN) {
		fate->is_unknown = true;
	} else {
		add_choice(growth, s, next, fate);
		return;
	}
	/* some packets may arrive nevertheless */
	if (next != HD_NONE && tree->shortest[next] < HD_TREE_UNKNOWN &&
	    tree->shortest[next] + 1 < fate->shortest)
		fate->shortest = (uint16_t)(tree->shortest[next] + 1);
}

/* All switches that @s may send to are settled, but for those that lead to @s. */
static void settle(struct growth *growth, uint32_t s)
{
	struct hd_lid_tree *tree = growth->tree;
	const unsigned words = growth->view->words;
	struct fate fate = { .shortest = HD_TREE_LOST };
	uint64_t *own = growth->tree->own;

	for (unsigned port = next_choice(growth, s, 0); port != HD_NO_PATH;
	     port = next_choice(growth, s, port + 1))
		take_choice(growth, s, port, &fate);
	tree->shortest[s] = fate.shortest;
	if (fate.is_lost || fate.is_unknown || !fate.is_begun) {
		tree->longest[s] =
			fate.is_lost || !fate.is_unknown ? HD_TREE_LOST : HD_TREE_UNKNOWN;
		return;
	}
	tree->longest[s] = fate.longest;
	hd_tree_take_marks(growth->view, growth->lid->port, s, own);
	for (unsigned w = 0; w < words; w++) {
		tree->some[s * (size_t)words + w] |= own[w];
		tree->every[s * (size_t)words + w] |= own[w];
	}
	tree->order[tree->n_order++] = s;
}

static void begin_at(struct growth *growth, uint32_t s, uint32_t *n)
{
	struct hd_lid_tree *tree = growth->tree;

	if (!hd_lft_is_known(growth->view->tables, s)) {
		tree->longest[s] = HD_TREE_UNKNOWN;
		return;
	}
	tree->longest[s] = HD_TREE_ON_PATH;
	tree->stack[2 * *n] = s;
	tree->stack[2 * *n + 1] = 0;
	++*n;
}

static void grow_from(struct growth *growth, uint32_t first)
{
	struct hd_lid_tree *tree = growth->tree;
	uint32_t n = 0;

	begin_at(growth, first, &n);
	while (n) {
		const uint32_t s = tree->stack[2 * n - 2];
		uint32_t *cursor = &tree->stack[2 * n - 1];
		const unsigned port = next_choice(growth, s, *cursor);
		uint32_t next;

		if (port == HD_NO_PATH) {
			settle(growth, s);
			n--;
			continue;
		}
		*cursor = port + 1;
		next = is_last(growth, s, port) ? HD_NONE : follow(growth, s, port);
		if (next != HD_NONE && tree->longest[next] == HD_TREE_UNSEEN)
			begin_at(growth, next, &n);
	}
}

/* Where choices go round in circles, the shortest ways were not all known in time. */
static void relax(const struct growth *growth)
{
	const uint32_t n = growth->view->tables->fabric->n_switches;
	uint16_t *shortest = growth->tree->shortest;
	bool changes = true;

	while (changes) {
		changes = false;
		for (uint32_t s = 0; s < n; s++) {
			if (!hd_lft_is_known(growth->view->tables, s))
				continue;
			for (unsigned port = next_choice(growth, s, 0); port != HD_NO_PATH;
			     port = next_choice(growth, s, port + 1)) {
				const uint32_t next = follow(growth, s, port);

				if (next == HD_NONE || shortest[next] + 1 >= shortest[s] ||
				    is_last(growth, s, port))
					continue;
				shortest[s] = (uint16_t)(shortest[next] + 1);
				changes = true;
			}
		}
	}
}

uint32_t hd_lid_tree_towards(struct hd_lid_tree *tree, const struct hd_tree_view *view, uint32_t s,
			     uint32_t mark)
{
	const struct growth growth = { .tree = tree,
				       .view = view,
				       .lid = &view->tables->fabric->lids[tree->lid] };

	for (unsigned port = next_choice(&growth, s, 0); port != HD_NO_PATH;
	     port = next_choice(&growth, s, port + 1)) {
		const uint32_t next = follow(&growth, s, port);

		if (next != HD_NONE && !is_last(&growth, s, port) &&
		    hd_marks_have(view, tree->some, next, mark))
			return next;
	}
	return HD_NONE;
}

void hd_lid_tree_grow_choices(struct hd_lid_tree *tree, const struct hd_tree_view *view)
{
	const uint32_t n = view->tables->fabric->n_switches;
	struct growth growth = { .tree = tree,
				 .view = view,
				 .lid = &view->tables->fabric->lids[tree->lid] };

	for (uint32_t s = 0; s < n; s++)
		tree->shortest[s] = HD_TREE_LOST;
	for (uint32_t s = 0; s < n; s++)
		if (tree->longest[s] == HD_TREE_UNSEEN)
			grow_from(&growth, s);
	if (growth.has_circle)
		relax(&growth);
}
