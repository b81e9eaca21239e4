// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/clients.h"

#include <stdlib.h>

#include "simfabric/emulator/clients_private.h"
#include "simfabric/emulator/traps.h"
#include "support/error.h"

#define CAPABILITY_ISSM (UINT32_C(1) << 1)

int hd_clients_new(struct hd_emulator *emulator, struct hd_clients **clients, struct hd_error *err)
{
	int ret;

	*clients = calloc(1, sizeof(**clients));
	if (!*clients)
		return hd_error_nomem(err);
	(*clients)->emulator = emulator;
	ret = hd_requests_new(*clients, err);
	if (ret) {
		free(*clients);
		*clients = NULL;
	}
	return ret;
}

void hd_clients_free(struct hd_clients *clients)
{
	if (!clients)
		return;
	for (uint32_t id = 0; id < clients->n; id++)
		free(clients->clients[id].registrations);
	free(clients->clients);
	hd_transactions_free(clients->transactions);
	free(clients);
}

uint32_t hd_clients_port(const struct hd_clients *clients, uint32_t id)
{
	const struct hd_client *client = hd_client_find(clients, id);

	return client ? client->port : HD_NONE;
}

/* The lowest number from @lowest on that is free; HD_NONE: out of memory. */
static uint32_t free_number(struct hd_clients *clients, uint32_t lowest)
{
	struct hd_client *grown;
	uint32_t size = clients->size ? clients->size : 16;
	uint32_t id = lowest;

	while (id < clients->n && clients->clients[id].carrier)
		id++;
	if (id < clients->n)
		return id;
	while (size <= id)
		size *= 2;
	if (size > clients->size) {
		grown = realloc(clients->clients, size * sizeof(*grown));
		if (!grown)
			return HD_NONE;
		clients->clients = grown;
		clients->size = size;
	}
	/* numbers that were passed over are free */
	memset(&clients->clients[clients->n], 0, (id + 1 - clients->n) * sizeof(*clients->clients));
	clients->n = id + 1;
	return id;
}

int hd_clients_attach(struct hd_clients *clients, uint32_t port, const struct hd_carrier *carrier,
		      void *context, uint32_t lowest, uint32_t *id, struct hd_error *err)
{
	*id = free_number(clients, lowest);
	if (*id == HD_NONE)
		return hd_error_nomem(err);
	clients->clients[*id] = (struct hd_client){
		.carrier = carrier,
		.context = context,
		.port = port,
		.generation = ++clients->generation,
	};
	return 0;
}

void hd_clients_detach(struct hd_clients *clients, uint32_t id)
{
	struct hd_client *client = hd_client_find(clients, id);

	if (!client)
		return;
	hd_clients_set_issm(clients, id, false);
	hd_requests_leave(clients, id);
	free(client->registrations);
	*client = (struct hd_client){ 0 };
	while (clients->n && !clients->clients[clients->n - 1].carrier)
		clients->n--;
}

bool hd_clients_expel(struct hd_clients *clients, uint32_t id)
{
	const struct hd_client *client = hd_client_find(clients, id);

	if (!client)
		return false;
	client->carrier->expel(client->context);
	return true;
}

void hd_clients_when_managed(struct hd_clients *clients, void (*first)(void *context),
			     void *context)
{
	clients->managed = first;
	clients->managed_context = context;
}

void hd_clients_set_issm(struct hd_clients *clients, uint32_t id, bool issm)
{
	struct hd_client *client = hd_client_find(clients, id);
	uint32_t *capabilities, before;
	bool any = false;

	if (!client)
		return;
	client->issm = issm;
	for (uint32_t other = 0; other < clients->n; other++)
		any |= clients->clients[other].carrier && clients->clients[other].issm &&
		       clients->clients[other].port == client->port;
	capabilities = &clients->emulator->ports[client->port].capabilities;
	before = *capabilities;
	*capabilities = any ? before | CAPABILITY_ISSM : before & ~CAPABILITY_ISSM;
	if (*capabilities != before)
		hd_trap_capabilities(clients->emulator, client->port, false);
	if (issm && clients->managed) {
		void (*managed)(void *context) = clients->managed;

		clients->managed = NULL;
		managed(clients->managed_context);
	}
}

int hd_clients_register(struct hd_clients *clients, uint32_t id, unsigned mad_class,
			const uint64_t methods[2], struct hd_error *err)
{
	struct hd_client *client = hd_client_find(clients, id);
	struct hd_registration *grown;

	if (!client)
		return hd_error_set(err, HD_ENOTFOUND, "there is no client %u", id);
	for (size_t i = 0; i < client->n_registrations; i++) {
		struct hd_registration *registration = &client->registrations[i];

		if (registration->mad_class != mad_class)
			continue;
		registration->methods[0] = methods[0];
		registration->methods[1] = methods[1];
		return 0;
	}
	grown = realloc(client->registrations, (client->n_registrations + 1) * sizeof(*grown));
	if (!grown)
		return hd_error_nomem(err);
	client->registrations = grown;
	grown[client->n_registrations++] = (struct hd_registration){
		.mad_class = (uint8_t)mad_class,
		.methods = { methods[0], methods[1] },
	};
	return 0;
}

