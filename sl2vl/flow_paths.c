// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/flow_paths.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static bool list_injecting(struct hd_flow_paths *paths)
{
	const struct hd_fabric *fabric = paths->tables->fabric;
	uint32_t n = 0;

	paths->first_injecting = malloc((fabric->n_switches + (size_t)1) * sizeof(uint32_t));
	paths->injecting = malloc(fabric->n_ports + (size_t)1);
	if (!paths->first_injecting || !paths->injecting)
		return false;
	hd_for_each_switch(s, fabric) {
		paths->first_injecting[s] = n;
		for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++) {
			uint32_t port = hd_port_index(fabric, s, in);
			uint32_t source = in ? fabric->ports[port].peer : port;

			if (source != HD_NONE && hd_is_end_port(fabric, source))
				paths->injecting[n++] = (uint8_t)in;
		}
	}
	paths->first_injecting[fabric->n_switches] = n;
	return true;
}

static bool list_links(struct hd_flow_paths *paths)
{
	const struct hd_fabric *fabric = paths->tables->fabric;

	paths->links = malloc((fabric->n_ports + (size_t)1) * sizeof(*paths->links));
	for (uint32_t p = 0; paths->links && p < fabric->n_ports; p++) {
		uint32_t end = fabric->ports[p].peer;
		const struct hd_port *peer = &fabric->ports[end == HD_NONE ? p : end];
		bool is_link = fabric->ports[p].node < fabric->n_switches &&
			       peer->node < fabric->n_switches &&
			       peer->node != fabric->ports[p].node;

		paths->links[p] = (struct hd_flow_link){ .node = is_link ? peer->node : HD_NONE,
							 .in = is_link ? peer->number : 0 };
	}
	return paths->links != NULL;
}

static void list_patterns(struct hd_flow_paths *paths)
{
	const struct hd_fabric *fabric = paths->tables->fabric;

	hd_for_each_switch(s, fabric)
		for (unsigned out = 1; out <= fabric->nodes[s].n_ports; out++) {
			struct hd_flow_link *link = &paths->links[hd_port_index(fabric, s, out)];
			const uint32_t begin = paths->first_injecting[s];
			const uint32_t end = paths->first_injecting[s + 1];

			if (begin == end)
				continue;
			link->is_alike = true;
			link->pattern = hd_flow_pattern(paths, s, paths->injecting[begin], out);
			for (uint32_t i = begin + 1; link->is_alike && i < end; i++)
				link->is_alike =
					link->pattern ==
					hd_flow_pattern(paths, s, paths->injecting[i], out);
		}
}

int hd_flow_paths_init(struct hd_flow_paths *paths, const struct hd_tables *tables,
		       const struct hd_layering *layering, struct hd_error *err)
{
	const size_t n = tables->fabric->n_switches + (size_t)1;

	*paths = (struct hd_flow_paths){
		.tables = tables,
		.layering = layering,
		.hops = malloc(n * sizeof(*paths->hops)),
		.edges = malloc((n + HD_MAX_SLS) * sizeof(*paths->edges)),
	};
	if (!list_injecting(paths) || !list_links(paths) || !paths->hops || !paths->edges)
		return hd_error_nomem(err);
	list_patterns(paths);
	return 0;
}

void hd_flow_paths_clear(struct hd_flow_paths *paths)
{
	free(paths->links);
	free(paths->first_injecting);
	free(paths->injecting);
	free(paths->hops);
	free(paths->edges);
	*paths = (struct hd_flow_paths){ 0 };
}

/* The pattern of the first hop is not set: it depends on the in-port from the end node. */
uint32_t hd_flow_follow(struct hd_flow_paths *paths, uint32_t source,
			const struct hd_flow_entries *entries)
{
	const struct hd_fabric *fabric = paths->tables->fabric;
	uint32_t node = source, n = 0;
	unsigned in = 0;

	paths->n_hops = 0;
	while (node != entries->last) {
		unsigned out = entries->at[node];
		const struct hd_flow_link *link;

		if (out == 0 || out > fabric->nodes[node].n_ports || n == fabric->n_switches)
			return 0;
		link = &paths->links[hd_port_index(fabric, node, out)];
		if (link->node == HD_NONE)
			return 0;
		paths->hops[n++] = (struct hd_flow_hop){
			.node = node,
			.in = (uint8_t)in,
			.out = (uint8_t)out,
			.pattern = in ? hd_flow_pattern(paths, node, in, out) : 0,
		};
		in = link->in;
		node = link->node;
	}
	return paths->n_hops = n;
}

size_t hd_flow_edges(struct hd_flow_paths *paths, unsigned class)
{
	uint8_t(*patterns)[HD_MAX_SLS] = paths->layering->patterns;
	const struct hd_flow_hop *path = paths->hops;
	const uint32_t n = paths->n_hops;
	const struct hd_flow_link *first;
	size_t n_edges = 0;
	unsigned seen = 0;
	uint32_t begin, end;

	if (n < 2)
		return 0;
	first = &paths->links[hd_port_index(paths->tables->fabric, path->node, path->out)];
	begin = paths->first_injecting[path->node];
	end = first->is_alike ? begin + 1 : paths->first_injecting[path->node + 1];
	for (uint32_t i = begin; i < end; i++) {
		unsigned pattern = first->is_alike
					   ? first->pattern
					   : hd_flow_pattern(paths, path->node, paths->injecting[i],
							     path->out);
		unsigned layer = patterns[pattern][class];

		if (seen >> layer & 1)
			continue;
		seen |= 1u << layer;
		paths->edges[n_edges++] = (struct hd_channel_edge){
			.node = path[1].node,
			.in = path[1].in,
			.out = path[1].out,
			.from = (uint8_t)layer,
			.to = patterns[path[1].pattern][class],
		};
	}
	for (uint32_t h = 2; h < n; h++)
		paths->edges[n_edges++] = (struct hd_channel_edge){
			.node = path[h].node,
			.in = path[h].in,
			.out = path[h].out,
			.from = patterns[path[h - 1].pattern][class],
			.to = patterns[path[h].pattern][class],
		};
	return n_edges;
}
