// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * PolarFly (Lakhotia et al., 2022): a switch for each point of a projective plane, linked to those
 * that are orthogonal to it (topologies/polarity_graph.h). Switch S1.y.z is the point (1, y, z).
 */
#include "topologies/topology.h"

#include <stdio.h>

#include "support/error.h"
#include "support/options.h"
#include "topologies/finite_field.h"
#include "topologies/graph_shape.h"
#include "topologies/polarity_graph.h"
#include "topologies/switch_graph.h"

static const struct hd_option options[] = {
	{ "q", "5", "", "order of the field: a prime power up to 64" },
	HD_GRAPH_HOSTS_OPTION,
	{ 0 },
};

static void name(const struct hd_switch_graph *graph, uint32_t s, char *text, size_t size)
{
	const uint32_t q = graph->max_degree - 1;
	const int digits = hd_shape_digits(q);

	if (s > q)
		snprintf(text, size, "S1.%0*u.%0*u", digits, (unsigned)((s - 1 - q) / q), digits,
			 (unsigned)((s - 1 - q) % q));
	else if (s)
		snprintf(text, size, "S0.%0*u.%0*u", digits, 1u, digits, (unsigned)(s - 1));
	else
		snprintf(text, size, "S0.%0*u.%0*u", digits, 0u, digits, 1u);
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_switch_graph graph;
	uint32_t q, p;
	int ret = hd_shape_number(params, "q", 2, HD_POLARITY_MOST, &q, err);

	if (!ret && !hd_is_prime_power(q))
		return hd_error_set(err, HD_EINVAL, "q = %u is no prime power", (unsigned)q);
	if (!ret)
		ret = hd_graph_hosts(params, q + 1, &p, err);
	if (!ret)
		ret = hd_polarity_graph(q, &graph, err);
	if (ret)
		return ret;
	ret = hd_graph_shape(&graph, p, name, fabric, err);
	hd_switch_graph_clear(&graph);
	return ret;
}

const struct hd_topology hd_topology_polarfly = {
	.policy.name = "polarfly",
	.policy.summary = "PolarFly: q^2 + q + 1 switches of q + 1 links, diameter 2",
	.policy.reference = "Lakhotia et al., PolarFly (SC 2022)",
	.example = "polarfly:q=7",
	.policy.options = options,
	.build = build,
};
