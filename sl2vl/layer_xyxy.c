// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Two layers for paths of up to three dimensions' links on a grid of two: (x, y, x) to some LIDs
 * and (y, x, y) to others, as engine parx has them. All channels have one order,
 *
 *	x on layer 0 < y on layer 0 < x on layer 1 < y on layer 1,
 *
 * and every packet takes channels that rise in it, so there is no cycle. Packets start on layer 0.
 * A turn from x to y stays on layer 0 for flow class 0, whose paths may end with x, and leads to
 * layer 1 for flow class 1, whose paths may begin with y. All other turns lead to layer 1.
 *
 * No other order of channels is needed, and none on one layer would do: where some LIDs have paths
 * (x, y) and others (y, x), both turns have to be there.
 *
 * The class of a LID follows from its routes, so the rule knows no engine. It refuses routes with
 * other paths, unless parts of the grid are missing: then it takes the class with fewer turns that
 * do not rise, and these packets get layers of their own (sl2vl/split.h).
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"

/* Kinds of links. */
enum { HOST, X, Y, N_KINDS };

/* [class][dimension before][dimension after] the layer */
static const uint8_t layer_of[2][N_KINDS][N_KINDS] = {
	{ [X] = { [X] = 1, [Y] = 0 }, [Y] = { [X] = 1, [Y] = 1 } },
	{ [X] = { [X] = 1, [Y] = 1 }, [Y] = { [X] = 1, [Y] = 1 } },
};

/* Routes to one LID. */
struct columns {
	const struct hd_tables *tables;
	const struct hd_grid *grid;
	uint32_t *next;          /* [switch] HD_NONE: none between switches */
	uint8_t *kind;           /* [switch] of the link to the next one */
	bool (*enters)[N_KINDS]; /* [switch] packets may come over a link of that kind */
};

static uint8_t kind_of(const struct hd_grid *grid, uint32_t port)
{
	switch (grid->port_dimension[port]) {
	case 0:
		return X;
	case 1:
		return Y;
	default:
		return HOST;
	}
}

static void read_column(struct columns *columns, uint16_t lid)
{
	const struct hd_fabric *fabric = columns->tables->fabric;

	memset(columns->enters, 0, fabric->n_switches * sizeof(*columns->enters));
	hd_for_each_switch(s, fabric) {
		const uint8_t port = hd_lft(columns->tables, s)[lid];
		const uint32_t peer = port == HD_NO_PATH ? HD_NONE : hd_peer_node(fabric, s, port);

		columns->next[s] = peer < fabric->n_switches && peer != s ? peer : HD_NONE;
		if (columns->next[s] == HD_NONE)
			continue;
		columns->kind[s] = kind_of(columns->grid, hd_port_index(fabric, s, port));
		columns->enters[peer][columns->kind[s]] = true;
	}
}

/* Whether packets of class @c may leave @s on layer 1. */
static bool may_be_high(const struct columns *columns, unsigned c, uint32_t s)
{
	const uint8_t after = columns->kind[s];

	return (columns->enters[s][X] && layer_of[c][X][after]) ||
	       (columns->enters[s][Y] && layer_of[c][Y][after]);
}

/* Counts the turns where packets of class @c do not rise in the order of channels. */
static uint32_t count_falls(const struct columns *columns, unsigned c)
{
	uint32_t n = 0;

	hd_for_each_switch(s, columns->tables->fabric) {
		const uint32_t at = columns->next[s];
		unsigned before, after;

		if (at == HD_NONE || columns->next[at] == HD_NONE)
			continue;
		before = 2u * may_be_high(columns, c, s) + (columns->kind[s] == Y);
		after = 2u * layer_of[c][columns->kind[s]][columns->kind[at]] +
			(columns->kind[at] == Y);
		n += before >= after;
	}
	return n;
}

static int classify(const struct hd_layer_input *input, struct columns *columns,
		    struct hd_layering *layering, struct hd_error *err)
{
	hd_for_each_lid(lid, input->tables->fabric) {
		uint32_t falls[2];

		if (input->tables->fabric->lids[lid].port == HD_NONE)
			continue;
		read_column(columns, (uint16_t)lid);
		for (unsigned c = 0; c < 2; c++)
			falls[c] = count_falls(columns, c);
		layering->class_of[lid] = falls[1] < falls[0];
		if (falls[0] && falls[1] && !input->structure->is_degraded)
			return hd_error_set(err, HD_EREFUSED,
					    "layer rule xyxy: to LID %u some paths are no part of "
					    "(x, y, x), and some no part of (y, x, y)",
					    lid);
		if (layering->class_of[lid])
			layering->n_classes = 2;
	}
	return 0;
}

/* Patterns: what a packet meets between links of two kinds. */
static int fill_patterns(const struct hd_layer_input *input, struct hd_layering *layering,
			 struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_grid *grid = input->structure->grid;

	layering->n_layers = 2;
	layering->n_patterns = N_KINDS * N_KINDS;
	layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
	layering->pattern = hd_alloc_large(tables->sl2vl_first[fabric->n_switches] *
					   sizeof(*layering->pattern));
	if (!layering->patterns || !layering->pattern)
		return hd_error_nomem(err);
	for (unsigned p = 0; p < layering->n_patterns; p++)
		for (unsigned c = 0; c < layering->n_classes; c++)
			layering->patterns[p][c] = layer_of[c][p / N_KINDS][p % N_KINDS];
	hd_for_each_switch(s, fabric) {
		const uint32_t first = fabric->nodes[s].first_port;
		const unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];

		for (unsigned out = 0; out < n_ports; out++)
			for (unsigned in = 0; in < n_ports; in++)
				*pattern++ = (uint16_t)(kind_of(grid, first + in) * N_KINDS +
							kind_of(grid, first + out));
	}
	return 0;
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const struct hd_grid *grid = input->structure->grid;
	const size_t n = input->tables->fabric->n_switches + (size_t)1;
	struct columns columns = { .tables = input->tables, .grid = grid };
	int ret;

	if (!grid || grid->n_dimensions != 2)
		return hd_error_set(err, HD_EREFUSED,
				    "layer rule 'xyxy' needs a grid of two dimensions");
	columns.next = malloc(n * sizeof(*columns.next));
	columns.kind = malloc(n);
	columns.enters = malloc(n * sizeof(*columns.enters));
	layering->n_classes = 1;
	layering->by_destination = true;
	layering->class_of = calloc(1, input->tables->lft_stride);
	ret = columns.next && columns.kind && columns.enters && layering->class_of
		      ? classify(input, &columns, layering, err)
		      : hd_error_nomem(err);
	free(columns.next);
	free(columns.kind);
	free(columns.enters);
	return ret ? ret : fill_patterns(input, layering, err);
}

const struct hd_layer_rule hd_layer_xyxy = {
	.policy.name = "xyxy",
	.policy.summary = "two layers on grids of two dimensions, for paths x, y, x or y, x, y",
	.build = build,
};
