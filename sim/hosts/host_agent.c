// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/hosts/admittance.h"

/*
 * What hd_model_prefer() said last; without that, or where the tables drop such packets, in turn.
 */
static unsigned choose(const struct hd_model *model, const struct hd_message *message,
		       const uint8_t *vls, unsigned n)
{
	const struct host *from = &model->injection.hosts[message->from];
	unsigned i = from->preferred < n && vls[from->preferred] != HD_VL_DROP ? from->preferred
									       : from->turn % n;

	return hd_admittance_has_room(model, from->port, vls[i]) ? i : n;
}

/* Not for scenarios, whose hosts have nobody to tell them: it is in no registry. */
const struct hd_host_policy hd_host_agent = {
	.policy.name = "agent",
	.policy.summary = "the one that the host's agent prefers, else each in turn",
	.choose = choose,
};

void hd_model_prefer(struct hd_model *model, uint32_t host, unsigned offset)
{
	model->injection.hosts[host].preferred = (uint8_t)offset;
}
