// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/dmodc_plan.h"

#include <stdlib.h>

#include "support/error.h"
#include "topologies/no_hosts.h"

unsigned hd_dmodc_cable_of_slot(const struct hd_siblings *siblings, const uint32_t *slots,
				uint32_t slot)
{
	unsigned cable = 0;

	for (uint32_t i = 0; i < slot && slot >= siblings->n_parents; i++)
		cable += slots[i] == slots[slot];
	return cable;
}

void hd_dmodc_add_arrival(struct hd_dmodc_plan *plan, uint32_t to, uint32_t slot, uint32_t flows)
{
	const size_t at = plan->first_slot[to] + slot;
	const uint32_t n_cables = plan->cables_of[at];

	plan->arriving[at] += flows;
	plan->down[at] = n_cables ? plan->arriving[at] / n_cables : 0;
}

/* Whether switch @s has the cable of @slot, or no cable to that parent at all. */
static bool has_slot(const struct hd_dmodc_plan *plan, uint32_t s, uint32_t slot)
{
	const struct hd_siblings *siblings = &plan->tree->sibling[plan->tree->siblings[s]];
	const uint32_t *slots = plan->tree->slot_parent + siblings->first_slot;

	if (slot < siblings->n_parents)
		return true;
	for (uint32_t g = plan->ways.first_group[s]; g < plan->ways.first_group[s + 1]; g++)
		if (plan->ways.group[g].peer == slots[slot])
			return hd_dmodc_cable_of_slot(siblings, slots, slot) <
			       plan->ways.group[g].n_cables;
	return true;
}

/* The slots of @s and its siblings. */
static uint32_t count_slots(const struct hd_dmodc_plan *plan, uint32_t s)
{
	const uint32_t siblings = plan->tree->siblings[s];

	return siblings == HD_NONE ? 0 : plan->tree->sibling[siblings].n_slots;
}

/* Finds the places of switches in first_slot[] and first_via[], and makes what has these places. */
static int place_slots(struct hd_dmodc_plan *plan, struct hd_error *err)
{
	const struct hd_fat_tree *tree = plan->tree;
	const uint32_t n = plan->ways.n;
	size_t n_slots = 0, n_via = 0;

	plan->first_via = malloc((n + (size_t)1) * sizeof(*plan->first_via));
	plan->first_slot = malloc((n + (size_t)1) * sizeof(*plan->first_slot));
	for (uint32_t s = 0; plan->first_slot && plan->first_via && s < n; s++) {
		plan->first_slot[s] = n_slots;
		plan->first_via[s] = n_via;
		n_slots += count_slots(plan, s);
		if (tree->siblings[s] != HD_NONE && !tree->level[s])
			n_via += (size_t)tree->sibling[tree->siblings[s]].n_parents *
				 (plan->first_item[s + 1] - plan->first_item[s]);
	}
	plan->via = calloc(n_via + 1, sizeof(*plan->via));
	plan->arriving = calloc(n_slots + 1, sizeof(*plan->arriving));
	plan->cables_of = calloc(n_slots + 1, sizeof(*plan->cables_of));
	plan->down = calloc(n_slots + 1, sizeof(*plan->down));
	plan->lacks = calloc(n_slots + 1, sizeof(*plan->lacks));
	plan->is_thin = calloc(n + (size_t)1, sizeof(*plan->is_thin));
	return plan->first_slot && plan->first_via && plan->via && plan->arriving &&
			       plan->cables_of && plan->down && plan->lacks && plan->is_thin
		       ? 0
		       : hd_error_nomem(err);
}

static void find_thin(struct hd_dmodc_plan *plan)
{
	for (uint32_t s = 0; s < plan->ways.n; s++) {
		const uint32_t n = count_slots(plan, s);

		for (uint32_t slot = 0; slot < n; slot++) {
			const bool lacks = !has_slot(plan, s, slot);

			plan->lacks[plan->first_slot[s] + slot] = lacks;
			plan->is_thin[s] |= lacks;
		}
	}
}

/*
 * Numbers the hosts of the leaves along the tree, then end nodes on other switches; switches' own
 * LIDs go by their places along the tree.
 */
