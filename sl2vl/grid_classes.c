// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/grid_classes.h"
#include "sl2vl/grid_halves.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

/* Marks the ports of the switch at @point that lead up (or down) the ring along @dimension. */
static void mark_ports(const struct hd_fabric *fabric, const struct hd_grid *grid, uint32_t point,
		       unsigned dimension, bool up, bool marked[256])
{
	const uint32_t s = grid->switch_at[point], size = grid->size[dimension];
	const uint32_t next =
		(hd_grid_coordinate(grid, point, dimension) + (up ? 1 : size - 1)) % size;
	const uint32_t to = grid->switch_at[hd_grid_move(grid, point, dimension, next)];

	memset(marked, 0, 256 * sizeof(*marked));
	for (unsigned port = 1; s != HD_NONE && port <= fabric->nodes[s].n_ports; port++)
		marked[port] = to != HD_NONE && hd_peer_node(fabric, s, port) == to;
}

/* Whether some LID goes through two links in a row, up or down the ring from @point on. */
static bool passes(const struct hd_tables *tables, const struct hd_grid *grid, uint32_t point,
		   unsigned dimension, bool up)
{
	const uint32_t size = grid->size[dimension];
	const uint32_t second = hd_grid_move(
		grid, point, dimension,
		(hd_grid_coordinate(grid, point, dimension) + (up ? 1 : size - 1)) % size);
	bool out[256], on[256];
	const uint8_t *here, *there;

	if (grid->switch_at[point] == HD_NONE || grid->switch_at[second] == HD_NONE)
		return false;
	mark_ports(tables->fabric, grid, point, dimension, up, out);
	mark_ports(tables->fabric, grid, second, dimension, up, on);
	here = hd_lft(tables, grid->switch_at[point]);
	there = hd_lft(tables, grid->switch_at[second]);
	hd_for_each_lid(lid, tables->fabric)
		if (out[here[lid]] && on[there[lid]])
			return true;
	return false;
}

/* Whether routes around some ring along @dimension would depend on one another in a circle. */
static bool has_circles(const struct hd_tables *tables, const struct hd_grid *grid,
			unsigned dimension)
{
	for (uint32_t point = 0; point < grid->n_points; point++) {
		if (hd_grid_coordinate(grid, point, dimension) != 0)
			continue;
		for (int up = 0; up < 2; up++) {
			uint32_t c = 0;

			while (c < grid->size[dimension] &&
			       passes(tables, grid, hd_grid_move(grid, point, dimension, c),
				      dimension, up))
				c++;
			if (c == grid->size[dimension])
				return true;
		}
	}
	return false;
}

/*
 * Which of two dimensions, @a or @b, routes at LMC offset @offset correct first: by the LFT of a
 * router that differs from a host's in both; @a where there is none.
 */
static unsigned first_of(const struct hd_tables *tables, const struct hd_grid *grid,
			 unsigned offset, unsigned a, unsigned b)
{
	const struct hd_fabric *fabric = tables->fabric;

	if (grid->size[a] < 2 || grid->size[b] < 2)
		return a; /* no two routers differ in both */
	hd_for_each_lid(lid, fabric) {
		uint32_t point, s, port = fabric->lids[lid].port;
		uint8_t out, d;

		if (port == HD_NONE || fabric->ports[port].lid + offset != lid ||
		    fabric->lids[lid].via_switch == HD_NONE)
			continue;
		point = grid->point[fabric->lids[lid].via_switch];
		if (point == HD_NONE)
			continue;
		point = hd_grid_move(grid, point, a, !hd_grid_coordinate(grid, point, a));
		point = hd_grid_move(grid, point, b, !hd_grid_coordinate(grid, point, b));
		s = grid->switch_at[point];
		if (s == HD_NONE)
			continue;
		out = hd_lft(tables, s)[lid];
		if (out == HD_NO_PATH || out > fabric->nodes[s].n_ports)
			continue;
		d = grid->port_dimension[hd_port_index(fabric, s, out)];
		if (d == a || d == b)
			return d;
	}
	return a;
}

int hd_grid_classes_find(const struct hd_layer_input *input, struct hd_grid_classes *classes,
			 struct hd_error *err)
{
	const struct hd_grid *grid = input->structure->grid;

	*classes = (struct hd_grid_classes){ 0 };
	if (!grid)
		return hd_error_set(err, HD_EREFUSED,
				    "this layer rule needs routes on a grid, such as a torus");
	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		bool needed = grid->kind[d] == HD_GRID_RING && has_circles(input->tables, grid, d);

		classes->bit[d] = needed ? (uint8_t)classes->n_bits++ : HD_NO_DIMENSION;
		for (unsigned to = 0; grid->kind[d] == HD_GRID_SWITCHED && to < d; to++) {
			bool descends = first_of(input->tables, grid, 0, to, d) == d;

			classes->has_turns = true;
			classes->is_late[d][to] = !descends;
			classes->is_late[to][d] = descends;
			classes->is_behind[d] |= first_of(input->tables, grid, 1, d, to) == to;
			classes->is_behind[to] |= first_of(input->tables, grid, 1, to, d) == d;
		}
	}
	return 0;
}

/* Whether packets of line switches to some LIDs begin on another layer than their own. */
static bool has_own(const struct hd_grid_classes *classes, unsigned n_sets)
{
	return classes->has_turns && n_sets > 1;
}

/* The patterns of rings; those of line switches follow. */
static unsigned first_of_lines(const struct hd_grid_classes *classes)
{
	return 1 + classes->n_bits * hd_grid_ring_patterns(classes);
}

