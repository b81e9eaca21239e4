// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/switch_graph.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static void collect_neighbours(const struct hd_fabric *fabric, struct hd_switch_graph *graph)
{
	uint32_t n_all = 0;

	for (uint32_t s = 0; s < graph->n; s++) {
		uint32_t *mine = graph->neighbour + n_all;
		uint32_t n = 0, kept = 0;

		graph->first[s] = n_all;
		hd_for_each_number(port, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, port);

			if (peer != HD_NONE && hd_is_switch(fabric, peer) && peer != s)
				mine[n++] = peer;
		}
		qsort(mine, n, sizeof(*mine), compare_numbers);
		for (uint32_t i = 0; i < n; i++)
			if (i == 0 || mine[i] != mine[i - 1])
				mine[kept++] = mine[i];
		n_all += kept;
		if (kept > graph->max_degree)
			graph->max_degree = kept;
	}
	graph->first[graph->n] = n_all;
}

static void count_common(struct hd_switch_graph *graph, uint32_t *mark)
{
	memset(mark, 0xFF, graph->n * sizeof(*mark));
	for (uint32_t u = 0; u < graph->n; u++) {
		for (uint32_t i = graph->first[u]; i < graph->first[u + 1]; i++)
			mark[graph->neighbour[i]] = u;
		for (uint32_t i = graph->first[u]; i < graph->first[u + 1]; i++) {
			uint32_t v = graph->neighbour[i], n = 2; /* u and v themselves are common
								    members */

			for (uint32_t k = graph->first[v]; k < graph->first[v + 1]; k++)
				n += mark[graph->neighbour[k]] == u;
			graph->common[i] = n;
		}
	}
}

int hd_switch_graph_new(const struct hd_fabric *fabric, struct hd_switch_graph *graph,
			struct hd_error *err)
{
	size_t n_ports = 1;
	uint32_t *mark;

	*graph = (struct hd_switch_graph){ .n = fabric->n_switches };
	for (uint32_t s = 0; s < graph->n; s++)
		n_ports += fabric->nodes[s].n_ports;
	graph->first = malloc((graph->n + (size_t)1) * sizeof(*graph->first));
	graph->neighbour = malloc(n_ports * sizeof(*graph->neighbour));
	graph->common = malloc(n_ports * sizeof(*graph->common));
	mark = malloc((graph->n + (size_t)1) * sizeof(*mark));
	if (!graph->first || !graph->neighbour || !graph->common || !mark) {
		free(mark);
		hd_switch_graph_clear(graph);
		return hd_error_nomem(err);
	}
	collect_neighbours(fabric, graph);
	count_common(graph, mark);
	free(mark);
	return 0;
}

int hd_switch_graph_begin(uint32_t n, uint32_t most, struct hd_switch_graph *graph,
			  struct hd_error *err)
{
	*graph = (struct hd_switch_graph){ .n = n };
	graph->first = calloc(n + (size_t)1, sizeof(*graph->first));
	graph->neighbour = malloc((n * (size_t)most + 1) * sizeof(*graph->neighbour));
	if (graph->first && graph->neighbour)
		return 0;
	hd_switch_graph_clear(graph);
	return hd_error_nomem(err);
}

void hd_switch_graph_listed(struct hd_switch_graph *graph, uint32_t s)
{
	const uint32_t degree = graph->first[s + 1] - graph->first[s];

	qsort(graph->neighbour + graph->first[s], degree, sizeof(*graph->neighbour),
	      compare_numbers);
	if (degree > graph->max_degree)
		graph->max_degree = degree;
}

bool hd_switch_graph_has(const struct hd_switch_graph *graph, uint32_t u, uint32_t v)
{
	const uint32_t *mine = graph->neighbour + graph->first[u];

	return bsearch(&v, mine, graph->first[u + 1] - graph->first[u], sizeof(v), compare_numbers);
}

void hd_switch_graph_clear(struct hd_switch_graph *graph)
{
	free(graph->first);
	free(graph->neighbour);
	free(graph->common);
	*graph = (struct hd_switch_graph){ 0 };
}
