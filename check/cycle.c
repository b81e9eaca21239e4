// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/cycle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Tarjan's strongly connected components (1972), without recursion. */
struct tarjan {
	uint32_t *index; /* order of discovery, from 1; 0: not discovered */
	uint32_t *low;
	uint32_t *stack;     /* of vertices without a component */
	uint32_t *path;      /* from the root of the search to the current vertex */
	size_t *edge;        /* [vertex] next edge to look at */
	uint32_t *component; /* [vertex], from 1; 0: none yet */
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

/* One side of the search: vertices by their distance from the start, or to the start. */
struct side {
	const struct hd_digraph *graph; /* the graph, or its reverse */
	uint32_t *seen_from;            /* [vertex] start + 1 of the search that saw it last */
	uint32_t *distance;
	uint32_t *parent;
	uint32_t *queue;
	uint32_t begin, end; /* the outermost level, as a range in the queue */
	uint32_t depth;      /* distance of that level */
};

/*
 * The search for a shortest cycle: from each vertex on a cycle, breadth first both ways within its
 * component, no deeper than a shorter cycle than the best could be. Two sides of half the length
 * see far fewer vertices than one side of the whole. Vertices that were started from need not be
 * visited again: all cycles through them are known.
 */
struct girth {
	const uint32_t *component;
	struct side sides[2]; /* forward, backward */
	uint32_t *best;       /* vertices of the best cycle */
	size_t best_length;
	uint64_t effort; /* edge visits left */
};

/* Keeps the cycle from the start forward to @v, by an edge to @w, and on to the start. */
static void keep_cycle(struct girth *g, uint32_t v, uint32_t w)
{
	size_t place = g->sides[0].distance[v] + (size_t)1;

	g->best_length = place + g->sides[1].distance[w];
	for (size_t i = place; i-- > 0; v = g->sides[0].parent[v])
		g->best[i] = v;
	for (; place < g->best_length; w = g->sides[1].parent[w])
		g->best[place++] = w;
}

static void begin_side(struct side *side, uint32_t start)
{
	side->queue[0] = start;
	side->seen_from[start] = start + 1;
	side->distance[start] = 0;
	side->begin = 0;
	side->end = 1;
	side->depth = 0;
}

/* Goes one level further on side @which. */
static void expand(struct girth *g, int which, uint32_t start)
{
	struct side *side = &g->sides[which], *other = &g->sides[!which];
	uint32_t level_end = side->end;

	for (; side->begin < level_end; side->begin++) {
		uint32_t v = side->queue[side->begin];
		size_t last = side->graph->first[v + 1];

		for (size_t e = side->graph->first[v]; e < last; e++) {
			uint32_t w = side->graph->targets[e];

			if (w < start || g->component[w] != g->component[start])
				continue;
			if (other->seen_from[w] == start + 1 &&
			    side->depth + (size_t)1 + other->distance[w] < g->best_length)
				keep_cycle(g, which ? w : v, which ? v : w);
			if (side->seen_from[w] == start + 1)
				continue;
			side->seen_from[w] = start + 1;
			side->distance[w] = side->depth + 1;
			side->parent[w] = v;
			side->queue[side->end++] = w;
		}
		last -= side->graph->first[v];
		g->effort -= last < g->effort ? last : g->effort;
	}
	side->depth++;
}

static void shortest_through(struct girth *g, uint32_t start)
{
	struct side *forward = &g->sides[0], *backward = &g->sides[1];

	begin_side(forward, start);
	begin_side(backward, start);
	/* all cycles as long as both depths together are known */
	while (forward->depth + (size_t)backward->depth + 1 < g->best_length &&
	       forward->begin < forward->end && backward->begin < backward->end &&
	       (g->effort || g->best_length == SIZE_MAX))
		expand(g, forward->end - forward->begin > backward->end - backward->begin, start);
}

static bool reverse(const struct hd_digraph *graph, struct hd_digraph *reversed)
{
	*reversed = (struct hd_digraph){ .n = graph->n, .n_edges = graph->n_edges };
	reversed->first = calloc(graph->n + (size_t)2, sizeof(*reversed->first));
	reversed->targets = malloc((graph->n_edges + 1) * sizeof(*reversed->targets));
	if (!reversed->first || !reversed->targets)
		return false;
	for (size_t e = 0; e < graph->n_edges; e++)
		reversed->first[graph->targets[e] + 2]++;
	for (uint32_t v = 0; v < graph->n; v++)
		reversed->first[v + 2] += reversed->first[v + 1];
	/* first[v + 1] moves from the start of v's edges to their end */
	for (uint32_t v = 0; v < graph->n; v++)
		for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++)
			reversed->targets[reversed->first[graph->targets[e] + 1]++] = v;
	return true;
}

static bool init_side(struct side *side, const struct hd_digraph *graph)
{
	size_t n = graph->n + (size_t)1;

	side->graph = graph;
	side->seen_from = calloc(n, sizeof(*side->seen_from));
	side->distance = malloc(n * sizeof(*side->distance));
	side->parent = malloc(n * sizeof(*side->parent));
	side->queue = malloc(n * sizeof(*side->queue));
	return side->seen_from && side->distance && side->parent && side->queue;
}

static void clear_side(struct side *side)
{
	free(side->seen_from);
	free(side->distance);
	free(side->parent);
	free(side->queue);
}

