// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which datelines every flow crosses. They are found from the routes, so that detours are right,
 * too. On a perfect grid, packets go around a ring in the same way wherever on other rings they
 * are. So the way of a LID around the ring of its own switch is enough, and rows are look-ups of
 * the few ways that there are. On a degraded grid, the routes of every LID are followed.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/grid_classes.h"
#include "support/error.h"
#include "support/memory.h"
#include "support/translate.h"

#define MAX_WAYS 256
#define BLOCK    64 /* LIDs that are followed together: a cache line of LFT entries */

struct crossings {
	const struct hd_tables *tables;
	const struct hd_grid *grid;
	const struct hd_grid_classes *classes;
	const uint8_t *offset; /* [LID] */
	uint8_t *class_of;
	uint8_t *step; /* [port] dateline bit that the link crosses */
};

static bool is_dateline(const struct hd_grid *grid, uint32_t from, uint32_t to, unsigned dimension)
{
	uint32_t a = hd_grid_coordinate(grid, from, dimension);
	uint32_t b = hd_grid_coordinate(grid, to, dimension);

	return (a == 0 && b == grid->size[dimension] - 1) ||
	       (b == 0 && a == grid->size[dimension] - 1);
}

static void mark_steps(const struct crossings *c)
{
	const struct hd_fabric *fabric = c->tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(port, fabric, s) {
			uint32_t p = hd_port_index(fabric, s, port);
			uint8_t d = c->grid->port_dimension[p];

			c->step[p] = 0;
			if (d != HD_NO_DIMENSION && c->classes->bit[d] != HD_NO_DIMENSION &&
			    is_dateline(c->grid, c->grid->point[s],
					c->grid->point[hd_peer_node(fabric, s, port)], d))
				c->step[p] = (uint8_t)(1u << c->classes->bit[d]);
		}
}

/* The switch to which @s forwards packets for @lid, and the port; HD_NONE at the end of the way. */
static uint32_t next_switch(const struct crossings *c, uint32_t s, uint32_t lid, unsigned *port)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	uint32_t peer;

	*port = hd_lft(c->tables, s)[lid];
	if (*port == 0 || *port > fabric->nodes[s].n_ports)
		return HD_NONE;
	peer = hd_peer_node(fabric, s, *port);
	return peer != HD_NONE && hd_is_switch(fabric, peer) ? peer : HD_NONE;
}

/*
 * Follows @lid from every switch. @way is [n_switches]; @done [n_switches] is set for switches
 * whose ways are known.
 */
static void follow(const struct crossings *c, uint32_t lid, uint32_t *way, uint8_t *done)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	const size_t stride = c->tables->lft_stride;

	memset(done, 0, fabric->n_switches);
	hd_for_each_switch(from, fabric) {
		uint32_t n = 0, at = from;
		unsigned port;
		uint8_t bits = 0;

		while (at != HD_NONE && !done[at]) {
			done[at] = 1; /* a circle ends here, too; the check will find it */
			c->class_of[at * stride + lid] = 0;
			way[n++] = at;
			at = next_switch(c, at, lid, &port);
		}
		if (at != HD_NONE)
			bits = c->class_of[at * stride + lid];
		while (n-- > 0) {
			if (next_switch(c, way[n], lid, &port) != HD_NONE)
				bits |= c->step[hd_port_index(fabric, way[n], port)];
			c->class_of[way[n] * stride + lid] = bits;
		}
	}
}

static int follow_all(const struct crossings *c, struct hd_error *err)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	const size_t n = fabric->n_switches + (size_t)1, stride = c->tables->lft_stride;
	bool failed = false;

	memset(c->class_of, 0, fabric->n_switches * stride);
#pragma omp parallel if (fabric->n_switches > 64)
	{
		uint32_t *way = malloc(n * sizeof(*way));
		uint8_t *done = malloc(n);

		if (!way || !done) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic)
		for (size_t block = 0; block < stride; block += BLOCK)
			for (size_t lid = block; way && done && lid < block + BLOCK; lid++)
				if (lid <= fabric->top_lid && fabric->lids[lid].port != HD_NONE)
					follow(c, (uint32_t)lid, way, done);
		free(way);
		free(done);
	}
	if (failed)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric)
		for (size_t lid = 0; lid < stride; lid++)
			c->class_of[s * stride + lid] += c->offset[lid];
	return 0;
}

/* The ways around the rings of one dimension: crossing[way * size + coordinate]. Way 0 is none. */
struct ways {
	unsigned dimension;
	uint32_t n;
	uint8_t *crossing;
	uint32_t *last;            /* [coordinate] the last way that leads there */
	uint32_t before[MAX_WAYS]; /* the way found before a given one */
	uint8_t *of;               /* [lft_stride] way of each LID */
};

/*
 * Finds which switches of the LID's own ring forward @lid over the dateline: @found[coordinate].
 * False: packets of some do not go around the ring by the shorter way.
 */
