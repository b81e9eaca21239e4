// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/graph_shape.h"

#include "support/options.h"
#include "topologies/switch_graph.h"

int hd_graph_hosts(const struct hd_params *params, uint32_t degree, uint32_t *p,
		   struct hd_error *err)
{
	*p = (degree + 1) / 2;
	if (!hd_params_is_set(params, "p"))
		return 0;
	return hd_shape_number(params, "p", 0, HD_MAX_PORTS, p, err);
}

/* Links every switch to its neighbours of higher number; these have their next ports for it. */
static void add_links(struct hd_shape *out, const struct hd_switch_graph *graph, uint32_t p)
{
	for (uint32_t s = 0; s < graph->n; s++)
		for (uint32_t i = graph->first[s]; i < graph->first[s + 1]; i++) {
			const uint32_t peer = graph->neighbour[i];
			uint32_t back = graph->first[peer];

			if (peer < s)
				continue;
			while (graph->neighbour[back] != s)
				back++;
			hd_shape_link(out, s, p + 1 + i - graph->first[s], peer,
				      p + 1 + back - graph->first[peer]);
		}
}

int hd_graph_shape(const struct hd_switch_graph *graph, uint32_t p,
		   void (*name)(const struct hd_switch_graph *graph, uint32_t s, char *text,
				size_t size),
		   struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_shape out;
	int ret = hd_shape_begin(&out, graph->n, (uint64_t)graph->n * p,
				 p + (uint64_t)graph->max_degree, err);

	if (ret)
		return ret;
	for (uint32_t s = 0; s < graph->n; s++) {
		char text[64];

		name(graph, s, text, sizeof(text));
		hd_shape_add_switch(&out, p + graph->max_degree, "%s", text);
	}
	for (uint32_t s = 0; s < graph->n; s++)
		for (uint32_t port = 1; port <= p; port++)
			hd_shape_add_host(&out, s, port);
	add_links(&out, graph, p);
	return hd_shape_finish(&out, fabric);
}
