// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/shuffle.h"

#include "fabric/builder.h"
#include "support/random.h"
#include "tests/unit/unit.h"

#define SHUFFLED_GUID      UINT64_C(0x0010000000000000)
#define SHUFFLED_GUID_STEP 256 /* room for the GUIDs of ports */

/* A copy in the making. */
struct copy {
	const struct hd_fabric *fabric;
	struct hd_builder *builder;
	uint32_t *id;     /* [node] in the builder */
	uint32_t *number; /* [port] its number in the copy */
	struct hd_error err;
};

static void add_node(struct copy *copy, uint32_t node, uint64_t guid, const char *name)
{
	const struct hd_node *old = &copy->fabric->nodes[node];
	struct hd_node_spec spec = {
		.type = (enum hd_node_type)old->type,
		.guid = guid,
		.sysimg_guid = guid,
		.vendor_id = old->vendor_id,
		.device_id = old->device_id,
		.n_ports = old->n_ports,
		.enhanced_port0 = old->enhanced_port0,
		.name = name,
	};

	assert_hd_ok(hd_builder_add(copy->builder, &spec, &copy->id[node], &copy->err), copy->err);
	for (unsigned port = 0; port <= old->n_ports; port++) {
		uint32_t index = hd_port_index(copy->fabric, node, port);
		const struct hd_port *from = &copy->fabric->ports[index];
		struct hd_port *to =
			hd_builder_port(copy->builder, copy->id[node], copy->number[index]);

		assert_non_null(to);
		to->lid = from->lid;
		to->lmc = from->lmc;
		to->width = from->width;
		to->speed = from->speed;
		to->vls = from->vls;
	}
}

static void link_ports(struct copy *copy)
{
	hd_for_each_port(port, copy->fabric) {
		uint32_t peer = copy->fabric->ports[port].peer;
		uint32_t id = copy->id[copy->fabric->ports[port].node];

		if (peer == HD_NONE || peer < port)
			continue;
		assert_hd_ok(hd_builder_link(copy->builder, id, copy->number[port],
					     copy->id[copy->fabric->ports[peer].node],
					     copy->number[peer], &copy->err),
			     copy->err);
	}
}

static struct hd_fabric *finish(struct copy *copy)
{
	struct hd_fabric *result;

	assert_hd_ok(hd_builder_finish(copy->builder, &result, &copy->err), copy->err);
	free(copy->id);
	free(copy->number);
	return result;
}

static void begin(struct copy *copy, const struct hd_fabric *fabric)
{
	*copy = (struct copy){ .fabric = fabric };
	copy->builder = hd_builder_new();
	copy->id = malloc((fabric->n_nodes + 1) * sizeof(*copy->id));
	copy->number = calloc(fabric->n_ports + 1, sizeof(*copy->number));
	assert_true(copy->builder && copy->id && copy->number);
}

struct hd_fabric *shuffled_copy(const struct hd_fabric *fabric, uint64_t seed, uint32_t *node_of,
				uint32_t *port_of)
{
	uint32_t *rank = malloc((fabric->n_nodes + 1) * sizeof(*rank));
	uint32_t *number = malloc((fabric->n_ports + 1) * sizeof(*number));
	uint32_t order[HD_MAX_PORTS + 1];
	struct hd_random random;
	struct hd_fabric *result;
	struct copy copy;

	begin(&copy, fabric);
	assert_true(rank && number);
	hd_random_init(&random, seed, 0);
	hd_random_permutation(&random, fabric->n_nodes, rank);
	hd_for_each_node(node, fabric) {
		uint32_t first = fabric->nodes[node].first_port + 1;
		char name[32];

		hd_random_permutation(&random, fabric->nodes[node].n_ports, order);
		for (unsigned i = 0; i < fabric->nodes[node].n_ports; i++)
			copy.number[first + i] = order[i] + 1;
		snprintf(name, sizeof(name), "node %u", (unsigned)rank[node]);
		add_node(&copy, node, SHUFFLED_GUID + (uint64_t)SHUFFLED_GUID_STEP * rank[node],
			 name);
	}
	memcpy(number, copy.number, fabric->n_ports * sizeof(*number));
	link_ports(&copy);
	result = finish(&copy);
	hd_for_each_port(port, fabric) {
		uint32_t node = fabric->ports[port].node;
		uint32_t now = hd_fabric_find_node(
			result, SHUFFLED_GUID + (uint64_t)SHUFFLED_GUID_STEP * rank[node]);

		if (node_of)
			node_of[node] = now;
		if (port_of)
			port_of[port] = hd_port_index(result, now, number[port]);
	}
	free(rank);
	free(number);
	return result;
}

struct hd_builder *begin_copy(const struct hd_fabric *fabric, unsigned n_more)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_error err;

	assert_non_null(builder);
	hd_for_each_node(n, fabric) {
		const struct hd_node *node = &fabric->nodes[n];
		const struct hd_node_spec spec = { .type = node->type,
						   .guid = node->guid,
						   .n_ports = node->n_ports + n_more };
		uint32_t id;

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	}
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p], *peer;

		if (port->peer == HD_NONE || port->peer < p)
			continue;
		peer = &fabric->ports[port->peer];
		link_copied(builder, port->node, port->number, peer->node, peer->number);
	}
	return builder;
}

void link_copied(struct hd_builder *builder, uint32_t one, unsigned port_of_one, uint32_t two,
		 unsigned port_of_two)
{
	struct hd_error err;

	assert_hd_ok(hd_builder_link(builder, one, port_of_one, two, port_of_two, &err), err);
}

struct hd_fabric *end_copy(struct hd_builder *builder)
{
	struct hd_fabric *copy;
	struct hd_error err;

	assert_hd_ok(hd_builder_finish(builder, &copy, &err), err);
	return copy;
}

struct hd_fabric *doubled_copy(const struct hd_fabric *fabric)
{
	struct hd_builder *builder;
	unsigned most = 0;

	hd_for_each_node(n, fabric)
		most = fabric->nodes[n].n_ports > most ? fabric->nodes[n].n_ports : most;
	builder = begin_copy(fabric, most);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p], *peer;

		if (port->peer == HD_NONE || port->peer < p)
			continue;
		peer = &fabric->ports[port->peer];
		if (hd_is_switch(fabric, port->node) && hd_is_switch(fabric, peer->node))
			link_copied(builder, port->node,
				    port->number + fabric->nodes[port->node].n_ports, peer->node,
				    peer->number + fabric->nodes[peer->node].n_ports);
	}
	return end_copy(builder);
}
