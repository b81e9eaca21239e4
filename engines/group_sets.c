// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/sets.h"

#include <stdlib.h>

#include "support/error.h"

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_structure *structure;
	struct hd_tables *tables;
	enum hd_ar_state state;
	bool any_owner;
};

static unsigned class_of(const struct plan *plan, uint32_t s, unsigned port)
{
	return plan->structure->port_class[hd_port_index(plan->fabric, s, port)];
}

/* The links of @s to other groups that lead to @group. */
static void add_globals(const struct plan *plan, uint32_t s, uint32_t group,
			struct hd_port_set *set)
{
	hd_for_each_number(port, plan->fabric, s)
		if (class_of(plan, s, port) == HD_PORT_GLOBAL &&
		    plan->structure->group[hd_peer_node(plan->fabric, s, port)] == group)
			hd_port_set_add(set, port);
}

/* Whether @s has links to @group. */
static bool owns(const struct plan *plan, uint32_t s, uint32_t group)
{
	struct hd_port_set set = { { 0 } };

	add_globals(plan, s, group, &set);
	return hd_port_set_count(&set) > 0;
}

/* The links of @s within its group, to switch @to or, with any_owner, to owners of @group. */
static void add_locals(const struct plan *plan, uint32_t s, uint32_t to, uint32_t group,
		       struct hd_port_set *set)
{
	const bool within = plan->structure->group[s] == group;

	hd_for_each_number(port, plan->fabric, s) {
		uint32_t peer;

		if (class_of(plan, s, port) != HD_PORT_LOCAL)
			continue;
		peer = hd_peer_node(plan->fabric, s, port);
		if (peer == to || (!within && plan->any_owner && owns(plan, peer, group)))
			hd_port_set_add(set, port);
	}
}

/* The set of @s for LIDs at @via_switch that the LFT sends out of @port. */
static struct hd_port_set set_of(const struct plan *plan, uint32_t s, uint32_t via_switch,
				 unsigned port)
{
	const uint32_t group = plan->structure->group[via_switch];
	struct hd_port_set set = { { 0 } };

	if (class_of(plan, s, port) == HD_PORT_GLOBAL)
		add_globals(plan, s, group, &set);
	else if (class_of(plan, s, port) == HD_PORT_LOCAL)
		add_locals(plan, s, hd_peer_node(plan->fabric, s, port), group, &set);
	return set;
}

/* Fills the entries of @s. @sets is [port], @of_group the group that each was made for. */
static int fill_row(const struct plan *plan, const struct hd_route_targets *targets, uint32_t s)
{
	const uint8_t *lft = hd_lft(plan->tables, s);
	const unsigned n_ports = plan->fabric->nodes[s].n_ports;
	struct hd_port_set sets[HD_MAX_PORTS + 1];
	uint32_t made_for[HD_MAX_PORTS + 1];

	for (unsigned port = 0; port <= HD_MAX_PORTS; port++)
		made_for[port] = HD_NONE;
	for (size_t i = 0; i < targets->n; i++) {
		const struct hd_route_target *to = &targets->list[i];
		const unsigned port = lft[to->lid];
		const uint32_t group = plan->structure->group[to->via_switch];
		int ret;

		if (to->via_switch == s || port == 0 || port > n_ports)
			continue;
		if (made_for[port] != group) {
			sets[port] = set_of(plan, s, to->via_switch, port);
			made_for[port] = group;
		}
		ret = hd_ar_set(plan->tables, s, to->lid, plan->state, &sets[port]);
		if (ret)
			return ret;
	}
	return 0;
}

int hd_group_sets(const struct hd_route_targets *targets, const struct hd_structure *structure,
		  enum hd_ar_state state, bool any_owner, struct hd_tables *tables,
		  struct hd_error *err)
{
	const struct plan plan = { tables->fabric, structure, tables, state, any_owner };
	bool failed = false;

#pragma omp parallel for schedule(dynamic, 16) if (plan.fabric->n_switches > 64)
	hd_for_each_switch(s, plan.fabric)
		if (fill_row(&plan, targets, s)) {
#pragma omp atomic write
			failed = true;
		}
	return failed ? hd_error_nomem(err) : 0;
}
