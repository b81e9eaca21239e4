// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/credits.h"

/*
 * The VC that has least before it, at the host and in the buffer behind its link; of equals the
 * first.
 */
static unsigned choose(struct hd_model *model, const struct packet *packet, unsigned first,
		       unsigned n)
{
	uint32_t port = model->injection.hosts[packet->message.from].port, least = UINT32_MAX;
	const uint32_t *backlogs = model->injection.backlog_units + port * (size_t)model->n_vls;
	uint32_t buffer = model->options.links[HD_LINK_TERMINAL].buffer;
	unsigned best = first;

	for (unsigned vl = first; vl < first + n; vl++) {
		uint32_t queued = backlogs[vl] + buffer - hd_model_room(model, port, vl);

		if (queued < least) {
			least = queued;
			best = vl;
		}
	}
	return best;
}

const struct hd_host_vc hd_host_vc_jsq = {
	.policy.name = "jsq",
	.policy.summary =
		"the shortest queue: what waits at the host and in the buffer behind its link",
	.choose = choose,
	.asks_backlogs = true,
};
