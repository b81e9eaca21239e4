// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Questions about mixtures of a change: its regions are followed, and new dependencies are put in
 * order.
 */
#include <stdlib.h>
#include <string.h>

#include "change/change.h"
#include "support/error.h"

#define PARALLEL_WORK 20000 /* switches of regions; with less work one thread is quicker */

/* The VLs that the link has into which row @row of @node leads. */
static unsigned limit_of_row(const struct hd_check_network *network, uint32_t node, size_t row)
{
	const struct hd_fabric *fabric = network->fabric;
	size_t out = row - network->tables->sl2vl_first[node];

	if (hd_is_switch(fabric, node))
		out /= fabric->nodes[node].n_ports + (size_t)1;
	return network->limit[hd_port_index(fabric, node, (unsigned)out)];
}

/* Gives rows that change the pattern of what they are in @a and in @b. */
static void set_patterns(struct hd_change *change, const struct hd_values *a,
			 const struct hd_values *b)
{
	const struct hd_check_network *network = &change->network;
	const size_t n_masks = network->n_vls + (size_t)1;
	uint32_t node = 0;

	for (size_t i = 0; i < change->n_rows; i++) {
		const size_t row = change->rows[i];
		uint16_t *masks = network->masks + (change->n_patterns + i) * n_masks;
		unsigned limit;

		while (row >= network->tables->sl2vl_first[node + 1])
			node++;
		if (!network->pattern[row])
			continue;
		memset(masks, 0, n_masks * sizeof(*masks));
		limit = limit_of_row(network, node, row);
		hd_network_add_masks(network, a->row[i], limit, masks);
		hd_network_add_masks(network, b->row[i], limit, masks);
	}
}

/* Whether two LIDs of a region have the same entries in both sets of tables. */
static bool are_alike(const struct hd_change *change, const struct hd_values *a,
		      const struct hd_values *b, uint16_t x, uint16_t y)
{
	const struct hd_region_change *of_x = change->changes + change->first_change[x];
	const struct hd_region_change *of_y = change->changes + change->first_change[y];
	const uint32_t n = change->first_change[x + 1u] - change->first_change[x];

	/* the same switches change, in the same order */
	for (uint32_t i = 0; i < n; i++)
		if (a->entry[of_x[i].place] != a->entry[of_y[i].place] ||
		    b->entry[of_x[i].place] != b->entry[of_y[i].place])
			return false;
	return true;
}

/* Follows each mixture of the LIDs of @region once; false: some LID's packets circle. */
static bool follow_region(const struct hd_change *change, const struct hd_region_mix *mix,
			  const struct hd_region *region, struct hd_region_worker *worker)
{
	const uint16_t *lids = change->lids;

	if (!region->n_nodes)
		return true;
	for (uint32_t i = region->first; i < region->end; i++) {
		if (i > region->first && are_alike(change, mix->a, mix->b, lids[i - 1], lids[i]))
			continue;
		if (!hd_region_follow(mix, region, &change->stores[region->worker], lids[i],
				      worker))
			return false;
	}
	return true;
}

/* Follows all regions as far as nothing circles; *@loops: something does. */
static int follow_all(struct hd_change *change, const struct hd_values *a,
		      const struct hd_values *b, bool *loops, struct hd_error *err)
{
	const struct hd_region_mix mix = { .ground = &change->ground,
					   .a = a,
					   .b = b,
					   .known = &change->usage,
					   .added = change->added };
	const unsigned n_workers = change->n_region_nodes > PARALLEL_WORK ? change->n_workers : 1;
	int ret = 0;

	*loops = false;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_workers)
#endif
	for (uint32_t i = 0; i < change->n_regions; i++)
		if (!__atomic_load_n(loops, __ATOMIC_RELAXED) &&
		    !follow_region(change, &mix, &change->regions[i],
				   &change->workers[hd_destinations_thread()]))
			__atomic_store_n(loops, true, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < n_workers; i++)
		if (change->workers[i].no_memory)
			ret = hd_error_nomem(err);
	return ret;
}

/* Adds the dependencies of one word of states; false: out of memory. */
static bool add_edges(struct hd_change *change, const struct hd_region_sight *sight, size_t *n,
		      bool *lead_on)
{
	const struct hd_check_network *network = &change->network;
	const struct hd_fabric *fabric = network->fabric;
	const uint32_t node = fabric->ports[sight->row_port].node;
	const uint32_t in = hd_port_index(fabric, node, sight->in);
	const uint32_t from = change->link_of_port[fabric->ports[in].peer];
	const uint32_t to = change->link_of_port[sight->row_port];
	const size_t row = sight->word / network->n_words;
	const unsigned w = (unsigned)(sight->word % network->n_words);
	const uint64_t bits = change->added[sight->word];
	const uint16_t *masks = hd_pattern_masks(network, network->pattern[row]);

	if (*n + (size_t)network->n_vls * network->n_vls > change->edge_capacity) {
		const size_t capacity = 2 * *n + 4096;
		void *edges = realloc(change->edges, capacity * sizeof(*change->edges));

		if (!edges)
			return false;
		change->edges = edges;
		change->edge_capacity = capacity;
	}
	for (unsigned vl = 0; vl < network->n_vls; vl++) {
		const unsigned sls =
			(unsigned)(bits >> network->shift[vl]) & ((1u << network->n_sls) - 1);

		for (unsigned next = 0; network->word[vl] == w && next < network->n_vls; next++) {
			const struct hd_edge edge = { from * network->n_vls + vl,
						      to * network->n_vls + next };

			if (!(sls & masks[next]))
				continue;
			change->edges[(*n)++] = edge;
			*lead_on &= hd_order_has(&change->order, edge.from, edge.to);
		}
	}
	return true;
}

/* Whether the dependencies that were seen close no cycle. */
static int judge(struct hd_change *change, bool *is_sound, struct hd_error *err)
{
	bool lead_on = true;
	size_t n = 0;

	for (unsigned i = 0; i < change->n_workers; i++)
		for (size_t k = 0; k < change->workers[i].n_seen; k++)
			if (!add_edges(change, &change->workers[i].seen[k], &n, &lead_on))
				return hd_error_nomem(err);
	*is_sound = lead_on;
	return lead_on ? 0 : hd_order_add(&change->order, change->edges, n, is_sound, err);
}

static void forget(struct hd_change *change)
{
	for (unsigned i = 0; i < change->n_workers; i++) {
		struct hd_region_worker *worker = &change->workers[i];

		for (size_t k = 0; k < worker->n_seen; k++)
			change->added[worker->seen[k].word] = 0;
		worker->n_seen = 0;
	}
}

int hd_change_is_sound(struct hd_change *change, const struct hd_values *a,
		       const struct hd_values *b, bool *is_sound, struct hd_error *err)
{
	bool loops;
	int ret;

	*is_sound = false;
	if (change->loops)
		return 0;
	set_patterns(change, a, b);
	ret = follow_all(change, a, b, &loops, err);
	if (!ret && !loops)
		ret = judge(change, is_sound, err);
	forget(change);
	return ret;
}
