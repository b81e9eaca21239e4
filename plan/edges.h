/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Planned and present cables on common ends, and which of them are in both. Internal to plan/.
 */
#ifndef HD_PLAN_EDGES_H
#define HD_PLAN_EDGES_H

#include "plan/differ.h"

/*
 * A cable. An end is vertex << 8 | port: vertices are nodes of the fabric, then, from its n_nodes
 * on, absent ones of the plan, and from HD_PLAN_GROUP on groups. Port 0: cables are compared by
 * vertices alone. end[0] <= end[1].
 */
struct hd_cable_edge {
	uint64_t end[2];
	struct hd_place_pair pair;
	uint32_t port; /* of a present cable: index in ports[]; the lower one of two */
	uint32_t same; /* the edge of the other list that it equals, or HD_NONE */
};

struct hd_cable_edges {
	const struct hd_cable_plan *plan;
	const struct hd_plan_match *match;
	const struct hd_fabric *now;
	struct hd_cable_edge *planned, *present;
	uint32_t n_planned, n_present;
	bool by_ports, no_ends, no_trunks;
};

static inline uint32_t hd_vertex(const struct hd_cable_edge *edge, unsigned end)
{
	return (uint32_t)(edge->end[end] >> 8);
}

/* Whether a place is on a node that only one of plan and fabric has. */
bool hd_is_strange(const struct hd_cable_edges *edges, const struct hd_place *place);

/* Lists and pairs. HD_ENOMEM. End with hd_cable_edges_clear(), also after an error. */
int hd_cable_edges_list(struct hd_cable_edges *edges, const struct hd_cable_plan *plan,
			const struct hd_plan_match *match, const struct hd_fabric *now);
void hd_cable_edges_clear(struct hd_cable_edges *edges);

#endif