/* Searches from every vertex with an edge within its component. */
static void search_all(struct girth *g)
{
	const struct hd_digraph *graph = g->sides[0].graph;

	for (uint32_t v = 0; v < graph->n && (g->effort || g->best_length == SIZE_MAX); v++) {
		bool on_cycle = false;

		for (size_t e = graph->first[v]; e < graph->first[v + 1] && !on_cycle; e++)
			on_cycle = g->component[graph->targets[e]] == g->component[v];
		if (on_cycle)
			shortest_through(g, v);
	}
}

/* Whether an edge from @v to @w leaves a group, or is in none. */
static bool is_mixed(const uint32_t *group, uint32_t v, uint32_t w)
{
	return !group[v] || group[v] != group[w];
}

/* Takes for the best cycle the edge from @v to @w and the shortest way back, if that is shorter. */
static void shortest_back(struct girth *g, struct side *side, uint32_t v, uint32_t w, uint32_t turn)
{
	const struct hd_digraph *graph = side->graph;

	side->queue[0] = w;
	side->seen_from[w] = turn;
	side->distance[w] = 0;
	side->end = 1;
	for (side->begin = 0; side->begin < side->end; side->begin++) {
		uint32_t at = side->queue[side->begin];

		if (at == v || side->distance[at] + (size_t)1 >= g->best_length)
			break;
		for (size_t e = graph->first[at]; e < graph->first[at + 1]; e++) {
			uint32_t to = graph->targets[e];

			g->effort -= g->effort > 0;
			if (side->seen_from[to] == turn || g->component[to] != g->component[v])
				continue;
			side->seen_from[to] = turn;
			side->distance[to] = side->distance[at] + 1;
			side->parent[to] = at;
			side->queue[side->end++] = to;
		}
	}
	if (side->seen_from[v] != turn || side->distance[v] + (size_t)1 >= g->best_length)
		return;
	g->best_length = side->distance[v] + (size_t)1;
	for (size_t i = g->best_length; i-- > 0; v = side->parent[v])
		g->best[i] = v;
}

/* Counts the components with edges that have no mixed one; searches from the mixed ones. */
static int search_mixed(struct girth *g, struct side *side, const uint32_t *group,
			uint32_t *n_within, struct hd_error *err)
{
	const struct hd_digraph *graph = side->graph;
	/* [component] 1: it has an edge within a group; 2: a mixed one */
	uint8_t *has = calloc(graph->n + (size_t)2, 1);
	uint32_t turn = 0;

	if (!has)
		return hd_error_nomem(err);
	for (uint32_t v = 0; v < graph->n; v++)
		for (size_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
			uint32_t w = graph->targets[e];

			if (g->component[w] != g->component[v])
				continue;
			has[g->component[v]] |= is_mixed(group, v, w) ? 2 : 1;
			if (is_mixed(group, v, w) && (g->effort || g->best_length == SIZE_MAX))
				shortest_back(g, side, v, w, ++turn);
		}
	for (uint32_t c = 0; c < graph->n + (size_t)2; c++)
		*n_within += has[c] == 1;
	free(has);
	return 0;
}

int hd_shortest_mixed_cycle(const struct hd_digraph *graph, const uint32_t *group, uint64_t effort,
			    uint32_t **cycle, size_t *length, uint32_t *n_within,
			    struct hd_error *err)
{
	struct girth g = { .best_length = SIZE_MAX, .effort = effort ? effort : UINT64_MAX };
	uint32_t *component = NULL;
	int ret;

	*cycle = NULL;
	*length = 0;
	*n_within = 0;
	ret = find_components(graph, &component, err);
	g.component = component;
	g.best = malloc((graph->n + (size_t)1) * sizeof(*g.best));
	if (!ret && (!g.best || !init_side(&g.sides[0], graph)))
		ret = hd_error_nomem(err);
	if (!ret)
		ret = search_mixed(&g, &g.sides[0], group, n_within, err);
	if (!ret && g.best_length != SIZE_MAX) {
		*cycle = g.best;
		*length = g.best_length;
		g.best = NULL;
	}
	free(component);
	free(g.best);
	clear_side(&g.sides[0]);
	return ret;
}

int hd_shortest_cycle(const struct hd_digraph *graph, uint64_t effort, uint32_t **cycle,
		      size_t *length, struct hd_error *err)
{
	struct girth g = { .best_length = SIZE_MAX, .effort = effort ? effort : UINT64_MAX };
	struct hd_digraph reversed = { 0 };
	uint32_t *component = NULL;
	int ret;

	*cycle = NULL;
	*length = 0;
	ret = find_components(graph, &component, err);
	g.component = component;
	g.best = malloc((graph->n + (size_t)1) * sizeof(*g.best));
	if (!ret && (!g.best || !reverse(graph, &reversed) || !init_side(&g.sides[0], graph) ||
		     !init_side(&g.sides[1], &reversed)))
		ret = hd_error_nomem(err);
	if (!ret)
		search_all(&g);
	if (!ret && g.best_length != SIZE_MAX) {
		*cycle = g.best;
		*length = g.best_length;
		g.best = NULL;
	}
	free(component);
	free(g.best);
	free(reversed.first);
	free(reversed.targets);
	clear_side(&g.sides[0]);
	clear_side(&g.sides[1]);
	return ret;
}
