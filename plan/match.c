// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/match.h"

#include <stdlib.h>
#include <string.h>

#include "plan/anchor.h"
#include "plan/match_names.h"
#include "support/error.h"

#define NAMES_AGREE 0.5 /* of the cables: names of a spec are those of the fabric */

static int begin(const struct hd_cable_plan *plan, const struct hd_fabric *now,
		 struct hd_plan_match *match, struct hd_error *err)
{
	size_t n_plan = plan->fabric->n_nodes, n_now = now->n_nodes;

	*match = (struct hd_plan_match){
		.plan = plan->fabric,
		.now = now,
		.to_now = malloc((n_plan + 1) * sizeof(uint32_t)),
		.to_plan = malloc((n_now + 1) * sizeof(uint32_t)),
		.by = calloc(n_plan + 1, 1),
	};
	if (!match->to_now || !match->to_plan || !match->by)
		return hd_error_nomem(err);
	memset(match->to_now, 0xFF, n_plan * sizeof(uint32_t));
	memset(match->to_plan, 0xFF, n_now * sizeof(uint32_t));
	return 0;
}

/* The share of planned cables between matched nodes, @n of them, that join these now. */
static double agreement(const struct hd_plan_match *match, uint32_t *n)
{
	uint32_t n_same = 0;

	*n = 0;
	hd_for_each_port(p, match->plan) {
		uint32_t peer = match->plan->ports[p].peer, here, there;

		if (peer == HD_NONE || peer < p)
			continue;
		here = match->to_now[match->plan->ports[p].node];
		there = match->to_now[match->plan->ports[peer].node];
		if (here == HD_NONE || there == HD_NONE)
			continue;
		++*n;
		hd_for_each_number(number, match->now, here) {
			if (hd_peer_node(match->now, here, number) == there) {
				n_same++;
				break;
			}
		}
	}
	return *n ? (double)n_same / *n : 0;
}

/* The only end node there is on the other end of a port, not yet matched; HD_NONE: none. */
static uint32_t end_node_beyond(const struct hd_fabric *fabric, const uint32_t *partner,
				uint32_t port)
{
	uint32_t peer = port == HD_NONE ? HD_NONE : fabric->ports[port].peer;
	uint32_t node = peer == HD_NONE ? HD_NONE : fabric->ports[peer].node;

	return node == HD_NONE || hd_is_switch(fabric, node) || partner[node] != HD_NONE ? HD_NONE
											 : node;
}

/* End nodes that are left, by the port of a switch that they are on. */
static void match_end_nodes(struct hd_plan_match *match)
{
	hd_for_each_port(p, match->plan) {
		uint32_t planned, present;

		if (!hd_is_switch(match->plan, match->plan->ports[p].node))
			break;
		planned = end_node_beyond(match->plan, match->to_now, p);
		present = end_node_beyond(match->now, match->to_plan, hd_matched_port(match, p));
		if (planned != HD_NONE && present != HD_NONE)
			hd_pair(match, planned, present, HD_BY_STRUCTURE);
	}
}

/* The port of `plan` that is @port of `now`; HD_NONE: there is none. */
static uint32_t planned_port(const struct hd_plan_match *match, uint32_t port)
{
	const struct hd_port *present = &match->now->ports[port];
	uint32_t planned = match->to_plan[present->node];

	if (planned == HD_NONE || present->number > match->plan->nodes[planned].n_ports)
		return HD_NONE;
	return hd_port_index(match->plan, planned, present->number);
}

/*
 * What is plugged in at the place of an end node was meant for another place, what is plugged in
 * there for a third one, and so on: the end node that is there in the end makes the ring
 * (plan/differ.h) that the fewest moves mend. @port is that of the plan which leads to the end
 * node.
 */
