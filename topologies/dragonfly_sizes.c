// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/dragonfly_sizes.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static uint32_t smaller(uint64_t x, uint64_t y)
{
	return (uint32_t)(x < y ? x : y);
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Whether enough links have enough common neighbours. A local link of an intact group of a has a
 * common members. A missing local link takes one from at most 2 (a - 2) others, a missing switch
 * one from all links of its group. So the links with most common members, as many as must be local,
 * may lack no more than that.
 */
static bool enough_in_common(const struct hd_dragonfly_census *census,
			     const struct hd_switch_graph *graph,
			     const struct hd_dragonfly_size *shape, uint64_t n_local,
			     uint64_t missing_local)
{
	uint64_t a = shape->a, lack = 0;
	uint64_t needed = n_local > missing_local ? n_local - missing_local : 0;

	for (uint64_t c = graph->max_degree + (uint64_t)1; c >= 2 && needed; c--) {
		uint64_t n = census->common[c] < needed ? census->common[c] : needed;

		if (c < a)
			lack += n * (a - c);
		needed -= n;
	}
	return needed == 0 &&
	       lack <= missing_local * 2 * (a - (a > 1)) + shape->missing_switches * a * a / 2;
}

/*
 * Whether the linked pairs of switches suffice for @shape if at most @limit is missing. Sets what
 * is tolerated: an eighth of the switches, of the local links and of the pairs of groups, and a
 * sixteenth of all links. That is beyond what is worth running, and still tells a dragonfly from a
 * torus.
 */
bool hd_dragonfly_size_is_possible(const struct hd_dragonfly_census *census,
				   const struct hd_switch_graph *graph,
				   struct hd_dragonfly_size *shape, uint32_t limit)
{
	uint64_t a = shape->a, g = shape->g, n = graph->n;
	uint64_t missing = a * g - n;
	uint64_t global = g * (g - 1) / 2;
	uint64_t local = g * (a * (a - 1) / 2) - missing * (a - 1); /* local links that there are
								       at least */
	uint64_t missing_links;

	if (missing > limit || missing * 8 > n)
		return false;
	shape->missing_switches = (uint32_t)missing;
	shape->max_local = smaller(local / 8, UINT32_MAX / 4);
	shape->max_global = smaller(global / 8, UINT32_MAX / 4);
	shape->max_links = smaller((local + global) / 16, UINT32_MAX / 4);
	missing_links = smaller(limit - missing, shape->max_links);
	return census->n_links + missing_links >= local + global &&
	       enough_in_common(census, graph, shape, local,
				smaller(missing_links, shape->max_local));
}

/*
 * The fit of a switch is the largest a such that a - 1 of its neighbours have a common members of
 * closed neighbourhoods with it, as they would in an intact group of a.
 */
int hd_dragonfly_census_take(const struct hd_switch_graph *graph,
			     struct hd_dragonfly_census *census, struct hd_error *err)
{
	size_t n_sizes = graph->max_degree + (size_t)3;
	uint32_t *sorted = malloc(n_sizes * sizeof(*sorted));

	census->n_links = graph->first[graph->n] / 2;
	census->common = calloc(n_sizes, sizeof(*census->common));
	census->n_fit = calloc(n_sizes, sizeof(*census->n_fit));
	census->fit = malloc((graph->n + (size_t)1) * sizeof(*census->fit));
	if (!sorted || !census->common || !census->n_fit || !census->fit) {
		free(sorted);
		return hd_error_nomem(err);
	}
	for (uint32_t s = 0; s < graph->n; s++) {
		uint32_t degree = graph->first[s + 1] - graph->first[s], a = 1;

		if (degree)
			memcpy(sorted, graph->common + graph->first[s], degree * sizeof(*sorted));
		qsort(sorted, degree, sizeof(*sorted), compare_numbers);
		while (a <= degree && sorted[degree - a] >= a + 1)
			a++;
		census->fit[s] = a;
		census->n_fit[a]++;
		for (uint32_t i = 0; i < degree; i++)
			if (graph->neighbour[graph->first[s] + i] > s)
				census->common[graph->common[graph->first[s] + i]]++;
	}
	for (uint32_t a = graph->max_degree + 1; a-- > 0;)
		census->n_fit[a] += census->n_fit[a + 1];
	free(sorted);
	return 0;
}

void hd_dragonfly_census_clear(struct hd_dragonfly_census *census)
{
	free(census->common);
	free(census->n_fit);
	free(census->fit);
}
