// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routes of a dragonfly from group S to group D through group I, or straight. Three layers, of which
 * a packet never goes back to a lower one:
 *
 *     link                                     a packet that goes down, then up     any other
 *     local, before any global link                          0                          0
 *     global to a lower group, and local after it            1                          1
 *     global to a higher group, and local after it           2                          0
 *
 * so S < I < D is in layer 0 all the way, S > I > D in 1 from its first global link on, S < I > D in
 * 0 and then 1, and S > I < D in 1 and then 2, which takes a class of its own. In layers 0 and 2
 * packets visit groups in ascending order, in layer 1 in descending order, and in each group they
 * take local links before the global link out. So the channels have an order - by layer, group,
 * local before global - and there is no cycle as long as local links alone have none in a group.
 *
 * Two global links and two directions make four classes and four layers when every combination has
 * its own; sharing as above saves two SLs and a VL.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"

enum pattern {
	START, /* local before any global link, and hosts */
	DOWN,  /* global to a lower group, and local after it */
	UP,    /* global to a higher group, and local after it */
	N_PATTERNS,
};

static const uint8_t layers[N_PATTERNS][2] = {
	[START] = { 0, 0 },
	[DOWN] = { 1, 1 },
	[UP] = { 0, 2 },
};

/* Fills @towards and @from with the patterns of packets that leave and that entered by each port. */
static void list_directions(const struct hd_layer_input *input, uint32_t s, uint8_t *towards,
			    uint8_t *from)
{
	const struct hd_structure *structure = input->structure;
	const struct hd_fabric *fabric = input->tables->fabric;
	const uint8_t *class = structure->port_class + fabric->nodes[s].first_port;

	for (unsigned port = 0; port <= fabric->nodes[s].n_ports; port++) {
		bool up;

		towards[port] = from[port] = START;
		if (class[port] != HD_PORT_GLOBAL)
			continue;
		up = hd_leads_up(structure, fabric, s, port);
		towards[port] = up ? UP : DOWN;
		from[port] = up ? DOWN : UP;
	}
}

static void fill_patterns(const struct hd_layer_input *input, struct hd_layering *layering)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_fabric *fabric = tables->fabric;

	for (uint32_t s = 0; s < fabric->n_switches; s++) {
		const uint8_t *class = input->structure->port_class + fabric->nodes[s].first_port;
		unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];
		uint8_t towards[HD_MAX_PORTS + 1], from[HD_MAX_PORTS + 1];

		list_directions(input, s, towards, from);
		for (unsigned out = 0; out < n_ports; out++, pattern += n_ports)
			for (unsigned in = 0; in < n_ports; in++)
				pattern[in] = class[out] == HD_PORT_LOCAL ? from[in] : towards[out];
	}
}

/* Class 1 for what goes down and then up; the same for all switches of a group. */
static int fill_classes(const struct hd_layer_input *input, struct hd_layering *layering,
			struct hd_error *err)
{
	const struct hd_structure *structure = input->structure;
	const struct hd_fabric *fabric = input->tables->fabric;
	const size_t stride = input->tables->lft_stride;
	uint32_t *below = malloc(stride * sizeof(*below)); /* the intermediate group, if it is below
							      the destination's */
	uint32_t *home = malloc(stride * sizeof(*home));   /* the destination's */
	uint32_t *first = malloc(structure->n_groups * sizeof(*first)); /* switch of each group */

	if (!below || !home || !first) {
		free(below);
		free(home);
		free(first);
		return hd_error_nomem(err);
	}
	for (size_t lid = 0; lid < stride; lid++) {
		uint32_t s = lid <= fabric->top_lid ? fabric->lids[lid].via_switch : HD_NONE;

		home[lid] = s == HD_NONE ? HD_NONE : structure->group[s];
		below[lid] = s != HD_NONE && structure->via[lid] < home[lid] ? structure->via[lid]
									     : HD_NONE;
	}
	memset(first, 0xFF, structure->n_groups * sizeof(*first));
	for (uint32_t s = 0; s < fabric->n_switches; s++) {
		uint8_t *row = layering->class_of + s * stride;
		uint32_t group = structure->group[s];

		if (first[group] != HD_NONE) {
			memcpy(row, layering->class_of + first[group] * stride, stride);
			continue;
		}
		first[group] = s;
		for (size_t lid = 0; lid < stride; lid++)
			row[lid] = below[lid] < group && home[lid] != group;
	}
	free(below);
	free(home);
	free(first);
	return 0;
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const uint32_t n_switches = tables->fabric->n_switches;

	if (!input->structure->port_class || !input->structure->group || !input->structure->via)
		return hd_error_set(
			err, HD_EREFUSED,
			"layer rule 'valiant' needs groups, and the group that each LID "
			"goes through");
	layering->patterns = calloc(N_PATTERNS, sizeof(*layering->patterns));
	layering->pattern =
		hd_alloc_large(tables->sl2vl_first[n_switches] * sizeof(*layering->pattern));
	layering->class_of = hd_alloc_large(n_switches * tables->lft_stride);
	if (!layering->patterns || !layering->pattern || !layering->class_of)
		return hd_error_nomem(err);
	layering->n_layers = 3;
	layering->n_classes = 2;
	layering->n_patterns = N_PATTERNS;
	for (unsigned i = 0; i < N_PATTERNS; i++)
		memcpy(layering->patterns[i], layers[i], sizeof(layers[i]));
	fill_patterns(input, layering);
	return fill_classes(input, layering, err);
}

const struct hd_layer_rule hd_layer_valiant = {
	.name = "valiant",
	.summary =
		"three layers for routes through another group of a dragonfly: down, then up is 2",
	.reference = "after Kim and Dally (2008); Fuentes, thesis, section 1.4.1",
	.build = build,
};
