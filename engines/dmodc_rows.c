// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/dmodc_rows.h"

#include <string.h>

#include "engines/dmodc_desk.h"
#include "support/error.h"

#define NO_LENGTH 0xFF /* of no way; not even HD_TREE_FAR */

static void count_one(uint8_t *restrict count, uint8_t *restrict single,
		      const uint8_t *restrict theirs, const uint8_t *restrict want, uint8_t g,
		      uint32_t n)
{
	HD_TREE_ROWS
	for (uint32_t i = 0; i < n; i++) {
		bool leads = theirs[i] == want[i];

		count[i] = (uint8_t)(count[i] + leads);
		single[i] = leads ? g : single[i];
	}
}

static void want_lengths(const uint8_t *restrict fall, const uint8_t *restrict way,
			 uint8_t *restrict want_fall, uint8_t *restrict want_rise, uint32_t n)
{
	HD_TREE_ROWS
	for (uint32_t i = 0; i < n; i++) {
		want_fall[i] = (uint8_t)(fall[i] < HD_TREE_FAR ? fall[i] - 1 : NO_LENGTH);
		want_rise[i] =
			(uint8_t)(fall[i] == HD_TREE_FAR && way[i] < HD_TREE_FAR ? way[i] - 1
										 : NO_LENGTH);
	}
}

/* Counts, for every destination, the groups that lead there by a shortest legal way. */
static void count_groups(struct hd_dmodc_desk *desk)
{
	const struct hd_dmodc_plan *plan = desk->plan;
	const uint32_t n = plan->ways.n;

	want_lengths(plan->ways.fall + (size_t)desk->s * n, plan->ways.way + (size_t)desk->s * n,
		     desk->want_fall, desk->want_rise, n);
	memset(desk->group_to, HD_DMODC_NO_GROUP, n);
	for (unsigned g = 0; g < desk->n_groups; g++) {
		const struct hd_tree_group *group = &desk->groups[g];

		desk->group_to[group->peer] = (uint8_t)g;
		desk->lengths[g] = (group->is_rising ? plan->ways.way : plan->ways.fall) +
				   (size_t)group->peer * n;
		desk->want[g] = group->is_rising ? desk->want_rise : desk->want_fall;
	}
	/* nothing is one link short of the switch itself */
	desk->want_fall[desk->s] = NO_LENGTH;
	memset(desk->count, 0, n);
	memset(desk->count_up, 0, n);
	desk->n_up = 0;
	for (unsigned up = 0; up < 2; up++)
		for (unsigned g = 0; g < desk->n_groups; g++) {
			if (desk->groups[g].is_up != up)
				continue;
			desk->n_up += up;
			count_one(up ? desk->count_up : desk->count, desk->single, desk->lengths[g],
				  desk->want[g], (uint8_t)g, n);
		}
}

/* How many destinations take turns over the parents on the way down to @group, or up to it. */
static uint32_t divider_of(const struct hd_dmodc_desk *desk, const struct hd_tree_group *group)
{
	const struct hd_fat_tree *tree = desk->plan->tree;
	const uint32_t below = group->is_up ? desk->s : group->peer;

	if (tree->level[desk->s] == tree->level[group->peer] || tree->siblings[below] == HD_NONE ||
	    !tree->sibling[tree->siblings[below]].n_parents)
		return tree->divider[desk->s];
	return tree->divider[below] * tree->sibling[tree->siblings[below]].n_parents;
}

/*
 * Destinations of leaf @to below by the cables to it: first those that are meant to come this way,
 * in turn; then the others, by the flows that do, to the cable with least. Returns false where that
 * is not known.
 */
