// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/state.h"

/* Destinations share the VCs: each has as many neighbours in a row. */
static unsigned choose(struct hd_model *model, const struct packet *packet, unsigned first,
		       unsigned n)
{
	return first + (unsigned)((uint64_t)packet->message.to * n / model->injection.n_hosts);
}

const struct hd_host_vc hd_host_vc_destination = {
	.policy.name = "destination",
	.policy.summary = "by the destination: each VC has a range of them",
	.choose = choose,
};
