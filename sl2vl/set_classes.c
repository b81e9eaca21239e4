// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/set_classes.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

struct bits {
	unsigned n;
	uint8_t of[HD_MAX_DIMENSIONS]; /* [dimension] HD_NO_DIMENSION: none */
};

static struct bits find_bits(const struct hd_structure *structure)
{
	const struct hd_grid *grid = structure->grid;
	struct bits bits = { 0 };

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		const bool needed = structure->sets == HD_GRID_SETS_MINIMAL
					    ? d + 1 < grid->n_dimensions
					    : grid->kind[d] == HD_GRID_SWITCHED;

		bits.of[d] = needed ? (uint8_t)bits.n++ : HD_NO_DIMENSION;
	}
	return bits;
}

/* Coordinates of a switch; a line switch has none in the dimension of its line. */
struct place {
	uint32_t at[HD_MAX_DIMENSIONS]; /* HD_NONE */
};

/* The places of all switches; NULL: no memory. */
static struct place *list_places(const struct hd_grid *grid, uint32_t n_switches)
{
	struct place *places = malloc((n_switches + (size_t)1) * sizeof(*places));

	for (uint32_t s = 0; places && s < n_switches; s++)
		for (unsigned d = 0; d < grid->n_dimensions && grid->point[s] != HD_NONE; d++)
			places[s].at[d] = hd_grid_coordinate(grid, grid->point[s], d);
	for (uint32_t i = 0; places && i < grid->n_dimensions * grid->n_points; i++) {
		const uint32_t line = grid->line_switch[i];

		for (unsigned d = 0; line != HD_NONE && d < grid->n_dimensions; d++)
			places[line].at[d] =
				d == i / grid->n_points
					? HD_NONE
					: hd_grid_coordinate(grid, i % grid->n_points, d);
	}
	return places;
}

/*
 * Whether a flow between these coordinates has to rise. Where it moves neither way, half of the
 * flows are said to, so that layers share the load.
 */
static bool rises(uint32_t from, uint32_t to)
{
	if (to == HD_NONE || from == HD_NONE)
		return to == HD_NONE;
	return from == to ? to & 1 : to > from;
}

static int fill_classes(const struct hd_layer_input *input, const struct bits *bits,
			struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const struct hd_grid *grid = input->structure->grid;
	const size_t stride = input->tables->lft_stride;
	struct place *places = list_places(grid, fabric->n_switches);

	layering->class_of = hd_alloc_large(fabric->n_switches * stride);
	if (!places || !layering->class_of) {
		free(places);
		return hd_error_nomem(err);
	}
	memset(layering->class_of, 0, fabric->n_switches * stride);
#pragma omp parallel for schedule(static) if (fabric->n_switches > 64)
	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric) {
			const uint32_t to = fabric->lids[lid].via_switch;
			uint8_t *class_of = &layering->class_of[s * stride + lid];

			for (unsigned d = 0; to != HD_NONE && d < grid->n_dimensions; d++)
				if (bits->of[d] != HD_NO_DIMENSION &&
				    rises(places[s].at[d], places[to].at[d]))
					*class_of |= (uint8_t)(1u << bits->of[d]);
		}
	free(places);
	return 0;
}

/* Negative-first: the pattern of a hop is that of its line's bit; none, where a packet begins. */
static int set_patterns(const struct hd_layer_input *input, const struct bits *bits,
			struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_grid *grid = input->structure->grid;
	const size_t n_rows = tables->sl2vl_first[fabric->n_switches];

	layering->pattern = hd_alloc_large(n_rows * sizeof(*layering->pattern));
	if (!layering->pattern)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric) {
		const unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];

		for (unsigned out = 0; out < n_ports; out++)
			for (unsigned in = 0; in < n_ports; in++, pattern++) {
				const uint8_t d =
					grid->port_dimension[hd_port_index(fabric, s, out)];
				const bool begins = in == 0 && grid->point[s] == HD_NONE;

				*pattern = d == HD_NO_DIMENSION || bits->of[d] == HD_NO_DIMENSION ||
							   begins
						   ? 0
						   : (uint16_t)(1 + bits->of[d]);
			}
	}
	return 0;
}

int hd_grid_sets_layering(const struct hd_layer_input *input, struct hd_layering *layering,
			  struct hd_error *err)
{
	const bool minimal = input->structure->sets == HD_GRID_SETS_MINIMAL;
	const struct bits bits = find_bits(input->structure);

	layering->n_classes = 1u << bits.n;
	layering->n_layers = minimal ? layering->n_classes : bits.n ? 2 : 1;
	layering->n_patterns = minimal ? 1 : 1 + bits.n;
	if (layering->n_classes > HD_MAX_SLS)
		return hd_error_set(err, HD_EREFUSED,
				    "port sets: the directions of %u dimensions need 2^%u = %u "
				    "SLs, of which there are %d",
				    bits.n, bits.n, layering->n_classes, HD_MAX_SLS);
	layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
	if (!layering->patterns)
		return hd_error_nomem(err);
	for (unsigned class = 0; class < layering->n_classes; class ++) {
		if (minimal) {
			layering->host_layer[class] = (uint8_t) class;
			layering->patterns[0][class] = (uint8_t) class;
			continue;
		}
		for (unsigned b = 0; b < bits.n; b++)
			layering->patterns[1 + b][class] = class >> b & 1;
	}
	if (!bits.n)
		return 0;
	if (!minimal && set_patterns(input, &bits, layering, err))
		return HD_ENOMEM;
	return fill_classes(input, &bits, layering, err);
}
