// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dragonfly+ (Shpiner et al., 2017), also known as Megafly (Flajslik et al., 2018): a group is a
 * tree of two levels, every leaf linked to every spine. Leaves have the hosts, spines the global
 * links. Ports of a leaf: hosts, then spines; of a spine: leaves, then global ports. See
 * docs/topologies.md.
 */
#include "topologies/topology.h"

#include <inttypes.h>

#include "support/error.h"
#include "support/options.h"
#include "topologies/global_links.h"
#include "topologies/shape.h"

static const struct hd_option options[] = {
	{ "leaves", "4", "switches", "leaf switches of a group" },
	{ "spines", NULL, "switches", "spine switches of a group (default: as many as leaves)" },
	{ "hosts", NULL, "hosts", "hosts of a leaf (default: as many as spines)" },
	{ "h", NULL, "links", "global links of a spine (default: as many as leaves)" },
	{ "g", NULL, "groups",
	  "groups, at most spines*h + 1 (the default); fewer make several links between two" },
	{ "trunk", "1", "cables", "parallel cables of every global link" },
	HD_GLOBAL_LINKS_OPTION,
	{ 0 },
};

struct plan {
	uint32_t leaves, spines, hosts, h, g, trunk;
	struct hd_global_links links;
	struct hd_shape *out;
};

/* @key, or @otherwise where it is not given. */
static int number_or(const struct hd_params *params, const char *key, uint32_t least,
		     uint32_t otherwise, uint32_t *value, struct hd_error *err)
{
	*value = otherwise;
	return hd_params_is_set(params, key)
		       ? hd_shape_number(params, key, least, HD_MAX_PORTS, value, err)
		       : 0;
}

static int parse(const struct hd_params *params, struct plan *plan, struct hd_error *err)
{
	uint64_t top;
	int ret = hd_shape_number(params, "leaves", 1, HD_MAX_PORTS, &plan->leaves, err);

	if (!ret)
		ret = number_or(params, "spines", 1, plan->leaves, &plan->spines, err);
	if (!ret)
		ret = number_or(params, "hosts", 0, plan->spines, &plan->hosts, err);
	if (!ret)
		ret = number_or(params, "h", 1, plan->leaves, &plan->h, err);
	if (!ret)
		ret = hd_shape_trunk(params, &plan->trunk, err);
	if (ret)
		return ret;
	top = (uint64_t)plan->spines * plan->h + 1;
	plan->g = (uint32_t)top;
	if (hd_params_is_set(params, "g"))
		ret = hd_shape_number(params, "g", 1, UINT32_MAX, &plan->g, err);
	if (!ret && plan->g > top)
		ret = hd_error_set(err, HD_ERANGE,
				   "g=%u groups, but spines*h + 1 = %u*%u + 1 = %" PRIu64
				   " is the most that can be linked to one another",
				   (unsigned)plan->g, (unsigned)plan->spines, (unsigned)plan->h,
				   top);
	return ret ? ret
		   : hd_global_links_parse(params, plan->spines, plan->h, plan->g, &plan->links,
					   err);
}

/* Leaves come first in a group. */
static uint32_t leaf(const struct plan *plan, uint32_t group, uint32_t i)
{
	return group * (plan->leaves + plan->spines) + i;
}

static uint32_t spine(const struct plan *plan, uint32_t group, uint32_t i)
{
	return leaf(plan, group, plan->leaves + i);
}

static void add_switches(const struct plan *plan, uint32_t group)
{
	const int digits = hd_shape_digits(plan->g);

	for (uint32_t i = 0; i < plan->leaves; i++)
		hd_shape_add_switch(plan->out, plan->hosts + plan->spines, "G%0*uL%0*u", digits,
				    (unsigned)group, hd_shape_digits(plan->leaves), (unsigned)i);
	for (uint32_t i = 0; i < plan->spines; i++)
		hd_shape_add_switch(plan->out, plan->leaves + plan->h * plan->trunk, "G%0*uS%0*u",
				    digits, (unsigned)group, hd_shape_digits(plan->spines),
				    (unsigned)i);
}

static void link_group(const struct plan *plan, uint32_t group)
{
	for (uint32_t i = 0; i < plan->leaves; i++)
		for (uint32_t k = 0; k < plan->spines; k++)
			hd_shape_link(plan->out, leaf(plan, group, i), plan->hosts + 1 + k,
				      spine(plan, group, k), 1 + i);
}

/* The first cable of global port @j of a group. */
static uint32_t global_port(const struct plan *plan, uint32_t j)
{
	return plan->leaves + 1 + j % plan->h * plan->trunk;
}

static void link_global(void *context, uint32_t group, uint32_t j, uint32_t peer_group,
			uint32_t peer_j)
{
	const struct plan *plan = context;

	hd_shape_link_trunk(plan->out, spine(plan, group, j / plan->h), global_port(plan, j),
			    spine(plan, peer_group, peer_j / plan->h), global_port(plan, peer_j),
			    plan->trunk);
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_shape out;
	struct plan plan = { .out = &out };
	uint64_t n_leaves, leaf_ports, spine_ports;
	int ret = parse(params, &plan, err);

	if (ret)
		return ret;
	n_leaves = (uint64_t)plan.leaves * plan.g;
	leaf_ports = (uint64_t)plan.hosts + plan.spines;
	spine_ports = plan.leaves + (uint64_t)plan.h * plan.trunk;
	ret = hd_shape_begin(&out, n_leaves + (uint64_t)plan.spines * plan.g, n_leaves * plan.hosts,
			     leaf_ports > spine_ports ? leaf_ports : spine_ports, err);
	if (ret)
		return ret;
	for (uint32_t group = 0; group < plan.g; group++)
		add_switches(&plan, group);
	for (uint32_t i = 0; i < n_leaves; i++)
		for (uint32_t port = 1; port <= plan.hosts; port++)
			hd_shape_add_host(&out, leaf(&plan, i / plan.leaves, i % plan.leaves),
					  port);
	for (uint32_t group = 0; group < plan.g; group++)
		link_group(&plan, group);
	if (!out.ret)
		out.ret = hd_global_links_lay(&plan.links, link_global, &plan, err);
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_dragonflyplus = {
	.policy.name = "dragonflyplus",
	.policy.summary =
		"groups that are trees of two levels; links join the spines of every two groups",
	.policy.reference = "Shpiner et al., Dragonfly+ (HiPINEB 2017)",
	.example = "dragonflyplus:leaves=4,spines=4,hosts=4,h=4",
	.policy.options = options,
	.build = build,
};
