// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/graph500_plan.h"

#include <math.h>

/*
 * What is left goes to a level from the first of these on that is next to nothing, or to the last.
 */
#define TAIL_LEVEL 4
#define LAST_LEVEL 6

/* A normal deviate of mean 0 and variance 1 (Box and Muller, 1958). */
static double normal(struct hd_random *random)
{
	double u = (hd_random_u32(random) + 1.0) * 0x1p-32, v = hd_random_u32(random) * 0x1p-32;

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

uint64_t hd_graph500_draw_root(enum hd_graph500_set set, const struct hd_graph500_graph *graph,
			       struct hd_random *random)
{
	struct hd_graph500_law law = hd_graph500_root(set, graph);
	double degree = ceil(exp(law.mean + law.deviation * normal(random)));

	return (uint64_t)fmax(1, fmin(degree, exp2(graph->scale)));
}

/* The edges of a level that is not the last one. */
static uint64_t draw_edges(const struct hd_graph500_law *law, uint64_t left,
			   struct hd_random *random)
{
	double edges;

	do
		edges = law->mean + law->deviation * normal(random);
	while (edges < 0);
	return edges < (double)left ? (uint64_t)edges : left;
}

/* What all processes send at a level, for what processes send does not add up to whole numbers. */
static void add_shares(struct hd_application *application, unsigned level, uint32_t coalescing)
{
	struct hd_application_level *l = &application->levels[level];

	for (uint32_t rank = 0; rank < application->n_processes; rank++) {
		struct hd_graph500_share share =
			hd_graph500_share(application, level, rank, 0, coalescing);

		l->queries += share.queries;
		l->messages += share.messages;
	}
}

void hd_graph500_plan(enum hd_graph500_set set, const struct hd_graph500_graph *graph,
		      double coalescing, struct hd_random *random,
		      struct hd_application *application)
{
	uint64_t left = (uint64_t)hd_graph500_edges(graph);
	double degree = (double)application->degree;

	application->n_levels = 0;
	while (left) {
		struct hd_application_level *l = &application->levels[application->n_levels];
		struct hd_graph500_law law = { degree, 0 };

		*l = (struct hd_application_level){ .begin = UINT64_MAX, .end = 0 };
		if (application->n_levels)
			law = hd_graph500_level(set, graph, degree, application->n_levels,
						(double)left);
		l->mean = law.mean;
		l->deviation = law.deviation;
		if (!application->n_levels)
			l->edges = application->degree < left ? application->degree : left;
		else if (application->n_levels == LAST_LEVEL ||
			 (application->n_levels >= TAIL_LEVEL &&
			  law.mean < application->n_processes))
			l->edges = left;
		else
			l->edges = draw_edges(&law, left, random);
		left -= l->edges;
		add_shares(application, application->n_levels++, (uint32_t)coalescing);
	}
}

/* The @rank-th of @n shares of @of each, so that all together are whole. */
static uint64_t part(double of, uint32_t rank)
{
	return (uint64_t)(floor(of * (rank + 1.0)) - floor(of * rank));
}

struct hd_graph500_share hd_graph500_share(const struct hd_application *application, unsigned level,
					   uint32_t rank, uint32_t root, uint32_t coalescing)
{
	const double n = application->n_processes;
	const double edges = (double)application->levels[level].edges;
	struct hd_graph500_share share = { 0 };
	struct hd_graph500_sent sent;
	uint64_t partial;

	if (level) {
		sent = hd_graph500_messages(hd_graph500_level_queries(edges, n), n, coalescing);
		share.queries = part(sent.queries, rank);
	} else if (rank == root) {
		sent = hd_graph500_messages(ceil(edges * (n - 1) / n), n, coalescing);
		share.queries = (uint64_t)sent.queries;
	}
	if (!share.queries)
		return share;
	share.messages = (uint64_t)fmax(1, round(sent.messages));
	if (share.messages > share.queries)
		share.messages = share.queries;
	partial = (uint64_t)fmax(1, round(sent.destinations));
	share.full = share.messages > partial ? share.messages - partial : 0;
	/* each message has a query, and none more than it can hold */
	if (coalescing > 1 && share.full > (share.queries - share.messages) / (coalescing - 1))
		share.full = (share.queries - share.messages) / (coalescing - 1);
	if (share.messages < (share.queries + coalescing - 1) / coalescing)
		share.messages = (share.queries + coalescing - 1) / coalescing;
	return share;
}
