// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/way_columns.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/distances.h"
#include "support/error.h"
#include "support/transpose.h"

#define KEPT      ((size_t)1 << 21) /* switches of all columns, up to which these are kept */
#define NEAR      ((size_t)1 << 20) /* bytes of LFTs that are in a cache near by anyway */
#define NO_LENGTH 0xFFFFu

/*
 * The entries of @lid: that of switch s is at s * *@stride. Copies the block of the LID if LFTs are
 * large, and the LID that was read before is of the block as well.
 */
static const uint8_t *find_entries(struct hd_way_columns *columns, uint16_t lid, size_t *stride)
{
	const struct hd_tables *tables = columns->tables;
	const uint32_t first = lid / HD_LFT_BLOCK * HD_LFT_BLOCK;

	if (first != columns->first_lid &&
	    (first != columns->last_read || columns->n * tables->lft_stride <= NEAR)) {
		columns->last_read = first;
		*stride = tables->lft_stride;
		return tables->lft + lid;
	}
	if (first != columns->first_lid)
		hd_transpose(tables->lft + first, tables->lft_stride, columns->n, HD_LFT_BLOCK,
			     columns->block, columns->n);
	columns->first_lid = first;
	*stride = 1;
	return columns->block + (lid - first) * (size_t)columns->n;
}

/* Reads the ways to @lid, of @last, into @out and @next. False: some packets do not arrive. */
static bool read_ways(struct hd_way_columns *columns, uint16_t lid, uint32_t last,
		      uint32_t *restrict out, uint16_t *restrict next)
{
	const struct hd_way_out *outs = columns->outs;
	const uint32_t n = columns->n, n_outs = columns->n_outs;
	size_t stride;
	const uint8_t *entry = find_entries(columns, lid, &stride);

	for (uint32_t s = 0; s < n; s++, entry += stride, outs += n_outs) {
		if (s == last)
			continue;
		if (*entry >= n_outs || outs[*entry].channel == HD_NONE)
			return false;
		out[s] = outs[*entry].channel;
		next[s] = (uint16_t)outs[*entry].to;
	}
	return true;
}

struct hd_way_column *hd_way_column_read(struct hd_way_columns *columns,
					 const struct hd_route_target *target)
{
	const uint16_t lid = target->lid;
	struct hd_way_column *column = columns->list;

	if (columns->are_kept)
		column += target - columns->targets;
	if (columns->are_kept && column->is_read)
		return column;
	column->is_read = column->is_sorted = false;
	column->last = columns->tables->fabric->lids[lid].via_switch;
	if (!read_ways(columns, lid, column->last, column->out, column->next))
		return NULL;
	column->out[column->last] = HD_NONE;
	column->next[column->last] = (uint16_t)column->last;
	column->is_read = true;
	return column;
}

/* Adds up the flows that come through each switch. */
static void add_up(const struct hd_way_columns *columns, struct hd_way_column *column)
{
	const uint16_t *restrict order = column->order, *restrict next = column->next;
	uint16_t *restrict through = column->through;
	const uint32_t n = columns->n;

	memcpy(through, columns->sources, n * sizeof(*through));
	for (uint32_t i = 0; i + 1 < n; i++)
		through[next[order[i]]] = (uint16_t)(through[next[order[i]]] + through[order[i]]);
}

/* Finds the lengths of all ways; *@most gets the longest. False: some ways go round in circles. */
static bool find_lengths(struct hd_way_columns *columns, struct hd_way_column *column,
			 uint32_t *most)
{
	const uint16_t *restrict next = column->next;
	uint16_t *restrict length = columns->length, *restrict stack = column->own;
	const uint32_t all = columns->n;

	*most = 0;
	memset(length, 0xFF, all * sizeof(*length));
	length[column->last] = 0;
	for (uint32_t s = 0; s < all; s++) {
		uint32_t n = 0, at = s, links;

		for (; length[at] == NO_LENGTH; at = next[at]) {
			if (n == all)
				return false;
			stack[n++] = (uint16_t)at;
		}
		for (links = length[at]; n;)
			length[stack[--n]] = (uint16_t)++links;
		*most = links > *most ? links : *most;
	}
	return true;
}

/* Sorts switches by the lengths of their ways, which are @most at most. */
static void sort_by_lengths(struct hd_way_columns *columns, struct hd_way_column *column,
			    uint32_t most)
{
	const uint16_t *restrict length = columns->length;
	uint32_t *restrict count = columns->count;
	uint16_t *restrict order = column->own;
	const uint32_t n = columns->n;
	uint32_t begin = 0;

	memset(count, 0, (most + (size_t)1) * sizeof(*count));
	for (uint32_t s = 0; s < n; s++)
		count[length[s]]++;
	for (uint32_t links = most + 1; links-- > 0;) {
		const uint32_t n_such = count[links];

		count[links] = begin;
		begin += n_such;
	}
	for (uint32_t s = 0; s < n; s++)
		order[count[length[s]]++] = (uint16_t)s;
	column->order = order;
}

/* Whether all ways of the column are shortest ones. */
static bool are_shortest(const struct hd_way_columns *columns, const struct hd_way_column *column)
{
	const uint8_t *row = columns->distances + column->last * (size_t)columns->n;
	const uint16_t *next = column->next;
	unsigned n_longer = 0;

	/* @last is the only one at 0, and its own next one */
	for (uint32_t s = 0; s < columns->n; s++)
		n_longer += row[next[s]] + 1 != row[s];
	return n_longer == 1;
}

/* Takes the order of another column whose ways have the same lengths. False: there is none. */
static bool take_order(struct hd_way_columns *columns, struct hd_way_column *column)
{
	const uint16_t *known = columns->order_of[column->last];

	if (!known || !are_shortest(columns, column))
		return false;
	column->order = known;
	return true;
}

