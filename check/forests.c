// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/forests.h"

#include <stdlib.h>
#include <string.h>

#include "check/forest.h"
#include "support/error.h"
#include "support/memory.h"

#define TREES   HD_FOREST_TREES
#define AT_ONCE 64 /* forests whose columns are read together: fewer read rows more often */

/* What all threads share. */
struct work {
	const struct hd_check_network *network;
	const struct hd_destinations *destinations;
	struct hd_usage *usage;
	struct hd_forests *forests;
	uint32_t *order; /* destinations, those of one root side by side */
	uint32_t *first; /* [root + 2] in order[]; those without a root come last */
	uint16_t *lids;  /* [as order] a LID of the destination */

	/* Columns of the forests from `begin` on. */
	uint32_t begin, n; /* destinations, in order[] */
	uint8_t *next;     /* [(forest * switches + switch) * TREES + tree] LFT entries */
	uint8_t *sl; /* [(forest * SL rows + row) * TREES + tree]; NULL: all have any_source */
	unsigned n_workers;
	struct hd_forest *workers;
};

static uint32_t part_of(const struct work *work, uint32_t d)
{
	const uint32_t root = work->destinations->list[d].root;

	return root == HD_NONE ? work->network->fabric->n_switches : root;
}

/* LIDs of one switch need not be neighbours, but their trees are alike. */
static void order_by_root(struct work *work)
{
	const struct hd_destination *list = work->destinations->list;
	const uint32_t n = work->destinations->n;
	const uint32_t n_parts = work->network->fabric->n_switches + 1;

	for (uint32_t d = 0; d < n; d++)
		work->first[part_of(work, d) + 1]++;
	for (uint32_t part = 0; part < n_parts; part++)
		work->first[part + 1] += work->first[part];
	for (uint32_t d = 0; d < n; d++)
		work->order[work->first[part_of(work, d)]++] = d;
	for (uint32_t i = 0; i < n; i++)
		work->lids[i] = work->destinations->lids[list[work->order[i]].first];
}

static bool needs_sls(const struct work *work)
{
	for (uint32_t d = 0; d < work->destinations->n; d++)
		if (!work->destinations->list[d].any_source)
			return true;
	return false;
}

static int work_init(struct work *work, struct hd_error *err)
{
	const struct hd_fabric *fabric = work->network->fabric;
	const size_t n = work->destinations->n;
	const size_t n_forests = (n + TREES - 1) / TREES;
	const size_t at_once = (n_forests < AT_ONCE ? n_forests : AT_ONCE) * TREES;
	int ret = 0;

	work->order = malloc((n + 1) * sizeof(*work->order));
	work->first = calloc(fabric->n_switches + (size_t)2, sizeof(*work->first));
	work->lids = malloc((n + 1) * sizeof(*work->lids));
	work->next = hd_alloc_large(at_once * fabric->n_switches + 1);
	work->n_workers = hd_destinations_threads(work->destinations, work->network);
	work->workers = calloc(work->n_workers, sizeof(*work->workers));
	if (needs_sls(work))
		work->sl = hd_alloc_large(at_once * work->network->tables->n_sl_rows + 1);
	if (!work->order || !work->first || !work->lids || !work->next || !work->workers ||
	    (needs_sls(work) && !work->sl))
		return hd_error_nomem(err);
	order_by_root(work);
	for (unsigned i = 0; !ret && i < work->n_workers; i++)
		ret = hd_forest_init(&work->workers[i], work->network, work->destinations, err);
	return ret;
}

static void work_clear(struct work *work)
{
	for (unsigned i = 0; work->workers && i < work->n_workers; i++)
		hd_forest_clear(&work->workers[i]);
	free(work->workers);
	free(work->order);
	free(work->first);
	free(work->lids);
	free(work->next);
	free(work->sl);
}

/* Copies what @row has for the destinations into column @number of @n of every forest. */
static void take_row(const struct work *work, const uint8_t *row, size_t number, size_t n,
		     uint8_t *columns)
{
	const uint16_t *lids = work->lids + work->begin;

	for (uint32_t i = 0; i < work->n; i += TREES) {
		const uint32_t end = work->n - i < TREES ? work->n - i : TREES;
		uint8_t *column = columns + (i / TREES * n + number) * TREES;

		for (uint32_t k = 0; k < end; k++)
			column[k] = row[lids[i + k]];
	}
}

static void take_columns(struct work *work)
{
	const struct hd_tables *tables = work->network->tables;
	const uint32_t n_switches = work->network->fabric->n_switches;
	const uint32_t n_sl_rows = work->sl ? (uint32_t)tables->n_sl_rows : 0;

#ifdef _OPENMP
#pragma omp parallel for num_threads(work->n_workers)
#endif
	for (uint32_t s = 0; s < n_switches; s++)
		take_row(work, hd_lft(tables, s), s, n_switches, work->next);
#ifdef _OPENMP
#pragma omp parallel for num_threads(work->n_workers)
#endif
	for (uint32_t row = 0; row < n_sl_rows; row++)
		if (work->network->row_sources[row])
			take_row(work, tables->sl_rows + row * tables->lft_stride, row, n_sl_rows,
				 work->sl);
}

/* Follows forest @i of those whose columns were taken. */
static void follow_forest(struct work *work, uint32_t i, struct hd_forest *forest)
{
	const uint32_t *order = work->order + work->begin + i * TREES;
	const uint32_t left = work->n - i * TREES;

	forest->n = left < TREES ? left : TREES;
	for (unsigned k = 0; k < forest->n; k++)
		forest->trees[k] = &work->destinations->list[order[k]];
	forest->next = work->next + i * (size_t)work->network->fabric->n_switches * TREES;
	if (work->sl)
		forest->sl = work->sl + i * (size_t)work->network->tables->n_sl_rows * TREES;
	hd_forest_follow(forest, work->usage);
	for (unsigned k = 0; k < forest->n; k++)
		work->forests->whole[order[k]] = forest->whole >> k & 1;
}

static void follow_columns(struct work *work)
{
	const uint32_t n_forests = (work->n + TREES - 1) / TREES;

#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->n_workers)
#endif
	for (uint32_t i = 0; i < n_forests; i++)
		follow_forest(work, i, &work->workers[hd_destinations_thread()]);
}

int hd_forests_follow(struct hd_forests *forests, const struct hd_check_network *network,
		      const struct hd_destinations *destinations, struct hd_usage *usage,
		      struct hd_error *err)
{
	struct work work = {
		.network = network, .destinations = destinations, .usage = usage, .forests = forests
	};
	int ret;

	*forests =
		(struct hd_forests){ .whole = calloc(destinations->n + (size_t)1, sizeof(bool)) };
	ret = forests->whole ? work_init(&work, err) : hd_error_nomem(err);
	for (; !ret && work.begin < destinations->n; work.begin += work.n) {
		const uint32_t left = destinations->n - work.begin;

		work.n = left < AT_ONCE * TREES ? left : AT_ONCE * TREES;
		take_columns(&work);
		follow_columns(&work);
	}
	for (unsigned i = 0; !ret && i < work.n_workers; i++)
		if (work.workers[i].max_hops > forests->max_hops)
			forests->max_hops = work.workers[i].max_hops;
	for (uint32_t d = 0; !ret && d < destinations->n; d++)
		forests->n_whole += forests->whole[d];
	work_clear(&work);
	return ret;
}

void hd_forests_clear(struct hd_forests *forests)
{
	free(forests->whole);
	*forests = (struct hd_forests){ .whole = NULL };
}
