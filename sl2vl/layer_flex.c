// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * FlexVC (Fuentes, thesis, chapter 5; Fuentes, Vallejo et al., IPDPS 2017) lets a packet use any VC
 * from which an ascending path to its destination remains, and choose at each hop by credits. In
 * InfiniBand the lane of a hop follows from its ports and the SL, and the SL from the path record.
 * So the choice is made for each flow, once: flows are spread over classes that have different
 * ascending sequences of lanes, evenly over the lanes of each link. A static choice uses all lanes
 * and their buffers, as FlexVC does; unlike FlexVC it cannot avoid a full buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/flex_classes.h"
#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/memory.h"

/* Lists the stages of packets that leave by each port, and of local links after each in-port. */
static void list_stages(const struct hd_layer_input *input, uint32_t s, uint8_t *out_stage,
			uint8_t *local_stage)
{
	const struct hd_structure *structure = input->structure;
	const struct hd_fabric *fabric = input->tables->fabric;
	const uint8_t *class = structure->port_class + fabric->nodes[s].first_port;

	for (unsigned port = 0; port <= fabric->nodes[s].n_ports; port++) {
		out_stage[port] = HD_FLEX_TERMINAL;
		local_stage[port] = HD_FLEX_FIRST;
		if (class[port] != HD_PORT_GLOBAL)
			continue;
		if (structure->via) {
			bool up = hd_leads_up(structure, fabric, s, port);

			out_stage[port] = up ? HD_FLEX_UP : HD_FLEX_DOWN;
			local_stage[port] = up ? HD_FLEX_DOWN : HD_FLEX_UP;
		} else {
			out_stage[port] = HD_FLEX_GLOBAL;
			local_stage[port] = HD_FLEX_LAST;
		}
	}
}

static int fill_stages(const struct hd_layer_input *input, struct hd_layering *layering,
		       struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_fabric *fabric = tables->fabric;

	layering->pattern = hd_alloc_large(tables->sl2vl_first[fabric->n_switches] *
					   sizeof(*layering->pattern));
	if (!layering->pattern)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric) {
		const uint8_t *class = input->structure->port_class + fabric->nodes[s].first_port;
		unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];
		uint8_t out_stage[HD_MAX_PORTS + 1], local_stage[HD_MAX_PORTS + 1];

		list_stages(input, s, out_stage, local_stage);
		for (unsigned out = 0; out < n_ports; out++, pattern += n_ports)
			for (unsigned in = 0; in < n_ports; in++)
				pattern[in] = class[out] == HD_PORT_LOCAL ? local_stage[in]
									  : out_stage[out];
	}
	return 0;
}

static unsigned limit(unsigned value, unsigned least, unsigned most)
{
	if (value > most)
		value = most;
	return value < least ? least : value;
}

/* Makes lanes for a dragonfly. */
static int build_lanes(const struct hd_layer_input *input, struct hd_layering *layering,
		       struct hd_flex_scheme *scheme, struct hd_error *err)
{
	const bool minimal = !input->structure->via;
	int ret;

	layering->n_layers = limit(input->max_layers, minimal ? 2 : 3, HD_MAX_VLS);
	/*
	 * twice as many classes as lanes give every lane to flows of all kinds; more classes bring
	 * nothing
	 */
	layering->n_classes = limit(2 * layering->n_layers, minimal ? 1 : 2,
				    limit(input->max_classes, 2, HD_MAX_SLS));
	layering->n_patterns = HD_FLEX_STAGES;
	layering->patterns = calloc(HD_FLEX_STAGES, sizeof(*layering->patterns));
	if (!layering->patterns)
		return hd_error_nomem(err);
	ret = fill_stages(input, layering, err);
	if (ret)
		return ret;
	if (minimal)
		hd_flex_minimal_lanes(layering, scheme);
	else
		hd_flex_valiant_lanes(layering, scheme);
	return 0;
}

/* Makes copies of the lanes of another rule. */
static int build_copies(const struct hd_layer_input *input, struct hd_layering *layering,
			struct hd_flex_scheme *scheme, struct hd_error *err)
{
	const struct hd_layer_rule *rule =
		input->reference ? hd_layer_rule_find(input->reference) : NULL;
	int ret;

	if (!rule || rule == &hd_layer_flex)
		return hd_error_set(err, HD_EREFUSED,
				    "layer rule 'flex' needs another one to start from");
	ret = rule->build(input, layering, err);
	return ret ? ret
		   : hd_flex_copy(input, strcmp(rule->policy.name, "hop") == 0, layering, scheme,
				  err);
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	const char *reference = input->reference ? input->reference : "";
	struct hd_flex_scheme scheme = { 0 };
	int ret;

	if ((strcmp(reference, "shift") == 0 || strcmp(reference, "valiant") == 0) &&
	    input->structure->port_class && input->structure->group)
		ret = build_lanes(input, layering, &scheme, err);
	else
		ret = build_copies(input, layering, &scheme, err);
	if (!ret)
		ret = hd_flex_spread(input, &scheme, layering, err);
	free(scheme.fits);
	return ret;
}

const struct hd_layer_rule hd_layer_flex = {
	.policy.name = "flex",
	.policy.summary = "all lanes: each flow has one of many ascending sequences of lanes",
	.policy.reference = "after FlexVC: Fuentes, thesis, chapter 5",
	.build = build,
};
