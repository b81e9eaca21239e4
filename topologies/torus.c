// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Torus and mesh of 1 to 6 dimensions. Coordinates count up with dimension 0 first; ports of every
 * switch are 1 .. p hosts, then for each dimension those up and those down, as many of each as a
 * trunk has cables (in a dimension of size 2, where both would lead to the same switch, those up
 * only).
 */
#include "topologies/topology.h"

#include "support/error.h"
#include "support/options.h"
#include "topologies/shape.h"

static const struct hd_option options[] = {
	{ "sizes", NULL, "switches",
	  "switches in each of 1 to 6 dimensions, such as 8x8 (the first value)" },
	{ "p", "1", "hosts", "hosts of a switch" },
	HD_SHAPE_TRUNK_OPTION,
	{ 0 },
};

static int build(const struct hd_params *params, bool wraps, struct hd_fabric **fabric,
		 struct hd_error *err)
{
	uint32_t sizes[HD_MAX_DIMENSIONS], p, trunk, port;
	unsigned n_sizes;
	uint64_t n = 1, ports;
	struct hd_shape out;
	int ret = hd_shape_parse_sizes(hd_params_get(params, "sizes"), "sizes", 2, HD_MAX_LID,
				       sizes, &n_sizes, err);

	if (!ret)
		ret = hd_shape_number(params, "p", 0, HD_MAX_PORTS, &p, err);
	if (!ret)
		ret = hd_shape_trunk(params, &trunk, err);
	if (ret)
		return ret;
	ports = p;
	for (unsigned d = 0; d < n_sizes; d++) {
		n = hd_shape_product(n, sizes[d]);
		ports += (sizes[d] == 2 ? 1 : 2) * (uint64_t)trunk;
	}
	ret = hd_shape_begin(&out, n, hd_shape_product(n, p), ports, err);
	if (ret)
		return ret;
	hd_shape_add_grid(&out, "S", sizes, n_sizes, (unsigned)ports);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t host = 1; host <= p; host++)
			hd_shape_add_host(&out, i, host);
	port = p + 1;
	for (uint32_t d = 0, stride = 1; d < n_sizes; stride *= sizes[d++]) {
		const bool pair = sizes[d] == 2;
		const uint32_t down = pair ? port : port + trunk;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t at = i / stride % sizes[d];

			if (at + 1 < sizes[d])
				hd_shape_link_trunk(&out, i, port, i + stride, down, trunk);
			else if (wraps && !pair)
				hd_shape_link_trunk(&out, i, port, i - at * stride, down, trunk);
		}
		port = down + trunk;
	}
	return hd_shape_finish(&out, fabric);
}

static int build_torus(const struct hd_params *params, struct hd_fabric **fabric,
		       struct hd_error *err)
{
	return build(params, true, fabric, err);
}

static int build_mesh(const struct hd_params *params, struct hd_fabric **fabric,
		      struct hd_error *err)
{
	return build(params, false, fabric, err);
}

const struct hd_topology hd_topology_torus = {
	.policy.name = "torus",
	.policy.summary = "rings in up to 6 dimensions",
	.example = "torus:8x8,p=1",
	.policy.options = options,
	.policy.n_bare = 1,
	.build = build_torus,
};

const struct hd_topology hd_topology_mesh = {
	.policy.name = "mesh",
	.policy.summary = "lines in up to 6 dimensions",
	.example = "mesh:8x8,p=1",
	.policy.options = options,
	.policy.n_bare = 1,
	.build = build_mesh,
};
