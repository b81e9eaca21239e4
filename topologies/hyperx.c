// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * HyperX (Ahn, Binkert, Davis, McLaren, Schreiber, 2009), switches that differ in one coordinate
 * are linked, by as many cables as a trunk has. Ports of every switch are 1 .. p hosts, then for
 * each dimension those to every other coordinate, ascending.
 */
#include "topologies/topology.h"

#include "support/error.h"
#include "support/options.h"
#include "topologies/shape.h"

static const struct hd_option options[] = {
	{ "sizes", NULL, "switches",
	  "switches in each of 1 to 6 dimensions, such as 4x4 (the first value)" },
	{ "p", NULL, "hosts", "hosts of a switch (default: the size of the first dimension)" },
	HD_SHAPE_TRUNK_OPTION,
	{ 0 },
};

/* Links all switches of each line along a dimension; ports towards coordinate 0, 1, ... */
static void link_dimension(struct hd_shape *out, uint32_t n, uint32_t size, uint32_t stride,
			   uint32_t port, uint32_t trunk)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i / stride % size;

		for (uint32_t to = at + 1; to < size; to++)
			hd_shape_link_trunk(out, i, port + (to - 1) * trunk, i + (to - at) * stride,
					    port + at * trunk, trunk);
	}
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	uint32_t sizes[HD_MAX_DIMENSIONS], p, trunk, port;
	unsigned n_sizes;
	uint64_t n = 1, ports;
	struct hd_shape out;
	int ret = hd_shape_parse_sizes(hd_params_get(params, "sizes"), "sizes", 1, HD_MAX_LID,
				       sizes, &n_sizes, err);

	p = ret ? 0 : sizes[0];
	if (!ret && hd_params_is_set(params, "p"))
		ret = hd_shape_number(params, "p", 0, HD_MAX_PORTS, &p, err);
	if (!ret)
		ret = hd_shape_trunk(params, &trunk, err);
	if (ret)
		return ret;
	ports = p;
	for (unsigned d = 0; d < n_sizes; d++) {
		n = hd_shape_product(n, sizes[d]);
		ports += (sizes[d] - UINT64_C(1)) * trunk;
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
		link_dimension(&out, (uint32_t)n, sizes[d], stride, port, trunk);
		port += (sizes[d] - 1) * trunk;
	}
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_hyperx = {
	.policy.name = "hyperx",
	.policy.summary = "fully connected lines in up to 6 dimensions",
	.example = "hyperx:4x4,p=4",
	.policy.options = options,
	.policy.n_bare = 1,
	.build = build,
};
