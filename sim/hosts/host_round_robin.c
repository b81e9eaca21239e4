// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/hosts/admittance.h"

static unsigned choose(const struct hd_model *model, const struct hd_message *message,
		       const uint8_t *vls, unsigned n)
{
	const struct host *from = &model->injection.hosts[message->from];
	unsigned i = from->turn % n;

	return hd_admittance_has_room(model, from->port, vls[i]) ? i : n;
}

const struct hd_host_policy hd_host_round_robin = {
	.policy.name = "roundrobin",
	.policy.summary = "each LID in turn (OSHA)",
	.choose = choose,
};
