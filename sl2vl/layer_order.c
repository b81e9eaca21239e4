// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layers by the order of groups: 0 for packets to a higher group or within one, 1 for packets to a
 * lower group, the same all the way. In layer 0 packets visit groups in ascending order and in
 * layer 1 in descending order, so that the links of groups can be numbered along the way, and there
 * is no cycle as long as the routes inside each group have none by themselves. The pattern of links
 * in a group does not matter.
 *
 * `order3` gives packets within a group a layer of their own, so that they do not queue behind
 * packets that are held up by global links.
 */
#include <stdlib.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"

enum class {
	UP,
	DOWN,
	WITHIN, /* only with order3 */
};

/* The class of every flow; the same for all switches of a group. */
static int fill_classes(const struct hd_layer_input *input, enum class within, uint8_t *class_of,
			struct hd_error *err)
{
	const struct hd_structure *structure = input->structure;
	const struct hd_fabric *fabric = input->tables->fabric;
	const size_t stride = input->tables->lft_stride;
	uint32_t *home = malloc(stride * sizeof(*home)); /* [lid] group */

	if (!home)
		return hd_error_nomem(err);
	for (size_t lid = 0; lid < stride; lid++) {
		uint32_t s = lid <= fabric->top_lid ? fabric->lids[lid].via_switch : HD_NONE;

		home[lid] = s == HD_NONE ? 0 : structure->group[s];
	}
#pragma omp parallel for if (fabric->n_switches > 64)
	hd_for_each_switch(s, fabric) {
		const uint32_t group = structure->group[s];
		uint8_t *row = class_of + s * stride;

		for (size_t lid = 0; lid < stride; lid++)
			row[lid] = home[lid] == group  ? (uint8_t)within
				   : home[lid] < group ? DOWN
						       : UP;
	}
	free(home);
	return 0;
}

static int build_layers(const struct hd_layer_input *input, unsigned n_layers, enum class within,
			struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;

	if (!input->structure->group)
		return hd_error_set(err, HD_EREFUSED,
				    "layer rules 'order' and 'order3' need a topology with groups");
	layering->patterns = calloc(1, sizeof(*layering->patterns));
	layering->class_of = hd_alloc_large(tables->fabric->n_switches * tables->lft_stride);
	if (!layering->patterns || !layering->class_of)
		return hd_error_nomem(err);
	layering->n_layers = layering->n_classes = n_layers;
	layering->n_patterns = 1;
	for (unsigned class = 0; class < n_layers; class ++)
		layering->patterns[0][class] = layering->host_layer[class] = (uint8_t) class;
	return fill_classes(input, within, layering->class_of, err);
}

static int build_two(const struct hd_layer_input *input, struct hd_layering *layering,
		     struct hd_error *err)
{
	return build_layers(input, 2, UP, layering, err);
}

static int build_three(const struct hd_layer_input *input, struct hd_layering *layering,
		       struct hd_error *err)
{
	return build_layers(input, 3, WITHIN, layering, err);
}

const struct hd_layer_rule hd_layer_order = {
	.policy.name = "order",
	.policy.summary =
		"two layers: packets to a higher group of a dragonfly, and to a lower one",
	.policy.reference =
		"D3R, as Maglione-Mathey et al., DLA in OpenSM, section 2.3, describe it",
	.build = build_two,
};

const struct hd_layer_rule hd_layer_order3 = {
	.policy.name = "order3",
	.policy.summary = "order, and a third layer for packets within a group",
	.policy.reference = "after D3R",
	.build = build_three,
};
