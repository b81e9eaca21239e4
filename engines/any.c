// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Any connected graph, within the VLs that there are, one included: what Nue (Domke, Hoefler and
 * Matsuoka, 2016) guarantees. Destinations are shared out over layers. In each, routes are found
 * one destination after another within a channel dependency graph that never has a cycle, and that
 * has a spanning tree to fall back on from the beginning (engines/any_ways.h).
 *
 * What is different from Nue, and what each does for the busiest link:
 *	- destinations come in an order by chance, so that no part of the fabric takes the turns
 *	  that it likes before others do;
 *	- the tree's branches are even (engines/escape_tree.h);
 *	- turns that are far against the order of channels are not tried (engines/turns.h);
 *	- where there are layers, the destinations of a switch are in the one in which ways to it
 *	  are shortest, the first of these;
 *	- on a small fabric all of that is done several times, with other roots and orders, and the
 *	  best is kept;
 *	- with one layer, the busiest links are relieved in the end (engines/even.h); up*-down*
 *	  routes are tried beside these, so that the busiest link has no more flows than with engine
 *	  updn.
 *
 * The chance is from a fixed seed: the same fabric gives the same routes.
 *
 * With ar=yes, entries get further ports as far as the turns of all choices have no cycle
 * (engines/turn_sets.h); LFTs stay as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/any_ways.h"
#include "engines/ar_options.h"
#include "engines/engines.h"
#include "engines/even.h"
#include "engines/targets.h"
#include "engines/turn_sets.h"
#include "fabric/distances.h"
#include "sl2vl/class_queues.h"
#include "sl2vl/lanes.h"
#include "support/error.h"
#include "support/memory.h"
#include "support/options.h"
#include "support/random.h"

#define MOST_LAYERS   8
#define MOST_ATTEMPTS 24
#define WORK          (UINT64_C(1) << 24) /* channels looked at, within which attempts are made */

struct plan {
	const struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_turn_graph graph;
	struct hd_route_targets targets;
	struct hd_any_ways ways;
	unsigned n_layers;
	struct hd_any_layer layers[MOST_LAYERS];
	uint32_t *roots;    /* switches, those in the middle first */
	uint32_t *hosts;    /* [switch] linked end-node ports */
	uint64_t *paths;    /* [switch] flows that come through it, towards one LID */
	uint64_t base;      /* what a channel costs without flows */
	uint32_t *order;    /* targets of a pass */
	uint8_t *layer_of;  /* [switch] of the LIDs there; HD_MAX_VLS: not known yet */
	uint16_t *host_lid; /* [switch] a LID of an end node there; 0: none is routed yet */
	const uint8_t *distances;

	/* the best attempt */
	uint64_t busiest;
	uint8_t *best_lft, *best_layer_of;
};

/* Links that the ways to @last have together when each is as short as there can be. */
static uint64_t least_length(const struct plan *plan, uint32_t last)
{
	const uint32_t n = plan->fabric->n_switches;
	const uint8_t *row = plan->distances + (size_t)last * n;
	uint64_t length = 0;

	for (uint32_t s = 0; s < n; s++)
		length += row[s] < HD_UNREACHABLE ? row[s] : 0;
	return length;
}

/* The layer with the shortest ways to @last, the first of these. */
static unsigned choose_layer(struct plan *plan, uint32_t last)
{
	const uint64_t enough = least_length(plan, last);
	uint64_t least = UINT64_MAX;
	unsigned best = 0;

	for (unsigned k = 0; k < plan->n_layers && least > enough; k++) {
		hd_any_ways_find(&plan->ways, &plan->layers[k], last);
		hd_any_ways_drop(&plan->ways);
		if (plan->ways.length >= least)
			continue;
		least = plan->ways.length;
		best = k;
	}
	return best;
}

/* Counts the flows of the ways that were found to the LID of an end node. */
static void count_flows(struct plan *plan)
{
	struct hd_any_ways *ways = &plan->ways;

	for (uint32_t i = 0; i < ways->n_order; i++)
		plan->paths[ways->order[i]] = plan->hosts[ways->order[i]];
	for (uint32_t i = ways->n_order; i-- > 1;) {
		const uint32_t s = ways->order[i], channel = ways->out[s];

		hd_any_ways_load(ways, channel, plan->paths[s]);
		plan->paths[plan->graph.to[channel]] += plan->paths[s];
	}
}

