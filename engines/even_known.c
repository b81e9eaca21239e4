// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/even_known.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/faults.h"
#include "support/error.h"

/* Whether @known is of the same fabric with more links, and of the same targets. */
static bool fits_known(const struct hd_even *even, const struct hd_even_known *known,
		       const struct hd_route_targets *targets)
{
	return known && !even->request->weight && known->stride == even->tables->lft_stride &&
	       known->targets.n == targets->n && known->targets.n_passes == targets->n_passes &&
	       !memcmp(known->targets.list, targets->list, targets->n * sizeof(*targets->list)) &&
	       !memcmp(known->targets.first, targets->first,
		       targets->n_passes * sizeof(*targets->first));
}

/* Lists the targets whose ways are not as known. HD_ENOMEM. */
static int list_dirty(struct hd_even *even, const struct hd_even_known *known,
		      const struct hd_route_targets *targets, struct hd_error *err)
{
	bool *differs = calloc(known->stride, sizeof(*differs));

	even->dirty = malloc((targets->n + 1) * sizeof(*even->dirty));
	if (!differs || !even->dirty) {
		free(differs);
		return hd_error_nomem(err);
	}
	for (uint32_t s = 0; s < even->n; s++) {
		const uint8_t *mine = hd_lft(even->tables, s);
		const uint8_t *other = known->lft + s * known->stride;

		for (size_t block = 0; block < known->stride; block += HD_LFT_BLOCK)
			if (memcmp(mine + block, other + block, HD_LFT_BLOCK))
				for (size_t lid = block; lid < block + HD_LFT_BLOCK; lid++)
					differs[lid] |= mine[lid] != other[lid];
	}
	for (size_t i = 0; i < targets->n; i++)
		if (differs[targets->list[i].lid])
			even->dirty[even->n_dirty++] = (uint32_t)i;
	free(differs);
	return 0;
}

/*
 * Takes the channels that are known, and marks those that are missing, unless the fabric lacks more
 * than links, or most ways are others.
 */
static int take_channels(struct hd_even *even, const struct hd_even_known *known,
			 const struct hd_route_targets *targets, struct hd_error *err)
{
	const struct hd_turn_graph *graph = &known->even.graph;
	const struct hd_fabric *whole = known->even.fabric;
	uint32_t *cut = malloc((whole->n_ports + (size_t)1) * sizeof(*cut)), n_cut = 0;
	int ret = cut ? 0 : hd_error_nomem(err);

	if (!ret && hd_fabric_lost_links(whole, even->fabric, cut, &n_cut))
		ret = list_dirty(even, known, targets, err);
	if (!ret && even->dirty && even->n_dirty <= targets->n / 2) {
		even->is_missing = calloc(graph->n_channels + (size_t)1, sizeof(bool));
		if (!even->is_missing)
			ret = hd_error_nomem(err);
	}
	for (uint32_t i = 0; even->is_missing && i < n_cut; i++) {
		const struct hd_port *port = &whole->ports[cut[i]];

		for (uint32_t c = graph->first[port->node]; c < graph->first[port->node + 1]; c++)
			even->is_missing[c] |= graph->port[c] == port->number;
	}
	if (even->is_missing)
		even->graph = *graph;
	free(cut);
	return ret;
}

int hd_even_find_channels(struct hd_even *even, const struct hd_route_targets *targets,
			  struct hd_error *err)
{
	const struct hd_even_known *known = even->request->known;
	const int ret =
		fits_known(even, known, targets) ? take_channels(even, known, targets, err) : 0;

	if (ret || even->is_missing)
		return ret;
	return hd_turn_graph_init(&even->graph, even->fabric, err);
}

/* Takes what is known of channels that lead nearer, where distances are the same. */
static void take_nearer(struct hd_even *even, const struct hd_even *known)
{
	const struct hd_turn_graph *graph = &even->graph;
	const size_t n = even->n, n_row = n * graph->n_words;

	memcpy(even->nearer, known->nearer, n * n_row * sizeof(*even->nearer));
	for (size_t last = 0; last < n; last++)
		if (memcmp(even->columns.distances + last * n, known->columns.distances + last * n,
			   n))
			memset(even->nearer + last * n_row, 0, n_row * sizeof(*even->nearer));
	for (uint32_t s = 0; s < n; s++)
		for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++)
			for (size_t last = 0; even->is_missing[c] && last < n; last++)
				even->nearer[(last * n + s) * graph->n_words +
					     (c - graph->first[s]) / 64] &=
					~(UINT64_C(1) << (c - graph->first[s]) % 64);
}

void hd_even_take_ways(struct hd_even *even, const struct hd_route_targets *targets)
{
	hd_way_columns_copy(&even->columns, &even->request->known->even.columns, targets->n);
	for (uint32_t i = 0; i < even->n_dirty; i++)
		even->columns.list[even->dirty[i]].is_read = false;
	for (uint32_t s = 0; s < even->n; s++)
		for (uint32_t c = even->graph.first[s]; c < even->graph.first[s + 1]; c++)
			if (even->is_missing[c])
				even->columns
					.outs[s * (size_t)even->columns.n_outs +
					      even->graph.port[c]]
					.channel = HD_NONE;
	if (even->nearer && even->request->known->even.nearer)
		take_nearer(even, &even->request->known->even);
}

/* The ways that are known to the target of dirty[] at @i. */
static const struct hd_way_column *known_column(const struct hd_even *even, uint32_t i)
{
	return &even->request->known->even.columns.list[even->dirty[i]];
}

bool hd_even_take_known(struct hd_even *even, const struct hd_route_targets *targets)
{
	const struct hd_even *known = &even->request->known->even;
	const size_t n = even->graph.n_channels * (size_t)even->graph.n_words;

	memcpy(even->n_taken, known->n_taken, hd_even_n_kinds(even) * sizeof(*even->n_taken));
	memcpy(even->turns.after, known->turns.after, n * sizeof(*even->turns.after));
	memcpy(even->turns.before, known->turns.before, n * sizeof(*even->turns.before));
	for (uint32_t i = 0; i < even->n_dirty; i++)
		hd_even_leave_column(even, known_column(even, i));
	for (uint32_t i = 0; i < even->n_dirty; i++) {
		even->column = hd_way_column_read(&even->columns, &targets->list[even->dirty[i]]);
		if (!even->column)
			return false;
		hd_even_put_column(even);
	}
	return true;
}

uint64_t hd_even_known_loads(struct hd_even *even, const struct hd_route_targets *all, size_t n)
{
	const struct hd_even *known = &even->request->known->even;

	memcpy(even->load, known->load, even->graph.n_channels * sizeof(*even->load));
	for (uint32_t i = 0; i < even->n_dirty; i++) {
		const uint32_t at = even->dirty[i];
		const struct hd_way_column *old = known_column(even, i);

		if (at >= n)
			continue;
		for (uint32_t s = 0; s < even->n; s++)
			if (s != old->last)
				even->load[old->out[s]] -=
					hd_even_weigh(even, old->out[s], old->through[s]);
		if (!hd_even_look_at(even, &all->list[at]))
			return 0;
		hd_even_add_flows(even);
	}
	return hd_even_find_busiest(even);
}
