// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/proof_cycle.h"

#include <stdlib.h>

#include "check/cycle.h"
#include "support/error.h"
struct hd_proof_channel hd_proof_channel_at(const struct hd_shape *shape, unsigned n_vcs,
					    uint32_t channel)
{
	uint32_t port = channel / n_vcs;

	return (struct hd_proof_channel){
		.at = port / shape->n_ports,
		.port = (uint8_t)(port % shape->n_ports),
		.vc = (uint8_t)(channel % n_vcs),
	};
}

static int make_graph(const struct hd_shape *shape, const uint64_t *edges, size_t n_channels,
		      unsigned n_vcs, size_t edge_words, struct hd_digraph *graph,
		      struct hd_error *err)
{
	for (size_t i = 0; i < n_channels * edge_words; i++)
		graph->n_edges += (size_t)__builtin_popcountll(edges[i]);
	graph->first = calloc(n_channels + 1, sizeof(*graph->first));
	graph->targets = malloc((graph->n_edges + 1) * sizeof(*graph->targets));
	if (!graph->first || !graph->targets)
		return hd_error_nomem(err);
	for (size_t channel = 0, n_edges = 0; channel < n_channels; channel++) {
		uint32_t next = shape->neighbour[channel / n_vcs];

		for (size_t w = 0; w < edge_words; w++)
			for (uint64_t bits = edges[channel * edge_words + w]; bits;
			     bits &= bits - 1)
				graph->targets[n_edges++] =
					(uint32_t)(hd_shape_port(shape, next, 0) * n_vcs + w * 64 +
						   (size_t)__builtin_ctzll(bits));
		graph->first[channel + 1] = n_edges;
	}
	return 0;
}

static int note_cycle(struct hd_proof *proof, const struct hd_shape *shape, unsigned n_vcs,
		      const uint32_t *cycle, size_t n, struct hd_error *err)
{
	if (!n)
		return 0;
	proof->cycle = malloc(n * sizeof(*proof->cycle));
	if (!proof->cycle)
		return hd_error_nomem(err);
	proof->n_cycle = n;
	for (size_t i = 0; i < n; i++)
		proof->cycle[i] = hd_proof_channel_at(shape, n_vcs, cycle[i]);
	return 0;
}

int hd_proof_find_cycle(const struct hd_shape *shape, const uint64_t *edges, unsigned n_vcs,
			size_t edge_words, const uint32_t *group, struct hd_proof *proof,
			struct hd_error *err)
{
	const size_t n_channels = shape->n_switches * (size_t)shape->n_ports * n_vcs;
	struct hd_digraph graph = { .n = (uint32_t)n_channels };
	uint32_t *cycle = NULL, n_within;
	size_t n = 0;
	int ret = make_graph(shape, edges, n_channels, n_vcs, edge_words, &graph, err);

	proof->edges = graph.n_edges;
	if (!ret)
		ret = group ? hd_shortest_mixed_cycle(&graph, group, HD_CYCLE_EFFORT, &cycle, &n,
						      &n_within, err)
			    : hd_shortest_cycle(&graph, HD_CYCLE_EFFORT, &cycle, &n, err);
	if (!ret)
		ret = note_cycle(proof, shape, n_vcs, cycle, n, err);
	free(cycle);
	free(graph.first);
	free(graph.targets);
	return ret;
}
