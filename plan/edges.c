// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/edges.h"

#include <stdlib.h>

#include "support/error.h"
#include "topologies/no_hosts.h"

bool hd_is_strange(const struct hd_cable_edges *edges, const struct hd_place *place)
{
	if (place->present == HD_NONE)
		return place->planned != HD_NONE;
	return edges->match && edges->match->to_plan[place->present] == HD_NONE;
}

static uint64_t end_of(const struct hd_cable_edges *edges, const struct hd_place *place)
{
	uint32_t vertex = place->present;

	if (place->group != HD_NONE)
		vertex = HD_PLAN_GROUP + place->group;
	else if (place->present == HD_NONE)
		vertex = edges->now->n_nodes + place->planned;
	return (uint64_t)vertex << 8 | (edges->by_ports ? place->port : 0);
}

static void set_ends(const struct hd_cable_edges *edges, struct hd_cable_edge *edge)
{
	struct hd_place first = edge->pair.ends[0];

	for (int end = 0; end < 2; end++)
		edge->end[end] = end_of(edges, &edge->pair.ends[end]);
	if (edge->end[0] <= edge->end[1])
		return;
	edge->pair.ends[0] = edge->pair.ends[1];
	edge->pair.ends[1] = first;
	edge->end[0] = edge->end[1];
	edge->end[1] = end_of(edges, &first);
}

/* Planned cables */

static struct hd_place planned_place(const struct hd_cable_edges *edges, uint32_t node,
				     unsigned port)
{
	struct hd_place place = { HD_NONE, HD_NONE, HD_NONE, (uint8_t)port };

	if (node >= HD_PLAN_GROUP)
		place.group = node - HD_PLAN_GROUP;
	else if (!edges->match)
		place.present = node;
	else if (edges->match->to_now[node] != HD_NONE)
		place.present = edges->match->to_now[node];
	else
		place.planned = node;
	return place;
}

static void list_planned(struct hd_cable_edges *edges)
{
	for (uint32_t i = 0; i < edges->plan->n_cables; i++) {
		const struct hd_cable *cable = &edges->plan->cables[i];
		struct hd_cable_edge *edge = &edges->planned[edges->n_planned++];

		*edge = (struct hd_cable_edge){ .port = HD_NONE, .same = HD_NONE };
		edge->pair.width = cable->width;
		edge->pair.speed = cable->speed;
		for (int end = 0; end < 2; end++)
			edge->pair.ends[end] = planned_place(
				edges, cable->node[end], edges->by_ports ? cable->port[end] : 0);
		set_ends(edges, edge);
	}
}

/* Whether all planned cables are between switches, or none of them is. */
static void find_scope(struct hd_cable_edges *edges)
{
	const struct hd_fabric *fabric = edges->plan->fabric;

	edges->no_ends = edges->no_trunks = true;
	for (uint32_t i = 0; i < edges->plan->n_cables; i++) {
		const struct hd_cable *cable = &edges->plan->cables[i];

		if (fabric && (!hd_is_switch(fabric, cable->node[0]) ||
			       !hd_is_switch(fabric, cable->node[1])))
			edges->no_ends = false;
		else
			edges->no_trunks = false;
	}
}

/* Present cables */

/* An inferred plan gives a cable between two groups to no switch. */
static uint32_t group_of(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			 uint32_t port)
{
	uint32_t here = now->ports[port].node, there = now->ports[now->ports[port].peer].node;

	if (!plan->n_groups || !hd_is_switch(now, here) || !hd_is_switch(now, there) ||
	    !hd_cable_plan_may_join(plan, here, there))
		return HD_NONE;
	return plan->group[here];
}

static bool is_unplanned(const struct hd_cable_edges *edges, uint32_t node)
{
	return edges->match && edges->match->to_plan[node] == HD_NONE;
}

/*
 * Whether a plan would tell about the cable of @port: one within a system of several switches, as a
 * director, is none, nor is that of a switch's own aggregation node.
 */
