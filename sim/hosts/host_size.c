// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * PARX: small messages take a shortest path, large ones a longer one. Which LIDs have which follows
 * from the tables, so the policy goes with any engine; where all paths are equally long, any LID
 * will do. Hosts know the size of a packet; a message of several packets has large ones but the
 * last.
 */
#include "sim/hosts/admittance.h"
#include "sim/hosts/host_policy.h"

/* Links between switches on the path from the switch behind host port @port; HD_NONE: no path. */
static unsigned length_of(const struct hd_model *model, uint32_t port, uint16_t lid)
{
	const struct hd_forwarding *forwarding = &model->network.forwarding;
	unsigned n = 0;

	port = hd_sender(model, port)->peer;
	if (!hd_is_switch_port(model, port))
		return 0;
	for (; n < model->network.n_switches; n++) {
		const uint32_t at = hd_switch_of(model, port);
		const unsigned hop = *hd_forwarding_entry(forwarding, at, lid);

		if (hop == HD_HOP_LAST)
			return n;
		if (hop == HD_HOP_NONE)
			break;
		port = hd_sender(model, hd_first_port(model, at) + hop)->peer;
		if (!hd_is_switch_port(model, port))
			return n;
	}
	return HD_NONE;
}

static unsigned choose(const struct hd_model *model, const struct hd_message *message,
		       const uint8_t *vls, unsigned n)
{
	const struct host *from = &model->injection.hosts[message->from];
	const uint16_t lid = model->injection.destinations[message->to].lid;
	const bool is_small = message->size < model->options.host.small;
	unsigned length[HD_MAX_LIDS], least = HD_NONE, first = n;
	bool has_longer = false;

	for (unsigned i = 0; i < n; i++) {
		length[i] = vls[i] == HD_VL_DROP
				    ? HD_NONE
				    : length_of(model, from->port, (uint16_t)(lid + i));
		if (length[i] < least)
			least = length[i];
	}
	for (unsigned i = 0; i < n; i++)
		has_longer |= length[i] != HD_NONE && length[i] > least;
	for (unsigned k = n; k-- > 0;) {
		const unsigned i = (from->turn + k) % n;

		if (length[i] != HD_NONE && (length[i] == least) == (is_small || !has_longer))
			first = i;
	}
	if (first == n)
		first = 0;
	return hd_admittance_has_room(model, from->port, vls[first]) ? first : n;
}

static const struct hd_option options[] = {
	{ "small", NULL, "size",
	  "messages of less are small; 512 bytes unless given, with cycles 8 flits" },
	{ 0 },
};

const struct hd_host_policy hd_host_size = {
	.policy.name = "size",
	.policy.summary = "one with a shortest path for small messages, one with a longer path for "
			  "large ones; of several the next in turn (PARX)",
	.policy.reference = "Domke et al., HyperX topology (SC 2019)",
	.policy.options = options,
	.choose = choose,
};
