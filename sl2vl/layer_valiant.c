// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Routes of a dragonfly from group S to group D, through group I or minimal: layers by the global
 * links that a packet has passed, where the queue rule leaves enough SLs, otherwise by the order of
 * groups.
 *
 * Where SLs and VLs suffice, each of the layers by global links is there twice, for destinations of
 * even and of odd number: each half of the packets does not queue behind the other half. More
 * copies would leave no room for the flow classes that failures need. Where two copies do not fit,
 * there is one; where that does not fit, the order of groups is used.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "sl2vl/valiant.h"
#include "support/error.h"
#include "support/memory.h"

#define MOST_COPIES 2

struct plan {
	struct hd_valiant_scheme scheme;
	unsigned n_copies; /* layer l of the scheme is n_copies layers, from l * n_copies on */
	bool by_hops;      /* layers by global links; otherwise by the order of groups */
	bool has_narrow;   /* some link of an end node has fewer VLs than there are copies */
	uint8_t *copy;     /* [lft_stride] the copy of flows to each LID; NULL: there is one copy */
};

/*
 * Patterns of (in, out): links to end nodes; local links before any global link; global links of
 * each colour; local links after a global link of each colour.
 */
#define TERMINAL              0
#define START                 1
#define GLOBAL(colour)        (2 + (colour))
#define AFTER(scheme, colour) (2 + (scheme)->n_colours + (colour))

/*
 * Fills @towards with the patterns of packets that leave by each port, and @from with those of
 * local links after each in-port.
 */
static void list_patterns(const struct hd_layer_input *input,
			  const struct hd_valiant_scheme *scheme, uint32_t s, uint16_t *towards,
			  uint16_t *from)
{
	const struct hd_structure *structure = input->structure;
	const struct hd_fabric *fabric = input->tables->fabric;
	const uint8_t *class = structure->port_class + fabric->nodes[s].first_port;
	const uint32_t here = structure->group[s];

	for (unsigned port = 0; port <= fabric->nodes[s].n_ports; port++) {
		uint32_t there;

		towards[port] = TERMINAL;
		from[port] = START;
		if (class[port] != HD_PORT_GLOBAL)
			continue;
		there = structure->group[hd_peer_node(fabric, s, port)];
		towards[port] = (uint16_t)GLOBAL(scheme->colour(scheme, here, there));
		from[port] = (uint16_t)AFTER(scheme, scheme->colour(scheme, there, here));
	}
}

static void fill_pattern(const struct hd_layer_input *input, const struct plan *plan,
			 struct hd_layering *layering)
{
	const struct hd_tables *tables = input->tables;
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric) {
		const uint8_t *class = input->structure->port_class + fabric->nodes[s].first_port;
		unsigned n_ports = fabric->nodes[s].n_ports + 1u;
		uint16_t *pattern = layering->pattern + tables->sl2vl_first[s];
		uint16_t towards[HD_MAX_PORTS + 1], from[HD_MAX_PORTS + 1];

		list_patterns(input, &plan->scheme, s, towards, from);
		for (unsigned out = 0; out < n_ports; out++, pattern += n_ports)
			for (unsigned in = 0; in < n_ports; in++)
				pattern[in] = class[out] == HD_PORT_LOCAL ? from[in] : towards[out];
	}
}

static void fill_layers(const struct plan *plan, struct hd_layering *layering)
{
	const struct hd_valiant_scheme *scheme = &plan->scheme;
	const unsigned n = plan->n_copies;

	for (unsigned layer = 0; layer < layering->n_layers; layer++)
		layering->turns[layer] = scheme->turns[layer / n];
	for (unsigned c = 0; c < layering->n_classes; c++) {
		unsigned class = c / n, copy = c % n;

		layering->patterns[START][c] = (uint8_t)copy;
		layering->patterns[TERMINAL][c] = plan->has_narrow ? 0 : (uint8_t)copy;
		layering->host_layer[c] = layering->patterns[TERMINAL][c];
		for (unsigned colour = 0; colour < scheme->n_colours; colour++) {
			layering->patterns[GLOBAL(colour)][c] =
				(uint8_t)(scheme->global[colour][class] * n + copy);
			layering->patterns[AFTER(scheme, colour)][c] =
				(uint8_t)(scheme->after[colour][class] * n + copy);
		}
	}
}

/* Fills the classes of flows from group @from. */
static void fill_row(const struct hd_layer_input *input, const struct plan *plan, uint32_t from,
		     uint8_t *row)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const struct hd_valiant_scheme *scheme = &plan->scheme;
	const uint32_t *group = input->structure->group;

	memset(row, 0, input->tables->lft_stride);
	for (size_t lid = 1; lid <= fabric->top_lid; lid++) {
		uint32_t last = fabric->lids[lid].via_switch;
		unsigned class = 0;

		if (last == HD_NONE)
			continue;
		if (group[last] != from)
			class = scheme->choose(scheme, from, input->structure->via[lid],
					       group[last]);
		row[lid] = (uint8_t)(class * plan->n_copies + (plan->copy ? plan->copy[lid] : 0));
	}
}

