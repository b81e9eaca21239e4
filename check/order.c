// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/order.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Puts the vertices in order by Kahn's algorithm (1962); false: there is a cycle. */
static bool sort(struct hd_order *order)
{
	const struct hd_digraph *graph = order->graph;
	uint32_t n = 0;

	for (uint32_t v = 0; v < graph->n; v++)
		if (!order->waiting[v])
			order->queue[n++] = v;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t v = order->queue[i];

		for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
			if (--order->waiting[graph->targets[e]] == 0)
				order->queue[n++] = graph->targets[e];
		for (uint32_t e = order->first[v]; e < order->first[v + 1]; e++)
			if (--order->waiting[order->targets[e]] == 0)
				order->queue[n++] = order->targets[e];
	}
	if (n < graph->n)
		return false;
	for (uint32_t i = 0; i < n; i++)
		order->position[order->queue[i]] = i;
	return true;
}

int hd_order_init(struct hd_order *order, const struct hd_digraph *graph, struct hd_error *err)
{
	const size_t n = graph->n + (size_t)2;

	*order = (struct hd_order){ .graph = graph };
	order->position = calloc(n, sizeof(*order->position));
	order->n_in = calloc(n, sizeof(*order->n_in));
	order->waiting = malloc(n * sizeof(*order->waiting));
	order->queue = malloc(n * sizeof(*order->queue));
	order->first = calloc(n, sizeof(*order->first));
	if (!order->position || !order->n_in || !order->waiting || !order->queue || !order->first)
		return hd_error_nomem(err);
	for (size_t e = 0; e < graph->n_edges; e++)
		order->n_in[graph->targets[e]]++;
	memcpy(order->waiting, order->n_in, graph->n * sizeof(*order->n_in));
	order->is_acyclic = sort(order);
	return 0;
}

void hd_order_clear(struct hd_order *order)
{
	free(order->position);
	free(order->n_in);
	free(order->waiting);
	free(order->queue);
	free(order->first);
	free(order->targets);
	*order = (struct hd_order){ .graph = NULL };
}

/* Sorts @edges by where they come from. */
static void place_edges(struct hd_order *order, const struct hd_edge *edges, size_t n)
{
	const uint32_t n_vertices = order->graph->n;
	uint32_t *first = order->first;

	memset(first, 0, (n_vertices + (size_t)2) * sizeof(*first));
	memcpy(order->waiting, order->n_in, n_vertices * sizeof(*order->n_in));
	for (size_t i = 0; i < n; i++) {
		first[edges[i].from + 2]++;
		order->waiting[edges[i].to]++;
	}
	for (uint32_t v = 0; v < n_vertices; v++)
		first[v + 2] += first[v + 1];
	/* first[v + 1] moves from the start of v's edges to their end */
	for (size_t i = 0; i < n; i++)
		order->targets[first[edges[i].from + 1]++] = edges[i].to;
}

int hd_order_add(struct hd_order *order, const struct hd_edge *edges, size_t n, bool *is_acyclic,
		 struct hd_error *err)
{
	if (n > order->capacity) {
		uint32_t *targets = realloc(order->targets, 2 * n * sizeof(*targets));

		if (!targets)
			return hd_error_nomem(err);
		order->targets = targets;
		order->capacity = 2 * n;
	}
	place_edges(order, edges, n);
	*is_acyclic = sort(order);
	return 0;
}
