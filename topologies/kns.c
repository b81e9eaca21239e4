// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * KNS, the k-ary n-direct s-indirect topology (Penaranda et al., J. Supercomputing 72, 2016), with
 * single-stage crossbars: k^n end nodes on a grid; every line of k end nodes along a dimension
 * shares a switch of k ports, n * k^(n - 1) of them. End nodes forward packets from one dimension
 * to another. InfiniBand adapters do not, so an end node is an adapter (port 1) behind a router, a
 * switch with one port per dimension (port 2 + dimension).
 */
#include "topologies/topology.h"

#include "support/error.h"
#include "support/options.h"
#include "topologies/shape.h"

static const struct hd_option options[] = {
	{ "k", "4", "end nodes", "end nodes in each dimension" },
	{ "n", "2", "", "dimensions, 1 to 6" },
	{ 0 },
};

/*
 * The index, among the switches of @dimension, of the line that end node @node is on: the node's
 * coordinates without that of @dimension.
 */
static uint32_t line_of(uint32_t node, uint32_t k, uint32_t stride)
{
	return node / (stride * k) * stride + node % stride;
}

/* Names a line switch by its dimension and the coordinates that its end nodes share. */
static void add_line_switches(struct hd_shape *out, uint32_t k, uint32_t n)
{
	static const char *const prefixes[] = { "X", "Y", "Z", "U", "V", "W" };
	uint32_t sizes[HD_MAX_DIMENSIONS];

	for (uint32_t d = 0; d < n; d++)
		sizes[d] = k;
	for (uint32_t d = 0; d < n; d++)
		hd_shape_add_grid(out, prefixes[d], sizes, n - 1, k);
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	uint32_t k, n, sizes[HD_MAX_DIMENSIONS], n_lines;
	uint64_t n_nodes = 1;
	struct hd_shape out;
	int ret = hd_shape_number(params, "k", 2, HD_MAX_PORTS, &k, err);

	if (!ret)
		ret = hd_shape_number(params, "n", 1, HD_MAX_DIMENSIONS, &n, err);
	if (ret)
		return ret;
	for (uint32_t d = 0; d < n; d++) {
		n_nodes = hd_shape_product(n_nodes, k);
		sizes[d] = k;
	}
	ret = hd_shape_begin(&out, n_nodes + hd_shape_product(n, n_nodes / k), n_nodes, k, err);
	if (ret)
		return ret;
	hd_shape_add_grid(&out, "R", sizes, n, n + 1);
	add_line_switches(&out, k, n);
	n_lines = (uint32_t)n_nodes / k;
	for (uint32_t node = 0; node < n_nodes; node++)
		hd_shape_add_host(&out, node, 1);
	for (uint32_t d = 0, stride = 1; d < n; d++, stride *= k)
		for (uint32_t node = 0; node < n_nodes; node++)
			hd_shape_link(&out, node, 2 + d,
				      (uint32_t)n_nodes + d * n_lines + line_of(node, k, stride),
				      1 + node / stride % k);
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_kns = {
	.policy.name = "kns",
	.policy.summary = "k-ary n-direct 1-indirect: a switch for each line of a grid of routers",
	.example = "kns:k=4,n=2",
	.policy.options = options,
	.build = build,
};