/* Fills the classes of all flows, which are the same for all switches of a group. */
static int fill_classes(const struct hd_layer_input *input, const struct plan *plan,
			struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_structure *structure = input->structure;
	const size_t stride = input->tables->lft_stride;
	uint32_t *first = malloc(structure->n_groups * sizeof(*first)); /* [group] its first
									   switch */

	if (!first)
		return hd_error_nomem(err);
	memset(first, 0xFF, structure->n_groups * sizeof(*first));
	hd_for_each_switch(s, input->tables->fabric) {
		uint8_t *row = layering->class_of + s * stride;
		uint32_t group = structure->group[s];

		if (first[group] != HD_NONE) {
			memcpy(row, layering->class_of + first[group] * stride, stride);
			continue;
		}
		first[group] = s;
		fill_row(input, plan, group, row);
	}
	free(first);
	return 0;
}

static bool has_narrow_end_node(const struct hd_fabric *fabric, unsigned vls)
{
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		uint32_t port = fabric->endports[i];

		if (!hd_is_switch(fabric, fabric->ports[port].node) &&
		    fabric->ports[port].peer != HD_NONE && hd_link_vls(fabric, port) < vls)
			return true;
	}
	return false;
}

/* Chooses the copy for each LID by the destination's number, as queue rule dbbm does. */
static int choose_copies(const struct hd_layer_input *input, struct plan *plan,
			 struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	const size_t stride = input->tables->lft_stride;
	uint32_t *ids = calloc(stride, sizeof(*ids)), n_hosts, n_switches;
	int ret;

	plan->copy = malloc(stride);
	ret = ids && plan->copy ? hd_destination_ids(fabric, NULL, ids, &n_hosts, &n_switches, err)
				: hd_error_nomem(err);
	for (size_t lid = 0; !ret && lid < stride; lid++)
		plan->copy[lid] = (uint8_t)(ids[lid] % plan->n_copies);
	plan->has_narrow = has_narrow_end_node(fabric, plan->n_copies);
	free(ids);
	return ret;
}

/* Whether @n_copies of @scheme fit. */
static bool fits(const struct hd_layer_input *input, const struct hd_valiant_scheme *scheme,
		 unsigned n_copies)
{
	return scheme->n_classes * n_copies <= input->max_classes &&
	       scheme->n_layers * n_copies <= input->max_layers;
}

/*
 * Layers by global links with as many copies as fit, fewer with thrift; if none fits, by the order
 * of groups.
 */
static int make_plan(const struct hd_layer_input *input, struct plan *plan, struct hd_error *err)
{
	struct hd_valiant_scheme *scheme = &plan->scheme;
	int ret = hd_valiant_by_hops(input->structure->n_groups, scheme, err);
	unsigned n = MOST_COPIES;

	if (ret)
		return ret;
	while (n && !fits(input, scheme, n))
		n--;
	plan->by_hops = n > input->thrift;
	plan->n_copies = plan->by_hops ? n - input->thrift : 1;
	if (!plan->by_hops) {
		free(scheme->colours);
		hd_valiant_by_order(scheme);
	}
	return plan->n_copies > 1 ? choose_copies(input, plan, err) : 0;
}

static int fill(const struct hd_layer_input *input, const struct plan *plan,
		struct hd_layering *layering, struct hd_error *err)
{
	const struct hd_tables *tables = input->tables;
	const uint32_t n_switches = tables->fabric->n_switches;

	layering->n_layers = plan->scheme.n_layers * plan->n_copies;
	layering->n_classes = plan->scheme.n_classes * plan->n_copies;
	layering->can_save = plan->by_hops;
	layering->n_patterns = 2 + 2 * plan->scheme.n_colours;
	layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
	layering->pattern =
		hd_alloc_large(tables->sl2vl_first[n_switches] * sizeof(*layering->pattern));
	layering->class_of = hd_alloc_large(n_switches * tables->lft_stride);
	if (!layering->patterns || !layering->pattern || !layering->class_of)
		return hd_error_nomem(err);
	fill_layers(plan, layering);
	fill_pattern(input, plan, layering);
	return fill_classes(input, plan, layering, err);
}

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	struct plan plan = { 0 };
	int ret;

	if (!input->structure->port_class || !input->structure->group || !input->structure->via)
		return hd_error_set(
			err, HD_EREFUSED,
			"layer rule 'valiant' needs groups, and the group that each LID "
			"goes through");
	ret = make_plan(input, &plan, err);
	if (!ret)
		ret = fill(input, &plan, layering, err);
	free(plan.scheme.colours);
	free(plan.copy);
	return ret;
}

const struct hd_layer_rule hd_layer_valiant = {
	.policy.name = "valiant",
	.policy.summary =
		"layers by the global links passed, for routes through another group of a "
		"dragonfly: 3, or twice 3",
	.policy.reference = "after Kim and Dally (2008); Fuentes, thesis, section 1.4.1",
	.build = build,
};