static uint32_t end_of_chain(const struct hd_plan_match *match, uint32_t port)
{
	for (uint32_t steps = 0; steps < match->plan->n_ports; steps++) {
		uint32_t here = hd_matched_port(match, port);
		uint32_t there = here == HD_NONE ? HD_NONE : match->now->ports[here].peer;

		if (there == HD_NONE)
			return HD_NONE;
		if (!hd_is_switch(match->now, match->now->ports[there].node))
			return end_node_beyond(match->now, match->to_plan, here);
		port = planned_port(match, there);
		port = port == HD_NONE ? HD_NONE : match->plan->ports[port].peer;
		if (port == HD_NONE || !hd_is_switch(match->plan, match->plan->ports[port].node))
			return HD_NONE;
	}
	return HD_NONE;
}

/* Any end node that is left on the same switch as the planned @node. */
static uint32_t on_same_switch(const struct hd_plan_match *match, uint32_t node)
{
	uint32_t on = hd_peer_node(match->plan, node, 1), found = HD_NONE;

	on = on == HD_NONE ? HD_NONE : match->to_now[on];
	if (on == HD_NONE)
		return HD_NONE;
	hd_for_each_number(number, match->now, on) {
		found = end_node_beyond(match->now, match->to_plan,
					hd_port_index(match->now, on, number));
		if (found != HD_NONE)
			break;
	}
	return found;
}

enum likeness { BY_CHAIN, BY_SWITCH, ANYWHERE };

/* End nodes without names are any of those left, the most likely ones first. */
static void match_nameless(struct hd_plan_match *match, enum likeness likeness)
{
	uint32_t next = match->now->n_switches;

	hd_for_each_end_node(n, match->plan) {
		uint32_t found = HD_NONE, port;

		if (match->to_now[n] != HD_NONE || !match->plan->nodes[n].n_ports)
			continue;
		port = match->plan->ports[hd_port_index(match->plan, n, 1)].peer;
		while (next < match->now->n_nodes && match->to_plan[next] != HD_NONE)
			next++;
		if (likeness == BY_CHAIN && port != HD_NONE)
			found = end_of_chain(match, port);
		else if (likeness == BY_SWITCH)
			found = on_same_switch(match, n);
		else if (likeness == ANYWHERE && next < match->now->n_nodes)
			found = next;
		if (found != HD_NONE)
			hd_pair(match, n, found, HD_BY_STRUCTURE);
	}
}

static int match_without_names(const struct hd_cable_plan *plan, struct hd_plan_match *match,
			       struct hd_error *err)
{
	uint32_t n;
	int ret = hd_match_structure(match, err);

	if (ret)
		return ret;
	match_end_nodes(match);
	/* a few that agree by chance are no match */
	if (agreement(match, &n) < NAMES_AGREE || 2 * n < plan->n_cables)
		return hd_error_set(err, HD_EINVAL,
				    "plan and fabric have neither names nor structure in common: "
				    "%u of %u planned cables could be compared%s",
				    n, plan->n_cables,
				    plan->has_names ? "" : " (--inferred needs no plan)");
	for (enum likeness likeness = BY_CHAIN; likeness <= ANYWHERE; likeness++)
		match_nameless(match, likeness);
	return 0;
}

static bool names_agree(const struct hd_cable_plan *plan, const struct hd_plan_match *match)
{
	uint32_t n;
	double share = agreement(match, &n);

	/* a plan of which nothing stands, or that has no cable, is still the plan */
	if (plan->has_names)
		return n || !plan->n_cables;
	return share >= NAMES_AGREE && 2 * n >= plan->n_cables;
}

int hd_cable_plan_match(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			struct hd_plan_match *match, struct hd_error *err)
{
	int ret = begin(plan, now, match, err);

	if (!ret)
		ret = hd_match_names(match, err);
	if (!ret && plan->has_guids)
		hd_match_guids(match);
	if (!ret && names_agree(plan, match)) {
		ret = hd_match_neighbours(match, err);
		if (!ret)
			match_end_nodes(match);
	} else if (!ret) {
		hd_for_each_node(n, match->plan)
			if (match->to_now[n] != HD_NONE)
				hd_unpair(match, n);
		ret = match_without_names(plan, match, err);
	}
	if (!ret)
		hd_for_each_node(n, match->plan)
			match->n_by[match->by[n]]++;
	return ret;
}
