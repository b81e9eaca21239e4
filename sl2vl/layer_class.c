// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A set of layers for each LMC offset, so that routes that exclude one another's turns share no
 * buffer (Yebenes et al., OSHA and SASHA, section 3.1: virtual networks). The SL gives the offset,
 * and on a torus the datelines that a flow crosses: the paper does not break the cycles of rings.
 * Where that and the queues need more SLs than there are, the SL gives the halves of rings that the
 * destination is in (sl2vl/grid_halves.h).
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/grid_halves.h"
#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"

/* The class in which each LID's set begins; returns the number of sets. */
static unsigned list_offsets(const struct hd_fabric *fabric, unsigned n_bits, uint8_t *offset)
{
	unsigned n_sets = 1;

	hd_for_each_lid(lid, fabric) {
		uint32_t port = fabric->lids[lid].port;
		unsigned set = port == HD_NONE ? 0 : lid - fabric->ports[port].lid;

		offset[lid] = (uint8_t)(set << n_bits);
		if (set >= n_sets)
			n_sets = set + 1;
	}
	return n_sets;
}

static int fill(const struct hd_layer_input *input, const struct hd_grid_classes *classes,
		const uint8_t *offset, struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;

	layering->by_destination = !classes->n_bits;
	layering->class_of = hd_alloc_large((classes->n_bits ? tables->fabric->n_switches : 1) *
					    tables->lft_stride);
	if (!layering->class_of)
		return hd_error_nomem(err);
	if (classes->n_bits)
		return hd_grid_classes_fill(input, classes, offset, layering->class_of, err);
	memcpy(layering->class_of, offset, tables->lft_stride);
	return 0;
}

/* The datelines that rings need: none with bubbles, which do what upper layers are for. */
static int find_classes(const struct hd_layer_input *input, struct hd_grid_classes *classes,
			struct hd_error *err)
{
	int ret = hd_grid_classes_find(input, classes, err);

	if (!ret && input->bubble) {
		classes->n_bits = 0;
		memset(classes->bit, HD_NO_DIMENSION, sizeof(classes->bit));
	}
	return ret;
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	uint8_t *offset = calloc(1, tables->lft_stride);
	struct hd_grid_classes classes;
	int ret = offset ? find_classes(input, &classes, err) : hd_error_nomem(err);

	if (!ret) {
		const unsigned n_sets = list_offsets(tables->fabric, classes.n_bits, offset);

		ret = hd_grid_layering(input, &classes, n_sets, layering, err);
	}
	if (!ret)
		ret = fill(input, &classes, offset, layering, err);
	free(offset);
	return ret;
}

static int build_joint(const struct hd_layer_input *input, const struct hd_queueing *queueing,
		       struct hd_layering *layering, struct hd_error *err)
{
	uint8_t *offset = calloc(1, input->tables->lft_stride);
	struct hd_grid_classes classes;
	int ret = offset ? find_classes(input, &classes, err) : hd_error_nomem(err);

	if (!ret) {
		const unsigned n_sets = list_offsets(input->tables->fabric, classes.n_bits, offset);

		ret = hd_grid_halves_layering(input, &classes, n_sets, offset, queueing, layering,
					      err);
	}
	free(offset);
	return ret;
}

const struct hd_layer_rule hd_layer_class = {
	.policy.name = "class",
	.policy.summary = "separate layers for each LMC offset; on rings, two for each",
	.policy.reference = "Yebenes et al., OSHA and SASHA, section 3.1",
	.build = build,
	.build_joint = build_joint,
};
