/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The bare graph of a fabric's switches, for recognisers. */
#ifndef HD_TOPOLOGIES_SWITCH_GRAPH_H
#define HD_TOPOLOGIES_SWITCH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;

/* Which switches are linked, parallel links counted once. */
struct hd_switch_graph {
	uint32_t n;
	uint32_t max_degree;
	uint32_t *first;     /* [switch + 1] in neighbour[] and common[] */
	uint32_t *neighbour; /* ascending for each switch */
	uint32_t *common; /* |N[u] & N[v]|: common members of the closed neighbourhoods; NULL: not
				counted */
};

/* HD_ENOMEM. */
int hd_switch_graph_new(const struct hd_fabric *fabric, struct hd_switch_graph *graph,
			struct hd_error *err);

/*
 * For a graph that a rule lists: room for @n switches of at most @most neighbours each. Switch s
 * lists its neighbours from neighbour[first[s]] on and sets first[s + 1], one switch after the
 * other, then hd_switch_graph_listed() sorts those of s. HD_ENOMEM.
 */
int hd_switch_graph_begin(uint32_t n, uint32_t most, struct hd_switch_graph *graph,
			  struct hd_error *err);
void hd_switch_graph_listed(struct hd_switch_graph *graph, uint32_t s);

/* Whether @u and @v are linked. */
bool hd_switch_graph_has(const struct hd_switch_graph *graph, uint32_t u, uint32_t v);

void hd_switch_graph_clear(struct hd_switch_graph *graph);

#endif
