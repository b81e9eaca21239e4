// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/cycle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Tarjan's strongly connected components (1972), without recursion. */
struct tarjan {
	uint32_t *index;      /* order of discovery, from 1; 0: not discovered */
	uint32_t *low;
	uint32_t *stack;      /* of vertices without a component */
	uint32_t *path;       /* from the root of the search to the current vertex */
	size_t *edge;         /* [vertex] next edge to look at */
	uint32_t *component;  /* [vertex], from 1; 0: none yet */
	uint32_t n_index, n_stack, n_path, n_components;
};

static void enter(struct tarjan *t, const struct hd_digraph *graph, uint32_t v)
{
	t->index[v] = t->low[v] = ++t->n_index;
	t->edge[v] = graph->first[v];
	t->stack[t->n_stack++] = v;
	t->path[t->n_path++] = v;
}

static void leave(struct tarjan *t, uint32_t v)
{
	uint32_t w;

	t->n_path--;
	if (t->n_path && t->low[v] < t->low[t->path[t->n_path - 1]])
		t->low[t->path[t->n_path - 1]] = t->low[v];
	if (t->low[v] != t->index[v])
		return;
	t->n_components++;
	do {
		w = t->stack[--t->n_stack];
		t->component[w] = t->n_components;
	} while (w != v);
}

static void search_from(struct tarjan *t, const struct hd_digraph *graph, uint32_t start)
{
	enter(t, graph, start);
	while (t->n_path) {
		uint32_t v = t->path[t->n_path - 1];

		if (t->edge[v] == graph->first[v + 1]) {
			leave(t, v);
		} else {
			uint32_t w = graph->targets[t->edge[v]++];

			if (!t->index[w])
				enter(t, graph, w);
			else if (!t->component[w] && t->index[w] < t->low[v])
				t->low[v] = t->index[w];
		}
	}
}

/* Numbers components from 1; the caller frees @component. */
static int find_components(const struct hd_digraph *graph, uint32_t **component,
			   struct hd_error *err)
{
	size_t n = graph->n + (size_t)1;
	struct tarjan t = { 0 };
	bool ok;

	t.index = calloc(n, sizeof(*t.index));
	t.low = malloc(n * sizeof(*t.low));
	t.stack = malloc(n * sizeof(*t.stack));
	t.path = malloc(n * sizeof(*t.path));
	t.edge = malloc(n * sizeof(*t.edge));
	t.component = calloc(n, sizeof(*t.component));
	ok = t.index && t.low && t.stack && t.path && t.edge && t.component;
	for (uint32_t v = 0; ok && v < graph->n; v++)
		if (!t.index[v])
			search_from(&t, graph, v);
	free(t.index);
	free(t.low);
	free(t.stack);
	free(t.path);
	free(t.edge);
	*component = t.component;
	return ok ? 0 : hd_error_nomem(err);
}

/*
 * Breadth first from each vertex on a cycle, within its component, no deeper than a shorter cycle
 * than the best could be. Vertices that were started from need not be visited again: all cycles
 * through them are known.
 */
struct girth {
	const struct hd_digraph *graph;
	const uint32_t *component;
	uint32_t *seen_from;  /* [vertex] start + 1 of the search that saw it last */
	uint32_t *parent;
	uint32_t *queue;
	uint32_t *best;       /* vertices of the best cycle */
	size_t best_length;
	uint64_t effort;      /* edge visits left */
};

/* The cycle that an edge from @last to the start closes. */
static void keep_cycle(struct girth *g, uint32_t last, size_t length)
{
	g->best_length = length;
	for (uint32_t v = last; length-- > 0; v = g->parent[v])
		g->best[length] = v;
}

static void shortest_through(struct girth *g, uint32_t start)
{
	uint32_t begin = 0, end = 1;
	size_t depth = 0;

	g->queue[0] = start;
	g->seen_from[start] = start + 1;
	/* a vertex at depth d with an edge to the start closes a cycle of d + 1 */
	while (begin < end && depth + 1 < g->best_length) {
		uint32_t level_end = end;

		for (; begin < level_end; begin++) {
			uint32_t v = g->queue[begin];
			size_t first = g->graph->first[v], last = g->graph->first[v + 1];

			if (g->effort >= last - first) {
				g->effort -= last - first;
			} else {
				g->effort = 0;
				if (g->best_length != SIZE_MAX)
					return; /* with what there is; the first is always found */
			}
			for (size_t e = first; e < last; e++) {
				uint32_t w = g->graph->targets[e];

				if (w == start) {
					keep_cycle(g, v, depth + 1);
					return;
				}
				if (w < start || g->component[w] != g->component[start] ||
				    g->seen_from[w] == start + 1)
					continue;
				g->seen_from[w] = start + 1;
				g->parent[w] = v;
				g->queue[end++] = w;
			}
		}
		depth++;
	}
}

int hd_shortest_cycle(const struct hd_digraph *graph, uint64_t effort, uint32_t **cycle,
		      size_t *length, struct hd_error *err)
{
	struct girth g = { .graph = graph,
			   .best_length = SIZE_MAX,
			   .effort = effort ? effort : UINT64_MAX };
	size_t n = graph->n + (size_t)1;
	uint32_t *component = NULL;
	int ret;

	*cycle = NULL;
	*length = 0;
	ret = find_components(graph, &component, err);
	g.component = component;
	g.seen_from = calloc(n, sizeof(*g.seen_from));
	g.parent = malloc(n * sizeof(*g.parent));
	g.queue = malloc(n * sizeof(*g.queue));
	g.best = malloc(n * sizeof(*g.best));
	if (!ret && (!g.seen_from || !g.parent || !g.queue || !g.best))
		ret = hd_error_nomem(err);
	for (uint32_t v = 0; !ret && v < graph->n && (g.effort || g.best_length == SIZE_MAX); v++) {
		bool on_cycle = false;

		for (size_t e = graph->first[v]; e < graph->first[v + 1] && !on_cycle; e++)
			on_cycle = component[graph->targets[e]] == component[v];
		if (on_cycle)
			shortest_through(&g, v);
	}
	if (!ret && g.best_length != SIZE_MAX) {
		*cycle = g.best;
		*length = g.best_length;
		g.best = NULL;
	}
	free(component);
	free(g.seen_from);
	free(g.parent);
	free(g.queue);
	free(g.best);
	return ret;
}
