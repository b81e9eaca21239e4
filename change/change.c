// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/change.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

int hd_values_of(const struct hd_change *change, const struct hd_tables *tables,
		 struct hd_values *values, struct hd_error *err)
{
	values->entry = malloc(change->n_entries + 1);
	values->row = malloc((change->n_rows + 1) * sizeof(*values->row));
	if (!values->entry || !values->row)
		return hd_error_nomem(err);
	hd_for_each_changed_entry(k, change)
		values->entry[k] = tables->lft[change->entries[k]];
	hd_for_each_changed_row(k, change)
		values->row[k] = tables->sl2vl[change->rows[k]];
	return 0;
}

void hd_values_copy(const struct hd_change *change, struct hd_values *to,
		    const struct hd_values *from)
{
	memcpy(to->entry, from->entry, change->n_entries);
	memcpy(to->row, from->row, change->n_rows * sizeof(*to->row));
}

void hd_values_clear(struct hd_values *values)
{
	free(values->entry);
	free(values->row);
	*values = (struct hd_values){ .entry = NULL };
}

int hd_change_init(struct hd_change *change, const struct hd_schedule *schedule,
		   const struct hd_tables *now, const struct hd_tables *before,
		   struct hd_error *err)
{
	int ret;

	*change = (struct hd_change){ .entries = schedule->entries.at,
				      .rows = schedule->rows.at,
				      .n_entries = schedule->entries.n,
				      .n_rows = schedule->rows.n };
	ret = hd_values_of(change, now, &change->now, err);
	return ret ? ret : hd_values_of(change, before, &change->before, err);
}

void hd_change_clear(struct hd_change *change)
{
	for (unsigned i = 0; i < change->n_workers; i++) {
		if (change->stores)
			hd_region_store_clear(&change->stores[i]);
		if (change->workers)
			hd_region_worker_clear(&change->workers[i]);
	}
	free(change->stores);
	free(change->workers);
	hd_order_clear(&change->order);
	hd_dependencies_clear(&change->dependencies);
	hd_usage_clear(&change->usage);
	hd_destinations_clear(&change->destinations);
	hd_network_clear(&change->network);
	hd_values_clear(&change->now);
	hd_values_clear(&change->before);
	free(change->first_change);
	free(change->changes);
	free(change->row_changes);
	free(change->source_changes);
	free(change->row_switches);
	free(change->regions);
	free(change->lids);
	free(change->link_of_port);
	free(change->added);
	free(change->edges);
	*change = (struct hd_change){ .n_entries = 0 };
}

/* Sorts the entries that change by LID. */
static int sort_changes(struct hd_change *change, const struct hd_tables *now, struct hd_error *err)
{
	const size_t stride = now->lft_stride;
	uint32_t *first;

	change->first_change = first = calloc(stride + 2, sizeof(*first));
	change->changes = malloc((change->n_entries + 1) * sizeof(*change->changes));
	if (!first || !change->changes)
		return hd_error_nomem(err);
	for (size_t i = 0; i < change->n_entries; i++)
		first[change->entries[i] % stride + 2]++;
	for (size_t lid = 0; lid < stride; lid++)
		first[lid + 2] += first[lid + 1];
	/* first[lid + 1] moves from the start of the LID's changes to their end */
	for (size_t i = 0; i < change->n_entries; i++) {
		const size_t entry = change->entries[i];

		change->changes[first[entry % stride + 1]++] =
			(struct hd_region_change){ (uint32_t)(entry / stride), (uint32_t)i };
	}
	return 0;
}

/* Marks all out-ports of @s: what its sources send takes a row that changes. */
static void mark_sources(struct hd_change *change, uint32_t s)
{
	const struct hd_fabric *fabric = change->network.fabric;

	for (unsigned out = 0; out <= fabric->nodes[s].n_ports; out++)
		change->source_changes[hd_port_index(fabric, s, out)] = true;
}

/* The node of row @row, which is not below @node. */
static uint32_t node_of_row(const struct hd_tables *tables, size_t row, uint32_t node)
{
	while (row >= tables->sl2vl_first[node + 1])
		node++;
	return node;
}

static void add_row_switch(struct hd_change *change, uint32_t s)
{
	uint32_t *n = &change->ground.n_row_switches;

	if (!*n || change->row_switches[*n - 1] != s)
		change->row_switches[(*n)++] = s;
}

