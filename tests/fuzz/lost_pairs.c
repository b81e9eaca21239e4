// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/fuzz/lost_pairs.h"

#include <string.h>

/* Whether switch @s puts packets from @in to @out, on SL 0, on a VL that carries them. */
static bool is_carried(const struct switch_state *states, unsigned s, unsigned in, unsigned out)
{
	return (states[s].rows[in][out] & 15) < GRAPH_VLS;
}

/* Whether packets to @lid that come to switch @s by its port @in get to a host. */
static bool arrive(const struct mixture_graph *graph, const struct switch_state *states, unsigned s,
		   unsigned in, unsigned lid)
{
	for (unsigned hops = 0; hops < GRAPH_SWITCHES; hops++) {
		const uint8_t out = states[s].lft[lid];

		if (out >= graph->n_ports || !graph->active[s][out] ||
		    !is_carried(states, s, in, out))
			return false;
		if (graph->is_host[s][out])
			return true;
		in = graph->far[s][out].in;
		s = graph->far[s][out].node;
	}
	return false;
}

/* Whether a host has @lid, and is not the one at @port of switch @s. */
static bool is_of_another(const struct world_variant *variant, unsigned lid, unsigned s,
			  unsigned port)
{
	const struct hd_fabric *fabric = variant->fabric;
	const struct hd_lid *owner = &fabric->lids[lid];

	return lid <= fabric->top_lid && owner->port != HD_NONE && owner->via_switch != HD_NONE &&
	       owner->via_port &&
	       (owner->via_switch != variant->index[s] || owner->via_port != port);
}

unsigned lost_pairs(const struct mixture_graph *graph, const struct world_variant *variant,
		    const struct switch_state *old, const struct switch_state *new,
		    const struct switch_state *now, unsigned *for_links)
{
	struct mixture_graph whole = *graph;
	unsigned n = 0;

	*for_links = 0;

	memcpy(whole.active, variant->is_there, sizeof(whole.active));
	for (unsigned s = 0; s < graph->n_switches; s++)
		for (unsigned port = 1; port < graph->n_ports; port++)
			for (unsigned lid = 1; graph->is_host[s][port] && graph->active[s][port] &&
					       lid <= variant->fabric->top_lid;
			     lid++) {
				if (!is_of_another(variant, lid, s, port) ||
				    !arrive(graph, old, s, port, lid) ||
				    !arrive(&whole, new, s, port, lid) ||
				    arrive(graph, now, s, port, lid))
					continue;
				n++;
				*for_links += arrive(&whole, now, s, port, lid);
			}
	return n;
}
