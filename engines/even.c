// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The passes of a search for even loads: its loads and turns before, the moves
 * (engines/even_search.c), and whether they are kept.
 *
 * No link of the fabric can have less than the share of the flows of its switch that goes to other
 * switches; at that the search ends, too.
 */
#include "engines/even.h"

#include <stdlib.h>
#include <string.h>

#include "engines/even_known.h"
#include "engines/even_search.h"
#include "engines/even_state.h"
#include "support/error.h"

#define MOST_NEARER ((size_t)1 << 23) /* words of nearer[] */

/* The LIDs of a pass. */
struct pass {
	const struct hd_route_target *targets;
	size_t n;
};

/* Puts the LFTs of before a search back. */
static void restore_entries(struct hd_even *even, const struct pass *pass, const uint8_t *kept)
{
	memcpy(even->tables->lft, kept, even->n * even->tables->lft_stride);
	for (size_t i = 0; i < pass->n; i++)
		hd_way_column_forget(&even->columns, &pass->targets[i]);
}

/* Takes the turns of all ways that there are. HD_EREFUSED: they close a cycle. */
static int take_all(struct hd_even *even, const struct hd_route_targets *targets,
		    struct hd_error *err)
{
	int ret;

	/* those that a search has left are taken; ranks begin anew */
	if (even->has_turns)
		return hd_turns_settle(&even->turns) ? 0 : HD_EREFUSED;
	hd_turns_clear(&even->turns);
	ret = hd_turns_init(&even->turns, &even->graph, NULL, err);
	if (ret)
		return ret;
	if (even->is_missing && !even->is_moved) {
		even->has_turns =
			hd_even_take_known(even, targets) && hd_turns_settle(&even->turns);
		return even->has_turns ? 0 : HD_EREFUSED;
	}
	memset(even->n_taken, 0, hd_even_n_kinds(even) * sizeof(*even->n_taken));
	/* in the order of LIDs, so that entries which are next to each other are read together */
	hd_for_each_lid(lid, even->fabric) {
		if (even->target_of[lid] == HD_NONE)
			continue;
		even->column =
			hd_way_column_read(&even->columns, &targets->list[even->target_of[lid]]);
		if (!even->column)
			return HD_EREFUSED;
		hd_even_put_column(even);
	}
	even->has_turns = hd_turns_settle(&even->turns);
	return even->has_turns ? 0 : HD_EREFUSED;
}

/*
 * Finds the loads of links by the LIDs of a pass. Returns the busiest; 0: not all packets arrive.
 */
static uint64_t find_loads(struct hd_even *even, const struct hd_route_targets *all,
			   const struct pass *pass)
{
	const size_t first = (size_t)(pass->targets - all->list);

	if (even->is_missing && !even->is_moved && !first)
		return hd_even_known_loads(even, all, pass->n);
	memset(even->load, 0, (even->graph.n_channels + (size_t)1) * sizeof(*even->load));
	hd_for_each_lid(lid, even->fabric) {
		const uint32_t i = even->target_of[lid];

		if (i == HD_NONE || i < first || i - first >= pass->n)
			continue;
		if (!hd_even_look_at(even, &all->list[i]))
			return 0;
		hd_even_add_flows(even);
	}
	return hd_even_find_busiest(even);
}

/* Relieves links, unless that helps too little; *@busiest is that before and afterwards. */
static int try_to_relieve(struct hd_even *even, const struct hd_route_targets *all,
			  const struct pass *pass, uint64_t *busiest, struct hd_error *err)
{
	const size_t size = even->n * even->tables->lft_stride;
	uint8_t *kept = malloc(size + 1);
	int ret = kept ? take_all(even, all, err) : hd_error_nomem(err);

	if (!ret) {
		uint64_t after;

		memcpy(kept, even->tables->lft, size);
		even->is_moved = true;
		after = hd_even_relieve(even, pass->targets, pass->n, *busiest);
		if (after <= *busiest - *busiest / HD_EVEN_GAIN) {
			*busiest = after;
		} else {
			restore_entries(even, pass, kept);
			find_loads(even, all, pass);
			even->has_turns = false;
		}
	}
	free(kept);
	return ret;
}

/* Relieves links of flows whose entries are not as the engine's rule has them. */
static int relieve_others(struct hd_even *even, const struct hd_route_targets *all,
			  const struct pass *pass, uint64_t *busiest, struct hd_error *err)
{
	int ret;

	even->rule = calloc(even->n + (size_t)1, even->tables->lft_stride);
	if (!even->rule)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < even->n; s++)
		even->request->rule(even->request->context, s,
				    even->rule + s * even->tables->lft_stride);
	ret = try_to_relieve(even, all, pass, busiest, err);
	free(even->rule);
	even->rule = NULL;
	return ret;
}

