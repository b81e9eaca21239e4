// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Slim Fly (Besta and Hoefler, 2014): a switch for each vertex of an MMS graph
 * (topologies/mms_graph.h). Switch S0.x.y is vertex (0, x, y), switch S1.m.c vertex (1, m, c).
 */
#include "topologies/topology.h"

#include <stdio.h>

#include "support/error.h"
#include "support/options.h"
#include "topologies/graph_shape.h"
#include "topologies/mms_graph.h"
#include "topologies/switch_graph.h"

static const struct hd_option options[] = {
	{ "q", "5", "", "order of the field: a prime power 4w - 1, 4w or 4w + 1 up to 43" },
	HD_GRAPH_HOSTS_OPTION,
	{ 0 },
};

static void name(const struct hd_switch_graph *graph, uint32_t s, char *text, size_t size)
{
	uint32_t q = 1;

	while (2 * q * q < graph->n)
		q++;
	snprintf(text, size, "S%u.%0*u.%0*u", (unsigned)(s / (q * q)), hd_shape_digits(q),
		 (unsigned)(s / q % q), hd_shape_digits(q), (unsigned)(s % q));
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_switch_graph graph;
	uint32_t q, p;
	int ret = hd_shape_number(params, "q", 3, HD_MMS_MOST, &q, err);

	if (!ret && !hd_mms_exists(q))
		return hd_error_set(err, HD_EINVAL, "q = %u is no prime power 4w - 1, 4w or 4w + 1",
				    (unsigned)q);
	if (!ret)
		ret = hd_graph_hosts(params, hd_mms_degree(q), &p, err);
	if (!ret)
		ret = hd_mms_graph(q, &graph, err);
	if (ret)
		return ret;
	ret = hd_graph_shape(&graph, p, name, fabric, err);
	hd_switch_graph_clear(&graph);
	return ret;
}

const struct hd_topology hd_topology_slimfly = {
	.policy.name = "slimfly",
	.policy.summary = "Slim Fly: 2q^2 switches of about 3q/2 links, diameter 2",
	.policy.reference = "Besta and Hoefler, Slim Fly (SC 2014)",
	.example = "slimfly:q=5",
	.policy.options = options,
	.build = build,
};
