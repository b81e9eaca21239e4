/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The bare graph of a fabric's switches, for recognisers. */
#ifndef HD_TOPOLOGIES_SWITCH_GRAPH_H
#define HD_TOPOLOGIES_SWITCH_GRAPH_H

#include <stdint.h>

struct hd_error;
struct hd_fabric;

/* Which switches are linked, parallel links counted once. */
struct hd_switch_graph {
	uint32_t n;
	uint32_t max_degree;
	uint32_t *first;     /* [switch + 1] in neighbour[] and common[] */
	uint32_t *neighbour; /* ascending for each switch */
	uint32_t *common;    /* |N[u] & N[v]|: common members of the closed neighbourhoods */
};

/* HD_ENOMEM. */
int hd_switch_graph_new(const struct hd_fabric *fabric, struct hd_switch_graph *graph,
			struct hd_error *err);
void hd_switch_graph_clear(struct hd_switch_graph *graph);

#endif
