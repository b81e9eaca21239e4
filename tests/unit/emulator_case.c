// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/emulator_case.h"

#include "tests/unit/unit.h"

#include "engines/engine.h"
#include "fabric/lids.h"
#include "topologies/topology.h"

static bool deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct emulator_case *c = context;

	c->delivered++;
	c->port = port;
	c->packet = *packet;
	return true;
}

static void lost(void *context, const struct hd_packet *packet)
{
	struct emulator_case *c = context;

	c->lost++;
	c->packet = *packet;
}

static void program(struct emulator_case *c)
{
	const struct hd_fabric *fabric = c->fabric;
	struct hd_emulator *emulator = c->emulator;

	hd_for_each_port(i, fabric) {
		struct hd_emulator_port *port = &emulator->ports[i];

		port->lid = fabric->ports[i].lid;
		port->lmc = fabric->ports[i].lmc;
		port->sm_lid = 1;
		if (port->state == HD_PORT_INIT)
			port->state = HD_PORT_ACTIVE;
	}
	memcpy(emulator->sl2vl, c->tables->sl2vl,
	       c->tables->sl2vl_first[fabric->n_nodes] * sizeof(*emulator->sl2vl));
	hd_for_each_switch(s, fabric) {
		struct hd_emulator_switch *state = &emulator->switches[s];

		free(state->lft);
		state->lft = malloc(c->tables->lft_stride);
		assert_non_null(state->lft);
		state->lft_size = (uint32_t)c->tables->lft_stride;
		state->linear_fdb_top = (uint16_t)fabric->top_lid;
		memcpy(state->lft, hd_lft(c->tables, s), c->tables->lft_stride);
	}
}

void emulator_case_new(struct emulator_case *c, const char *spec, const char *engine, unsigned lmc,
		       const struct hd_emulator_options *options)
{
	const struct hd_emulator_host host = { deliver, lost, c };
	const struct hd_route_request request = { 0 };
	struct hd_emulator_options defaults;
	struct hd_error err = { 0 };
	struct hd_fabric *bare;

	*c = (struct emulator_case){ 0 };
	hd_emulator_options_init(&defaults);
	assert_hd_ok(hd_topology_build(spec, &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, lmc, &c->fabric, &err), err);
	hd_fabric_free(bare);
	assert_hd_ok(hd_emulator_new(c->fabric, options ? options : &defaults, &host, &c->emulator,
				     &err),
		     err);
	if (!engine)
		return;
	assert_hd_ok(hd_route(hd_engine_find(engine), c->fabric, &request, &c->tables, &err), err);
	program(c);
}

void emulator_case_free(struct emulator_case *c)
{
	hd_emulator_free(c->emulator);
	hd_tables_free(c->tables);
	hd_fabric_free(c->fabric);
}

bool emulator_case_ask(struct emulator_case *c, uint32_t port, const struct hd_packet *packet)
{
	unsigned before = c->delivered;

	hd_emulator_send(c->emulator, port, packet);
	return c->delivered > before && c->port == port;
}

static struct hd_packet get(unsigned mad_class, unsigned attribute, uint32_t modifier)
{
	static uint64_t transaction = 0x1234000000000000;
	struct hd_packet packet = { .sqp = 1, .dqp = mad_class == HD_CLASS_PM };

	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = (uint8_t)mad_class;
	packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_GET;
	hd_put64(packet.mad + HD_MAD_TID, transaction++);
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, (uint16_t)attribute);
	hd_put32(packet.mad + HD_MAD_MODIFIER, modifier);
	return packet;
}

struct hd_packet lid_routed(unsigned mad_class, unsigned attribute, uint32_t modifier,
			    uint16_t dlid)
{
	struct hd_packet packet = get(mad_class, attribute, modifier);

	packet.dlid = dlid;
	return packet;
}

struct hd_packet directed(unsigned attribute, uint32_t modifier, const uint8_t *path, unsigned n)
{
	struct hd_packet packet = get(HD_CLASS_SMI_DIRECT, attribute, modifier);

	packet.slid = 0xFFFF;
	packet.dlid = 0xFFFF;
	packet.mad[HD_SMP_HOP_COUNT] = (uint8_t)n;
	hd_put16(packet.mad + HD_SMP_DR_SLID, 0xFFFF);
	hd_put16(packet.mad + HD_SMP_DR_DLID, 0xFFFF);
	if (n)
		memcpy(packet.mad + HD_SMP_INITIAL_PATH + 1, path, n);
	return packet;
}

unsigned shortest_path(const struct hd_fabric *fabric, uint32_t port, uint32_t node, uint8_t *path)
{
	uint32_t start = fabric->ports[port].node, first = 0, n = 1, at;
	uint32_t *queue = calloc(fabric->n_nodes, sizeof(*queue));
	uint32_t *from = calloc(fabric->n_nodes, sizeof(*from)); /* the port that led there + 1 */
	unsigned length = 0, i;

	assert_non_null(queue);
	assert_non_null(from);
	queue[0] = start;
	while (first < n) {
		at = queue[first++];
		for (i = 1; i <= fabric->nodes[at].n_ports; i++) {
			uint32_t out = hd_port_index(fabric, at, i);
			uint32_t next = hd_peer_node(fabric, at, i);

			if (next == HD_NONE || next == start || from[next] ||
			    (at == start && !hd_is_switch(fabric, at) && out != port) ||
			    (at != start && !hd_is_switch(fabric, at)))
				continue;
			from[next] = out + 1;
			queue[n++] = next;
		}
	}
	for (at = node; at != start; at = fabric->ports[from[at] - 1].node)
		length++;
	i = length;
	for (at = node; at != start; at = fabric->ports[from[at] - 1].node)
		path[--i] = fabric->ports[from[at] - 1].number;
	free(queue);
	free(from);
	return length;
}
