// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Least hops between switches. OpenSM asks for them when it builds multicast trees; its own way to
 * them (all ports' hop counts, relaxed until nothing changes) is most of what minhop costs. One
 * search per destination is enough, because only the ports on shortest paths are ever asked for.
 */
#include "opensm/plugin.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* The switches as a graph of their own, and OpenSM's switch of each. */
struct switch_graph {
	uint32_t n;
	uint32_t *first;      /* [n + 1] where a switch's part of the next two begins */
	uint32_t *neighbour;
	uint8_t *out;         /* the port that leads to it */
	osm_switch_t **sw;    /* [n]; NULL: OpenSM no longer has it */
	uint8_t *hops;        /* [n] to the destination at hand; OSM_NO_PATH: none */
	uint32_t *queue;      /* [n] */
};

static void graph_clear(struct switch_graph *graph)
{
	free(graph->first);
	free(graph->neighbour);
	free(graph->out);
	free(graph->sw);
	free(graph->hops);
	free(graph->queue);
}

static int graph_build(struct switch_graph *graph, struct osm_opensm *osm,
		       const struct hd_fabric *fabric, struct hd_error *err)
{
	uint32_t n = fabric->n_switches, edges = 0;
	cl_qmap_t *map = &osm->subn.sw_guid_tbl;

	*graph = (struct switch_graph){
		.n = n,
		.first = malloc((n + (size_t)1) * sizeof(*graph->first)),
		.neighbour = malloc((fabric->n_ports + (size_t)1) * sizeof(*graph->neighbour)),
		.out = malloc(fabric->n_ports + (size_t)1),
		.sw = calloc(n + (size_t)1, sizeof(*graph->sw)),
		.hops = malloc(n + (size_t)1),
		.queue = malloc((n + (size_t)1) * sizeof(*graph->queue)),
	};
	if (!graph->first || !graph->neighbour || !graph->out || !graph->sw || !graph->hops ||
	    !graph->queue)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++) {
		graph->first[s] = edges;
		for (unsigned number = 1; number <= fabric->nodes[s].n_ports; number++) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer == HD_NONE || !hd_is_switch(fabric, peer) || peer == s)
				continue;
			graph->neighbour[edges] = peer;
			graph->out[edges++] = (uint8_t)number;
		}
	}
	graph->first[n] = edges;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		uint32_t s = hd_osm_find_switch(fabric, (osm_switch_t *)item);

		if (s != HD_NONE)
			graph->sw[s] = (osm_switch_t *)item;
	}
	return 0;
}

/* Breadth first from @destination, into graph->hops. Returns how many switches it reached. */
static uint32_t search(struct switch_graph *graph, uint32_t destination)
{
	uint32_t head = 0, tail = 0;

	memset(graph->hops, OSM_NO_PATH, graph->n);
	graph->hops[destination] = 0;
	graph->queue[tail++] = destination;
	while (head < tail) {
		uint32_t s = graph->queue[head++];
		uint8_t next = (uint8_t)(graph->hops[s] + 1);

		if (next == OSM_NO_PATH)
			break;
		for (uint32_t e = graph->first[s]; e < graph->first[s + 1]; e++) {
			uint32_t peer = graph->neighbour[e];

			if (graph->hops[peer] != OSM_NO_PATH)
				continue;
			graph->hops[peer] = next;
			graph->queue[tail++] = peer;
		}
	}
	return tail;
}

/* All ports of @s on shortest paths to @lid. */
static bool set_row(const struct switch_graph *graph, uint32_t s, uint16_t lid)
{
	uint8_t hops = graph->hops[s];

	if (hops == 0)
		return osm_switch_set_hops(graph->sw[s], lid, 0, 0) == CL_SUCCESS;
	for (uint32_t e = graph->first[s]; e < graph->first[s + 1]; e++)
		if (graph->hops[graph->neighbour[e]] == hops - 1 &&
		    osm_switch_set_hops(graph->sw[s], lid, graph->out[e], hops) != CL_SUCCESS)
			return false;
	return true;
}

int hd_osm_hops_set(struct osm_opensm *osm, const struct hd_fabric *fabric, struct hd_error *err)
{
	struct switch_graph graph;
	int ret = graph_build(&graph, osm, fabric, err);

	for (uint32_t d = 0; !ret && d < graph.n; d++) {
		uint16_t lid = fabric->ports[hd_port_index(fabric, d, 0)].lid;
		uint32_t reached;

		if (!lid)
			continue;
		reached = search(&graph, d);
		for (uint32_t i = 0; i < reached && !ret; i++) {
			uint32_t s = graph.queue[i];

			if (graph.sw[s] && !set_row(&graph, s, lid))
				ret = hd_error_set(err, HD_ENOMEM,
						   "OpenSM takes no hop count for LID %u at '%s'",
						   lid, hd_node_name(fabric, s));
		}
	}
	graph_clear(&graph);
	return ret;
}

void hd_osm_hops_clear(struct osm_opensm *osm)
{
	cl_qmap_t *map = &osm->subn.sw_guid_tbl;

	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item))
		osm_switch_clear_hops((osm_switch_t *)item);
}
