// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Orthogonal fat tree of two levels (Valerio, Moser and Melliar-Smith, 1994), as Kathareios et al.
 * (2015) have it: with k = q + 1, there are n = q^2 + q + 1 spines of 2 k ports and two sets of n
 * leaves with k links up, so that any two leaves have a spine in common. Leaf and spine are point
 * and line of a projective plane: leaf i of either set is linked to spine j if point i is on line
 * j.
 */
#include "topologies/topology.h"

#include "support/error.h"
#include "support/options.h"
#include "topologies/finite_field.h"
#include "topologies/polarity_graph.h"
#include "topologies/shape.h"

static const struct hd_option options[] = {
	{ "k", "4", "", "links of a leaf to spines: a prime power and 1, up to 65" },
	{ "p", NULL, "hosts", "hosts on a leaf; default: k" },
	{ 0 },
};

static void add_switches(struct hd_shape *out, uint32_t n, uint32_t k, uint32_t p)
{
	static const char *const prefixes[] = { "A", "B", "S" };

	for (unsigned kind = 0; kind < 3; kind++)
		for (uint32_t i = 0; i < n; i++)
			hd_shape_add_switch(out, kind < 2 ? p + k : 2 * k, "%s%0*u", prefixes[kind],
					    hd_shape_digits(n), (unsigned)i);
}

/*
 * The k points on line @j are linked to spine j: its ports 1 .. k to one set, the next k to the
 * other.
 */
static void add_links(struct hd_shape *out, const struct hd_field *field, uint32_t n, uint32_t p)
{
	uint32_t points[HD_POLARITY_MOST + 1], lines[HD_POLARITY_MOST + 1];
	const uint32_t k = field->q + 1;

	for (uint32_t j = 0; j < n; j++) {
		hd_polarity_line(field, j, points);
		for (uint32_t i = 0; i < k; i++) {
			uint32_t at = 0;

			hd_polarity_line(field, points[i], lines);
			while (lines[at] != j)
				at++;
			for (uint32_t set = 0; set < 2; set++)
				hd_shape_link(out, set * n + points[i], p + 1 + at, 2 * n + j,
					      1 + set * k + i);
		}
	}
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_field field;
	struct hd_shape out;
	uint32_t k, p, n;
	int ret = hd_shape_number(params, "k", 3, HD_POLARITY_MOST + 1, &k, err);

	if (!ret && !hd_is_prime_power(k - 1))
		return hd_error_set(err, HD_EINVAL, "k = %u is no prime power and 1", (unsigned)k);
	p = ret ? 0 : k;
	if (!ret && hd_params_is_set(params, "p"))
		ret = hd_shape_number(params, "p", 0, HD_MAX_PORTS, &p, err);
	if (ret)
		return ret;
	n = k * (k - 1) + 1;
	ret = hd_shape_begin(&out, 3 * (uint64_t)n, 2 * (uint64_t)n * p,
			     p > k ? p + (uint64_t)k : 2 * (uint64_t)k, err);
	if (ret)
		return ret;
	hd_field_init(&field, k - 1);
	add_switches(&out, n, k, p);
	for (uint32_t leaf = 0; leaf < 2 * n; leaf++)
		for (uint32_t port = 1; port <= p; port++)
			hd_shape_add_host(&out, leaf, port);
	add_links(&out, &field, n, p);
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_oft = {
	.policy.name = "oft",
	.policy.summary =
		"orthogonal fat tree of two levels: any two leaves share one spine or all",
	.policy.reference = "Valerio, Moser and Melliar-Smith (1994); Kathareios et al. (SC 2015)",
	.example = "oft:k=4",
	.policy.options = options,
	.build = build,
};