/* A row of an adapter, which all that it sends takes. */
static void mark_adapter(struct hd_change *change, uint32_t node, size_t row)
{
	const struct hd_fabric *fabric = change->network.fabric;
	const size_t number = row - change->network.tables->sl2vl_first[node];
	uint32_t peer;

	if (number > fabric->nodes[node].n_ports)
		return;
	peer = fabric->ports[hd_port_index(fabric, node, (unsigned)number)].peer;
	if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[peer].node))
		return;
	mark_sources(change, fabric->ports[peer].node);
	add_row_switch(change, fabric->ports[peer].node);
}

/*
 * Rows that change get patterns of their own, which are filled in for each question; rows that no
 * packet can meet stay with none.
 */
static int mark_rows(struct hd_change *change, struct hd_error *err)
{
	struct hd_check_network *network = &change->network;
	const struct hd_fabric *fabric = network->fabric;
	const size_t n_masks = network->n_vls + (size_t)1;
	uint16_t *masks = realloc(network->masks, (network->n_patterns + change->n_rows) * n_masks *
							  sizeof(*masks));
	uint32_t node = 0;

	network->masks = masks ? masks : network->masks;
	change->n_patterns = network->n_patterns;
	change->row_changes = calloc(network->tables->sl2vl_first[fabric->n_nodes] + 1, 1);
	change->source_changes = calloc(fabric->n_ports + (size_t)1, 1);
	change->row_switches = malloc((fabric->n_switches + change->n_rows + 1) * sizeof(uint32_t));
	if (!masks || !change->row_changes || !change->source_changes || !change->row_switches)
		return hd_error_nomem(err);
	for (size_t i = 0; i < change->n_rows; i++) {
		const size_t row = change->rows[i];
		size_t place;
		unsigned in;

		node = node_of_row(network->tables, row, node);
		if (!network->pattern[row])
			continue;
		network->pattern[row] = change->n_patterns + (uint32_t)i;
		if (!hd_is_switch(fabric, node)) {
			mark_adapter(change, node, row);
			continue;
		}
		place = row - network->tables->sl2vl_first[node];
		in = (unsigned)(place % (fabric->nodes[node].n_ports + 1u));
		change->row_changes[row] = true;
		add_row_switch(change, node);
		if (network->far_end[hd_port_index(fabric, node, in)].node == HD_NONE)
			change->source_changes[hd_port_index(
				fabric, node,
				(unsigned)(place / (fabric->nodes[node].n_ports + 1u)))] = true;
	}
	return 0;
}

/* Whether the same entries change for two LIDs to the same values. */
static bool change_alike(const struct hd_change *change, uint16_t a, uint16_t b)
{
	const uint32_t *first = change->first_change;
	const uint32_t n = first[a + 1u] - first[a];
	const uint8_t *new = change->now.entry;

	if (n != first[b + 1u] - first[b])
		return false;
	for (uint32_t i = 0; i < n; i++) {
		const struct hd_region_change *x = &change->changes[first[a] + i];
		const struct hd_region_change *y = &change->changes[first[b] + i];

		if (x->node != y->node || new[x->place] != new[y->place])
			return false;
	}
	return true;
}

static bool are_alike(const struct hd_change *change, const struct hd_destination *destination,
		      uint16_t a, uint16_t b)
{
	const struct hd_destinations *destinations = &change->destinations;

	if (!change_alike(change, a, b))
		return false;
	/* without entries that change, LIDs with all of their SLs are always together */
	return change->first_change[a] == change->first_change[a + 1u] ||
	       !destination->any_source || destinations->sl[a] == destinations->sl[b];
}

/* LIDs of @destination, by region. */
static void add_regions(struct hd_change *change, const struct hd_destination *destination)
{
	uint16_t *lids = change->lids;
	uint32_t end;

	memcpy(lids + destination->first, change->destinations.lids + destination->first,
	       (destination->end - destination->first) * sizeof(*lids));
	for (uint32_t first = destination->first; first < destination->end; first = end) {
		end = first + 1;
		for (uint32_t i = end; i < destination->end; i++) {
			const uint16_t lid = lids[i];

			if (!are_alike(change, destination, lids[first], lid))
				continue;
			lids[i] = lids[end];
			lids[end++] = lid;
		}
		change->regions[change->n_regions++] = (struct hd_region){
			.destination = destination, .first = first, .end = end
		};
	}
}

