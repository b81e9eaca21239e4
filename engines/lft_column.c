// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/lft_column.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Of switches whose distance is being found out. */
#define UNKNOWN (HD_NO_WAY - 1)
#define WALKED  (HD_NO_WAY - 2)

/* Every way costs less than this. */
static size_t n_distances(const struct hd_tables *tables)
{
	return (size_t)tables->fabric->n_switches * HD_MAX_LINK_COST + 1;
}

static void list_peers(struct hd_lft_column *column)
{
	const struct hd_fabric *fabric = column->tables->fabric;

	hd_for_each_port(p, fabric) {
		const uint32_t peer = fabric->ports[p].peer;

		column->peer[p] = peer != HD_NONE && hd_is_switch(fabric, fabric->ports[peer].node)
					  ? fabric->ports[peer].node
					  : HD_NONE;
	}
}

int hd_lft_column_init(struct hd_lft_column *column, const struct hd_tables *tables,
		       const uint8_t *cost, struct hd_error *err)
{
	const size_t n = tables->fabric->n_switches + (size_t)1;

	*column = (struct hd_lft_column){
		.tables = tables,
		.peer = malloc((tables->fabric->n_ports + (size_t)1) * sizeof(*column->peer)),
		.cost = cost,
		.seen = calloc(n, sizeof(*column->seen)),
		.out = malloc(n),
		.distance = malloc(n * sizeof(*column->distance)),
		.first = malloc(n_distances(tables) * sizeof(*column->first)),
		.order = malloc(n * sizeof(*column->order)),
		.through = malloc(n * sizeof(*column->through)),
	};
	if (!column->peer || !column->seen || !column->out || !column->distance || !column->first ||
	    !column->order || !column->through)
		return hd_error_nomem(err);
	list_peers(column);
	return 0;
}

void hd_lft_column_clear(struct hd_lft_column *column)
{
	free(column->peer);
	free(column->seen);
	free(column->out);
	free(column->distance);
	free(column->first);
	free(column->order);
	free(column->through);
	*column = (struct hd_lft_column){ 0 };
}

/* The switch that @s forwards to, or HD_NONE. */
static uint32_t next_switch(const struct hd_lft_column *column, uint32_t s)
{
	const struct hd_fabric *fabric = column->tables->fabric;
	unsigned out = column->out[s];

	if (out == 0 || out > fabric->nodes[s].n_ports)
		return HD_NONE;
	return column->peer[hd_port_index(fabric, s, out)];
}

static uint32_t cost_of(const struct hd_lft_column *column, uint32_t s)
{
	return column->cost[hd_port_index(column->tables->fabric, s, column->out[s])];
}

/* Walks from @s to where the distance is known, and sums up the costs on the way. */
static void walk(struct hd_lft_column *column, uint32_t s)
{
	uint32_t at = s, cost = 0;
	bool arrives;

	while (at != HD_NONE && column->distance[at] == UNKNOWN) {
		uint32_t next = next_switch(column, at);

		column->distance[at] = WALKED;
		cost += next == HD_NONE ? 0 : cost_of(column, at);
		at = next;
	}
	arrives = at != HD_NONE && column->distance[at] != WALKED &&
		  column->distance[at] != HD_NO_WAY;
	if (arrives)
		cost += column->distance[at];
	while (s != HD_NONE && column->distance[s] == WALKED) {
		column->distance[s] = arrives ? cost : HD_NO_WAY;
		column->n_lost += !arrives;
		if (arrives)
			cost -= cost_of(column, s);
		s = next_switch(column, s);
	}
}

static void see(struct hd_lft_column *column, uint32_t s, uint8_t entry)
{
	column->seen[s] = column->stamp;
	column->out[s] = entry;
	column->distance[s] = s == column->last ? 0 : UNKNOWN;
}

void hd_lft_column_begin(struct hd_lft_column *column, uint16_t lid)
{
	const struct hd_fabric *fabric = column->tables->fabric;

	column->lid = lid;
	column->last = fabric->lids[lid].via_switch;
	column->n_lost = 0;
	if (++column->stamp == 0) {
		memset(column->seen, 0, fabric->n_switches * sizeof(*column->seen));
		column->stamp = 1;
	}
}

uint32_t hd_lft_column_find(struct hd_lft_column *column, uint32_t s)
{
	for (uint32_t at = s; at != HD_NONE && column->seen[at] != column->stamp;) {
		see(column, at, hd_lft(column->tables, at)[column->lid]);
		at = at == column->last ? HD_NONE : next_switch(column, at);
	}
	if (column->distance[s] == UNKNOWN)
		walk(column, s);
	return column->distance[s];
}

static void find_all(struct hd_lft_column *column)
{
	hd_for_each_switch(s, column->tables->fabric)
		if (column->distance[s] == UNKNOWN)
			walk(column, s);
}

void hd_lft_column_load(struct hd_lft_column *column, uint16_t lid)
{
	hd_lft_column_begin(column, lid);
	hd_for_each_switch(s, column->tables->fabric)
		see(column, s, hd_lft(column->tables, s)[lid]);
	find_all(column);
}

void hd_lft_column_take(struct hd_lft_column *column, uint16_t lid, const uint8_t *entries)
{
	hd_lft_column_begin(column, lid);
	hd_for_each_switch(s, column->tables->fabric)
		see(column, s, entries[s]);
	find_all(column);
}

/* Sorts the switches from which packets arrive by distance. Returns how many there are. */
static uint32_t sort_by_distance(struct hd_lft_column *column)
{
	const uint32_t n = column->tables->fabric->n_switches;
	uint32_t begin = 0, most = 0;

	for (uint32_t s = 0; s < n; s++)
		if (column->distance[s] != HD_NO_WAY && column->distance[s] > most)
			most = column->distance[s];
	memset(column->first, 0, (most + (size_t)1) * sizeof(*column->first));
	for (uint32_t s = 0; s < n; s++)
		if (column->distance[s] != HD_NO_WAY)
			column->first[column->distance[s]]++;
	for (uint32_t d = 0; d <= most; d++) {
		uint32_t count = column->first[d];

		column->first[d] = begin;
		begin += count;
	}
	for (uint32_t s = 0; s < n; s++)
		if (column->distance[s] != HD_NO_WAY)
			column->order[column->first[column->distance[s]]++] = s;
	return begin;
}

void hd_lft_column_add_flows(struct hd_lft_column *column, const uint32_t *n_sources,
			     uint64_t n_lids, uint64_t *load)
{
	const struct hd_fabric *fabric = column->tables->fabric;

	memcpy(column->through, n_sources, fabric->n_switches * sizeof(*column->through));
	for (uint32_t i = sort_by_distance(column); i-- > 1;) {
		uint32_t s = column->order[i], flows = column->through[s];

		load[hd_port_index(fabric, s, column->out[s])] += n_lids * flows;
		column->through[column->peer[hd_port_index(fabric, s, column->out[s])]] += flows;
	}
}
