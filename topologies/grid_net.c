// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The bare graph as the search for a grid sees it. */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/grid_search.h"
#include "topologies/switch_graph.h"

void hd_grid_net_clear(struct hd_grid_net *net)
{
	free(net->switch_of);
	free(net->bus_switch);
	free(net->first);
	free(net->member);
	free(net->vertex_first);
	free(net->bus_of);
	free(net->label);
	*net = (struct hd_grid_net){ 0 };
}

static bool has_end_nodes(const struct hd_fabric *fabric, uint32_t s)
{
	hd_for_each_number(port, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, port);

		if (peer != HD_NONE && !hd_is_switch(fabric, peer))
			return true;
	}
	return false;
}

/*
 * Colours the switches, side[s] 0 or 1, so that links join unlike colours as far as possible;
 * returns the number of switches that are linked with the first one. @queue is [n].
 */
static uint32_t colour(const struct hd_switch_graph *graph, uint8_t *side, uint32_t *queue,
		       bool *possible)
{
	uint32_t n_reached = 1;

	memset(side, 2, graph->n);
	*possible = true;
	side[0] = 0;
	queue[0] = 0;
	for (uint32_t i = 0; i < n_reached; i++)
		for (uint32_t k = graph->first[queue[i]]; k < graph->first[queue[i] + 1]; k++) {
			uint32_t peer = graph->neighbour[k];

			*possible &= side[peer] != side[queue[i]];
			if (side[peer] == 2) {
				side[peer] = !side[queue[i]];
				queue[n_reached++] = peer;
			}
		}
	return n_reached;
}

/*
 * Tells line switches from routers: is_line[s]. Both have a colour each; HD_EREFUSED where switches
 * without end nodes have both.
 */
static int find_line_switches(const struct hd_fabric *fabric, uint8_t *is_line,
			      struct hd_error *err)
{
	bool hosts[2] = { false, false };

	hd_for_each_switch(s, fabric)
		hosts[is_line[s]] |= has_end_nodes(fabric, s);
	if (hosts[0] == hosts[1])
		return hd_error_set(
			err, HD_EREFUSED,
			"not a KNS: no line switches, without end nodes, between routers "
			"with some");
	for (uint32_t s = 0; hosts[1] && s < fabric->n_switches; s++)
		is_line[s] = !is_line[s];
	return 0;
}

/* Every pair of linked switches is a bus. */
static void list_pairs(const struct hd_switch_graph *graph, struct hd_grid_net *net, uint32_t *fill)
{
	memcpy(fill, graph->first, graph->n * sizeof(*fill));
	memcpy(net->vertex_first, graph->first, (graph->n + (size_t)1) * sizeof(*fill));
	net->n = graph->n;
	for (uint32_t s = 0; s < graph->n; s++) {
		net->switch_of[s] = s;
		for (uint32_t k = graph->first[s]; k < graph->first[s + 1]; k++) {
			uint32_t peer = graph->neighbour[k];

			if (peer < s)
				continue;
			net->bus_of[fill[s]++] = net->n_buses;
			net->bus_of[fill[peer]++] = net->n_buses;
			net->member[2 * net->n_buses] = s;
			net->member[2 * net->n_buses + 1] = peer;
			net->first[net->n_buses] = 2 * net->n_buses;
			net->n_buses++;
		}
	}
	net->first[net->n_buses] = 2 * net->n_buses;
}

/* Every line switch is a bus. @number is [n]. */
static void list_lines(const struct hd_switch_graph *graph, const uint8_t *is_line,
		       struct hd_grid_net *net, uint32_t *number)
{
	uint32_t n_members = 0, n_uses = 0;

	for (uint32_t s = 0; s < graph->n; s++)
		if (is_line[s]) {
			number[s] = net->n_buses;
			net->bus_switch[net->n_buses++] = s;
		} else {
			number[s] = net->n;
			net->switch_of[net->n++] = s;
		}
	for (uint32_t bus = 0; bus < net->n_buses; bus++) {
		uint32_t s = net->bus_switch[bus];

		net->first[bus] = n_members;
		for (uint32_t k = graph->first[s]; k < graph->first[s + 1]; k++)
			net->member[n_members++] = number[graph->neighbour[k]];
	}
	net->first[net->n_buses] = n_members;
	for (uint32_t v = 0; v < net->n; v++) {
		uint32_t s = net->switch_of[v];

		net->vertex_first[v] = n_uses;
		for (uint32_t k = graph->first[s]; k < graph->first[s + 1]; k++)
			net->bus_of[n_uses++] = number[graph->neighbour[k]];
	}
	net->vertex_first[net->n] = n_uses;
}

/* Lists what the search needs of a connected graph. @side and @scratch are [n]. */
static int list(const struct hd_switch_graph *graph, struct hd_grid_net *net, uint8_t *side,
		uint32_t *scratch, struct hd_error *err)
{
	bool two_colours;
	uint32_t n_reached = colour(graph, side, scratch, &two_colours);
	int ret;

	if (n_reached < graph->n)
		return hd_error_set(err, HD_EREFUSED,
				    "not a grid: in parts, %u of %u switches are linked with %.64s",
				    n_reached - 1, graph->n - 1, hd_node_name(net->fabric, 0));
	if (!net->switched) {
		list_pairs(graph, net, scratch);
		return 0;
	}
	if (!two_colours)
		return hd_error_set(err, HD_EREFUSED, "not a KNS: routers are linked directly");
	ret = find_line_switches(net->fabric, side, err);
	if (!ret)
		list_lines(graph, side, net, scratch);
	return ret;
}

int hd_grid_net_new(const struct hd_fabric *fabric, bool with_line_switches,
		    struct hd_grid_net *net, struct hd_error *err)
{
	const size_t n = fabric->n_switches + (size_t)1;
	struct hd_switch_graph graph;
	uint32_t *scratch = malloc(n * sizeof(*scratch));
	uint8_t *is_line = malloc(n);
	size_t n_ends;
	int ret;

	*net = (struct hd_grid_net){ .fabric = fabric, .switched = with_line_switches };
	ret = scratch && is_line ? hd_switch_graph_new(fabric, &graph, err) : hd_error_nomem(err);
	if (ret) {
		free(scratch);
		free(is_line);
		return ret;
	}
	n_ends = graph.first[graph.n] + (size_t)1;
	net->switch_of = malloc(n * sizeof(*net->switch_of));
	net->bus_switch = malloc(n * sizeof(*net->bus_switch));
	net->first = malloc((n_ends + n) * sizeof(*net->first));
	net->member = malloc(n_ends * sizeof(*net->member));
	net->vertex_first = malloc(n * sizeof(*net->vertex_first));
	net->bus_of = malloc(n_ends * sizeof(*net->bus_of));
	net->label = malloc(n_ends + n);
	if (!net->switch_of || !net->bus_switch || !net->first || !net->member ||
	    !net->vertex_first || !net->bus_of || !net->label)
		ret = hd_error_nomem(err);
	else
		ret = list(&graph, net, is_line, scratch, err);
	if (!ret)
		memset(net->label, HD_GRID_NO_LABEL, net->n_buses);
	hd_switch_graph_clear(&graph);
	free(scratch);
	free(is_line);
	if (ret)
		hd_grid_net_clear(net);
	return ret;
}
