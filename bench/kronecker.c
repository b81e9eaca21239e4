// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How many edges a breadth-first search explores at each level of a Kronecker graph, by the degree
 * of its root: what sim/traffic/graph500_equations.c is fitted to (bench/kronecker.py), and judged
 * by.
 *
 *	kronecker SCALE EDGEFACTOR [ROOTS [SEED]]
 *
 * The graph is Graph500's: 2^SCALE vertices, EDGEFACTOR times as many edges, each of them drawn by
 * the initiator .57 .19 .19 .05 bit by bit; edges that come twice count twice, as in the benchmark.
 * The edges of level l are those of the vertices at distance l from the root, so that a search
 * explores each edge from both ends. Prints CSV: a line for each class of degrees and each level
 * from 1 on, with the mean and the standard deviation over ROOTS (16) random roots of the class; of
 * level 1 over all vertices of the class, for which no search is needed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

#define MOST_SCALE  24
#define MOST_FACTOR 128
#define MOST_LEVELS 64
#define FINE        8 /* degrees up to here are classes of their own; above, four to an octave */
#define CLASSES     (FINE + 4 * 32)

struct graph {
	unsigned scale;
	uint32_t n;
	uint64_t n_ends;
	uint64_t *first;      /* [n + 1] in neighbours */
	uint32_t *neighbours; /* [n_ends] */
};

/* Of the edges that searches explored at a level. */
struct level {
	double sum, squares;
	uint32_t roots;
};

struct class
{
	struct level levels[MOST_LEVELS];
	double degrees; /* of all its vertices together */
	uint32_t vertices, low, high;
};

/* What a search keeps. */
struct search {
	uint32_t *queue;
	uint32_t *seen; /* [n] the search that came by last */
	uint32_t number;
};

/* What is drawn for one edge. */
static void draw_edge(struct hd_random *random, unsigned scale, uint32_t ends[2])
{
	ends[0] = ends[1] = 0;
	for (unsigned i = 0; i < scale; i++) {
		double at = hd_random_u32(random) * 0x1p-32;

		ends[0] = ends[0] << 1 | (at >= 0.76);
		ends[1] = ends[1] << 1 | ((at >= 0.57 && at < 0.76) || at >= 0.95);
	}
}

static uint64_t degree(const struct graph *graph, uint32_t vertex)
{
	return graph->first[vertex + 1] - graph->first[vertex];
}

static void make_graph(struct graph *graph, unsigned scale, unsigned factor, uint64_t seed)
{
	uint64_t n_edges = (uint64_t)factor << scale;
	uint32_t(*edges)[2] = malloc(n_edges * sizeof(*edges));
	struct hd_random random;

	*graph = (struct graph){ .scale = scale, .n = 1u << scale, .n_ends = 2 * n_edges };
	graph->first = calloc(graph->n + (size_t)2, sizeof(*graph->first));
	graph->neighbours = malloc(graph->n_ends * sizeof(*graph->neighbours));
	if (!edges || !graph->first || !graph->neighbours) {
		fputs("kronecker: out of memory\n", stderr);
		exit(2);
	}
	hd_random_init(&random, seed, 0);
	for (uint64_t i = 0; i < n_edges; i++) {
		draw_edge(&random, scale, edges[i]);
		graph->first[edges[i][0] + 2]++;
		graph->first[edges[i][1] + 2]++;
	}
	for (uint32_t v = 0; v < graph->n; v++)
		graph->first[v + 2] += graph->first[v + 1];
	for (uint64_t i = 0; i < n_edges; i++) {
		graph->neighbours[graph->first[edges[i][0] + 1]++] = edges[i][1];
		graph->neighbours[graph->first[edges[i][1] + 1]++] = edges[i][0];
	}
	free(edges);
}

static unsigned class_of(uint64_t of)
{
	return of <= FINE ? (unsigned)of - 1
			  : FINE + (unsigned)floor(4 * log2((double)of / (FINE + 1)));
}

static void add(struct level *level, double edges)
{
	level->sum += edges;
	level->squares += edges * edges;
	level->roots++;
}

/* The edges of level 1 from @root, without a search: those of its neighbours. */
static double first_level(const struct graph *graph, struct search *search, uint32_t root)
{
	double edges = 0;

	search->number++;
	search->seen[root] = search->number;
	for (uint64_t i = graph->first[root]; i < graph->first[root + 1]; i++) {
		uint32_t next = graph->neighbours[i];

		if (search->seen[next] == search->number)
			continue;
		search->seen[next] = search->number;
		edges += (double)degree(graph, next);
	}
	return edges;
}

