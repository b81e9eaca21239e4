// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/pairs.h"

#include <stdlib.h>

void hd_plan_match_clear(struct hd_plan_match *match)
{
	free(match->to_now);
	free(match->to_plan);
	free(match->by);
	*match = (struct hd_plan_match){ 0 };
}

void hd_pair(struct hd_plan_match *match, uint32_t planned, uint32_t present, enum hd_matched_by by)
{
	match->to_now[planned] = present;
	match->to_plan[present] = planned;
	match->by[planned] = (uint8_t)by;
}

void hd_unpair(struct hd_plan_match *match, uint32_t planned)
{
	match->to_plan[match->to_now[planned]] = HD_NONE;
	match->to_now[planned] = HD_NONE;
	match->by[planned] = HD_UNMATCHED;
}

uint32_t hd_matched_port(const struct hd_plan_match *match, uint32_t port)
{
	const struct hd_port *planned = &match->plan->ports[port];
	uint32_t present = match->to_now[planned->node];

	if (present == HD_NONE || planned->number > match->now->nodes[present].n_ports)
		return HD_NONE;
	return hd_port_index(match->now, present, planned->number);
}
