// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Graph500's breadth-first search as a traffic pattern: its options, and the hosts beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/amounts.h"
#include "sim/traffic/application_hosts.h"
#include "sim/traffic/graph500_plan.h"
#include "sim/traffic/graph500_search.h"
#include "support/error.h"

#define MOST_SCALE  40
#define MOST_FACTOR 4096

enum { APPLICATION, NEIGHBOUR }; /* flow classes */

static void release(void *data)
{
	struct hd_graph500 *g = data;

	free(g->host_of);
	free(g->rank_of);
	free(g->processes);
	free(g);
}

static uint64_t waiting(const void *data)
{
	const struct hd_graph500 *g = data;

	return g->application.end == UINT64_MAX ? g->n - g->n_ended : 0;
}

static const struct hd_application *application(const void *data)
{
	return &((const struct hd_graph500 *)data)->application;
}

/* Hosts beside the application. */

static uint32_t class_of(const void *data, uint32_t host)
{
	const struct hd_graph500 *g = data;

	if (g->rank_of[host] < g->n)
		return APPLICATION;
	return g->has_neighbour ? NEIGHBOUR : HD_NONE;
}

/* Processes do not send by the phase's load. */
static double load(const void *data, uint32_t class, double load_of_all)
{
	(void)data;
	return class == NEIGHBOUR ? load_of_all : 0;
}

static uint32_t destination(const void *data, struct hd_source *source)
{
	const struct hd_graph500 *g = data;
	uint32_t place = g->rank_of[source->host];
	uint32_t to = g->n + hd_random_below(&source->random, g->n_hosts - g->n - 1);

	return g->host_of[to + (to >= place)];
}

/* Options. */

static const char *const sets[] = { "fitted", "printed", NULL };
static const char *const others[] = { "silent", "uniform", NULL };

static int read_graph(const struct hd_params *params, struct hd_graph500_graph *graph,
		      enum hd_graph500_set *set, struct hd_error *err)
{
	uint64_t scale = 0, factor = 0;
	unsigned word = 0;
	int ret = hd_params_number(params, "scale", 1, MOST_SCALE, &scale, err);

	if (!ret)
		ret = hd_params_number(params, "edgefactor", 1, MOST_FACTOR, &factor, err);
	if (!ret)
		ret = hd_params_word(params, "equations", sets, &word, err);
	*graph = (struct hd_graph500_graph){ (double)scale, (double)factor };
	*set = (enum hd_graph500_set)word;
	return ret;
}

static int read_sizes(const struct hd_pattern_setup *setup, struct hd_graph500 *g,
		      struct hd_error *err)
{
	uint64_t coalescing = 0, unit = 0;
	int ret = hd_params_number(setup->params, "coalescing", 1, HD_GRAPH500_MOST_QUERIES,
				   &coalescing, err);

	if (!ret)
		ret = hd_params_number(setup->params, "unit", 1, UINT32_MAX, &unit, err);
	if (!ret)
		ret = hd_amount_time(setup->params, "query", setup->setting->cycle_ticks, 1e-3,
				     1e10, &g->query, err);
	g->coalescing = (uint32_t)coalescing;
	g->unit = (uint32_t)unit;
	g->packet = setup->size;
	return ret;
}

static int read_root(const struct hd_pattern_setup *setup, const struct hd_graph500_graph *graph,
		     enum hd_graph500_set set, uint64_t *degree, struct hd_error *err)
{
	uint64_t most = (uint64_t)hd_graph500_edges(graph);

	if (strcmp(hd_params_get(setup->params, "root"), "random") != 0)
		return hd_params_number(setup->params, "root", 1, most, degree, err);
	*degree = hd_graph500_draw_root(set, graph, setup->random);
	return 0;
}

