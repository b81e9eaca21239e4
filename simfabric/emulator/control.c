// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/control.h"

#include <stdio.h>

#include "simfabric/emulator/agents.h"

/* The prefix of ports until a subnet manager sets another (4.1.1). */
#define DEFAULT_GID_PREFIX UINT64_C(0xfe80000000000000)

/* The version that ibsim tells. */
#define HARDWARE_VERSION 0xa1
#define FIRMWARE_VERSION 1

int hd_control_connect(struct hd_emulator *emulator, struct hd_clients *clients,
		       const struct hd_carrier *carrier, void *context,
		       struct hd_wire_control *message, uint32_t lowest, uint32_t *id,
		       struct hd_error *err)
{
	struct hd_wire_connect connect;
	uint32_t port;
	int ret;

	hd_wire_read_connect(message, &connect);
	ret = hd_clients_find_port(emulator->fabric, connect.node, &port, err);
	if (!ret)
		ret = hd_clients_attach(clients, port, carrier, context, lowest, id, err);
	if (ret)
		return ret;
	if (connect.issm)
		hd_clients_set_issm(clients, *id, true);
	message->client = *id;
	connect.address = *id;
	/* libumad2sim warns of any other name than that it asked for */
	if (!*connect.node)
		snprintf(connect.node, sizeof(connect.node), "%.*s", HD_WIRE_NODE_SIZE - 1,
			 hd_node_name(emulator->fabric, emulator->fabric->ports[port].node));
	hd_wire_write_connect(&connect, message);
	return 0;
}

void hd_control_refuse(struct hd_wire_control *message)
{
	message->type = HD_WIRE_ERROR;
	message->length = 0;
	memset(message->data, 0, sizeof(message->data));
}

/* Asks the port's own agent by Get(@attribute, @modifier); false: no good answer. */
static bool get(struct hd_emulator *emulator, uint32_t port, uint16_t attribute, uint32_t modifier,
		uint8_t data[HD_SMP_DATA_SIZE])
{
	struct hd_packet packet = { .origin = HD_NONE };

	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI;
	packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_GET;
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, attribute);
	hd_put32(packet.mad + HD_MAD_MODIFIER, modifier);
	hd_put64(packet.mad + HD_SMP_MKEY, emulator->ports[port].mkey);
	if (hd_sma_handle(emulator, emulator->fabric->ports[port].node,
			  emulator->fabric->ports[port].number, &packet) != HD_ANSWERED ||
	    hd_get16(packet.mad + HD_MAD_STATUS) & ~HD_SMP_DIRECTION)
		return false;
	memcpy(data, packet.mad + HD_SMP_DATA, HD_SMP_DATA_SIZE);
	return true;
}

static void get_vendor(const struct hd_node *node, uint8_t *data)
{
	const uint32_t words[] = { node->vendor_id, node->device_id, HARDWARE_VERSION };
	const uint64_t firmware = FIRMWARE_VERSION;

	memcpy(data, words, sizeof(words));
	memcpy(data + 16, &firmware, sizeof(firmware));
}

/*
 * The port that HD_WIRE_GET_PORTINFO is about: the client's own where the node has no port of that
 * number.
 */
static uint32_t asked_port(const struct hd_fabric *fabric, uint32_t port, unsigned number)
{
	uint32_t node = fabric->ports[port].node;

	if (hd_is_switch(fabric, node) || !number || number > fabric->nodes[node].n_ports)
		return port;
	return hd_port_index(fabric, node, number);
}

/* Fills in @data of the answer; false: it cannot be answered. */
static bool answer(struct hd_emulator *emulator, struct hd_clients *clients, uint32_t id,
		   uint32_t port, const struct hd_wire_control *message, uint8_t *data,
		   uint32_t *length)
{
	const struct hd_fabric *fabric = emulator->fabric;
	const struct hd_emulator_port *state = &emulator->ports[port];
	int32_t issm;

	*length = HD_SMP_DATA_SIZE;
	switch (message->type) {
	case HD_WIRE_GET_PORT:
		memcpy(data, &state->lid, sizeof(state->lid));
		data[2] = state->state;
		*length = 4;
		return true;
	case HD_WIRE_GET_VENDOR:
		get_vendor(&fabric->nodes[fabric->ports[port].node], data);
		*length = 24;
		return true;
	case HD_WIRE_GET_GID:
		hd_put64(data, state->gid_prefix ? state->gid_prefix : DEFAULT_GID_PREFIX);
		hd_put64(data + 8, fabric->ports[port].guid);
		*length = 16;
		return true;
	case HD_WIRE_GET_GUID:
		hd_put64(data, fabric->ports[port].guid);
		*length = 8;
		return true;
	case HD_WIRE_GET_NODEINFO:
		return get(emulator, port, HD_ATTRIBUTE_NODE_INFO, 0, data);
	case HD_WIRE_GET_PORTINFO:
		port = asked_port(fabric, port, message->data[0]);
		return get(emulator, port, HD_ATTRIBUTE_PORT_INFO, fabric->ports[port].number,
			   data);
	case HD_WIRE_SET_ISSM:
		memcpy(&issm, message->data, sizeof(issm));
		hd_clients_set_issm(clients, id, issm != 0);
		memcpy(data, &issm, sizeof(issm));
		*length = sizeof(issm);
		return true;
	case HD_WIRE_GET_PKEYS:
		return get(emulator, port, HD_ATTRIBUTE_PKEY_TABLE, 0, data);
	default:
		return false;
	}
}

void hd_control_answer(struct hd_emulator *emulator, struct hd_clients *clients, uint32_t id,
		       struct hd_wire_control *message)
{
	uint8_t data[HD_WIRE_CONTROL_PAYLOAD] = { 0 };
	uint32_t port = hd_clients_port(clients, id), length;

	if (port == HD_NONE || !answer(emulator, clients, id, port, message, data, &length)) {
		hd_control_refuse(message);
		return;
	}
	message->client = id;
	message->length = length;
	memcpy(message->data, data, sizeof(data));
}