static void number_items(struct hd_dmodc_plan *plan, const struct hd_route_targets *targets,
			 uint32_t *number_of_port, uint32_t *place)
{
	const struct hd_fabric *fabric = plan->fabric;
	uint32_t n = 0;

	for (uint32_t i = 0; i < fabric->n_switches; i++) {
		const uint32_t s = plan->tree->order[i], begin = n;
		uint32_t n_slots = 0, n_full;

		if (plan->tree->siblings[s] != HD_NONE)
			n_slots = plan->tree->sibling[plan->tree->siblings[s]].n_slots;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;

			if (peer != HD_NONE && fabric->ports[peer].node >= fabric->n_switches &&
			    fabric->ports[peer].lid)
				number_of_port[hd_port_index(fabric, s, number)] = n++;
		}
		n_full = n_slots ? (n - begin) / n_slots * n_slots : 0;
		plan->has_over[s] = n_full && n_full < n - begin;
		/* the management port's place holds the first number that is over */
		number_of_port[hd_port_index(fabric, s, 0)] =
			plan->has_over[s] ? begin + n_full : UINT32_MAX;
		place[s] = i;
	}
	for (size_t i = 0; i < targets->n; i++) {
		const struct hd_route_target *target = &targets->list[i];
		const uint32_t s = target->via_switch;
		const uint32_t port = hd_port_index(fabric, s, target->via_port);
		struct hd_dmodc_item *item = &plan->items[plan->first_item[s]++];

		*item = (struct hd_dmodc_item){ .number = target->via_port ? number_of_port[port]
									   : place[s],
						.lid = target->lid,
						.port = target->via_port,
						.pass = target->via_port ? target->pass : 0 };
		item->is_over = target->via_port &&
				item->number >= number_of_port[hd_port_index(fabric, s, 0)];
		plan->lids[item - plan->items] = target->lid;
		if (item->is_over)
			plan->over[plan->n_over++] = target->lid;
	}
}

static int list_items(struct hd_dmodc_plan *plan, const struct hd_route_targets *targets,
		      struct hd_error *err)
{
	const struct hd_fabric *fabric = plan->fabric;
	const size_t n = fabric->n_switches + (size_t)1;
	uint32_t *number_of_port = malloc((fabric->n_ports + (size_t)1) * sizeof(*number_of_port));
	uint32_t *place = malloc(n * sizeof(*place));
	int ret = 0;

	plan->first_item = calloc(n + 1, sizeof(*plan->first_item));
	plan->has_over = calloc(n, sizeof(*plan->has_over));
	plan->items = malloc((targets->n + 1) * sizeof(*plan->items));
	plan->lids = malloc((targets->n + 1) * sizeof(*plan->lids));
	plan->over = malloc((targets->n + 1) * sizeof(*plan->over));
	if (!number_of_port || !place || !plan->first_item || !plan->has_over || !plan->items ||
	    !plan->lids || !plan->over)
		ret = hd_error_nomem(err);
	if (!ret) {
		/* counted one place on, so that filling in moves every beginning to its place */
		for (size_t i = 0; i < targets->n; i++)
			plan->first_item[targets->list[i].via_switch + 2]++;
		for (size_t s = 2; s < n + 1; s++)
			plan->first_item[s] += plan->first_item[s - 1];
		plan->first_item++;
		number_items(plan, targets, number_of_port, place);
		plan->first_item--;
	}
	free(number_of_port);
	free(place);
	return ret;
}

int hd_dmodc_plan_find(const struct hd_fabric *fabric, const char *no_hosts,
		       const struct hd_route_targets *targets, struct hd_dmodc_plan *plan,
		       struct hd_error *err)
{
	int ret;

	*plan = (struct hd_dmodc_plan){ .fabric = fabric };
	ret = hd_fat_tree_recognise_without(fabric, no_hosts, &plan->tree, err);
	if (!ret)
		ret = hd_tree_ways_find(fabric, plan->tree, &plan->ways, err);
	if (!ret)
		ret = list_items(plan, targets, err);
	if (!ret)
		ret = place_slots(plan, err);
	if (!ret)
		find_thin(plan);
	return ret;
}

void hd_dmodc_plan_clear(struct hd_dmodc_plan *plan)
{
	hd_fat_tree_free(plan->tree);
	hd_tree_ways_clear(&plan->ways);
	free(plan->items);
	free(plan->lids);
	free(plan->over);
	free(plan->first_item);
	free(plan->has_over);
	free(plan->is_thin);
	free(plan->lacks);
	free(plan->first_slot);
	free(plan->first_via);
	free(plan->via);
	free(plan->arriving);
	free(plan->cables_of);
	free(plan->down);
}