/* The pattern of out-port @port of switch @s, a link of a ring along @d with a dateline. */
static uint16_t ring_pattern(const struct hd_fabric *fabric, const struct hd_grid *grid,
			     const struct hd_grid_classes *classes, uint32_t s, unsigned port,
			     uint8_t d)
{
	const unsigned first = 1 + classes->bit[d] * hd_grid_ring_patterns(classes);
	uint32_t here, next;

	if (!classes->by_halves)
		return (uint16_t)first;
	here = hd_grid_coordinate(grid, grid->point[s], d);
	next = hd_grid_coordinate(grid, grid->point[hd_peer_node(fabric, s, port)], d);
	if (next == (here + 1) % grid->size[d])
		return hd_is_upper_half(grid, d, here) ? (uint16_t)first : 0;
	return hd_is_upper_half(grid, d, here) ? 0 : (uint16_t)(first + 1);
}

/*
 * The pattern of a hop of switch @s between dimensions (HD_NO_DIMENSION: end nodes), except to a
 * ring with a dateline.
 */
static uint16_t pattern_of(const struct hd_grid *grid, const struct hd_grid_classes *classes,
			   unsigned n_sets, uint32_t s, uint8_t from, uint8_t to)
{
	if (to == HD_NO_DIMENSION)
		return 0;
	if (from == HD_NO_DIMENSION && grid->point[s] == HD_NONE && has_own(classes, n_sets) &&
	    classes->is_behind[to])
		return (uint16_t)(first_of_lines(classes) + 1);
	if (from != HD_NO_DIMENSION && classes->is_late[from][to] && grid->point[s] != HD_NONE &&
	    hd_grid_coordinate(grid, grid->point[s], from) != 0)
		return (uint16_t)first_of_lines(classes);
	return 0;
}

static void set_patterns(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
			 unsigned n_sets, struct hd_layering *layering)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_grid *grid = input->structure->grid;
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric) {
		const uint8_t *dimension = grid->port_dimension + fabric->nodes[s].first_port;
		const unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];
		uint16_t by_dimension[HD_MAX_DIMENSIONS + 1];

		for (unsigned out = 0; out < n_ports; out++, pattern += n_ports) {
			if (dimension[out] != HD_NO_DIMENSION &&
			    classes->bit[dimension[out]] != HD_NO_DIMENSION) {
				const uint16_t ring =
					ring_pattern(fabric, grid, classes, s, out, dimension[out]);

				for (unsigned in = 0; in < n_ports; in++)
					pattern[in] = ring;
				continue;
			}
			for (uint8_t d = 0; d < grid->n_dimensions; d++)
				by_dimension[d] =
					pattern_of(grid, classes, n_sets, s, d, dimension[out]);
			by_dimension[HD_MAX_DIMENSIONS] = pattern_of(
				grid, classes, n_sets, s, HD_NO_DIMENSION, dimension[out]);
			for (unsigned in = 0; in < n_ports; in++)
				pattern[in] = by_dimension[dimension[in] == HD_NO_DIMENSION
								   ? HD_MAX_DIMENSIONS
								   : dimension[in]];
		}
	}
}

/*
 * The layers of @class in the patterns of the ring of bit @b. By halves, a packet still has the
 * dateline before it if it goes up from the upper half to a destination in the lower one, or down
 * from the lower half to one in the upper.
 */
static void set_ring_layers(const struct hd_grid_classes *classes, unsigned b, unsigned class,
			    uint8_t lower, struct hd_layering *layering)
{
	uint8_t(*patterns)[HD_MAX_SLS] =
		layering->patterns + 1 + b * hd_grid_ring_patterns(classes);
	const unsigned bit = class >> b & 1;

	if (!classes->by_halves) {
		patterns[0][class] = (uint8_t)(lower + bit);
		return;
	}
	patterns[0][class] = (uint8_t)(lower + !bit);
	patterns[1][class] = (uint8_t)(lower + bit);
}

int hd_grid_layering(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
		     unsigned n_sets, struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const unsigned n_layers = classes->n_bits ? 2 : 1;
	const size_t n_rows = tables->sl2vl_first[tables->fabric->n_switches];

	layering->n_classes = n_sets << classes->n_bits;
	layering->n_layers = n_sets * n_layers;
	if (layering->n_classes > HD_MAX_SLS)
		return hd_error_set(err, HD_EREFUSED,
				    "%u sets of routes x 2^%u datelines of rings need %u SLs, of "
				    "which there are %d",
				    n_sets, classes->n_bits, layering->n_classes, HD_MAX_SLS);
	if (classes->has_turns && n_sets == 1)
		layering->n_layers++;
	layering->n_patterns =
		first_of_lines(classes) + classes->has_turns + has_own(classes, n_sets);
	layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
	if (!layering->patterns)
		return hd_error_nomem(err);
	for (unsigned class = 0; class < layering->n_classes; class ++) {
		uint8_t lower = (uint8_t)((class >> classes->n_bits) * n_layers);

		layering->host_layer[class] = lower;
		for (unsigned p = 0; p < layering->n_patterns; p++)
			layering->patterns[p][class] = lower;
		for (unsigned b = 0; b < classes->n_bits; b++)
			set_ring_layers(classes, b, class, lower, layering);
		if (classes->has_turns && lower == 0)
			layering->patterns[first_of_lines(classes)][class] =
				(uint8_t)(layering->n_layers - 1);
		if (has_own(classes, n_sets))
			layering->patterns[first_of_lines(classes) + 1][class] = 0;
	}
	if (layering->n_patterns == 1)
		return 0;
	layering->pattern = hd_alloc_large(n_rows * sizeof(*layering->pattern));
	if (!layering->pattern)
		return hd_error_nomem(err);
	set_patterns(input, classes, n_sets, layering);
	return 0;
}
