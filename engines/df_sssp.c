// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SSSP routing (Hoefler, Schneider and Lumsdaine, 2009): shortest paths to one destination after
 * the other, where every link weighs as much as the paths between end nodes that it carries
 * already, so that paths spread over all links of the fabric and not only over those of one switch.
 * Weights only choose among paths with as few hops as there can be, as if a hop weighed more than
 * all paths together; so the longest path is as long as the fabric is wide, which is what layer
 * rule `hop` needs a VL for.
 *
 * As the hops of a path are fixed, Dijkstra's queue is not needed: switches in the order of their
 * distance from a destination's switch are the same for all LIDs there, and so are the links that
 * lead closer.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/engines.h"
#include "engines/targets.h"
#include "fabric/distances.h"
#include "support/error.h"

/* A link to another switch, as one end sees it. */
struct link {
	uint64_t load; /* paths between end nodes that it carries */
	uint32_t peer;
	uint8_t port;
};

struct plan {
	const struct hd_fabric *fabric;
	const uint8_t *distances;
	struct link *links;
	uint32_t *first; /* [switch + 1] in links, each part by (peer, port) */
	uint64_t *hosts; /* [switch] linked end-node ports */

	/*
	 * Towards one switch: the others that reach it, nearest first, and their links that lead
	 * closer.
	 */
	uint32_t n_order;
	uint32_t *order;
	uint32_t *first_closer; /* [position in order, + 1] in closer */
	uint32_t *closer;       /* index in links */

	/* Towards one LID. */
	uint64_t *weight; /* [switch] of the way from there to the LID */
	uint64_t *paths;  /* [switch] paths that come through it */
	uint32_t *chosen; /* [switch] index in links */
};

/* Lists links in an order that depends on port numbers only where links are parallel. */
static void list_links(struct plan *plan)
{
	const struct hd_fabric *fabric = plan->fabric;
	uint32_t n = 0;

	hd_for_each_switch(s, fabric) {
		plan->first[s] = n;
		plan->hosts[s] = 0;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number), at;

			plan->hosts[s] += peer != HD_NONE && peer >= fabric->n_switches;
			if (peer >= fabric->n_switches || peer == s)
				continue;
			for (at = n++; at > plan->first[s] && plan->links[at - 1].peer > peer; at--)
				plan->links[at] = plan->links[at - 1];
			plan->links[at] = (struct link){ .peer = peer, .port = (uint8_t)number };
		}
	}
	plan->first[fabric->n_switches] = n;
}

/*
 * Sorts the switches that reach @to by distance, then index, and finds the links that lead closer.
 */
static void look_towards(struct plan *plan, uint32_t to)
{
	const uint32_t n = plan->fabric->n_switches;
	const uint8_t *distance = plan->distances + (size_t)to * n;
	uint32_t begin[HD_UNREACHABLE + 1] = { 0 }, n_closer = 0;

	for (uint32_t s = 0; s < n; s++)
		if (distance[s] < HD_UNREACHABLE)
			begin[distance[s] + 1]++;
	for (unsigned d = 0; d < HD_UNREACHABLE; d++)
		begin[d + 1] += begin[d];
	plan->n_order = begin[HD_UNREACHABLE];
	for (uint32_t s = 0; s < n; s++)
		if (distance[s] < HD_UNREACHABLE)
			plan->order[begin[distance[s]]++] = s;
	for (uint32_t i = 0; i < plan->n_order; i++) {
		uint32_t s = plan->order[i];

		plan->first_closer[i] = n_closer;
		for (uint32_t k = plan->first[s]; k < plan->first[s + 1]; k++) {
			plan->closer[n_closer] = k;
			n_closer += distance[plan->links[k].peer] < distance[s];
		}
	}
	plan->first_closer[plan->n_order] = n_closer;
}