static void route_target(struct plan *plan, const struct hd_route_target *target)
{
	const uint32_t last = target->via_switch, n = plan->fabric->n_switches;
	const struct hd_any_ways *ways = &plan->ways;

	/* a switch's own LID goes with an end node's, and makes no turns of its own */
	if (!target->via_port && plan->host_lid[last]) {
		for (uint32_t s = 0; s < n; s++) {
			uint8_t *lft = hd_lft(plan->tables, s);

			lft[target->lid] = s == last ? 0 : lft[plan->host_lid[last]];
		}
		return;
	}
	if (plan->layer_of[last] == HD_MAX_VLS)
		plan->layer_of[last] = plan->n_layers > 1 ? (uint8_t)choose_layer(plan, last) : 0;
	hd_any_ways_find(&plan->ways, &plan->layers[plan->layer_of[last]], last);
	hd_any_ways_keep(&plan->ways);
	hd_lft(plan->tables, last)[target->lid] = target->via_port;
	for (uint32_t i = 1; i < ways->n_order; i++)
		hd_lft(plan->tables, ways->order[i])[target->lid] =
			plan->graph.port[ways->out[ways->order[i]]];
	if (!target->via_port)
		return;
	count_flows(plan);
	plan->host_lid[last] = target->lid;
}

static uint64_t find_busiest(const struct plan *plan)
{
	uint64_t busiest = 0;

	for (uint32_t c = 0; c < plan->graph.n_channels; c++)
		if (plan->ways.load[c] * plan->ways.weight[c] > busiest)
			busiest = plan->ways.load[c] * plan->ways.weight[c];
	return busiest;
}

static void clear_layers(struct plan *plan)
{
	for (unsigned k = 0; k < MOST_LAYERS; k++) {
		hd_turns_clear(&plan->layers[k].turns);
		hd_escape_tree_clear(&plan->layers[k].tree);
	}
}

/* The root of a layer's tree: by turns one of the middle of the fabric, and one from anywhere. */
static uint32_t root_of(const struct plan *plan, unsigned attempt, unsigned layer)
{
	const uint32_t n = plan->fabric->n_switches, i = attempt * plan->n_layers + layer;
	const uint32_t step = attempt % 2 ? 1 : n / (MOST_ATTEMPTS * plan->n_layers) + 1;

	return plan->roots[(uint64_t)i * step % n];
}

static int make_layers(struct plan *plan, unsigned attempt, struct hd_error *err)
{
	int ret = 0;

	for (unsigned k = 0; !ret && plan->fabric->n_switches && k < plan->n_layers; k++) {
		struct hd_any_layer *layer = &plan->layers[k];

		ret = hd_escape_tree_init(&layer->tree, &plan->graph, root_of(plan, attempt, k),
					  err);
		if (!ret)
			ret = hd_turns_init(&layer->turns, &plan->graph, layer->tree.position, err);
		if (!ret)
			hd_escape_tree_take_turns(&layer->tree, &layer->turns);
	}
	return ret;
}

/* Keeps the routes that there are now where they are the best until now. */
static int keep_better(struct plan *plan, struct hd_error *err)
{
	const struct hd_even_request even = { .weight = plan->ways.weight };
	const uint32_t n = plan->fabric->n_switches;
	uint64_t busiest = 0;

	/* with several layers, turns that are free of cycles in each are not so together */
	if (plan->n_layers == 1) {
		int ret = hd_even_out(plan->tables, &plan->targets, &even, &busiest, err);

		if (ret)
			return ret;
	}
	if (!busiest)
		busiest = find_busiest(plan);
	if (busiest >= plan->busiest)
		return 0;
	plan->busiest = busiest;
	memcpy(plan->best_lft, plan->tables->lft, n * plan->tables->lft_stride);
	memcpy(plan->best_layer_of, plan->layer_of, n);
	return 0;
}

