// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/diff_ar.h"

#include <string.h>

#include "tables/ar.h"

/* The ports after the change of @set of switch @s before it; port 0, in no set, for lost links. */
static struct hd_port_set map_set(const struct hd_match *match, uint32_t s,
				  const struct hd_port_set *set)
{
	struct hd_port_set mapped = { 0 };

	hd_for_each_in_set(number, set) {
		const uint32_t port = match->port[hd_port_index(match->before, s, number)];

		hd_port_set_add(&mapped, port == HD_NONE ? 0 : match->after->ports[port].number);
	}
	return mapped;
}

static enum hd_ar_state state_of(const struct hd_tables *tables, uint32_t s, uint32_t lid)
{
	return tables->ar ? tables->ar->state[s * tables->lft_stride + lid] : HD_AR_STATIC;
}

uint32_t hd_diff_count_ar(const struct hd_match *match, const struct hd_tables *before,
			  const struct hd_tables *after, uint32_t s, const struct hd_lid_pair *lids,
			  size_t n_lids)
{
	const struct hd_port_set *last = NULL;
	struct hd_port_set mapped = { 0 };
	const uint32_t own = match->node[s];
	uint32_t n = 0;

	if (!before->ar && !after->ar)
		return 0;
	for (size_t i = 0; i < n_lids; i++) {
		const struct hd_port_set *old = hd_ar_ports(before, s, lids[i].before);
		const struct hd_port_set *new = hd_ar_ports(after, own, lids[i].after);

		if (state_of(before, s, lids[i].before) != state_of(after, own, lids[i].after) ||
		    !old != !new) {
			n++;
			continue;
		}
		if (!old)
			continue;
		/* LIDs behind one switch mostly have one group */
		if (old != last)
			mapped = map_set(match, s, old);
		last = old;
		n += memcmp(&mapped, new, sizeof(mapped)) != 0;
	}
	return n;
}
