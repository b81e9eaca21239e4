// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Jellyfish (Singla et al., 2012): a random regular graph of switches. A ring with chords, which is
 * regular, is made random by exchanges: two links a - b and c - d become a - d and c - b where that
 * makes no loop and no parallel link. Each graph can be reached, and none is preferred (Cooper,
 * Dyer and Greenhill, 2007). Exchanges go on until the graph is connected, and the numbers are
 * those of support/random.h: so the same spec gives the same fabric everywhere.
 */
#include "topologies/topology.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/error.h"
#include "support/options.h"
#include "support/random.h"
#include "topologies/graph_shape.h"
#include "topologies/switch_graph.h"
#include "topologies/union_find.h"

#define EXCHANGES     10  /* tries for each link, in a round */
#define ROUNDS        100 /* until the graph is connected; nearly always the first one is enough */
#define MOST_SWITCHES 16384 /* so that all of it takes seconds at most */
#define MOST_LINKS    128   /* of a switch */

static const struct hd_option options[] = {
	{ "n", "50", "", "switches, up to 16384" },
	{ "r", "7", "", "links of a switch to others, 3 to 128" },
	HD_GRAPH_HOSTS_OPTION,
	{ "seed", "1", "", "number of the random graph" },
	{ 0 },
};

static void name(const struct hd_switch_graph *graph, uint32_t s, char *text, size_t size)
{
	snprintf(text, size, "S%0*u", hd_shape_digits(graph->n), (unsigned)s);
}

static bool is_linked(const struct hd_switch_graph *graph, uint32_t a, uint32_t b)
{
	for (uint32_t i = graph->first[a]; i < graph->first[a + 1]; i++)
		if (graph->neighbour[i] == b)
			return true;
	return false;
}

static void replace(struct hd_switch_graph *graph, uint32_t s, uint32_t old, uint32_t new)
{
	uint32_t i = graph->first[s];

	while (graph->neighbour[i] != old)
		i++;
	graph->neighbour[i] = new;
}

static void exchange(struct hd_switch_graph *graph, uint32_t r, struct hd_random *random)
{
	const uint32_t one = hd_random_below(random, graph->n * r);
	const uint32_t other = hd_random_below(random, graph->n * r);
	const uint32_t a = one / r, b = graph->neighbour[one];
	const uint32_t c = other / r, d = graph->neighbour[other];

	if (a == c || a == d || b == c || b == d || is_linked(graph, a, d) ||
	    is_linked(graph, c, b))
		return;
	replace(graph, a, b, d);
	replace(graph, b, a, c);
	replace(graph, c, d, b);
	replace(graph, d, c, a);
}

/* Each switch is linked to the next r / 2 of the ring, and for odd r to the opposite one. */
static void make_ring(struct hd_switch_graph *graph, uint32_t r)
{
	const uint32_t n = graph->n;

	for (uint32_t s = 0; s < n; s++) {
		uint32_t at = graph->first[s];

		for (uint32_t step = 1; step <= r / 2; step++) {
			graph->neighbour[at++] = (s + step) % n;
			graph->neighbour[at++] = (s + n - step) % n;
		}
		if (r % 2)
			graph->neighbour[at++] = (s + n / 2) % n;
		graph->first[s + 1] = at;
	}
}

static bool is_connected(const struct hd_switch_graph *graph, uint32_t *parent)
{
	for (uint32_t s = 0; s < graph->n; s++)
		parent[s] = s;
	for (uint32_t s = 0; s < graph->n; s++)
		for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++)
			hd_union(parent, s, graph->neighbour[i]);
	for (uint32_t s = 0; s < graph->n; s++)
		if (hd_find(parent, s))
			return false;
	return true;
}

static int make_random(struct hd_switch_graph *graph, uint32_t r, uint32_t seed,
		       struct hd_error *err)
{
	uint32_t *parent = malloc(graph->n * sizeof(*parent));
	struct hd_random random;
	unsigned round = 0;

	if (!parent)
		return hd_error_nomem(err);
	make_ring(graph, r);
	hd_random_init(&random, seed, 0);
	do
		for (uint64_t i = 0; i < (uint64_t)EXCHANGES * graph->n * r; i++)
			exchange(graph, r, &random);
	while (!is_connected(graph, parent) && ++round < ROUNDS);
	free(parent);
	if (round == ROUNDS)
		return hd_error_set(err, HD_EINVAL, "no connected graph of %u links a switch found",
				    (unsigned)r);
	for (uint32_t s = 0; s < graph->n; s++)
		hd_switch_graph_listed(graph, s);
	return 0;
}

static int parse(const struct hd_params *params, uint32_t *n, uint32_t *r, uint32_t *p,
		 uint32_t *seed, struct hd_error *err)
{
	int ret = hd_shape_number(params, "n", 4, MOST_SWITCHES, n, err);

	if (!ret)
		ret = hd_shape_number(params, "r", 3, MOST_LINKS, r, err);
	if (!ret)
		ret = hd_graph_hosts(params, *r, p, err);
	if (!ret)
		ret = hd_shape_number(params, "seed", 0, UINT32_MAX, seed, err);
	if (!ret && *r >= *n)
		return hd_error_set(err, HD_EINVAL, "%u links need more than %u other switches",
				    (unsigned)*r, (unsigned)(*n - 1));
	if (!ret && *n % 2 && *r % 2)
		return hd_error_set(err, HD_EINVAL, "%u switches of %u links: the product is odd",
				    (unsigned)*n, (unsigned)*r);
	return ret;
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_switch_graph graph;
	uint32_t n, r, p, seed;
	int ret = parse(params, &n, &r, &p, &seed, err);

	if (!ret)
		ret = hd_switch_graph_begin(n, r, &graph, err);
	if (ret)
		return ret;
	ret = make_random(&graph, r, seed, err);
	if (!ret)
		ret = hd_graph_shape(&graph, p, name, fabric, err);
	hd_switch_graph_clear(&graph);
	return ret;
}

const struct hd_topology hd_topology_jellyfish = {
	.policy.name = "jellyfish",
	.policy.summary = "Jellyfish: a random regular graph of switches",
	.policy.reference = "Singla et al., Jellyfish (NSDI 2012)",
	.example = "jellyfish:n=50,r=7,p=4,seed=1",
	.policy.options = options,
	.build = build,
};
