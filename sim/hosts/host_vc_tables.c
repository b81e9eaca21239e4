// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/routing.h"
#include "sim/model/state.h"

/*
 * Each of the tables' layers has as many VCs, of which a packet takes the shortest queue; fewer VCs
 * than layers: the last ones share one. Layers that keep flows apart do so behind hosts too.
 */
static unsigned choose(struct hd_model *model, const struct packet *packet, unsigned first,
		       unsigned n)
{
	const unsigned layers = model->options.routed->vcs.n_layers, each = n / layers;

	if (!each)
		return first + (packet->out_vl < n ? packet->out_vl : n - 1);
	return hd_host_vc_jsq.choose(model, packet, first + packet->out_vl * each, each);
}

const struct hd_host_vc hd_host_vc_tables = {
	.policy.name = "tables",
	.policy.summary =
		"those of the tables' layer, by the shortest queue (flexvc without a sequence)",
	.choose = choose,
	.asks_backlogs = true,
};