void hd_clients_send(struct hd_clients *clients, uint32_t id, const struct hd_packet *packet)
{
	struct hd_client *client = hd_client_find(clients, id);
	unsigned mad_class = packet->mad[HD_MAD_CLASS];
	struct hd_packet sent = *packet;

	if (!client)
		return;
	sent.origin = id;
	client->sent++;
	client->spoke[mad_class / 64] |= UINT64_C(1) << (mad_class % 64);
	hd_requests_send(clients, &sent);
	hd_emulator_send(clients->emulator, client->port, &sent);
}

static bool give(struct hd_client *client, const struct hd_packet *packet)
{
	if (!client->carrier->deliver(client->context, packet)) {
		client->refused++;
		return false;
	}
	client->received++;
	return true;
}

static bool has_registered(const struct hd_client *client, const struct hd_packet *packet)
{
	unsigned method = hd_mad_method(packet) & 127;

	for (size_t i = 0; i < client->n_registrations; i++) {
		const struct hd_registration *registration = &client->registrations[i];

		if (registration->mad_class == packet->mad[HD_MAD_CLASS] &&
		    registration->methods[method / 64] >> (method % 64) & 1)
			return true;
	}
	return false;
}

static bool speaks(const struct hd_client *client, unsigned mad_class)
{
	return client->spoke[mad_class / 64] >> (mad_class % 64) & 1;
}

/*
 * Who takes an unsolicited MAD, best first. Stock clients do not say what they take, so a client
 * that has sent MADs of a class is taken to listen to it. Reports of an SA are for the clients that
 * it serves; all other MADs of subnet management and administration are for the manager.
 */
enum fitness {
	UNFIT,
	IS_THERE,
	SPEAKS_CLASS,
	IS_MANAGER,
	HAS_REGISTERED,
};

static enum fitness fitness_of(const struct hd_client *client, const struct hd_packet *packet)
{
	unsigned mad_class = packet->mad[HD_MAD_CLASS];
	bool report = mad_class == HD_CLASS_SA && hd_mad_method(packet) == HD_METHOD_REPORT;
	bool managers = mad_class == HD_CLASS_SMI || mad_class == HD_CLASS_SMI_DIRECT ||
			(mad_class == HD_CLASS_SA && !report);

	if (has_registered(client, packet))
		return HAS_REGISTERED;
	if (client->n_registrations)
		return UNFIT;
	if (managers)
		return client->issm ? IS_MANAGER : UNFIT;
	if (report && client->issm)
		return IS_THERE;
	return speaks(client, mad_class) ? SPEAKS_CLASS : IS_THERE;
}

static struct hd_client *who_takes(struct hd_clients *clients, uint32_t port,
				   const struct hd_packet *packet)
{
	struct hd_client *best = NULL;
	enum fitness best_fitness = UNFIT;

	for (uint32_t id = 0; id < clients->n; id++) {
		struct hd_client *client = &clients->clients[id];
		enum fitness fitness;

		if (!client->carrier || client->port != port)
			continue;
		fitness = fitness_of(client, packet);
		/*
		 * a client's own request is not for itself, unless the client is the one that
		 * serves
		 */
		if (id == packet->origin && fitness <= SPEAKS_CLASS)
			continue;
		if (fitness > best_fitness) {
			best = client;
			best_fitness = fitness;
		}
	}
	return best;
}

bool hd_clients_deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct hd_clients *clients = context;
	struct hd_client *client;

	if (hd_is_answer(packet)) {
		client = hd_requests_answer(clients, port, packet);
	} else {
		client = who_takes(clients, port, packet);
		if (client)
			hd_requests_arrive(clients, client, packet);
	}
	return client && give(client, packet);
}

void hd_clients_each(const struct hd_clients *clients,
		     void (*each)(void *context, const struct hd_client_info *info), void *context)
{
	for (uint32_t id = 0; id < clients->n; id++) {
		const struct hd_client *client = hd_client_find(clients, id);
		struct hd_client_info info;

		if (!client)
			continue;
		info = (struct hd_client_info){
			.id = id,
			.port = client->port,
			.issm = client->issm,
			.sent = client->sent,
			.received = client->received,
			.refused = client->refused,
		};
		each(context, &info);
	}
}