/* Lets other columns take the order where ways are shortest ones. */
static void keep_order(struct hd_way_columns *columns, struct hd_way_column *column)
{
	uint16_t **known = &columns->order_of[column->last];

	if (*known || !are_shortest(columns, column))
		return;
	*known = malloc(columns->n * sizeof(**known));
	if (*known)
		memcpy(*known, column->order, columns->n * sizeof(**known));
}

bool hd_way_column_sort(struct hd_way_columns *columns, struct hd_way_column *column)
{
	uint32_t most;

	if (column->is_sorted)
		return true;
	if (!take_order(columns, column)) {
		if (!find_lengths(columns, column, &most))
			return false;
		sort_by_lengths(columns, column, most);
		keep_order(columns, column);
	}
	add_up(columns, column);
	column->is_sorted = true;
	return true;
}

void hd_way_column_forget(struct hd_way_columns *columns, const struct hd_route_target *target)
{
	if (columns->are_kept)
		columns->list[target - columns->targets].is_read = false;
	columns->first_lid = columns->last_read = HD_NONE;
}

void hd_way_columns_write(struct hd_way_columns *columns, uint32_t s, uint16_t lid, uint8_t port)
{
	hd_lft(columns->tables, s)[lid] = port;
	if (lid / HD_LFT_BLOCK * HD_LFT_BLOCK == columns->first_lid)
		columns->block[lid % HD_LFT_BLOCK * (size_t)columns->n + s] = port;
}

void hd_way_columns_copy(struct hd_way_columns *columns, const struct hd_way_columns *from,
			 size_t n_targets)
{
	const size_t n = (columns->n + (size_t)1) * n_targets;

	memcpy(columns->out, from->out, n * sizeof(*columns->out));
	memcpy(columns->room, from->room, 3 * n * sizeof(*columns->room));
	for (size_t i = 0; i < n_targets; i++) {
		struct hd_way_column *column = &columns->list[i];
		const struct hd_way_column *other = &from->list[i];

		column->last = other->last;
		column->is_read = other->is_read;
		column->is_sorted = other->is_sorted;
		/* orders that several columns have in common outlive the copy */
		column->order = other->order == other->own ? column->own : other->order;
	}
}

/* Room for the columns of @n_targets, or for one. */
static bool allocate_columns(struct hd_way_columns *columns, size_t n_targets)
{
	const size_t n = columns->n + (size_t)1;
	size_t n_columns = 1;
	uint32_t *out;
	uint16_t *room;

	columns->are_kept = n_targets * n <= KEPT;
	if (columns->are_kept)
		n_columns += n_targets;
	columns->list = calloc(n_columns, sizeof(*columns->list));
	columns->out = out = malloc(n * n_columns * sizeof(*out));
	columns->room = room = malloc(3 * n * n_columns * sizeof(*room));
	if (!columns->list || !out || !room)
		return false;
	for (size_t i = 0; i < n_columns; i++, out += n, room += 3 * n)
		columns->list[i] = (struct hd_way_column){
			.out = out, .next = room, .through = room + n, .own = room + 2 * n
		};
	return true;
}

/* The most ports of any switch, with port 0. */
static uint32_t find_n_outs(const struct hd_fabric *fabric)
{
	uint32_t most = 0;

	hd_for_each_switch(s, fabric)
		most = fabric->nodes[s].n_ports > most ? fabric->nodes[s].n_ports : most;
	return most + 1;
}

int hd_way_columns_init(struct hd_way_columns *columns, struct hd_tables *tables,
			const struct hd_turn_graph *graph, const struct hd_route_targets *targets,
			const uint32_t *sources, struct hd_error *err)
{
	const size_t n = tables->fabric->n_switches + (size_t)1;

	*columns = (struct hd_way_columns){
		.tables = tables,
		.graph = graph,
		.targets = targets->list,
		.sources = malloc(n * sizeof(*columns->sources)),
		.n = tables->fabric->n_switches,
		.n_outs = find_n_outs(tables->fabric),
		.order_of = calloc(n, sizeof(*columns->order_of)),
		.block = malloc(n * HD_LFT_BLOCK),
		.first_lid = HD_NONE,
		.last_read = HD_NONE,
		.length = malloc(n * sizeof(*columns->length)),
		.count = malloc(n * sizeof(*columns->count)),
	};
	columns->outs = malloc(n * columns->n_outs * sizeof(*columns->outs));
	if (!columns->sources || !columns->outs || !columns->order_of || !columns->block ||
	    !columns->length || !columns->count || !allocate_columns(columns, targets->n))
		return hd_error_nomem(err);
	memset(columns->outs, 0xFF, columns->n * columns->n_outs * sizeof(*columns->outs));
	for (uint32_t s = 0; s < columns->n; s++)
		columns->sources[s] = (uint16_t)sources[s];
	for (uint32_t s = 0; s < columns->n; s++)
		for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++)
			columns->outs[s * (size_t)columns->n_outs + graph->port[c]] =
				(struct hd_way_out){ c, graph->to[c] };
	return hd_switch_distances(tables->fabric, &columns->distances, err);
}

void hd_way_columns_clear(struct hd_way_columns *columns)
{
	free(columns->distances);
	free(columns->outs);
	for (uint32_t s = 0; columns->order_of && s < columns->n; s++)
		free(columns->order_of[s]);
	free(columns->order_of);
	free(columns->block);
	free(columns->length);
	free(columns->count);
	free(columns->sources);
	free(columns->out);
	free(columns->room);
	free(columns->list);
	*columns = (struct hd_way_columns){ 0 };
}
