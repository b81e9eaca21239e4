// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/dmodc_desk.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

bool hd_dmodc_desk_new(struct hd_dmodc_plan *plan, struct hd_dmodc_desk *desk)
{
	const size_t n = plan->ways.n + (size_t)1;

	*desk = (struct hd_dmodc_desk){ .plan = plan };
	desk->group_to = malloc(n);
	desk->want_fall = malloc(n);
	desk->want_rise = malloc(n);
	desk->count = malloc(n);
	desk->count_up = malloc(n);
	desk->single = calloc(n, 1);
	desk->slot = malloc((plan->first_item[plan->ways.n] + (size_t)1) * sizeof(*desk->slot));
	return desk->group_to && desk->want_fall && desk->want_rise && desk->count &&
	       desk->count_up && desk->single && desk->slot;
}

void hd_dmodc_desk_clear(struct hd_dmodc_desk *desk)
{
	free(desk->group_to);
	free(desk->want_fall);
	free(desk->want_rise);
	free(desk->count);
	free(desk->count_up);
	free(desk->single);
	free(desk->slot);
}

/* Sets up slots of switch @s. */
static void find_slots(struct hd_dmodc_desk *desk)
{
	const struct hd_dmodc_plan *plan = desk->plan;
	const struct hd_fat_tree *tree = plan->tree;
	const struct hd_siblings *siblings;
	uint32_t n_cables = 0;

	memset(desk->n_used, 0, sizeof(desk->n_used));
	desk->n_slots = 0;
	desk->is_complete = false;
	desk->divider = tree->divider[desk->s];
	desk->rank = 0;
	desk->n_parents = 1;
	for (unsigned g = 0; g < desk->n_groups; g++)
		if (desk->groups[g].is_up)
			n_cables += desk->groups[g].n_cables;
	if (tree->siblings[desk->s] == HD_NONE)
		return;
	siblings = &tree->sibling[tree->siblings[desk->s]];
	if (siblings->n_slots > HD_DMODC_MOST_SLOTS || !siblings->n_slots)
		return;
	desk->n_slots = siblings->n_slots;
	desk->n_parents = siblings->n_parents;
	desk->rank = tree->rank[desk->s];
	desk->is_complete = n_cables == desk->n_slots;
	for (uint32_t i = 0; i < desk->n_slots; i++) {
		const uint32_t parent = tree->slot_parent[siblings->first_slot + i];
		unsigned g = 0;

		desk->slot_first[i] = (uint16_t)i;
		for (uint32_t first = 0; i >= desk->n_parents && first < desk->n_parents; first++)
			if (tree->slot_parent[siblings->first_slot + first] == parent)
				desk->slot_first[i] = (uint16_t)first;
		while (g < desk->n_groups && desk->groups[g].peer != parent)
			g++;
		if (g == desk->n_groups || desk->n_used[g] == desk->groups[g].n_cables) {
			desk->slot_group[i] = HD_DMODC_NO_GROUP;
			desk->is_complete = false;
			continue;
		}
		desk->slot_group[i] = (uint8_t)g;
		desk->slot_port[i] =
			plan->ways.cable[desk->groups[g].first_cable + desk->n_used[g]++];
	}
}

void hd_dmodc_desk_begin(struct hd_dmodc_desk *desk, uint32_t s)
{
	const struct hd_tree_ways *ways = &desk->plan->ways;

	desk->s = s;
	desk->groups = ways->group + ways->first_group[s];
	desk->n_groups = ways->first_group[s + 1] - ways->first_group[s];
	find_slots(desk);
	memset(desk->leaving, 0, sizeof(desk->leaving));
	desk->n_sources = 0;
	for (uint32_t i = desk->plan->first_item[s]; i < desk->plan->first_item[s + 1]; i++)
		desk->n_sources += desk->plan->items[i].port != 0;
}