/* Routes all LIDs. */
static int attempt_routes(struct plan *plan, unsigned attempt, struct hd_error *err)
{
	const struct hd_route_targets *targets = &plan->targets;
	const uint32_t n = plan->fabric->n_switches;
	struct hd_random random;
	int ret = make_layers(plan, attempt, err);

	if (ret)
		return ret;
	hd_random_init(&random, attempt + 1, 0);
	hd_any_ways_unload(&plan->ways, attempt % 2 ? 30 * plan->base : plan->base);
	memset(plan->layer_of, HD_MAX_VLS, n);
	memset(plan->host_lid, 0, n * sizeof(*plan->host_lid));
	for (unsigned pass = 0; pass < targets->n_passes; pass++) {
		const size_t first = targets->first[pass];
		const uint32_t n_pass = (uint32_t)(targets->first[pass + 1] - first);

		hd_random_permutation(&random, n_pass, plan->order);
		for (uint32_t i = 0; i < n_pass; i++)
			route_target(plan, &targets->list[first + plan->order[i]]);
	}
	clear_layers(plan);
	return keep_better(plan, err);
}

/* A switch and what its distances to end nodes sum up to. */
struct middle {
	uint64_t sum;
	uint32_t s;
};

static int compare_middles(const void *a, const void *b)
{
	const struct middle *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum < y->sum ? -1 : 1;
	return x->s < y->s ? -1 : x->s > y->s;
}

static int list_roots(struct plan *plan, struct hd_error *err)
{
	const uint32_t n = plan->fabric->n_switches;
	struct middle *list = calloc(n + (size_t)1, sizeof(*list));

	if (!list)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++) {
		const uint8_t *row = plan->distances + (size_t)s * n;

		list[s].s = s;
		for (uint32_t to = 0; to < n; to++)
			list[s].sum += (uint64_t)row[to] * (plan->hosts[to] + 1);
	}
	qsort(list, n, sizeof(*list), compare_middles);
	for (uint32_t i = 0; i < n; i++)
		plan->roots[i] = list[i].s;
	free(list);
	return 0;
}

static void count_hosts(struct plan *plan)
{
	const struct hd_fabric *fabric = plan->fabric;
	uint64_t n_hosts = 0;

	hd_for_each_switch(s, fabric) {
		hd_for_each_number(number, fabric, s) {
			const uint32_t peer = hd_peer_node(fabric, s, number);

			plan->hosts[s] += peer != HD_NONE && peer >= fabric->n_switches;
		}
		n_hosts += plan->hosts[s];
	}
	/* short ways count where there is next to no load yet */
	plan->base = n_hosts * n_hosts / 100 / (plan->graph.n_channels + UINT64_C(1)) + 1;
}

/*
 * The layers that there may be: as option vls says, and as links have VLs and SLs are left beside
 * the queues.
 */
static int count_layers(struct plan *plan, const struct hd_route_request *request,
			struct hd_error *err)
{
	struct hd_layer_input input;
	struct hd_queueing queueing = { 0 };
	struct hd_class_queues rules;
	uint64_t most;
	int ret = hd_params_number(request->params, "vls", 0, MOST_LAYERS, &most, err);

	if (!ret)
		ret = hd_class_queues_parse(request->queues, request->classes, &rules, err);
	if (ret)
		return ret;
	queueing.queues = &rules.list[0];
	queueing.rules = rules.n > 1 ? &rules : NULL;
	queueing.n_classes = hd_class_queues_guess(&rules);
	hd_lanes_budget(plan->fabric, &queueing, request->classes, request->max_vls, &input);
	plan->n_layers = most ? (unsigned)most : MOST_LAYERS;
	if (plan->n_layers > input.max_layers)
		plan->n_layers = input.max_layers;
	if (plan->n_layers > input.max_classes)
		plan->n_layers = input.max_classes;
	if (!plan->n_layers) /* composing says what does not fit */
		plan->n_layers = 1;
	return 0;
}

static int prepare(struct plan *plan, const struct hd_route_request *request, struct hd_error *err)
{
	const size_t n = plan->fabric->n_switches + (size_t)1;
	int ret = count_layers(plan, request, err);

	if (!ret)
		ret = hd_turn_graph_init(&plan->graph, plan->fabric, err);
	if (!ret)
		ret = hd_any_ways_init(&plan->ways, &plan->graph, err);
	if (!ret)
		ret = hd_route_targets_list(plan->fabric, &plan->targets, err);
	if (ret)
		return ret;
	plan->roots = malloc(n * sizeof(*plan->roots));
	plan->hosts = calloc(n, sizeof(*plan->hosts));
	plan->paths = malloc(n * sizeof(*plan->paths));
	plan->order = malloc((plan->targets.n + 1) * sizeof(*plan->order));
	plan->layer_of = malloc(n);
	plan->host_lid = malloc(n * sizeof(*plan->host_lid));
	plan->best_lft = hd_alloc_large(n * plan->tables->lft_stride);
	plan->best_layer_of = calloc(n, 1);
	if (!plan->roots || !plan->hosts || !plan->paths || !plan->order || !plan->layer_of ||
	    !plan->host_lid || !plan->best_lft || !plan->best_layer_of)
		return hd_error_nomem(err);
	count_hosts(plan);
	return 0;
}