static bool share_cables(const struct hd_dmodc_desk *desk, uint32_t to,
			 const struct hd_tree_group *group, uint8_t *lft)
{
	const struct hd_dmodc_plan *plan = desk->plan;
	const struct hd_fat_tree *tree = plan->tree;
	uint64_t flows[HD_MAX_PORTS];
	const struct hd_siblings *siblings;
	uint32_t parent = 0;

	if (tree->level[to] || tree->siblings[to] == HD_NONE)
		return false;
	siblings = &tree->sibling[tree->siblings[to]];
	while (parent < siblings->n_parents &&
	       tree->slot_parent[siblings->first_slot + parent] != desk->s)
		parent++;
	if (parent == siblings->n_parents)
		return false;
	memset(flows, 0, group->n_cables * sizeof(*flows));
	for (unsigned turn = 0; turn < 2; turn++)
		for (uint32_t i = plan->first_item[to]; i < plan->first_item[to + 1]; i++) {
			const struct hd_dmodc_item *item = &plan->items[i];
			const uint32_t slot = (item->number + item->pass) % siblings->n_slots;
			const bool is_meant =
				item->port && !item->is_over &&
				tree->slot_parent[siblings->first_slot + slot] == desk->s;
			unsigned least = 0;

			if (is_meant == (turn == 1))
				continue;
			for (unsigned c = 1; c < group->n_cables; c++)
				if (flows[c] < flows[least])
					least = c;
			flows[least] += is_meant ? plan->n_hosts
						 : plan->via[plan->first_via[to] +
							     (i - plan->first_item[to]) *
								     siblings->n_parents +
							     parent];
			lft[item->lid] = plan->ways.cable[group->first_cable + least];
		}
	return true;
}

/* All destinations of @to by the cables of one group: by the same rule as up. */
static void fill_by_group(const struct hd_dmodc_desk *desk, uint32_t to,
			  const struct hd_tree_group *group, uint8_t *lft)
{
	const struct hd_dmodc_plan *plan = desk->plan;
	const uint8_t *cables = plan->ways.cable + group->first_cable;
	const uint32_t begin = plan->first_item[to], end = plan->first_item[to + 1];
	const uint32_t divider = divider_of(desk, group);

	if (group->n_cables == 1) {
		for (uint32_t i = begin; i < end; i++)
			lft[plan->items[i].lid] = cables[0];
		return;
	}
	if (!plan->is_even && group->peer == to && share_cables(desk, to, group, lft))
		return;
	for (uint32_t i = begin; i < end; i++)
		lft[plan->items[i].lid] =
			cables[(plan->items[i].number / divider + plan->items[i].pass) %
			       group->n_cables];
}

/* Lists the cables of the groups that lead somewhere. */
static uint32_t list_cables(const struct hd_dmodc_desk *desk, const bool *leads, uint8_t *cables)
{
	uint32_t n = 0;

	for (unsigned g = 0; g < desk->n_groups; g++) {
		const struct hd_tree_group *group = &desk->groups[g];

		if (!leads[g])
			continue;
		memcpy(cables + n, desk->plan->ways.cable + group->first_cable, group->n_cables);
		n += group->n_cables;
	}
	return n;
}

/* The slots of the desk's switch that serve a destination. */
struct serving {
	uint32_t n;
	uint16_t slot[HD_DMODC_MOST_SLOTS];  /* ascending */
	uint16_t place[HD_DMODC_MOST_SLOTS]; /* [slot] in slot[]: the first that is no less */
	bool serves[HD_DMODC_MOST_SLOTS];    /* [slot] */
	bool is_known; /* what comes down to the destination is known by the slot that it left by */
};

/* Of those slots, the one with least flows where they are most; the first from @begin on. */
static uint32_t find_least(const struct hd_dmodc_desk *desk, uint32_t to,
			   const struct serving *list, uint32_t begin)
{
	const uint32_t *down = desk->plan->down + desk->plan->first_slot[to];
	const uint32_t base =
		(uint32_t)((uint64_t)desk->plan->n_hosts * desk->n_sources / desk->n_slots);
	uint32_t best = 0, i = list->place[begin];
	uint64_t least = UINT64_MAX;

	for (uint32_t left = list->n; left; left--, i++) {
		uint32_t slot, out, in;
		uint64_t cost;

		i = i < list->n ? i : 0;
		slot = list->slot[i];
		out = base + desk->leaving[slot];
		in = list->is_known ? down[desk->slot_first[slot]] : 0;
		cost = (uint64_t)(out > in ? out : in) << 32 | (out > in ? in : out);
		best = cost < least ? slot : best;
		least = cost < least ? cost : least;
	}
	return best;
}

