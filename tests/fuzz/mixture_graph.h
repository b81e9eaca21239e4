/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * All mixtures of what the switches of a small fabric may hold, judged by brute force: for each LID
 * every switch has a set of ports, and for each turn a set of VLs. It shares no code with check/.
 * All packets have one SL, and every switch and host sends to every LID.
 */
#ifndef HD_TESTS_MIXTURE_GRAPH_H
#define HD_TESTS_MIXTURE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#define GRAPH_SWITCHES 8
#define GRAPH_PORTS    8
#define GRAPH_LIDS     32
#define GRAPH_VLS      2
#define GRAPH_NONE     UINT8_MAX

struct mixture_graph {
	unsigned n_switches, n_ports, n_lids;
	struct mixture_end {
		uint8_t node, in; /* GRAPH_NONE: no switch is there */
	} far[GRAPH_SWITCHES][GRAPH_PORTS];
	bool is_host[GRAPH_SWITCHES][GRAPH_PORTS];
	bool active[GRAPH_SWITCHES][GRAPH_PORTS]; /* the link carries packets */
};

/* Bits: ports; VLs. */
struct mixture_values {
	uint8_t outs[GRAPH_SWITCHES][GRAPH_LIDS];
	uint8_t vls[GRAPH_SWITCHES][GRAPH_PORTS][GRAPH_PORTS]; /* [switch][in][out] */
};

/*
 * "a forwarding loop", "a credit loop"; NULL: there is none. At most 32 links, each counted twice.
 */
const char *mixture_loop(const struct mixture_graph *graph, const struct mixture_values *values);

#endif