static void release(struct plan *plan)
{
	clear_layers(plan);
	hd_any_ways_clear(&plan->ways);
	hd_turn_graph_clear(&plan->graph);
	hd_route_targets_free(&plan->targets);
	free(plan->roots);
	free(plan->hosts);
	free(plan->paths);
	free(plan->order);
	free(plan->layer_of);
	free(plan->host_lid);
	free(plan->best_lft);
	free(plan->best_layer_of);
}

/* Hands out the best attempt: LFTs, and the layer of every LID. */
static int hand_out(const struct plan *plan, struct hd_routes *routes, struct hd_error *err)
{
	const struct hd_fabric *fabric = plan->fabric;
	uint8_t *layer = calloc(fabric->top_lid + (size_t)1, 1);

	if (!layer)
		return hd_error_nomem(err);
	memcpy(plan->tables->lft, plan->best_lft, fabric->n_switches * plan->tables->lft_stride);
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].via_switch != HD_NONE &&
		    plan->best_layer_of[fabric->lids[lid].via_switch] < plan->n_layers)
			layer[lid] = plan->best_layer_of[fabric->lids[lid].via_switch];
	routes->structure.layer = layer;
	return 0;
}

/*
 * Tries up*-down* routes: where a tree or a torus has much the same links everywhere, an order by
 * levels leaves more ways than chance does.
 */
static int attempt_up_down(struct plan *plan, struct hd_routes *routes, struct hd_error *err)
{
	struct hd_params *params = hd_params_new(hd_engine_updn.policy.options);
	const struct hd_route_request request = { .params = params };
	int ret = params ? hd_engine_updn.route(plan->fabric, &request, routes, err)
			 : hd_error_nomem(err);

	hd_params_free(params);
	return ret ? ret : keep_better(plan, err);
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	static const char *const words[] = { "no", "yes", NULL };
	enum hd_ar_state state = HD_AR_STATIC;
	unsigned choice = 0;
	struct plan plan = {
		.fabric = fabric,
		.tables = routes->tables,
		.busiest = UINT64_MAX,
	};
	uint8_t *distances = NULL;
	uint64_t n_attempts;
	int ret = prepare(&plan, request, err);

	if (!ret)
		ret = hd_ar_begin(request->params, words, &choice, &state, routes, err);
	if (!ret)
		ret = hd_switch_distances(fabric, &distances, err);
	plan.distances = distances;
	if (!ret)
		ret = list_roots(&plan, err);
	n_attempts = WORK / (plan.targets.n * (plan.graph.n_channels + UINT64_C(1)) + 1) + 1;
	for (unsigned i = 0; !ret && i < n_attempts && i < MOST_ATTEMPTS; i++)
		ret = attempt_routes(&plan, i, err);
	if (!ret && plan.n_layers == 1)
		ret = attempt_up_down(&plan, routes, err);
	if (!ret)
		ret = hand_out(&plan, routes, err);
	if (!ret && choice)
		ret = hd_turn_sets_add(routes->tables, routes->structure.layer, plan.n_layers,
				       state, err);
	free(distances);
	release(&plan);
	return ret;
}

static const struct hd_option options[] = {
	{ "vls", "1", "",
	  "layers over which to spread destinations, 1 to 8; 0: as many as there are; "
	  "with several, hosts must use the SL of the path record" },
	HD_AR_OPTIONS("yes: AR tables with all ports that lead closer, as far as no cycle closes"),
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "destination", NULL };

const struct hd_engine hd_engine_any = {
	.policy.name = "any",
	.policy.summary = "any connected graph, with one VL or more",
	.policy.reference = "after Nue: Domke, Hoefler and Matsuoka (2016)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.route = route,
};
