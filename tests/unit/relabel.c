// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/relabel.h"

#include "fabric/builder.h"
#include "support/random.h"
#include "tests/unit/unit.h"

#define GUID_STEP 256 /* room for the GUIDs of ports */

/* LIDs for every end port, in the order of @rank, each aligned, with up to @most_gap between. */
static void assign_lids(const struct hd_fabric *fabric, const uint32_t *rank, uint32_t most_gap,
			struct hd_random *random, uint16_t *lid_of)
{
	uint32_t lid = 1;

	for (uint32_t i = 0; i < fabric->n_nodes; i++) {
		const struct hd_node *node = &fabric->nodes[rank[i]];

		for (unsigned number = 0; number <= node->n_ports; number++) {
			const struct hd_port *port = &fabric->ports[node->first_port + number];
			const uint32_t size = 1u << port->lmc;

			if (!port->lid)
				continue;
			lid += most_gap ? hd_random_below(random, most_gap + 1) : 0;
			lid = (lid + size - 1) / size * size;
			assert_true(lid + size - 1 <= HD_MAX_LID);
			lid_of[node->first_port + number] = (uint16_t)lid;
			lid += size;
		}
	}
}

static void add_node(struct hd_builder *builder, const struct hd_fabric *fabric, uint32_t n,
		     uint32_t rank, const uint16_t *lid_of)
{
	const struct hd_node *node = &fabric->nodes[n];
	const struct hd_node_spec spec = {
		.type = (enum hd_node_type)node->type,
		.guid = (rank + UINT64_C(1)) * GUID_STEP,
		.vendor_id = node->vendor_id,
		.device_id = node->device_id,
		.n_ports = node->n_ports,
		.enhanced_port0 = node->enhanced_port0,
		.name = hd_node_name(fabric, n),
	};
	struct hd_error err;
	uint32_t id;

	assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	assert_int_equal(id, n);
	for (unsigned number = 0; number <= node->n_ports; number++) {
		const uint32_t at = node->first_port + number;
		struct hd_port *port = hd_builder_port(builder, id, number);

		port->lid = lid_of[at];
		port->lmc = fabric->ports[at].lmc;
		port->width = fabric->ports[at].width;
		port->speed = fabric->ports[at].speed;
		port->vls = fabric->ports[at].vls;
	}
}

struct hd_fabric *relabelled_copy(const struct hd_fabric *fabric, uint64_t seed)
{
	uint32_t *rank = malloc((fabric->n_nodes + 1) * sizeof(*rank));
	uint16_t *lid_of = calloc(fabric->n_ports + 1, sizeof(*lid_of));
	struct hd_builder *builder = hd_builder_new();
	struct hd_random random;
	struct hd_fabric *copy;
	struct hd_error err;

	assert_true(rank && lid_of && builder);
	hd_random_init(&random, seed, 0);
	hd_random_permutation(&random, fabric->n_nodes, rank);
	assign_lids(fabric, rank, seed % 2 ? 3 : 0, &random, lid_of);
	hd_random_permutation(&random, fabric->n_nodes, rank);
	hd_for_each_node(n, fabric)
		add_node(builder, fabric, n, rank[n], lid_of);
	hd_for_each_port(port, fabric) {
		const uint32_t peer = fabric->ports[port].peer;

		if (peer == HD_NONE || peer < port)
			continue;
		assert_hd_ok(hd_builder_link(builder, fabric->ports[port].node,
					     fabric->ports[port].number, fabric->ports[peer].node,
					     fabric->ports[peer].number, &err),
			     err);
	}
	assert_hd_ok(hd_builder_finish(builder, &copy, &err), err);
	free(rank);
	free(lid_of);
	return copy;
}