/* Finds the lightest way from every switch to @target, then counts the paths on it. */
static void route_target(struct plan *plan, const struct hd_route_target *target,
			 struct hd_tables *tables)
{
	hd_lft(tables, target->via_switch)[target->lid] = target->via_port;
	plan->weight[target->via_switch] = 0;
	for (uint32_t i = 1; i < plan->n_order; i++) {
		const uint32_t s = plan->order[i];
		uint32_t best = plan->closer[plan->first_closer[i]];
		uint64_t least = plan->links[best].load + plan->weight[plan->links[best].peer];

		for (uint32_t k = plan->first_closer[i] + 1; k < plan->first_closer[i + 1]; k++) {
			const struct link *link = &plan->links[plan->closer[k]];
			uint64_t weight = link->load + plan->weight[link->peer];

			if (weight < least) {
				least = weight;
				best = plan->closer[k];
			}
		}
		plan->weight[s] = least;
		plan->chosen[s] = best;
		plan->paths[s] = plan->hosts[s];
		hd_lft(tables, s)[target->lid] = plan->links[best].port;
	}
	for (uint32_t i = plan->n_order; i-- > 1;) {
		const uint32_t s = plan->order[i];
		struct link *link = &plan->links[plan->chosen[s]];

		link->load += plan->paths[s];
		plan->paths[link->peer] += plan->paths[s];
	}
}

/* Routes the targets of one pass; those behind one switch are routed together. */
static int route_pass(struct plan *plan, const struct hd_route_targets *targets, unsigned pass,
		      struct hd_tables *tables, struct hd_error *err)
{
	const uint32_t n = plan->fabric->n_switches;
	uint32_t *first = calloc(n + (size_t)2, sizeof(*first));
	uint32_t *list =
		malloc((targets->first[pass + 1] - targets->first[pass] + 1) * sizeof(*list));

	if (!first || !list) {
		free(first);
		free(list);
		return hd_error_nomem(err);
	}
	/*
	 * first[s + 1] is where targets of s are put next, so at the end it is where those of s + 1
	 * begin
	 */
	for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++)
		first[targets->list[i].via_switch + 2]++;
	for (uint32_t s = 0; s < n; s++)
		first[s + 2] += first[s + 1];
	for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++)
		list[first[targets->list[i].via_switch + 1]++] = (uint32_t)i;
	for (uint32_t s = 0; s < n; s++) {
		if (first[s] == first[s + 1])
			continue;
		look_towards(plan, s);
		for (uint32_t k = first[s]; k < first[s + 1]; k++)
			route_target(plan, &targets->list[list[k]], tables);
	}
	free(first);
	free(list);
	return 0;
}

static bool allocate(struct plan *plan)
{
	const size_t n = plan->fabric->n_switches + (size_t)1, n_ports = plan->fabric->n_ports + 1;

	plan->links = malloc(n_ports * sizeof(*plan->links));
	plan->first = malloc((n + 1) * sizeof(*plan->first));
	plan->hosts = malloc(n * sizeof(*plan->hosts));
	plan->order = malloc(n * sizeof(*plan->order));
	plan->first_closer = malloc((n + 1) * sizeof(*plan->first_closer));
	plan->closer = malloc(n_ports * sizeof(*plan->closer));
	plan->weight = malloc(n * sizeof(*plan->weight));
	plan->paths = malloc(n * sizeof(*plan->paths));
	plan->chosen = malloc(n * sizeof(*plan->chosen));
	return plan->links && plan->first && plan->hosts && plan->order && plan->first_closer &&
	       plan->closer && plan->weight && plan->paths && plan->chosen;
}

static void release(struct plan *plan)
{
	free(plan->links);
	free(plan->first);
	free(plan->hosts);
	free(plan->order);
	free(plan->first_closer);
	free(plan->closer);
	free(plan->weight);
	free(plan->paths);
	free(plan->chosen);
}

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	struct plan plan = { .fabric = fabric };
	struct hd_route_targets targets = { 0 };
	uint8_t *distances = NULL;
	int ret = allocate(&plan) ? hd_route_targets_list(fabric, &targets, err)
				  : hd_error_nomem(err);

	if (!ret)
		ret = hd_switch_distances(fabric, &distances, err);
	if (!ret) {
		plan.distances = distances;
		list_links(&plan);
	}
	for (unsigned pass = 0; !ret && pass < targets.n_passes; pass++)
		ret = route_pass(&plan, &targets, pass, routes->tables, err);
	hd_route_targets_free(&targets);
	free(distances);
	release(&plan);
	return ret;
}

static const struct hd_option options[] = { { NULL, NULL, NULL, NULL } };
static const char *const layer_rules[] = { "hop", "flex", "layered", NULL };

const struct hd_engine hd_engine_df_sssp = {
	.policy.name = "df-sssp",
	.policy.summary =
		"shortest paths balanced over the whole fabric, with a layer for every hop",
	.policy.reference =
		"Hoefler, Schneider and Lumsdaine (2009); DF-DN: Schneider, Bibartiu and Hoefler "
		"(2016)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.route = route,
};
