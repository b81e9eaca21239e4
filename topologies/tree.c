// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * k-ary n-tree (Petrini and Vanneschi, 1997): k^n hosts, n levels of k^(n - 1) switches. Switch
 * w = w(n-2) ... w(0) (digits of base k) of level l is linked to the k switches of level l + 1 that
 * differ from it in digit l at most. Level 0 has the hosts: host i is on switch i / k. Ports of
 * every switch are 1 .. k down (by digit), then k up; the ports up of the last level do not exist.
 */
#include "topologies/topology.h"

#include "support/error.h"
#include "support/options.h"
#include "topologies/shape.h"

static const struct hd_option options[] = {
	{ "k", "4", "", "links down, and up, of a switch" },
	{ "n", "2", "", "levels of switches, 1 to 6" },
	{ 0 },
};

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	uint32_t k, n;
	uint64_t level_size = 1;
	struct hd_shape out;
	int ret = hd_shape_number(params, "k", 2, HD_MAX_PORTS, &k, err);

	if (!ret)
		ret = hd_shape_number(params, "n", 1, HD_MAX_DIMENSIONS, &n, err);
	if (ret)
		return ret;
	for (uint32_t level = 1; level < n; level++)
		level_size = hd_shape_product(level_size, k);
	ret = hd_shape_begin(&out, hd_shape_product(n, level_size), hd_shape_product(level_size, k),
			     n > 1 ? 2 * k : k, err);
	if (ret)
		return ret;
	for (uint32_t level = 0; level < n; level++)
		for (uint32_t w = 0; w < level_size; w++)
			hd_shape_add_switch(&out, level + 1 < n ? 2 * k : k, "L%uS%0*u",
					    (unsigned)level, hd_shape_digits(level_size),
					    (unsigned)w);
	for (uint32_t w = 0; w < level_size; w++)
		for (uint32_t port = 1; port <= k; port++)
			hd_shape_add_host(&out, w, port);
	for (uint32_t level = 0, stride = 1; level + 1 < n; level++, stride *= k)
		for (uint32_t w = 0; w < level_size; w++) {
			uint32_t digit = w / stride % k;

			for (uint32_t up = 0; up < k; up++)
				hd_shape_link(&out, level * (uint32_t)level_size + w, k + 1 + up,
					      (level + 1) * (uint32_t)level_size + w -
						      digit * stride + up * stride,
					      1 + digit);
		}
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_tree = {
	.policy.name = "tree",
	.policy.summary = "k-ary n-tree: k^n hosts, n levels of k^(n-1) switches",
	.example = "tree:k=8,n=3",
	.policy.options = options,
	.build = build,
};
