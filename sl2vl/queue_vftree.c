// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Queues by the destination's leaf, as vFtree (Guay et al., 2011) has them in spirit: packets to
 * the hosts of a leaf share a queue, and neighbouring leaves have others, so that what waits for a
 * hot host holds up the traffic of few leaves. Leaves are numbered along the fat tree, which puts
 * those together that share the lower levels; where there is no fat tree, switches in canonical
 * order. How vFtree itself assigns lanes was not at hand to compare with.
 */
#include <stdlib.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "topologies/fat_tree.h"

/* The places of switches along the tree, leaves first. */
static int number_switches(const struct hd_fabric *fabric, uint32_t *place, struct hd_error *err)
{
	struct hd_fat_tree *tree;
	uint32_t n = 0;
	int ret = hd_fat_tree_recognise(fabric, &tree, err);

	if (ret && ret != HD_EREFUSED)
		return ret;
	if (!ret) {
		for (uint32_t i = 0; i < fabric->n_switches; i++)
			place[tree->order[i]] = i;
		hd_fat_tree_free(tree);
		return 0;
	}
	/* switches with end nodes first, so that those without leave no gaps between them */
	for (unsigned without = 0; without < 2; without++)
		hd_for_each_switch(s, fabric) {
			unsigned ends = 0;

			hd_for_each_number(number, fabric, s) {
				uint32_t peer = hd_peer_node(fabric, s, number);

				ends += peer != HD_NONE && !hd_is_switch(fabric, peer);
			}
			if ((ends == 0) == without)
				place[s] = n++;
		}
	return 0;
}

static int build(const struct hd_queue_input *input, struct hd_queueing *queueing,
		 struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	uint32_t *place = malloc((fabric->n_switches + (size_t)1) * sizeof(*place));
	int ret = place ? number_switches(fabric, place, err) : hd_error_nomem(err);

	if (!ret)
		ret = hd_queueing_by_destination(input, queueing, err);
	for (uint32_t lid = 1; !ret && lid <= fabric->top_lid; lid++) {
		const uint32_t s = fabric->lids[lid].via_switch;

		if (s != HD_NONE)
			queueing->class_of[lid] = (uint8_t)(place[s] % input->n_queues);
	}
	free(place);
	return ret;
}

const struct hd_queue_rule hd_queue_vftree = {
	.policy.name = "vftree",
	.policy.summary = "the destination's leaf, along a fat tree, modulo the number of queues",
	.policy.reference = "after Guay, Bogdanski, Reinemo, Lysne, Skeie, vFtree (2011)",
	.build = build,
};
