// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dynamic band-based queueing (Yebenes et al., OSHA and SASHA, 2019, section 3.3) for two sets of
 * routes on a grid: LIDs at even LMC offsets (virtual network 1, routes along dimension 0 first)
 * are in bands of rows, equation 2; those at odd offsets (network 2, dimension 1 first) in bands
 * along dimension 0, equation 3. So packets that share a row, or a column, spread over the queues.
 */
#include <stdlib.h>

#include "sl2vl/rules.h"
#include "support/error.h"

/*
 * The coordinate along dimension 0 of the node that has @lid; 0 for nodes that are not on the grid.
 */
static uint32_t column_of(const struct hd_queue_input *input, uint32_t lid)
{
	const struct hd_grid *grid = input->structure->grid;
	uint32_t s = input->tables->fabric->lids[lid].via_switch;
	uint32_t point = s == HD_NONE ? HD_NONE : grid->point[s];

	return point == HD_NONE ? 0 : hd_grid_coordinate(grid, point, 0);
}

static int build(const struct hd_queue_input *input, struct hd_queueing *queueing,
		 struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const struct hd_grid *grid = input->structure ? input->structure->grid : NULL;
	int ret;

	if (!grid)
		return hd_error_set(err, HD_EREFUSED, "queue rule 'dbbq' needs a grid");
	ret = hd_queueing_by_destination(input, queueing, err);
	if (ret)
		return ret;
	hd_for_each_lid(lid, fabric) {
		uint32_t p = fabric->lids[lid].port;
		uint64_t number, n;

		if (p == HD_NONE)
			continue;
		if ((lid - fabric->ports[p].lid) % 2) {
			number = column_of(input, lid);
			n = grid->size[0];
		} else {
			number = input->ids[lid];
			n = hd_is_switch(fabric, fabric->ports[p].node) ? input->n_switches
									: input->n_hosts;
		}
		queueing->class_of[lid] = (uint8_t)(number * input->n_queues / n);
	}
	return 0;
}

const struct hd_queue_rule hd_queue_dbbq = {
	.policy.name = "dbbq",
	.policy.summary = "bands of rows for even LMC offsets, of columns for odd ones; on a grid",
	.policy.reference = "Yebenes et al., OSHA and SASHA (2019), section 3.3, equations 2 and 3",
	.build = build,
};