/* Evens out the LIDs of a pass; *@busiest gets what their busiest link has then, or 0. */
static int even_out_pass(struct hd_even *even, const struct hd_route_targets *all,
			 const struct pass *pass, uint64_t *busiest, struct hd_error *err)
{
	int ret = 0;

	*busiest = find_loads(even, all, pass);
	if (*busiest - *busiest / HD_EVEN_GAIN <= even->bound || *busiest <= even->request->enough)
		return 0;
	if (even->request->rule) {
		ret = relieve_others(even, all, pass, busiest, err);
		if (ret || *busiest <= even->bound + even->bound / 32 ||
		    *busiest <= even->request->enough)
			return ret == HD_EREFUSED ? 0 : ret;
	}
	ret = try_to_relieve(even, all, pass, busiest, err);
	return ret == HD_EREFUSED ? 0 : ret;
}

/*
 * What the busiest link cannot be below: all of a switch's links share its end ports' flows, those
 * that weigh less take more of them.
 */
static void find_bound(struct hd_even *even)
{
	uint64_t n_hosts = 0;

	for (uint32_t s = 0; s < even->n; s++)
		n_hosts += even->sources[s];
	for (uint32_t s = 0; s < even->n; s++) {
		const double flows = (double)(even->sources[s] * (n_hosts - even->sources[s]));
		double links = 0;

		for (uint32_t c = even->graph.first[s]; c < even->graph.first[s + 1]; c++)
			if (!even->is_missing || !even->is_missing[c])
				links += 1 / (double)hd_even_weigh(even, c, 1);
		if (links > 0 && flows / links > (double)even->bound)
			even->bound = (uint64_t)(flows / links);
	}
}

static int allocate(struct hd_even *even, struct hd_error *err)
{
	const size_t n = even->n + (size_t)1;

	even->sources = calloc(n, sizeof(*even->sources));
	even->mark = calloc(n, sizeof(*even->mark));
	even->list = malloc(n * sizeof(*even->list));
	even->ins = malloc((HD_MAX_PORTS + 1) * sizeof(*even->ins));
	even->tried = calloc(HD_MAX_PORTS / 64 + 1, sizeof(*even->tried));
	even->has_hot = malloc(n);
	if (!even->sources || !even->mark || !even->list || !even->ins || !even->tried ||
	    !even->has_hot)
		return hd_error_nomem(err);
	return 0;
}

static int prepare(struct hd_even *even, const struct hd_route_targets *targets,
		   struct hd_error *err)
{
	const struct hd_turn_graph *graph = &even->graph;
	int ret = allocate(even, err);

	if (!ret)
		ret = hd_even_find_channels(even, targets, err);
	if (ret)
		return ret;
	for (uint32_t s = 0; s < even->n; s++)
		if (graph->first[s + 1] - graph->first[s] > even->most_outs)
			even->most_outs = graph->first[s + 1] - graph->first[s];
	for (size_t i = 0; targets->n_passes && i < targets->first[1]; i++)
		even->sources[targets->list[i].via_switch] += targets->list[i].via_port != 0;
	find_bound(even);
	even->load = malloc((graph->n_channels + (size_t)1) * sizeof(*even->load));
	even->place = malloc((graph->n_channels + (size_t)1) * sizeof(*even->place));
	even->hot_list = malloc((graph->n_channels + (size_t)1) * sizeof(*even->hot_list));
	even->is_listed = malloc((graph->n_channels + (size_t)1) * sizeof(*even->is_listed));
	even->is_hot = malloc(graph->n_channels + (size_t)1);
	if ((size_t)even->n * even->n * graph->n_words <= MOST_NEARER)
		even->nearer = calloc((size_t)even->n * even->n * graph->n_words + 1,
				      sizeof(*even->nearer));
	even->n_taken = malloc((hd_even_n_kinds(even) + 1) * sizeof(*even->n_taken));
	even->target_of = malloc((even->fabric->top_lid + (size_t)1) * sizeof(*even->target_of));
	if (!even->load || !even->hot_list || !even->is_listed || !even->is_hot || !even->n_taken ||
	    !even->place || !even->target_of)
		return hd_error_nomem(err);
	memset(even->target_of, 0xFF,
	       (even->fabric->top_lid + (size_t)1) * sizeof(*even->target_of));
	for (size_t i = 0; i < targets->n; i++)
		even->target_of[targets->list[i].lid] = (uint32_t)i;
	for (uint32_t c = 0; c < graph->n_channels; c++)
		even->place[c] = graph->back[c] - graph->first[graph->to[c]];
	ret = hd_way_columns_init(&even->columns, even->tables, graph, targets, even->sources, err);
	if (!ret && even->is_missing)
		hd_even_take_ways(even, targets);
	return ret;
}