/*
 * Of the slots that serve @to, that with least flows where they are most, at this leaf or where
 * they come down to @to; the first from @begin on. Notes that flows go there.
 */
static uint32_t choose_slot(struct hd_dmodc_desk *desk, uint32_t to, uint32_t item,
			    const struct serving *list, uint32_t begin)
{
	struct hd_dmodc_plan *plan = desk->plan;
	const struct hd_fat_tree *tree = plan->tree;
	const uint32_t best = find_least(desk, to, list, begin % desk->n_slots);

	if (!plan->items[item].port) /* switches' own LIDs carry little */
		return best;
	desk->leaving[best] += desk->n_sources;
	if (!list->is_known)
		return best;
	hd_dmodc_add_arrival(plan, to, desk->slot_first[best], desk->n_sources);
	plan->via[plan->first_via[to] +
		  (size_t)(item - plan->first_item[to]) *
			  tree->sibling[tree->siblings[to]].n_parents +
		  desk->slot_first[best]] += desk->n_sources;
	return best;
}

/*
 * Where several parents of leaf @to are below, destinations come down by the parent that is theirs
 * at the leaf: by the cable of its slot there, which is the one that packets from the leaf's
 * siblings would take up. Fills down[slot of @to]: 0: no cable of the desk leads to that parent.
 * Returns how many slots there are.
 */
static uint32_t list_downs(const struct hd_dmodc_desk *desk, uint32_t to, const bool *leads,
			   uint8_t *down)
{
	const struct hd_fat_tree *tree = desk->plan->tree;
	const struct hd_siblings *siblings;

	if (tree->level[to] || tree->siblings[to] == HD_NONE)
		return 0;
	siblings = &tree->sibling[tree->siblings[to]];
	if (siblings->n_slots > HD_DMODC_MOST_SLOTS)
		return 0;
	for (uint32_t slot = 0; slot < siblings->n_slots; slot++) {
		const uint32_t *parents = tree->slot_parent + siblings->first_slot;
		const unsigned g = desk->group_to[parents[slot]];

		down[slot] = 0;
		if (g == HD_DMODC_NO_GROUP || !leads[g])
			continue;
		down[slot] =
			desk->plan->ways.cable[desk->groups[g].first_cable +
					       hd_dmodc_cable_of_slot(siblings, parents, slot) %
						       desk->groups[g].n_cables];
	}
	return siblings->n_slots;
}

/* Lists the slots that serve @to. Groups in @leads lead there. */
static void list_serving(const struct hd_dmodc_desk *desk, uint32_t to, const bool *leads,
			 struct serving *list)
{
	const bool *lacks = desk->plan->lacks + desk->plan->first_slot[to];
	const bool is_thin = hd_dmodc_is_thinner(desk, to);
	uint32_t n = 0;

	for (uint32_t slot = 0; slot < desk->n_slots; slot++) {
		const bool serves = leads[desk->slot_group[slot]] && !(is_thin && lacks[slot]);

		list->serves[slot] = serves;
		list->place[slot] = (uint16_t)n;
		list->slot[n] = (uint16_t)slot;
		n += serves;
	}
	list->n = n;
	list->is_known = hd_dmodc_has_such_slots(desk, to);
}

