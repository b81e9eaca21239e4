// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layers for a Dragonfly+. Where all routes are minimal, there are two, in the order in which
 * packets pass them:
 *
 *     up from the first leaf                                                0
 *     down from a spine that the packet has not come to from a group        1
 *     up from a leaf where the packet turns, having come down               1
 *     between groups                                                        0
 *     down after that                                                       0
 *
 * A packet between hosts goes 0 up, 0 between groups, 0 down; or 0 up, 1 down. What starts at a
 * spine, or lacks a cable, goes 1 down, 1 up and on as the others; what ends at a spine may go 1 up
 * at the end. Engine dfplus has these two turn at different leaves: up in layer 1 is last at the
 * first leaf of a group, and comes before links between groups at the others. In-port and out-port
 * tell the layer, and any SL will do.
 *
 * Where routes go through other groups, there are three:
 *
 *     up from the first leaf                                                0
 *     down from a spine that the packet has not come to from a group        2
 *     up from the first leaf of a group, having come down                   2
 *     the first link between groups                                         0
 *     down after that                                                       1
 *     up from another leaf, having come down                                1
 *     the second link between groups                                        1
 *     down after that                                                       0
 *
 * Which link between groups is a packet's first is told by flow classes (sl2vl/valiant_hops.c). A
 * packet that the routes send through its own group counts its one link as a second, since it may
 * have turned at any leaf. All channels are acquired in the order of this table; up links to a
 * spine that a packet ends at come after a first link between groups: to switches all go straight.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "sl2vl/valiant.h"
#include "support/error.h"
#include "support/memory.h"

/* Patterns of (in, out). */
enum {
	UP, /* and to end nodes */
	DOWN_FIRST,
	TURN,
	TURN_AT_FIRST,
	BETWEEN, /* links of each colour; then, down after those of each colour */
};

struct plan {
	const struct hd_layer_input *input;
	struct hd_valiant_scheme scheme; /* of one colour and class where all routes are minimal */
	bool *is_first;                  /* [switch] the first leaf of its group */
};

static unsigned no_colour(const struct hd_valiant_scheme *scheme, uint32_t from, uint32_t to)
{
	(void)scheme;
	(void)from;
	(void)to;
	return 0;
}

static int make_plan(const struct hd_layer_input *input, struct plan *plan, struct hd_error *err)
{
	const struct hd_structure *structure = input->structure;
	bool *seen = calloc(structure->n_groups, sizeof(*seen));

	*plan = (struct plan){
		.input = input,
		.scheme = { .n_layers = 2, .n_classes = 1, .n_colours = 1, .colour = no_colour }
	};
	plan->is_first = calloc(input->tables->fabric->n_switches, sizeof(*plan->is_first));
	if (seen && plan->is_first)
		hd_for_each_switch(s, input->tables->fabric)
			if (!structure->is_spine[s] && !seen[structure->group[s]])
				seen[structure->group[s]] = plan->is_first[s] = true;
	free(seen);
	if (!seen || !plan->is_first)
		return hd_error_nomem(err);
	return structure->via ? hd_valiant_by_hops(structure->n_groups, &plan->scheme, err) : 0;
}

static unsigned pattern_of(const struct plan *plan, uint32_t s, unsigned in, unsigned out)
{
	const struct hd_structure *structure = plan->input->structure;
	const struct hd_fabric *fabric = plan->input->tables->fabric;
	const struct hd_valiant_scheme *scheme = &plan->scheme;
	const uint8_t *class = structure->port_class + fabric->nodes[s].first_port;
	const uint32_t here = structure->group[s];

	if (class[out] == HD_PORT_GLOBAL)
		return BETWEEN +
		       scheme->colour(scheme, here, structure->group[hd_peer_node(fabric, s, out)]);
	if (class[out] != HD_PORT_LOCAL)
		return UP;
	if (!structure->is_spine[s]) {
		if (class[in] != HD_PORT_LOCAL)
			return UP;
		return plan->is_first[s] ? TURN_AT_FIRST : TURN;
	}
	if (class[in] != HD_PORT_GLOBAL)
		return DOWN_FIRST;
	return BETWEEN + scheme->n_colours +
	       scheme->colour(scheme, structure->group[hd_peer_node(fabric, s, in)], here);
}

