// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The layer of each destination that its engine has planned routes for, all the way between
 * switches. Links to and from end nodes are on no cycle, and have layer 0 alone.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"

/* Rows towards end nodes, and to switches themselves, have pattern 1. */
static void mark_ends(const struct hd_tables *tables, uint16_t *pattern)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		for (unsigned out = 0; out <= fabric->nodes[s].n_ports; out++) {
			const uint32_t peer = out ? hd_peer_node(fabric, s, out) : HD_NONE;

			if (peer < fabric->n_switches)
				continue;
			for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++)
				pattern[hd_sl2vl_index(tables, s, in, out)] = 1;
		}
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *layer = input->structure->layer;
	unsigned n = 1;

	layering->patterns = calloc(2, sizeof(*layering->patterns));
	layering->pattern =
		calloc(tables->sl2vl_first[fabric->n_switches] + 1, sizeof(*layering->pattern));
	layering->class_of = calloc(1, tables->lft_stride);
	if (!layering->patterns || !layering->pattern || !layering->class_of)
		return hd_error_nomem(err);
	for (uint32_t lid = 1; layer && lid <= fabric->top_lid; lid++) {
		layering->class_of[lid] = layer[lid];
		if (layer[lid] >= n)
			n = layer[lid] + 1u;
	}
	layering->by_destination = true;
	layering->n_layers = n;
	layering->n_classes = n;
	layering->n_patterns = 2;
	for (unsigned class = 0; class < n; class ++)
		layering->patterns[0][class] = (uint8_t) class;
	mark_ends(tables, layering->pattern);
	return 0;
}

const struct hd_layer_rule hd_layer_destination = {
	.policy.name = "destination",
	.policy.summary = "for each destination the layer that the engine has planned",
	.policy.reference = "Domke, Hoefler and Matsuoka, Nue (2016)",
	.build = build,
};
