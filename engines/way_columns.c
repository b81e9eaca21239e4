// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/way_columns.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/distances.h"
#include "support/error.h"

#define KEPT      ((size_t)1 << 21) /* switches of all columns, up to which these are kept */
#define OUT_PORTS ((size_t)256)     /* values of an entry of an LFT */
#define NO_LENGTH 0xFFFFu

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
	for (uint32_t s = 0; s < columns->n; s++) {
		const uint32_t out =
			columns->channel[s * OUT_PORTS + hd_lft(columns->tables, s)[lid]];

		if (s == column->last)
			continue;
		if (out == HD_NONE)
			return NULL;
		column->out[s] = out;
		column->next[s] = (uint16_t)columns->graph->to[out];
	}
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

int hd_way_columns_init(struct hd_way_columns *columns, const struct hd_tables *tables,
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
		.channel = malloc(n * OUT_PORTS * sizeof(*columns->channel)),
		.order_of = calloc(n, sizeof(*columns->order_of)),
		.length = malloc(n * sizeof(*columns->length)),
		.count = malloc(n * sizeof(*columns->count)),
	};
	if (!columns->sources || !columns->channel || !columns->order_of || !columns->length ||
	    !columns->count || !allocate_columns(columns, targets->n))
		return hd_error_nomem(err);
	memset(columns->channel, 0xFF, columns->n * OUT_PORTS * sizeof(*columns->channel));
	for (uint32_t s = 0; s < columns->n; s++)
		columns->sources[s] = (uint16_t)sources[s];
	for (uint32_t s = 0; s < columns->n; s++)
		for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++)
			columns->channel[s * OUT_PORTS + graph->port[c]] = c;
	return hd_switch_distances(tables->fabric, &columns->distances, err);
}

void hd_way_columns_clear(struct hd_way_columns *columns)
{
	free(columns->distances);
	free(columns->channel);
	for (uint32_t s = 0; columns->order_of && s < columns->n; s++)
		free(columns->order_of[s]);
	free(columns->order_of);
	free(columns->length);
	free(columns->count);
	free(columns->sources);
	free(columns->out);
	free(columns->room);
	free(columns->list);
	*columns = (struct hd_way_columns){ 0 };
}
