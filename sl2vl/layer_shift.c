// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Layer 1 for a packet that goes from a global to a local link, layer 0 otherwise (the function
 * sl2vl(op, ip, sl) of the DLA paper, Figure 8). So local links before the global one are other
 * channels than those after it, and channels are only ever acquired in the order local 0, global 0,
 * local 1, terminal 0. The function does not look at the SL, so any SL will do.
 *
 * Where routes have other ways of three links (has_relays), layer 0 is for a packet's first link
 * and layer 1 for all others: engines/group_even.c says why that has no cycle.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"
#include "topologies/topology.h"

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_fabric *fabric = tables->fabric;
	size_t n_rows = tables->sl2vl_first[fabric->n_switches];

	if (!input->structure->port_class)
		return hd_error_set(
			err, HD_EREFUSED,
			"layer rule 'shift' needs a topology with local and global links");
	layering->patterns = calloc(2, sizeof(*layering->patterns));
	layering->pattern = hd_alloc_large(n_rows * sizeof(*layering->pattern));
	if (!layering->patterns || !layering->pattern)
		return hd_error_nomem(err);
	layering->n_layers = 2;
	layering->n_classes = 1;
	layering->n_patterns = 2;
	layering->patterns[1][0] = 1;
	hd_for_each_switch(s, fabric) {
		const uint8_t *class = input->structure->port_class + fabric->nodes[s].first_port;
		unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];
		uint16_t later[HD_MAX_PORTS + 1];
		const bool has_relays = input->structure->has_relays;

		for (unsigned in = 0; in < n_ports; in++)
			later[in] = class[in] == HD_PORT_GLOBAL ||
				    (has_relays && class[in] == HD_PORT_LOCAL);
		for (unsigned out = 0; out < n_ports; out++, pattern += n_ports)
			if (class[out] == HD_PORT_LOCAL ||
			    (has_relays && class[out] == HD_PORT_GLOBAL))
				memcpy(pattern, later, n_ports * sizeof(*pattern));
			else
				memset(pattern, 0, n_ports * sizeof(*pattern));
	}
	return 0;
}

const struct hd_layer_rule hd_layer_shift = {
	.policy.name = "shift",
	.policy.summary = "two layers: the second from a global to a local link of a dragonfly",
	.policy.reference = "Maglione-Mathey et al., DLA in OpenSM, section 4, Figure 8",
	.build = build,
};