static int make_regions(struct hd_change *change, struct hd_error *err)
{
	const struct hd_destinations *destinations = &change->destinations;

	change->regions = malloc((destinations->n_lids + (size_t)1) * sizeof(*change->regions));
	change->lids = malloc((destinations->n_lids + (size_t)1) * sizeof(*change->lids));
	if (!change->regions || !change->lids)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < destinations->n; i++)
		add_regions(change, &destinations->list[i]);
	return 0;
}

/* Finds all regions, and what is seen outside of them. */
static int find_regions(struct hd_change *change, struct hd_error *err)
{
	int ret = 0;

	change->n_workers = hd_destinations_threads(&change->destinations, &change->network);
	change->stores = calloc(change->n_workers, sizeof(*change->stores));
	change->workers = calloc(change->n_workers, sizeof(*change->workers));
	if (!change->stores || !change->workers)
		return hd_error_nomem(err);
	for (unsigned i = 0; !ret && i < change->n_workers; i++)
		ret = hd_region_store_init(&change->stores[i], &change->network, err);
	if (ret)
		return ret;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) num_threads(change->n_workers)
#endif
	for (uint32_t i = 0; i < change->n_regions; i++) {
		struct hd_region *region = &change->regions[i];

		region->worker = hd_destinations_thread();
		hd_region_find(region, change->lids + region->first, &change->ground,
			       &change->stores[region->worker], &change->usage);
	}
	for (unsigned i = 0; i < change->n_workers; i++) {
		change->loops |= change->stores[i].loops;
		if (change->stores[i].no_memory)
			ret = hd_error_nomem(err);
	}
	return ret;
}

/* The order of what all mixtures have. */
static int make_order(struct hd_change *change, struct hd_error *err)
{
	const struct hd_check_network *network = &change->network;
	const struct hd_fabric *fabric = network->fabric;
	int ret = hd_dependencies_init(&change->dependencies, network, &change->usage, err);

	if (!ret)
		ret = hd_order_init(&change->order, &change->dependencies.graph, err);
	if (ret)
		return ret;
	change->loops |= !change->order.is_acyclic;
	change->link_of_port = malloc((fabric->n_ports + (size_t)1) * sizeof(uint32_t));
	change->added =
		calloc(network->tables->sl2vl_first[fabric->n_switches] * network->n_words + 1,
		       sizeof(*change->added));
	if (!change->link_of_port || !change->added)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric)
		change->link_of_port[p] = HD_NONE;
	for (uint32_t i = 0; i < change->dependencies.n_links; i++)
		change->link_of_port[change->dependencies.port_of_link[i]] = i;
	return 0;
}

static int init_workers(struct hd_change *change, struct hd_error *err)
{
	uint32_t most_nodes = 0;
	int ret = 0;

	for (uint32_t i = 0; i < change->n_regions; i++) {
		change->n_region_nodes += change->regions[i].n_nodes;
		if (change->regions[i].n_nodes > most_nodes)
			most_nodes = change->regions[i].n_nodes;
	}
	for (unsigned i = 0; !ret && i < change->n_workers; i++)
		ret = hd_region_worker_init(&change->workers[i], &change->network, most_nodes, err);
	return ret;
}

int hd_change_prepare(struct hd_change *change, const struct hd_tables *now,
		      const struct hd_tables *before, struct hd_error *err)
{
	const struct hd_check_options options = { .before = now };
	int ret = hd_network_init(&change->network, before, &options, err);

	if (!ret)
		ret = hd_destinations_init(&change->destinations, &change->network, false, err);
	if (!ret)
		ret = hd_destinations_add_next(&change->destinations, &change->network, err);
	if (!ret)
		ret = hd_usage_init(&change->usage, &change->network, err);
	if (!ret)
		ret = sort_changes(change, now, err);
	if (!ret)
		ret = mark_rows(change, err);
	if (!ret)
		ret = make_regions(change, err);
	if (ret)
		return ret;
	change->ground.network = &change->network;
	change->ground.destinations = &change->destinations;
	change->ground.first_change = change->first_change;
	change->ground.changes = change->changes;
	change->ground.new_entry = change->now.entry;
	change->ground.row_changes = change->row_changes;
	change->ground.row_switches = change->row_switches;
	change->ground.source_changes = change->source_changes;
	ret = find_regions(change, err);
	if (!ret)
		ret = make_order(change, err);
	return ret ? ret : init_workers(change, err);
}
