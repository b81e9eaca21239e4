// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/fuzz/mixture_graph.h"

#include <stdlib.h>

#define CHANNELS 64

/* A channel is link * GRAPH_VLS + VL; sets of channels are words. */
struct channels {
	uint8_t link[GRAPH_SWITCHES][GRAPH_PORTS]; /* GRAPH_NONE: it leads to no switch */
	struct mixture_end end[CHANNELS / GRAPH_VLS];
	uint64_t behind[CHANNELS]; /* those that packets in the channel wait for */
};

static unsigned first_of(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

/* Whether the @n vertices have a circle; [vertex] bits: those that it leads to. */
static bool has_circle(const uint64_t *behind, unsigned n)
{
	uint64_t left = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, before;

	/* whatever leads to nothing that is left is on no circle */
	do {
		before = left;
		for (uint64_t rest = before; rest; rest &= rest - 1)
			if (!(behind[first_of(rest)] & left))
				left &= ~(rest & -rest);
	} while (left != before);
	return left;
}

static void number_links(const struct mixture_graph *graph, struct channels *channels)
{
	unsigned n = 0;

	for (unsigned s = 0; s < graph->n_switches; s++)
		for (unsigned port = 0; port < graph->n_ports; port++) {
			const struct mixture_end end = graph->far[s][port];

			channels->link[s][port] = GRAPH_NONE;
			if (end.node == GRAPH_NONE || !graph->active[s][port])
				continue;
			if (n == CHANNELS / GRAPH_VLS)
				abort();
			channels->end[n] = end;
			channels->link[s][port] = (uint8_t)n++;
		}
}

static bool goes_round(const struct mixture_graph *graph, const struct channels *channels,
		       const struct mixture_values *values, unsigned lid)
{
	uint64_t behind[GRAPH_SWITCHES] = { 0 };

	for (unsigned s = 0; s < graph->n_switches; s++)
		for (uint64_t outs = values->outs[s][lid]; outs; outs &= outs - 1) {
			const uint8_t link = channels->link[s][first_of(outs)];

			if (link != GRAPH_NONE)
				behind[s] |= UINT64_C(1) << channels->end[link].node;
		}
	return has_circle(behind, graph->n_switches);
}

/* The channels of packets to @lid that came to switch @s by @in. */
static uint64_t go_on(const struct channels *channels, const struct mixture_values *values,
		      unsigned lid, unsigned s, unsigned in)
{
	uint64_t next = 0;

	for (uint64_t outs = values->outs[s][lid]; outs; outs &= outs - 1) {
		const unsigned out = first_of(outs);
		const uint8_t link = channels->link[s][out];

		if (link != GRAPH_NONE)
			next |= (uint64_t)values->vls[s][in][out] << link * GRAPH_VLS;
	}
	return next;
}

/* Follows packets to @lid from every switch, and every host. */
static void follow(const struct mixture_graph *graph, struct channels *channels,
		   const struct mixture_values *values, unsigned lid)
{
	uint64_t reached = 0, waiting;

	for (unsigned s = 0; s < graph->n_switches; s++)
		for (unsigned in = 0; in < graph->n_ports; in++)
			if (in == 0 || (graph->is_host[s][in] && graph->active[s][in]))
				reached |= go_on(channels, values, lid, s, in);
	for (waiting = reached; waiting;) {
		const unsigned channel = first_of(waiting);
		const struct mixture_end end = channels->end[channel / GRAPH_VLS];
		const uint64_t next = go_on(channels, values, lid, end.node, end.in);

		channels->behind[channel] |= next;
		waiting = (waiting & (waiting - 1)) | (next & ~reached);
		reached |= next;
	}
}

const char *mixture_loop(const struct mixture_graph *graph, const struct mixture_values *values)
{
	struct channels channels = { .behind = { 0 } };

	number_links(graph, &channels);
	for (unsigned lid = 1; lid < graph->n_lids; lid++) {
		if (goes_round(graph, &channels, values, lid))
			return "a forwarding loop";
		follow(graph, &channels, values, lid);
	}
	return has_circle(channels.behind, CHANNELS) ? "a credit loop" : NULL;
}
