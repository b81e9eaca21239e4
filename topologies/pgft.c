// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parallel ports generalised fat tree (Zahavi, 2010), and so extended generalised fat trees
 * (Oehring et al., 1995): h levels of switches above the hosts, which are level 0. A node of level
 * l has m(l) children and w(l + 1) parents, each by p(l + 1) parallel cables. A node of level l is
 * named by h digits: those up to l below w, the others below m; a node and its parents differ in
 * the digit of the parents' level at most. Ports of a switch are the children's first, by digit,
 * then the parents'; parallel cables have neighbouring ports.
 *
 * With rails, adapters are counted host by host: adapter i is that of rail i mod R, on the leaf of
 * that number among R neighbouring leaves.
 */
#include "topologies/topology.h"

#include <inttypes.h>

#include "support/error.h"
#include "support/options.h"
#include "topologies/shape.h"

#define LEVELS HD_MAX_DIMENSIONS

static const struct hd_option options[] = {
	{ "m", "4x4", "", "children of a node, level by level from the leaf switches up" },
	{ "w", "1x2", "", "parents of a node, from the hosts up; a host has one" },
	{ "p", NULL, "", "parallel cables to each parent; a host has one; default: 1 each" },
	{ "rails", "1", "", "adapters of a host, each on another of so many leaf switches" },
	{ 0 },
};

struct plan {
	unsigned h;
	uint32_t m[LEVELS], w[LEVELS], p[LEVELS];
	uint64_t size[LEVELS];  /* switches of level l + 1 */
	uint64_t first[LEVELS]; /* the number of the first of them */
	uint32_t rails;
};

static int parse_level_list(const struct hd_params *params, const char *key, unsigned h,
			    uint32_t values[LEVELS], struct hd_error *err)
{
	unsigned n;
	int ret = hd_shape_parse_sizes(hd_params_get(params, key), key, 1, HD_MAX_PORTS, values, &n,
				       err);

	if (!ret && n != h)
		return hd_error_set(err, HD_EINVAL, "%s has %u levels, and m has %u", key, n, h);
	return ret;
}

static int parse(const struct hd_params *params, struct plan *plan, struct hd_error *err)
{
	int ret = hd_shape_parse_sizes(hd_params_get(params, "m"), "m", 1, HD_MAX_PORTS, plan->m,
				       &plan->h, err);

	if (!ret)
		ret = parse_level_list(params, "w", plan->h, plan->w, err);
	for (unsigned l = 0; l < plan->h; l++)
		plan->p[l] = 1;
	if (!ret && hd_params_get(params, "p"))
		ret = parse_level_list(params, "p", plan->h, plan->p, err);
	if (!ret)
		ret = hd_shape_number(params, "rails", 1, HD_MAX_PORTS, &plan->rails, err);
	if (ret)
		return ret;
	if (plan->w[0] != 1 || plan->p[0] != 1)
		return hd_error_set(err, HD_EINVAL,
				    "a host has one port: w and p must begin with 1; rails=%u "
				    "gives hosts several adapters",
				    (unsigned)plan->w[0]);
	return 0;
}

static void count(struct plan *plan, uint64_t *n_switches, uint64_t *n_hosts, uint64_t *n_ports)
{
	*n_switches = 0;
	*n_hosts = 1;
	*n_ports = 0;
	for (unsigned l = 0; l < plan->h; l++) {
		uint64_t ports = hd_shape_product(plan->m[l], plan->p[l]);

		plan->size[l] = 1;
		for (unsigned i = 0; i < plan->h; i++)
			plan->size[l] =
				hd_shape_product(plan->size[l], i <= l ? plan->w[i] : plan->m[i]);
		plan->first[l] = *n_switches;
		*n_switches += plan->size[l];
		*n_hosts = hd_shape_product(*n_hosts, plan->m[l]);
		if (l + 1 < plan->h)
			ports += hd_shape_product(plan->w[l + 1], plan->p[l + 1]);
		if (ports > *n_ports)
			*n_ports = ports;
	}
}

/* How far apart neighbours along digit @digit are in the numbers of level @l + 1. */
static uint64_t stride(const struct plan *plan, unsigned l, unsigned digit)
{
	uint64_t product = 1;

	for (unsigned i = 0; i < digit; i++)
		product *= i <= l ? plan->w[i] : plan->m[i];
	return product;
}

/* The number in its level of the parent of @s (of level @l + 1) that has digit @up. */
static uint64_t parent_of(const struct plan *plan, unsigned l, uint64_t s, uint32_t up)
{
	uint64_t low = stride(plan, l, l + 1);
	uint64_t rest = s / low / plan->m[l + 1];

	return s % low + up * low + rest * low * plan->w[l + 1];
}

static void add_links(struct hd_shape *out, const struct plan *plan, unsigned l)
{
	const uint32_t down = plan->m[l] * plan->p[l];

	for (uint64_t s = 0; s < plan->size[l]; s++) {
		uint64_t digit = s / stride(plan, l, l + 1) % plan->m[l + 1];

		for (uint32_t up = 0; up < plan->w[l + 1]; up++)
			hd_shape_link_trunk(
				out, (uint32_t)(plan->first[l] + s), 1 + down + up * plan->p[l + 1],
				(uint32_t)(plan->first[l + 1] + parent_of(plan, l, s, up)),
				1 + (uint32_t)digit * plan->p[l + 1], plan->p[l + 1]);
	}
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct plan plan = { 0 };
	uint64_t n_switches, n_hosts, n_ports;
	struct hd_shape out;
	int ret = parse(params, &plan, err);

	if (ret)
		return ret;
	count(&plan, &n_switches, &n_hosts, &n_ports);
	if (plan.size[0] % plan.rails)
		return hd_error_set(err, HD_EINVAL,
				    "%" PRIu64
				    " leaf switches do not divide into groups of %u rails",
				    plan.size[0], (unsigned)plan.rails);
	ret = hd_shape_begin(&out, n_switches, n_hosts, n_ports, err);
	if (ret)
		return ret;
	for (unsigned l = 0; l < plan.h; l++) {
		unsigned ports = plan.m[l] * plan.p[l];

		if (l + 1 < plan.h)
			ports += plan.w[l + 1] * plan.p[l + 1];
		for (uint64_t s = 0; s < plan.size[l]; s++)
			hd_shape_add_switch(&out, ports, "L%uS%0*u", l,
					    hd_shape_digits(plan.size[l]), (unsigned)s);
	}
	for (uint32_t i = 0; i < n_hosts; i++) {
		uint32_t host = i / plan.rails;

		hd_shape_add_host(&out, host / plan.m[0] * plan.rails + i % plan.rails,
				  1 + host % plan.m[0]);
	}
	for (unsigned l = 0; l + 1 < plan.h; l++)
		add_links(&out, &plan, l);
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_pgft = {
	.policy.name = "pgft",
	.policy.summary = "parallel ports generalised fat tree: any levels, oversubscription, "
			  "parallel cables, rails",
	.policy.reference = "Zahavi, D-Mod-K routing providing non-blocking traffic (2010)",
	.example = "pgft:m=18x18x36,w=1x18x18,p=1x1x1",
	.policy.options = options,
	.build = build,
};