void hd_dmodc_find_item_slots(struct hd_dmodc_desk *desk)
{
	const struct hd_dmodc_plan *plan = desk->plan;
	const uint32_t n = plan->first_item[plan->ways.n];

	if (!desk->n_slots ||
	    (desk->slots_divider == desk->divider && desk->slots_n == desk->n_slots))
		return;
	desk->slots_divider = desk->divider;
	desk->slots_n = desk->n_slots;
	for (uint32_t i = 0; i < n; i++)
		desk->slot[i] =
			(uint16_t)((plan->items[i].number / desk->divider + plan->items[i].pass) %
				   desk->n_slots);
}

bool hd_dmodc_has_such_slots(const struct hd_dmodc_desk *desk, uint32_t to)
{
	const struct hd_fat_tree *tree = desk->plan->tree;
	const struct hd_siblings *siblings;

	if (tree->level[desk->s] || tree->level[to] || tree->siblings[to] == HD_NONE)
		return false;
	siblings = &tree->sibling[tree->siblings[to]];
	return siblings->n_slots == desk->n_slots && siblings->n_parents == desk->n_parents;
}

bool hd_dmodc_is_thinner(const struct hd_dmodc_desk *desk, uint32_t to)
{
	return desk->plan->is_thin[to] && hd_dmodc_has_such_slots(desk, to);
}

/* Adds what leaves the leaf of the desk by each slot, to each destination there. */
static void offer(struct hd_dmodc_plan *plan, const struct hd_dmodc_desk *desk, uint32_t *offered)
{
	for (uint32_t slot = 0; slot < desk->n_slots; slot++) {
		const bool is_there = desk->slot_group[slot] != HD_DMODC_NO_GROUP;

		plan->cables_of[plan->first_slot[desk->s] + desk->slot_first[slot]] += is_there;
		plan->is_even &= is_there;
		if (is_there)
			offered[(desk->n_slots - 1) * plan->most_slots + slot] += desk->n_sources;
	}
	plan->is_even &= !plan->has_over[desk->s];
	plan->n_hosts += desk->n_sources;
}

/* What comes to the leaf of the desk by the slots that it has. */
static void expect_arrivals(struct hd_dmodc_plan *plan, const struct hd_dmodc_desk *desk,
			    const uint32_t *offered)
{
	for (uint32_t i = plan->first_item[desk->s]; i < plan->first_item[desk->s + 1]; i++) {
		const struct hd_dmodc_item *item = &plan->items[i];
		uint32_t slot;

		if (!desk->n_slots || !item->port || item->is_over)
			continue;
		slot = (item->number + item->pass) % desk->n_slots;
		if (desk->slot_group[slot] != HD_DMODC_NO_GROUP)
			hd_dmodc_add_arrival(
				plan, desk->s, desk->slot_first[slot],
				offered[(desk->n_slots - 1) * plan->most_slots + slot]);
	}
}

static uint32_t find_most_slots(const struct hd_fat_tree *tree)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < tree->n_siblings; i++)
		if (tree->sibling[i].n_slots > most &&
		    tree->sibling[i].n_slots <= HD_DMODC_MOST_SLOTS)
			most = tree->sibling[i].n_slots;
	return most;
}

int hd_dmodc_count_arrivals(struct hd_dmodc_plan *plan, struct hd_error *err)
{
	const struct hd_fat_tree *tree = plan->tree;
	struct hd_dmodc_desk desk = { .plan = plan };
	const uint32_t most = find_most_slots(tree);
	uint32_t *offered = calloc(most * (size_t)most + 1, sizeof(*offered));

	if (!offered)
		return hd_error_nomem(err);
	plan->most_slots = most;
	plan->is_even = true;
	for (uint32_t i = 0; i < 2 * tree->n_at[0]; i++) {
		hd_dmodc_desk_begin(&desk, tree->order[i % tree->n_at[0]]);
		if (i < tree->n_at[0])
			offer(plan, &desk, offered);
		else
			expect_arrivals(plan, &desk, offered);
	}
	free(offered);
	return 0;
}