static int copy_targets(struct hd_route_targets *copy, const struct hd_route_targets *from,
			struct hd_error *err)
{
	const size_t n_first = from->n_passes + (size_t)1;

	*copy = (struct hd_route_targets){ .n = from->n, .n_passes = from->n_passes };
	copy->first = malloc(n_first * sizeof(*copy->first));
	copy->list = malloc((from->n + 1) * sizeof(*copy->list));
	if (!copy->first || !copy->list)
		return hd_error_nomem(err);
	memcpy(copy->first, from->first, n_first * sizeof(*copy->first));
	memcpy(copy->list, from->list, from->n * sizeof(*copy->list));
	return 0;
}

/*
 * Reads all ways, and adds up loads of the first pass and turns; *@is_whole false: some packets do
 * not arrive.
 */
static int read_all(struct hd_even_known *known, bool *is_whole, struct hd_error *err)
{
	struct hd_even *even = &known->even;
	const struct hd_route_targets *targets = &known->targets;
	const struct pass pass = { targets->list, targets->first[1] };
	int ret;

	*is_whole = find_loads(even, targets, &pass) > 0;
	if (!*is_whole)
		return 0;
	ret = take_all(even, targets, err);
	/* with a cycle, too, turns are those of all ways */
	if (ret && ret != HD_EREFUSED)
		return ret;
	for (size_t i = 0; *is_whole && i < targets->n; i++)
		*is_whole = hd_even_look_at(even, &targets->list[i]);
	hd_even_fill_nearer(even);
	return 0;
}

int hd_even_know(struct hd_tables *tables, const struct hd_route_targets *targets,
		 struct hd_even_known **result, struct hd_error *err)
{
	const size_t size = tables->fabric->n_switches * tables->lft_stride;
	struct hd_even_known *known;
	bool is_whole = false;
	int ret;

	*result = NULL;
	if (tables->fabric->n_switches > HD_WAY_MOST_SWITCHES || !targets->n_passes)
		return 0;
	known = calloc(1, sizeof(*known));
	if (!known)
		return hd_error_nomem(err);
	known->even = (struct hd_even){ .fabric = tables->fabric,
					.tables = tables,
					.request = &known->request,
					.n = tables->fabric->n_switches };
	known->stride = tables->lft_stride;
	known->lft = malloc(size + 1);
	ret = known->lft ? copy_targets(&known->targets, targets, err) : hd_error_nomem(err);
	if (!ret) {
		memcpy(known->lft, tables->lft, size);
		ret = prepare(&known->even, &known->targets, err);
	}
	if (!ret && known->even.columns.are_kept)
		ret = read_all(known, &is_whole, err);
	if (ret || !is_whole) {
		hd_even_known_free(known);
		return ret;
	}
	known->even.tables = NULL; /* they may go now */
	*result = known;
	return 0;
}

void hd_even_known_free(struct hd_even_known *known)
{
	if (!known)
		return;
	hd_even_state_clear(&known->even);
	free(known->targets.first);
	free(known->targets.list);
	free(known->lft);
	free(known);
}

int hd_even_out(struct hd_tables *tables, const struct hd_route_targets *targets,
		const struct hd_even_request *request, uint64_t *busiest, struct hd_error *err)
{
	struct hd_even even = { .fabric = tables->fabric,
				.tables = tables,
				.request = request,
				.weight = request->weight,
				.n = tables->fabric->n_switches };
	uint64_t most = 0, most_of_pass;
	bool is_known = true;
	int ret;

	if (busiest)
		*busiest = 0;
	/* some without LIDs, then: InfiniBand has not so many */
	if (even.n > HD_WAY_MOST_SWITCHES)
		return 0;
	ret = prepare(&even, targets, err);

	for (unsigned i = 0; !ret && i < targets->n_passes; i++) {
		const struct pass pass = { targets->list + targets->first[i],
					   targets->first[i + 1] - targets->first[i] };

		if (!pass.targets->via_port) /* switches' own LIDs */
			break;
		ret = even_out_pass(&even, targets, &pass, &most_of_pass, err);
		is_known &= most_of_pass > 0;
		most = most_of_pass > most ? most_of_pass : most;
	}
	if (busiest)
		*busiest = is_known ? most : 0;
	hd_even_state_clear(&even);
	return ret;
}