static bool is_compared(const struct hd_cable_edges *edges, uint32_t port)
{
	const struct hd_fabric *now = edges->now;
	uint32_t here = now->ports[port].node, there = now->ports[now->ports[port].peer].node;
	bool is_trunk = hd_is_switch(now, here) && hd_is_switch(now, there);
	uint64_t system = now->nodes[here].sysimg_guid;

	if (is_trunk ? edges->no_trunks : edges->no_ends)
		return false;
	if (!is_unplanned(edges, here) && !is_unplanned(edges, there))
		return true;
	if (is_trunk)
		return !system || now->nodes[there].sysimg_guid != system;
	return !hd_is_aggregation_node(now, here) && !hd_is_aggregation_node(now, there);
}

static void list_present(struct hd_cable_edges *edges)
{
	const struct hd_fabric *now = edges->now;

	hd_for_each_port(p, now) {
		const struct hd_port *port = &now->ports[p];
		struct hd_cable_edge *edge = &edges->present[edges->n_present];

		if (port->peer == HD_NONE || port->peer < p || !is_compared(edges, p))
			continue;
		*edge = (struct hd_cable_edge){ .port = p, .same = HD_NONE };
		edge->pair.width = port->width;
		edge->pair.speed = port->speed;
		edge->pair.ends[0] =
			(struct hd_place){ port->node, HD_NONE, group_of(edges->plan, now, p),
					   port->number };
		edge->pair.ends[1] = (struct hd_place){ now->ports[port->peer].node, HD_NONE,
							group_of(edges->plan, now, port->peer),
							now->ports[port->peer].number };
		set_ends(edges, edge);
		edges->n_present++;
	}
}

static int compare_ends(const struct hd_cable_edge *x, const struct hd_cable_edge *y)
{
	for (int end = 0; end < 2; end++)
		if (x->end[end] != y->end[end])
			return x->end[end] < y->end[end] ? -1 : 1;
	return 0;
}

static int compare_edges(const void *a, const void *b)
{
	const struct hd_cable_edge *x = a, *y = b;
	int order = compare_ends(x, y);

	if (order)
		return order;
	return x->port < y->port ? -1 : x->port > y->port;
}

static uint32_t join_same(struct hd_cable_edges *edges)
{
	uint32_t i = 0, j = 0, n = 0;

	qsort(edges->planned, edges->n_planned, sizeof(*edges->planned), compare_edges);
	qsort(edges->present, edges->n_present, sizeof(*edges->present), compare_edges);
	while (i < edges->n_planned && j < edges->n_present) {
		int order = compare_ends(&edges->planned[i], &edges->present[j]);

		if (order == 0) {
			edges->planned[i].same = j;
			edges->present[j].same = i;
			n++;
		}
		i += order <= 0;
		j += order >= 0;
	}
	return n;
}

static uint32_t list_and_join(struct hd_cable_edges *edges, bool by_ports)
{
	edges->by_ports = by_ports;
	edges->n_planned = edges->n_present = 0;
	list_planned(edges);
	list_present(edges);
	return join_same(edges);
}

int hd_cable_edges_list(struct hd_cable_edges *edges, const struct hd_cable_plan *plan,
			const struct hd_plan_match *match, const struct hd_fabric *now)
{
	uint32_t n_by_ports, n_by_nodes;

	*edges = (struct hd_cable_edges){ .plan = plan, .match = match, .now = now };
	edges->planned = malloc((plan->n_cables + (size_t)1) * sizeof(*edges->planned));
	edges->present = malloc((now->n_links + (size_t)1) * sizeof(*edges->present));
	if (!edges->planned || !edges->present)
		return HD_ENOMEM;
	find_scope(edges);
	if (!plan->fabric) {
		list_and_join(edges, false);
		return 0;
	}
	n_by_ports = list_and_join(edges, true);
	if (2 * n_by_ports >= edges->n_planned)
		return 0;
	/* of a plan with other port numbers, only the nodes count */
	n_by_nodes = list_and_join(edges, false);
	if (2 * n_by_ports >= n_by_nodes)
		list_and_join(edges, true);
	return 0;
}

void hd_cable_edges_clear(struct hd_cable_edges *edges)
{
	free(edges->planned);
	free(edges->present);
	*edges = (struct hd_cable_edges){ 0 };
}
