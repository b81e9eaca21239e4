// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One class after the other is filled with as many paths as it can hold. The longest paths without
 * a class vote: each (switch, in, out) gets the hop at which most of them pass it. Paths that agree
 * with the outcome everywhere are in the class; the hops that they use are fixed, the rest is free
 * again for other paths, which are tried one by one, longest first.
 *
 * Voting makes a class consistent as a whole. On a dragonfly most packets go over a local, a global
 * and a local link: in the first class the step from a global to a local link is hop 2, and paths
 * that begin with a global link go to the second class. First fit alone takes up to twice as many
 * classes.
 */
#include "sl2vl/hop_classes.h"

#include <stdlib.h>
#include <string.h>

#include "sl2vl/hop_paths.h"
#include "support/error.h"
#include "support/memory.h"
#include "support/transpose.h"

#define NO_CLASS 0xFFu

struct sorting {
	struct hd_hop_paths paths;
	uint8_t *class_of; /* [path] */
	size_t n_rows;
	uint32_t *votes; /* [row * n_hops + hop - 1] */
	unsigned n_hops; /* votes are counted for hops 1 .. n_hops */
	uint8_t *wanted; /* [row] the hop with most votes; 0: none */
	uint8_t *fixed;  /* [row] the hop that paths of the class being filled have; 0: free */
};

/* Path @i, where it has no class and @n_hops steps; NULL otherwise. */
static const uint32_t *open_path(const struct sorting *sorting, uint32_t i, unsigned n_hops)
{
	const size_t *first = sorting->paths.first + i;

	if (sorting->class_of[i] != NO_CLASS || first[1] - first[0] != n_hops)
		return NULL;
	return sorting->paths.steps + first[0];
}

static void vote(struct sorting *sorting)
{
	const unsigned n_hops = sorting->n_hops;

	memset(sorting->votes, 0, sorting->n_rows * n_hops * sizeof(*sorting->votes));
	for (uint32_t i = 0; i < sorting->paths.n; i++) {
		const uint32_t *steps = open_path(sorting, i, n_hops);

		for (unsigned k = 0; steps && k < n_hops; k++)
			sorting->votes[steps[k] * (size_t)n_hops + k]++;
	}
	for (size_t row = 0; row < sorting->n_rows; row++) {
		const uint32_t *votes = sorting->votes + row * n_hops;
		uint32_t most = 0;

		sorting->wanted[row] = 0;
		for (unsigned k = 0; k < n_hops; k++)
			if (votes[k] > most) {
				most = votes[k];
				sorting->wanted[row] = (uint8_t)(k + 1);
			}
	}
}

static void take(struct sorting *sorting, uint32_t i, const uint32_t *steps, unsigned n_hops,
		 unsigned class)
{
	sorting->class_of[i] = (uint8_t) class;
	for (unsigned k = 0; k < n_hops; k++)
		sorting->fixed[steps[k]] = (uint8_t)(k + 1);
}

static void take_agreed(struct sorting *sorting, unsigned class)
{
	for (uint32_t i = 0; i < sorting->paths.n; i++) {
		const uint32_t *steps = open_path(sorting, i, sorting->n_hops);
		bool agrees = steps;

		for (unsigned k = 0; agrees && k < sorting->n_hops; k++)
			agrees = sorting->wanted[steps[k]] == k + 1;
		if (agrees)
			take(sorting, i, steps, sorting->n_hops, class);
	}
}

static void take_fitting(struct sorting *sorting, unsigned n_hops, unsigned class)
{
	for (uint32_t i = 0; i < sorting->paths.n; i++) {
		const uint32_t *steps = open_path(sorting, i, n_hops);
		bool fits = steps;

		for (unsigned k = 0; fits && k < n_hops; k++)
			fits = !sorting->fixed[steps[k]] || sorting->fixed[steps[k]] == k + 1;
		if (fits)
			take(sorting, i, steps, n_hops, class);
	}
}

static void fill_class(struct sorting *sorting, struct hd_hop_classes *classes)
{
	const unsigned class = classes->n_classes++;

	memset(sorting->fixed, 0, sorting->n_rows);
	vote(sorting);
	take_agreed(sorting, class);
	for (unsigned n_hops = sorting->n_hops; n_hops > 0; n_hops--)
		take_fitting(sorting, n_hops, class);
	for (size_t row = 0; row < sorting->n_rows; row++)
		classes->hops[row] |= (uint64_t)sorting->fixed[row] << (4 * class);
}