/* Destinations of @to by those groups that lead there: by slots as far as these do. */
static void fill_by_slots(struct hd_dmodc_desk *desk, uint32_t to, uint8_t *lft)
{
	const struct hd_dmodc_plan *plan = desk->plan;
	const bool is_leaf = !plan->tree->level[desk->s];
	bool leads[HD_DMODC_NO_GROUP + 1];
	uint8_t cables[HD_MAX_PORTS], down[HD_DMODC_MOST_SLOTS];
	uint32_t n = 0, n_downs = 0;
	struct serving list;
	bool has_slots;

	for (unsigned g = 0; g < desk->n_groups; g++)
		leads[g] = desk->lengths[g][to] == desk->want[g][to];
	leads[HD_DMODC_NO_GROUP] = false;
	list_serving(desk, to, leads, &list);
	has_slots = list.n > 0;
	if (!has_slots) {
		n = list_cables(desk, leads, cables);
		n_downs = list_downs(desk, to, leads, down);
	}
	for (uint32_t i = plan->first_item[to]; i < plan->first_item[to + 1]; i++) {
		const struct hd_dmodc_item *item = &plan->items[i];
		const uint32_t slot = has_slots ? desk->slot[i] : 0;
		uint32_t next;

		if (has_slots && list.serves[slot] && !(is_leaf && item->is_over)) {
			lft[item->lid] = desk->slot_port[slot];
			continue;
		}
		if (n_downs && down[(item->number + item->pass) % n_downs]) {
			lft[item->lid] = down[(item->number + item->pass) % n_downs];
			continue;
		}
		next = item->number / desk->divider + item->pass;
		if (!has_slots) {
			lft[item->lid] = cables[next % n];
			continue;
		}
		next = next / desk->n_slots + slot + desk->rank;
		lft[item->lid] = desk->slot_port[is_leaf ? choose_slot(desk, to, i, &list, next)
							 : list.slot[next % list.n]];
	}
}

static void fill_row(struct hd_dmodc_desk *desk, uint8_t *lft)
{
	const struct hd_dmodc_plan *plan = desk->plan;
	const uint16_t *lids = plan->lids, *slots = desk->slot;
	const uint8_t *ports = desk->slot_port;

	count_groups(desk);
	hd_dmodc_find_item_slots(desk);
	for (uint32_t to = 0; to < plan->ways.n; to++) {
		const uint32_t begin = plan->first_item[to], end = plan->first_item[to + 1];
		const unsigned n = desk->count[to] + desk->count_up[to];

		if (to == desk->s)
			for (uint32_t i = begin; i < end; i++)
				lft[plan->items[i].lid] = plan->items[i].port;
		else if (n == 1)
			fill_by_group(desk, to, &desk->groups[desk->single[to]], lft);
		else if (desk->count_up[to] == desk->n_up && n == desk->n_up && desk->is_complete &&
			 !(plan->has_over[to] && desk->divider == 1) &&
			 !hd_dmodc_is_thinner(desk, to))
			for (uint32_t i = begin; i < end; i++)
				lft[lids[i]] = ports[slots[i]];
		else if (n)
			fill_by_slots(desk, to, lft);
	}
}

/* Fills the rows of the desk's thread; those of leaves one after another where they depend. */
static void fill_rows(struct hd_dmodc_desk *desk, bool is_ready, struct hd_tables *tables)
{
	const struct hd_dmodc_plan *plan = desk->plan;

#pragma omp single
	for (uint32_t i = 0; i < plan->tree->n_at[0]; i++) {
		if (!is_ready || plan->is_even)
			continue;
		hd_dmodc_desk_begin(desk, plan->tree->order[i]);
		fill_row(desk, hd_lft(tables, plan->tree->order[i]));
	}
#pragma omp for schedule(dynamic, 16)
	for (uint32_t s = 0; s < plan->ways.n; s++) {
		if (!is_ready || (!plan->is_even && !plan->tree->level[s]))
			continue;
		hd_dmodc_desk_begin(desk, s);
		fill_row(desk, hd_lft(tables, s));
	}
}

int hd_dmodc_fill(struct hd_dmodc_plan *plan, struct hd_tables *tables, struct hd_error *err)
{
	bool failed = false;

#pragma omp parallel if (plan->ways.n > 64)
	{
		struct hd_dmodc_desk desk;
		bool is_ready = hd_dmodc_desk_new(plan, &desk);

		if (!is_ready) {
#pragma omp atomic write
			failed = true;
		}
		fill_rows(&desk, is_ready, tables);
		hd_dmodc_desk_clear(&desk);
	}
	return failed ? hd_error_nomem(err) : 0;
}
