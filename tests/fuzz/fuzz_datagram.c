// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What clients of the stock wrapper send, without the sockets: any messages from any client in any
 * order, through the codec, the clients and the emulator. The input is a list of messages: a byte
 * that says from whom and what kind, and the bytes of the message, which lie on a template so that
 * inputs remain short. At the end time passes, and everybody leaves.
 */
#include <stdlib.h>
#include <string.h>

#include "simfabric/emulator/control.h"
#include "support/error.h"
#include "topologies/topology.h"

#define N_CLIENTS    8
#define MAX_MESSAGES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct client {
	uint32_t id; /* HD_NONE: not attached */
	unsigned n_delivered;
};

struct world {
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	struct client list[N_CLIENTS];
};

/* A message is patched in a few places: (offset, value) pairs. */
struct cursor {
	const uint8_t *at, *end;
};

static unsigned next(struct cursor *cursor)
{
	return cursor->at < cursor->end ? *cursor->at++ : 0;
}

static bool deliver(void *context, const struct hd_packet *packet)
{
	struct client *client = context;
	uint8_t bytes[HD_WIRE_DATA_SIZE];

	if (client->id == HD_NONE)
		abort();
	hd_wire_write_data(packet, 0, bytes);
	/* one that does not read */
	return ++client->n_delivered % 5 != 0;
}

static void lost(void *context, const struct hd_packet *packet)
{
	struct client *client = context;

	if (client->id == HD_NONE || packet->origin != client->id)
		abort();
}

static void expel(void *context)
{
	(void)context;
}

static const struct hd_carrier carrier = { .deliver = deliver, .lost = lost, .expel = expel };

static bool host_deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct world *world = context;

	return hd_clients_deliver(world->clients, port, packet);
}

static void host_lost(void *context, const struct hd_packet *packet)
{
	struct world *world = context;

	hd_clients_lost(world->clients, packet);
}

static void patch(struct cursor *cursor, uint8_t *bytes, size_t size)
{
	unsigned n = next(cursor) % 32;

	while (n--) {
		size_t offset = next(cursor) | (size_t)(next(cursor) & 1) << 8;

		bytes[offset % size] = (uint8_t)next(cursor);
	}
}

static void attach(struct world *world, struct client *client, struct hd_wire_control *message)
{
	hd_clients_detach(world->clients, client->id);
	client->id = HD_NONE;
	if (hd_control_connect(world->emulator, world->clients, &carrier, client, message, 0,
			       &client->id, NULL))
		client->id = HD_NONE;
}

static void control(struct world *world, struct client *client, struct cursor *cursor)
{
	static const uint8_t template[HD_WIRE_CONTROL_SIZE + 8] = { 0xef, 0xbe, 0xad, 0xde, 0,
								    0,    0,    0,    1 };
	uint8_t bytes[HD_WIRE_CONTROL_SIZE + 8];
	struct hd_wire_control message;

	memcpy(bytes, template, sizeof(bytes));
	patch(cursor, bytes, sizeof(bytes));
	if (!hd_wire_read_control(bytes, HD_WIRE_CONTROL_SIZE, &message))
		return;
	switch (message.type) {
	case HD_WIRE_CONNECT:
		attach(world, client, &message);
		break;
	case HD_WIRE_DISCONNECT:
		hd_clients_detach(world->clients, client->id);
		client->id = HD_NONE;
		break;
	default:
		hd_control_answer(world->emulator, world->clients, client->id, &message);
	}
	hd_wire_write_control(&message, bytes);
}

static void send(struct world *world, struct client *client, struct cursor *cursor)
{
	uint8_t bytes[HD_WIRE_DATA_SIZE] = { 0 };
	struct hd_packet packet;

	bytes[0] = bytes[1] = bytes[4] = bytes[5] = 0xFF;
	hd_put64(bytes + 24, HD_MAD_SIZE);
	bytes[32 + HD_MAD_BASE_VERSION] = 1;
	bytes[32 + HD_MAD_CLASS] = HD_CLASS_SMI_DIRECT;
	bytes[32 + HD_MAD_CLASS_VERSION] = 1;
	bytes[32 + HD_MAD_METHOD] = HD_METHOD_GET;
	memset(bytes + 32 + HD_SMP_DR_SLID, 0xFF, 4);
	patch(cursor, bytes, sizeof(bytes));
	if (hd_wire_read_data(bytes, sizeof(bytes), &packet))
		hd_clients_send(world->clients, client->id, &packet);
}

static void play(struct world *world, struct cursor *cursor)
{
	for (unsigned n = 0; n < MAX_MESSAGES && cursor->at < cursor->end; n++) {
		unsigned what = next(cursor);
		struct client *client = &world->list[what % N_CLIENTS];

		if (what & 0x40)
			hd_emulator_advance(world->emulator,
					    world->emulator->now +
						    (uint64_t)next(cursor) * 10000000);
		else if (what & 0x80)
			control(world, client, cursor);
		else
			send(world, client, cursor);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_emulator_options options;
	struct hd_fabric *fabric;
	struct world world = { 0 };
	struct hd_emulator_host host = { host_deliver, host_lost, &world };
	struct cursor cursor = { data, data + size };

	hd_emulator_options_init(&options);
	if (hd_topology_build("mesh:2x2", &fabric, NULL))
		abort();
	if (hd_emulator_new(fabric, &options, &host, &world.emulator, NULL) ||
	    hd_clients_new(world.emulator, &world.clients, NULL))
		abort();
	for (int i = 0; i < N_CLIENTS; i++)
		world.list[i].id = HD_NONE;
	play(&world, &cursor);
	hd_emulator_advance(world.emulator, world.emulator->now + 3000000000);
	for (int i = 0; i < N_CLIENTS; i++) {
		uint32_t id = world.list[i].id;

		hd_clients_detach(world.clients, id);
		world.list[i].id = HD_NONE;
	}
	hd_emulator_advance(world.emulator, world.emulator->now + 3000000000);
	hd_clients_free(world.clients);
	hd_emulator_free(world.emulator);
	hd_fabric_free(fabric);
	return 0;
}