static int place(const struct hd_pattern_setup *setup, struct hd_graph500 *g, struct hd_error *err)
{
	unsigned word = 0;
	int ret = hd_application_hosts(setup, &g->host_of, &g->n, err);

	if (!ret)
		ret = hd_params_word(setup->params, "others", others, &word, err);
	if (ret)
		return ret;
	g->has_neighbour = word;
	if (g->has_neighbour && g->n_hosts - g->n < 2)
		return hd_error_set(err, HD_EINVAL, "others: %u %s left to send one another",
				    g->n_hosts - g->n,
				    g->n_hosts - g->n == 1 ? "host is" : "hosts are");
	g->rank_of = malloc(g->n_hosts * sizeof(*g->rank_of));
	if (!g->rank_of)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < g->n_hosts; i++)
		g->rank_of[g->host_of[i]] = i;
	return 0;
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	struct hd_graph500 *g = calloc(1, sizeof(*g));
	struct hd_graph500_graph graph;
	enum hd_graph500_set set;
	int ret;

	if (!g)
		return hd_error_nomem(err);
	*data = g;
	g->n_hosts = setup->setting->n_hosts;
	ret = read_graph(setup->params, &graph, &set, err);
	if (!ret)
		ret = read_sizes(setup, g, err);
	if (!ret)
		ret = place(setup, g, err);
	if (!ret)
		ret = read_root(setup, &graph, set, &g->application.degree, err);
	if (ret)
		return ret;
	g->root = hd_random_below(setup->random, g->n);
	g->application.n_processes = g->n;
	g->application.root = g->host_of[g->root];
	g->application.end = UINT64_MAX;
	hd_graph500_plan(set, &graph, g->coalescing, setup->random, &g->application);
	return hd_graph500_make(g, setup->setting->seed, setup->stream, err);
}

static void remark(const struct hd_params *params, char *line, size_t size)
{
	struct hd_graph500_graph graph;
	struct hd_graph500_range range;
	enum hd_graph500_set set;
	struct hd_error err;

	if (read_graph(params, &graph, &set, &err))
		return;
	range = hd_graph500_range(set);
	if (graph.scale < range.scale_min || graph.scale > range.scale_max)
		snprintf(line, size,
			 "graph500: scale %.0f is outside of what the %s equations were fitted to, "
			 "%.0f .. %.0f",
			 graph.scale, sets[set], range.scale_min, range.scale_max);
	else if (graph.edgefactor < range.edgefactor_min || graph.edgefactor > range.edgefactor_max)
		snprintf(
			line, size,
			"graph500: edgefactor %.0f is outside of what the %s equations were fitted "
			"to, %.0f .. %.0f",
			graph.edgefactor, sets[set], range.edgefactor_min, range.edgefactor_max);
}

static const struct hd_option options[] = {
	{ "scale", "26", "", "binary logarithm of the graph's vertices" },
	{ "edgefactor", "16", "", "edges of the graph per vertex" },
	{ "coalescing", "256", "queries", "of 16 bytes, that a message holds at most" },
	{ "query", "1.5ns", "", "time that a process takes to make or to answer a query" },
	{ "hosts", NULL, "", "0..31+40..71, or random:64; a process each; default: all" },
	{ "root", "random", "", "edges of the root, or random" },
	{ "equations", "fitted", "", "of the edges of levels: fitted or printed" },
	{ "others", "silent", "",
	  "hosts without a process: silent, or uniform at the load until the search ends" },
	{ "unit", "64", "bytes", "how many bytes a unit has; messages round up" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_graph500 = {
	.policy = { .name = "graph500",
		    .summary = "a breadth-first search of a large graph, level by level",
		    .reference = "Fuentes, thesis, chapter 2",
		    .options = options },
	.classes = { "graph500", "neighbour" },
	.init = init,
	.free = release,
	.class_of = class_of,
	.load = load,
	.destination = destination,
	.received = hd_graph500_received,
	.waiting = waiting,
	.begin = hd_graph500_begin,
	.entered = hd_graph500_entered,
	.woken = hd_graph500_woken,
	.application = application,
	.remark = remark,
};