static bool find_way(const struct crossings *c, unsigned dimension, uint32_t lid, uint8_t *found)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	const uint32_t size = c->grid->size[dimension];
	const uint32_t point = c->grid->point[fabric->lids[lid].via_switch];
	const uint32_t to = hd_grid_coordinate(c->grid, point, dimension);

	memset(found, 0xFF, size);
	found[to] = 0;
	for (uint32_t i = 1; i < size; i++) {
		uint32_t distance = (i + 1) / 2; /* from near to far, upwards and downwards in
						    turn */
		uint32_t at = (i % 2 ? to + distance : to + size - distance) % size, s, next;
		unsigned port;

		s = c->grid->switch_at[hd_grid_move(c->grid, point, dimension, at)];
		next = next_switch(c, s, lid, &port);
		if (next == HD_NONE ||
		    c->grid->port_dimension[hd_port_index(fabric, s, port)] != dimension)
			return false;
		next = hd_grid_coordinate(c->grid, c->grid->point[next], dimension);
		if (found[next] == 0xFF)
			return false;
		found[at] = found[next] | c->step[hd_port_index(fabric, s, port)];
	}
	return true;
}

/* The number of the way @crossing to @to, which may be a new one. MAX_WAYS: too many. */
static uint32_t intern_way(struct ways *ways, uint32_t size, uint32_t to, const uint8_t *crossing)
{
	for (uint32_t way = ways->last[to]; way; way = ways->before[way])
		if (memcmp(ways->crossing + (size_t)way * size, crossing, size) == 0)
			return way;
	if (ways->n == MAX_WAYS)
		return MAX_WAYS;
	memcpy(ways->crossing + (size_t)ways->n * size, crossing, size);
	ways->before[ways->n] = ways->last[to];
	ways->last[to] = ways->n;
	return ways->n++;
}

static void ways_clear(struct ways *ways)
{
	free(ways->crossing);
	free(ways->last);
	free(ways->of);
}

/*
 * Lists the ways around the rings along @dimension; *@fits becomes false where such ways do not
 * describe the routes.
 */
static int list_ways(const struct crossings *c, unsigned dimension, struct ways *ways, bool *fits,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	const uint32_t size = c->grid->size[dimension];
	uint8_t *found = malloc(size);

	*ways = (struct ways){ .dimension = dimension, .n = 1 };
	ways->crossing = calloc(MAX_WAYS, size);
	ways->last = calloc(size, sizeof(*ways->last));
	ways->of = calloc(1, c->tables->lft_stride);
	if (!found || !ways->crossing || !ways->last || !ways->of) {
		free(found);
		return hd_error_nomem(err);
	}
	for (uint32_t lid = 1; *fits && lid <= fabric->top_lid; lid++) {
		uint32_t to = fabric->lids[lid].via_switch, way;

		if (to == HD_NONE)
			continue;
		*fits = find_way(c, dimension, lid, found);
		if (!*fits)
			break;
		way = intern_way(ways, size,
				 hd_grid_coordinate(c->grid, c->grid->point[to], dimension), found);
		*fits = way < MAX_WAYS;
		ways->of[lid] = (uint8_t)way;
	}
	free(found);
	return 0;
}

/*
 * Rows are whole blocks. This is a function of its own, block by block, so that compilers see that
 * the arrays do not overlap and how many bytes they can take at a time.
 */
static void add_rows(uint8_t *restrict row, const uint8_t *restrict other, size_t n)
{
	for (size_t i = 0; i < n; i += BLOCK)
		for (size_t k = i; k < i + BLOCK; k++)
			row[k] = (uint8_t)(row[k] + other[k]);
}

static int look_up_all(const struct crossings *c, const struct ways *ways, unsigned n_ways,
		       struct hd_error *err)
{
	const size_t stride = c->tables->lft_stride;
	bool failed = false;

#pragma omp parallel if (c->tables->fabric->n_switches > 64)
	{
		uint8_t *part = malloc(stride);

		if (!part) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(static)
		hd_for_each_switch(s, c->tables->fabric) {
			uint8_t *row = c->class_of + s * stride;

			if (!part)
				continue;
			memcpy(row, c->offset, stride);
			for (unsigned i = 0; i < n_ways; i++) {
				const unsigned d = ways[i].dimension;
				const uint32_t at =
					hd_grid_coordinate(c->grid, c->grid->point[s], d);
				uint8_t table[MAX_WAYS];

				for (unsigned way = 0; way < MAX_WAYS; way++)
					table[way] = ways[i].crossing[way * c->grid->size[d] + at];
				hd_translate(ways[i].of, stride, table, part);
				add_rows(row, part, stride);
			}
		}
		free(part);
	}
	return failed ? hd_error_nomem(err) : 0;
}

int hd_grid_classes_fill(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
			 const uint8_t *offset, uint8_t *class_of, struct hd_error *err)
{
	struct crossings c = { .tables = input->tables,
			       .grid = input->structure->grid,
			       .classes = classes,
			       .offset = offset,
			       .class_of = class_of,
			       .step = malloc(input->tables->fabric->n_ports + (size_t)1) };
	struct ways ways[HD_MAX_DIMENSIONS];
	bool fits = !input->structure->is_degraded;
	unsigned n_ways = 0;
	int ret = 0;

	if (!c.step)
		return hd_error_nomem(err);
	mark_steps(&c);
	for (unsigned d = 0; !ret && fits && d < c.grid->n_dimensions; d++)
		if (classes->bit[d] != HD_NO_DIMENSION)
			ret = list_ways(&c, d, &ways[n_ways++], &fits, err);
	if (!ret)
		ret = fits ? look_up_all(&c, ways, n_ways, err) : follow_all(&c, err);
	while (n_ways)
		ways_clear(&ways[--n_ways]);
	free(c.step);
	return ret;
}