/* Searches from @root, and adds the edges of level 2 and those behind it to @class. */
static void explore(const struct graph *graph, struct search *search, uint32_t root,
		    struct class *class)
{
	uint32_t begin = 0, end = 1, n = 1;

	search->number++;
	search->seen[root] = search->number;
	search->queue[0] = root;
	for (unsigned level = 0; level < MOST_LEVELS; level++) {
		double edges = 0;

		for (; begin < end; begin++) {
			uint32_t vertex = search->queue[begin];

			edges += (double)degree(graph, vertex);
			for (uint64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
				uint32_t next = graph->neighbours[i];

				if (search->seen[next] == search->number)
					continue;
				search->seen[next] = search->number;
				search->queue[n++] = next;
			}
		}
		if (level > 1)
			add(&class->levels[level], edges);
		end = n;
	}
}

/* All vertices with edges, class by class, in random order within a class. */
static void study(const struct graph *graph, struct search *search, struct class *classes,
		  uint32_t n_roots, uint64_t seed)
{
	uint32_t *order = malloc(graph->n * sizeof(*order));
	struct hd_random random;

	if (!order)
		exit(2);
	hd_random_init(&random, seed, 1);
	hd_random_permutation(&random, graph->n, order);
	for (uint32_t i = 0; i < graph->n; i++) {
		uint64_t own = degree(graph, order[i]);
		struct class *class;

		if (!own)
			continue;
		class = &classes[class_of(own)];
		if (!class->vertices || own < class->low)
			class->low = (uint32_t)own;
		if (own > class->high)
			class->high = (uint32_t)own;
		class->degrees += (double)own;
		add(&class->levels[1], first_level(graph, search, order[i]));
		if (class->vertices++ < n_roots)
			explore(graph, search, order[i], class);
	}
	free(order);
}

static void print_class(const struct class *class, unsigned scale, unsigned factor, uint64_t seed)
{
	for (unsigned level = 1; level < MOST_LEVELS; level++) {
		const struct level *l = &class->levels[level];
		double mean = l->roots ? l->sum / l->roots : 0, variance;

		if (!(mean > 0))
			continue;
		variance = l->squares / l->roots - mean * mean;
		printf("%u,%u,%llu,%u,%u,%.6g,%u,%u,%u,%.8g,%.8g\n", scale, factor,
		       (unsigned long long)seed, class->low, class->high,
		       class->degrees / class->vertices, class->vertices, level, l->roots, mean,
		       sqrt(variance > 0 ? variance : 0));
	}
}

static unsigned number(const char *text, const char *what, unsigned long most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || end == text || !value || value > most) {
		fprintf(stderr, "kronecker: %s: '%s' is no number in 1 .. %lu\n", what, text, most);
		exit(2);
	}
	return (unsigned)value;
}

int main(int argc, char **argv)
{
	static struct class classes[CLASSES];
	struct search search = { 0 };
	struct graph graph;
	unsigned scale, factor, n_roots, seed;

	if (argc < 3 || argc > 5) {
		fputs("usage: kronecker SCALE EDGEFACTOR [ROOTS [SEED]]\n", stderr);
		return 2;
	}
	scale = number(argv[1], "SCALE", MOST_SCALE);
	factor = number(argv[2], "EDGEFACTOR", MOST_FACTOR);
	n_roots = argc > 3 ? number(argv[3], "ROOTS", UINT32_MAX) : 16;
	seed = argc > 4 ? number(argv[4], "SEED", UINT32_MAX) : 1;
	make_graph(&graph, scale, factor, seed);
	search.queue = malloc(graph.n * sizeof(*search.queue));
	search.seen = calloc(graph.n, sizeof(*search.seen));
	if (!search.queue || !search.seen)
		exit(2);
	study(&graph, &search, classes, n_roots, seed);
	puts("scale,edgefactor,seed,low,high,degree,vertices,level,roots,mean,deviation");
	for (unsigned i = 0; i < CLASSES; i++)
		if (classes[i].vertices)
			print_class(&classes[i], scale, factor, seed);
	free(search.seen);
	free(search.queue);
	free(graph.neighbours);
	free(graph.first);
	return 0;
}