/* The most steps of a path without a class; 0: all have one. */
static unsigned most_open_hops(const struct sorting *sorting)
{
	size_t most = 0;

	for (uint32_t i = 0; i < sorting->paths.n; i++) {
		size_t n = sorting->paths.first[i + 1] - sorting->paths.first[i];

		if (sorting->class_of[i] == NO_CLASS && n > most)
			most = n;
	}
	return (unsigned)most;
}

/* Turns classes of paths into classes of flows, by source switch and LID. */
static int class_flows(const struct hd_tables *tables, const struct sorting *sorting,
		       struct hd_hop_classes *classes, struct hd_error *err)
{
	const struct hd_hop_paths *paths = &sorting->paths;
	const uint32_t n = tables->fabric->n_switches, n_lids = tables->fabric->top_lid + 1;

	classes->class_of = hd_alloc_large(n * tables->lft_stride + 1);
	if (!classes->class_of)
		return hd_error_nomem(err);
	memset(classes->class_of, 0, n * tables->lft_stride);
	for (uint32_t lid = 0; lid < n_lids; lid++) {
		const uint32_t *base = paths->base + (size_t)paths->chunk_of[lid] * n;
		uint8_t *path_of = paths->path_of + (size_t)lid * n;

		for (uint32_t s = 0; s < n; s++)
			path_of[s] = path_of[s] == HD_NO_HOP_PATH
					     ? 0
					     : sorting->class_of[base[s] + path_of[s]];
	}
	hd_transpose(paths->path_of, n, n_lids, n, classes->class_of, tables->lft_stride);
	return 0;
}

static int fill_classes(const struct hd_layer_input *input, struct sorting *sorting,
			struct hd_hop_classes *classes, struct hd_error *err)
{
	const size_t n = sorting->n_rows + 1;

	classes->hops = hd_alloc_large(n * sizeof(*classes->hops));
	sorting->class_of = malloc(sorting->paths.n + (size_t)1);
	sorting->votes = malloc(n * classes->longest * sizeof(*sorting->votes) + 1);
	sorting->wanted = malloc(n);
	sorting->fixed = malloc(n);
	if (!classes->hops || !sorting->class_of || !sorting->votes || !sorting->wanted ||
	    !sorting->fixed)
		return hd_error_nomem(err);
	memset(classes->hops, 0, n * sizeof(*classes->hops));
	memset(sorting->class_of, NO_CLASS, sorting->paths.n);
	while ((sorting->n_hops = most_open_hops(sorting))) {
		if (classes->n_classes == input->max_classes)
			return hd_error_set(
				err, HD_EREFUSED,
				"telling the hops of paths apart, of up to %u links, needs "
				"more flow classes than the %u that there are",
				classes->longest, input->max_classes);
		fill_class(sorting, classes);
	}
	if (!classes->n_classes)
		classes->n_classes = 1;
	return class_flows(input->tables, sorting, classes, err);
}

int hd_hop_classes_find(const struct hd_layer_input *input, struct hd_hop_classes *classes,
			struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	struct sorting sorting = { .n_rows = input->tables->sl2vl_first[fabric->n_switches] };
	const struct hd_hop_paths *paths = &sorting.paths;
	int ret;

	*classes = (struct hd_hop_classes){ 0 };
	ret = hd_hop_paths_find(input->tables, input->max_layers, &sorting.paths, err);
	classes->longest = paths->longest;
	if (!ret && paths->longest > input->max_layers)
		ret = hd_error_set(
			err, HD_EREFUSED,
			"the path from %.64s to LID %u has %u hops between switches, which "
			"need %u layers, one for each, of which there are %u",
			hd_node_name(fabric, paths->source), paths->lid, paths->longest,
			paths->longest, input->max_layers);
	if (!ret)
		ret = fill_classes(input, &sorting, classes, err);
	hd_hop_paths_clear(&sorting.paths);
	free(sorting.class_of);
	free(sorting.votes);
	free(sorting.wanted);
	free(sorting.fixed);
	return ret;
}

void hd_hop_classes_clear(struct hd_hop_classes *classes)
{
	free(classes->hops);
	free(classes->class_of);
	*classes = (struct hd_hop_classes){ 0 };
}
