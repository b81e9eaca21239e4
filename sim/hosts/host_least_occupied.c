// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/hosts/admittance.h"

/*
 * The LID with least queued on its VL, of those with room; of equals the next in turn, or the
 * first.
 */
static unsigned choose(const struct hd_model *model, const struct hd_message *message,
		       const uint8_t *vls, unsigned n)
{
	const struct host *from = &model->injection.hosts[message->from];
	const uint32_t *backlogs =
		model->injection.backlog_units + from->port * (size_t)model->n_vls;
	const unsigned begin = model->options.host.ties_first ? 0 : from->turn;
	unsigned best = n, dropped = 0;

	for (unsigned k = 0; k < n; k++) {
		unsigned i = (begin + k) % n;

		if (vls[i] == HD_VL_DROP)
			dropped++;
		else if (hd_admittance_has_room(model, from->port, vls[i]) &&
			 (best == n || backlogs[vls[i]] < backlogs[vls[best]]))
			best = i;
	}
	return dropped == n ? 0 : best;
}

static const struct hd_option options[] = {
	{ "ties", "turn", NULL, "of equals: turn, the next in turn; first, the base LID" },
	{ 0 },
};

const struct hd_host_policy hd_host_least_occupied = {
	.policy.name = "leastoccupied",
	.policy.summary = "the one whose VL has least queued at the host (SASHA)",
	.policy.options = options,
	.choose = choose,
	.asks_backlogs = true,
};
