// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/reorder.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "support/error.h"

static int add_nodes(const struct hd_fabric *fabric, const uint32_t *order,
		     struct hd_builder *builder, struct hd_error *err)
{
	hd_for_each_node(i, fabric) {
		const uint32_t node = order[i];
		const struct hd_node *n = &fabric->nodes[node];
		const struct hd_node_spec spec = {
			.type = n->type,
			.guid = (i + UINT64_C(1)) << 8,
			.vendor_id = n->vendor_id,
			.device_id = n->device_id,
			.n_ports = n->n_ports,
			.enhanced_port0 = n->enhanced_port0,
			.name = hd_node_name(fabric, node),
		};
		uint32_t id;
		int ret = hd_builder_add(builder, &spec, &id, err);

		for (unsigned number = 0; !ret && number <= n->n_ports; number++) {
			const struct hd_port *port = &fabric->ports[n->first_port + number];
			struct hd_port *copy = hd_builder_port(builder, id, number);

			copy->width = port->width;
			copy->speed = port->speed;
			copy->vls = port->vls;
			copy->lmc = port->lmc;
		}
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Gives LIDs to the ports that have one, in order; ports with the most LIDs first, so that
 * alignment leaves no gaps between them.
 */
static int give_lids(const struct hd_fabric *fabric, const uint32_t *order,
		     struct hd_builder *builder, struct hd_error *err)
{
	uint32_t lid = 1;

	for (unsigned lmc = HD_MAX_LMC + 1; lmc-- > 0;)
		hd_for_each_node(i, fabric) {
			const struct hd_node *n = &fabric->nodes[order[i]];

			for (unsigned number = 0; number <= n->n_ports; number++) {
				const struct hd_port *port = &fabric->ports[n->first_port + number];

				if (!port->lid || port->lmc != lmc)
					continue;
				lid = (lid + (1u << lmc) - 1) >> lmc << lmc;
				if (lid + (1u << lmc) - 1 > HD_MAX_LID)
					return hd_error_set(err, HD_ERANGE,
							    "not enough unicast LIDs");
				hd_builder_port(builder, i, number)->lid = (uint16_t)lid;
				lid += 1u << lmc;
			}
		}
	return 0;
}

/* The other way round: where @order has each node. NULL when out of memory. */
static uint32_t *invert(const uint32_t *order, uint32_t n)
{
	uint32_t *place = malloc((n + (size_t)1) * sizeof(*place));

	for (uint32_t i = 0; place && i < n; i++)
		place[order[i]] = i;
	return place;
}

static int add_links(const struct hd_fabric *fabric, const uint32_t *order,
		     struct hd_builder *builder, struct hd_error *err)
{
	uint32_t *place = invert(order, fabric->n_nodes);
	int ret = place ? 0 : hd_error_nomem(err);

	hd_for_each_node(node, fabric)
		hd_for_each_number(number, fabric, node) {
			const uint32_t port = hd_port_index(fabric, node, number);
			const uint32_t peer = fabric->ports[port].peer;

			if (ret || peer == HD_NONE || peer < port)
				continue;
			ret = hd_builder_link(builder, place[node], number,
					      place[fabric->ports[peer].node],
					      fabric->ports[peer].number, err);
		}
	free(place);
	return ret;
}

int hd_fabric_reorder(const struct hd_fabric *fabric, const uint32_t *order,
		      struct hd_fabric **copy, struct hd_error *err)
{
	struct hd_builder *builder = hd_builder_new();
	int ret = builder ? add_nodes(fabric, order, builder, err) : hd_error_nomem(err);

	*copy = NULL;
	if (!ret)
		ret = give_lids(fabric, order, builder, err);
	if (!ret)
		ret = add_links(fabric, order, builder, err);
	if (!ret)
		return hd_builder_finish(builder, copy, err);
	hd_builder_free(builder);
	return ret;
}

struct named {
	const char *name;
	uint32_t node;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	const int names = strcmp(x->name, y->name);

	return names ? names : x->node < y->node ? -1 : x->node > y->node;
}

int hd_fabric_by_name(const struct hd_fabric *fabric, struct hd_fabric **copy, uint32_t **order,
		      struct hd_error *err)
{
	const uint32_t n = fabric->n_nodes, n_switches = fabric->n_switches;
	struct named *nodes = malloc((n + (size_t)1) * sizeof(*nodes));
	int ret = 0;

	*copy = NULL;
	*order = malloc((n + (size_t)1) * sizeof(**order));
	if (!nodes || !*order)
		ret = hd_error_nomem(err);
	for (uint32_t i = 0; !ret && i < n; i++)
		nodes[i] = (struct named){ hd_node_name(fabric, i), i };
	if (!ret) {
		qsort(nodes, n_switches, sizeof(*nodes), compare_named);
		qsort(nodes + n_switches, n - n_switches, sizeof(*nodes), compare_named);
		for (uint32_t i = 0; i < n; i++)
			(*order)[i] = nodes[i].node;
		ret = hd_fabric_reorder(fabric, *order, copy, err);
	}
	free(nodes);
	return ret;
}
