// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fat trees as they are cabled, by a closed form: D-mod-K (Zahavi, 2010) where nothing is missing,
 * and a generalisation in the manner of Dmodc (Gliksberg et al., arXiv 2211.13101) where something
 * is.
 *
 * Hosts are numbered along the tree, leaf by leaf and there by port. A switch sends number t up by
 *
 *	slot (t / divider) mod slots,
 *
 * where slots are the cables that the switch and its siblings have (topologies/fat_tree.h), first
 * cables to every parent before second ones, and the divider is the product of the parents on the
 * levels below. So siblings agree on the parent for a destination, and each parent, and each cable
 * down from it, has its share of the destinations of a leaf: on an intact k-ary n-tree every shift
 * permutation has one flow on each link.
 *
 * A slot that a switch lacks, or that does not lead to the destination by a shortest way, is
 * replaced by one that does; other entries stay. At a leaf that is the slot by which least flows
 * leave and come down to the destination's leaf; leaves are gone through one after another, with
 * the flows of all pairs of hosts. Higher up it is chosen by the next digit of t and by which
 * sibling the switch is. A leaf with more hosts than slots has some destinations over, which would
 * all make the same cables busier: leaves choose their slots likewise.
 *
 * Which ways are legal is the business of engines/tree_ways.h.
 */
#include <stdlib.h>

#include "engines/ar_options.h"
#include "engines/baseline_routes.h"
#include "engines/dmodc_desk.h"
#include "engines/dmodc_rows.h"
#include "engines/engines.h"
#include "engines/even.h"
#include "engines/tree_sets.h"
#include "engines/turns.h"
#include "support/error.h"
#include "topologies/no_hosts.h"

/* The slots of a switch's destinations, whether they lead there or not. */
static void list_slots(void *context, uint32_t s, uint8_t *row)
{
	struct hd_dmodc_desk *desk = context;
	const struct hd_dmodc_plan *plan = desk->plan;
	const uint32_t n = plan->first_item[plan->ways.n];
	const uint16_t *lids = plan->lids, *slots = desk->slot;
	const bool is_leaf = !plan->tree->level[s];
	uint8_t ports[HD_DMODC_MOST_SLOTS];

	hd_dmodc_desk_begin(desk, s);
	hd_dmodc_find_item_slots(desk);
	if (!desk->n_slots)
		return;
	for (uint32_t slot = 0; slot < desk->n_slots; slot++)
		ports[slot] =
			desk->slot_group[slot] == HD_DMODC_NO_GROUP ? 0 : desk->slot_port[slot];
	for (uint32_t i = 0; i < n; i++)
		row[lids[i]] = ports[slots[i]];
	for (uint32_t i = 0; is_leaf && i < plan->n_over; i++)
		row[plan->over[i]] = 0;
}

/* *@weight, to be freed, is that of hd_turn_weigh(); NULL: links have one rate. */
static int weigh(const struct hd_fabric *fabric, uint32_t **weight, struct hd_error *err)
{
	struct hd_turn_graph graph;
	int ret = hd_turn_graph_init(&graph, fabric, err);

	*weight = ret ? NULL : malloc((graph.n_channels + (size_t)1) * sizeof(**weight));
	if (!ret && !*weight)
		ret = hd_error_nomem(err);
	if (!ret && !hd_turn_weigh(&graph, *weight)) {
		free(*weight);
		*weight = NULL;
	}
	hd_turn_graph_clear(&graph);
	return ret;
}

static int even_out(struct hd_dmodc_plan *plan, struct hd_tables *tables,
		    const struct hd_route_targets *targets, const struct hd_route_request *asked,
		    struct hd_error *err)
{
	struct hd_dmodc_desk desk;
	struct hd_even_request request = {
		.rule = list_slots,
		.context = &desk,
		.enough = asked->enough,
		.known = asked->variant ? asked->variant->base->even : NULL,
	};
	uint32_t *weight = NULL;
	int ret = hd_dmodc_desk_new(plan, &desk) ? weigh(plan->fabric, &weight, err)
						 : hd_error_nomem(err);

	request.weight = weight;
	if (weight)
		request.enough *= HD_TURN_QUARTERS;
	else if (!ret && asked->baseline && !asked->baseline->even)
		ret = hd_even_know(tables, targets, &asked->baseline->even, err);
	if (!ret)
		ret = hd_even_out(tables, targets, &request, NULL, err);
	free(weight);
	hd_dmodc_desk_clear(&desk);
	return ret;
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	static const char *const ar_words[] = { "no", "yes", NULL };
	struct hd_dmodc_plan plan = { 0 };
	enum hd_ar_state state = HD_AR_STATIC;
	struct hd_route_targets targets;
	unsigned with_sets = 0;
	int ret = hd_route_targets_list(fabric, &targets, err);

	if (!ret && request->params)
		ret = hd_ar_begin(request->params, ar_words, &with_sets, &state, routes, err);
	if (!ret)
		ret = hd_dmodc_plan_find(
			fabric, request->params ? hd_params_get(request->params, "no_hosts") : NULL,
			&targets, &plan, err);
	if (!ret)
		ret = hd_dmodc_count_arrivals(&plan, err);
	if (!ret)
		ret = hd_dmodc_fill(&plan, routes->tables, err);
	/*
	 * entries that were evened out need not keep the order of sets: together they close cycles
	 */
	if (!ret && !with_sets)
		ret = even_out(&plan, routes->tables, &targets, request, err);
	if (!ret && with_sets)
		ret = hd_tree_sets(&plan.ways, &targets, state, routes->tables, err);
	hd_route_targets_free(&targets);
	hd_dmodc_plan_clear(&plan);
	return ret;
}

static const struct hd_option options[] = {
	HD_NO_HOSTS_OPTION,
	HD_AR_OPTIONS("yes: AR tables with all cables by which a shortest legal path begins"),
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "single", NULL };

const struct hd_engine hd_engine_dmodc = {
	.policy.name = "dmodc",
	.policy.summary = "fat trees as they are cabled: D-mod-K, also around missing cables",
	.policy.reference = "Zahavi (2010); Gliksberg et al., arXiv 2211.13101",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.route = route,
};