static void fill_layers(const struct plan *plan, struct hd_layering *layering)
{
	const struct hd_valiant_scheme *scheme = &plan->scheme;
	const unsigned n = scheme->n_colours, top = scheme->n_layers - 1;

	for (unsigned c = 0; c < scheme->n_classes; c++) {
		layering->patterns[DOWN_FIRST][c] = (uint8_t)top;
		layering->patterns[TURN_AT_FIRST][c] = (uint8_t)top;
		layering->patterns[TURN][c] = 1;
		for (unsigned colour = 0; plan->input->structure->via && colour < n; colour++) {
			layering->patterns[BETWEEN + colour][c] = scheme->global[colour][c];
			layering->patterns[BETWEEN + n + colour][c] = scheme->after[colour][c] == 1;
		}
	}
}

/* The first class in which links of @colour are second ones. */
static unsigned class_of_second(const struct hd_valiant_scheme *scheme, unsigned colour)
{
	unsigned class = 0;

	while (!scheme->global[colour][class])
		class ++;
	return class;
}

/* Fills the classes of flows from group @from. */
static void fill_row(const struct plan *plan, uint32_t from, uint8_t *row)
{
	const struct hd_fabric *fabric = plan->input->tables->fabric;
	const struct hd_valiant_scheme *scheme = &plan->scheme;
	const struct hd_structure *structure = plan->input->structure;

	for (size_t lid = 1; lid <= fabric->top_lid; lid++) {
		uint32_t last = fabric->lids[lid].via_switch, to;

		if (last == HD_NONE || structure->group[last] == from)
			continue;
		to = structure->group[last];
		row[lid] =
			(uint8_t)(structure->via[lid] == from
					  ? class_of_second(scheme,
							    scheme->colour(scheme, from, to))
					  : scheme->choose(scheme, from, structure->via[lid], to));
	}
}

/* Fills the classes of all flows, which are the same for all switches of a group. */
static int fill_classes(const struct plan *plan, struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_tables *tables = plan->input->tables;
	const struct hd_structure *structure = plan->input->structure;
	const size_t stride = tables->lft_stride;
	uint8_t **first; /* [group] the row of its first switch */

	layering->class_of = hd_alloc_large(tables->fabric->n_switches * stride);
	first = calloc(structure->n_groups, sizeof(*first));
	if (!layering->class_of || !first) {
		free(first);
		return hd_error_nomem(err);
	}
	hd_for_each_switch(s, tables->fabric) {
		uint8_t *row = layering->class_of + s * stride, **known;

		known = &first[structure->group[s]];
		if (*known) {
			memcpy(row, *known, stride);
			continue;
		}
		*known = row;
		memset(row, 0, stride);
		fill_row(plan, structure->group[s], row);
	}
	free(first);
	return 0;
}

static int fill(const struct plan *plan, struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_tables *tables = plan->input->tables;
	const struct hd_fabric *fabric = tables->fabric;

	layering->n_layers = plan->scheme.n_layers;
	memcpy(layering->turns, plan->scheme.turns, sizeof(layering->turns));
	layering->n_classes = plan->scheme.n_classes;
	layering->n_patterns = BETWEEN + 2 * plan->scheme.n_colours;
	layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
	layering->pattern = hd_alloc_large(tables->sl2vl_first[fabric->n_switches] *
					   sizeof(*layering->pattern));
	if (!layering->patterns || !layering->pattern)
		return hd_error_nomem(err);
	fill_layers(plan, layering);
	hd_for_each_switch(s, fabric) {
		const unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];

		for (unsigned out = 0; out < n_ports; out++)
			for (unsigned in = 0; in < n_ports; in++)
				*pattern++ = (uint16_t)pattern_of(plan, s, in, out);
	}
	return plan->input->structure->via ? fill_classes(plan, layering, err) : 0;
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	struct plan plan = { 0 };
	int ret;

	if (!input->structure->port_class || !input->structure->is_spine)
		return hd_error_set(err, HD_EREFUSED,
				    "layer rule 'plus' needs groups of leaves and spines");
	ret = make_plan(input, &plan, err);
	if (!ret)
		ret = fill(&plan, layering, err);
	free(plan.scheme.colours);
	free(plan.is_first);
	return ret;
}

const struct hd_layer_rule hd_layer_plus = {
	.policy.name = "plus",
	.policy.summary = "two layers for a Dragonfly+, three where routes go through other groups",
	.policy.reference = "after Shpiner et al., Dragonfly+ (HiPINEB 2017)",
	.build = build,
};
