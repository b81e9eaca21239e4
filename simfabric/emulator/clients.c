// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/clients.h"

#include <stdlib.h>

#include "simfabric/emulator/transactions.h"
#include "simfabric/emulator/traps.h"
#include "support/error.h"

#define CAPABILITY_ISSM (UINT32_C(1) << 1)

struct registration {
	uint8_t mad_class;
	uint64_t methods[2];
};

struct client {
	const struct hd_carrier *carrier; /* NULL: nobody has this number */
	void *context;
	uint32_t port;
	uint32_t generation;
	bool issm;
	uint64_t spoke[4]; /* bit c of the 256: the client sent a MAD of class c */
	uint64_t sent, received, refused;
	struct registration *registrations;
	size_t n_registrations;
};

struct hd_clients {
	struct hd_emulator *emulator;
	struct hd_transactions *transactions;
	struct client *clients;
	uint32_t n; /* used entries of the array; numbers beyond are free */
	uint32_t size;
	uint32_t generation;
	void (*managed)(void *context);
	void *managed_context;
};

int hd_clients_new(struct hd_emulator *emulator, struct hd_clients **clients, struct hd_error *err)
{
	int ret;

	*clients = calloc(1, sizeof(**clients));
	if (!*clients)
		return hd_error_nomem(err);
	(*clients)->emulator = emulator;
	ret = hd_transactions_new(&(*clients)->transactions, err);
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

static struct client *find_client(const struct hd_clients *clients, uint32_t id)
{
	if (id >= clients->n || !clients->clients[id].carrier)
		return NULL;
	return &clients->clients[id];
}

uint32_t hd_clients_port(const struct hd_clients *clients, uint32_t id)
{
	const struct client *client = find_client(clients, id);

	return client ? client->port : HD_NONE;
}

/* The lowest number from @lowest on that is free; HD_NONE: out of memory. */
static uint32_t free_number(struct hd_clients *clients, uint32_t lowest)
{
	struct client *grown;
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
	clients->clients[*id] = (struct client){
		.carrier = carrier,
		.context = context,
		.port = port,
		.generation = ++clients->generation,
	};
	return 0;
}

void hd_clients_detach(struct hd_clients *clients, uint32_t id)
{
	struct client *client = find_client(clients, id);

	if (!client)
		return;
	hd_clients_set_issm(clients, id, false);
	free(client->registrations);
	*client = (struct client){ 0 };
	while (clients->n && !clients->clients[clients->n - 1].carrier)
		clients->n--;
}

bool hd_clients_expel(struct hd_clients *clients, uint32_t id)
{
	const struct client *client = find_client(clients, id);

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
	struct client *client = find_client(clients, id);
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
	struct client *client = find_client(clients, id);
	struct registration *grown;

	if (!client)
		return hd_error_set(err, HD_ENOTFOUND, "there is no client %u", id);
	for (size_t i = 0; i < client->n_registrations; i++) {
		struct registration *registration = &client->registrations[i];

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
	grown[client->n_registrations++] = (struct registration){
		.mad_class = mad_class,
		.methods = { methods[0], methods[1] },
	};
	return 0;
}

static struct hd_transaction transaction_of(const struct client *client, uint32_t id,
					    const struct hd_packet *packet)
{
	return (struct hd_transaction){
		.id = hd_get64(packet->mad + HD_MAD_TID),
		.port = client->port,
		.client = id,
		.generation = client->generation,
		.mad_class = packet->mad[HD_MAD_CLASS],
	};
}

/*
 * The type of a segment or of what is said about segments; 0: the MAD is a message of its own. That is also what a
 * program wants sent in segments, until a kernel makes them: behind the stock wrapper there is none, and of a longer
 * message the first MAD is all that ever comes.
 */
static unsigned rmpp_type(const struct hd_packet *packet)
{
	return hd_rmpp_is_active(packet->mad) ? packet->mad[HD_RMPP_TYPE] : 0;
}

/* Whether the sender of @packet expects an answer. */
static bool is_request(const struct hd_packet *packet)
{
	unsigned method = hd_mad_method(packet);

	/* ACKs of an answer's segments take the way of the request */
	if (rmpp_type(packet) > HD_RMPP_DATA)
		return false;
	return !(method & HD_METHOD_RESPONSE) && method != HD_METHOD_SEND &&
	       method != HD_METHOD_TRAP && method != HD_METHOD_TRAP_REPRESS;
}

void hd_clients_send(struct hd_clients *clients, uint32_t id, const struct hd_packet *packet)
{
	struct client *client = find_client(clients, id);
	unsigned mad_class = packet->mad[HD_MAD_CLASS];
	struct hd_packet sent = *packet;

	if (!client)
		return;
	client->sent++;
	client->spoke[mad_class / 64] |= UINT64_C(1) << (mad_class % 64);
	if (is_request(packet)) {
		struct hd_transaction transaction = transaction_of(client, id, packet);

		hd_transactions_add(clients->transactions, &transaction);
	}
	sent.origin = id;
	hd_emulator_send(clients->emulator, client->port, &sent);
}

static bool give(struct client *client, const struct hd_packet *packet)
{
	if (!client->carrier->deliver(client->context, packet)) {
		client->refused++;
		return false;
	}
	client->received++;
	return true;
}

static bool has_registered(const struct client *client, const struct hd_packet *packet)
{
	unsigned method = hd_mad_method(packet) & 127;

	for (size_t i = 0; i < client->n_registrations; i++) {
		const struct registration *registration = &client->registrations[i];

		if (registration->mad_class == packet->mad[HD_MAD_CLASS] &&
		    registration->methods[method / 64] >> (method % 64) & 1)
			return true;
	}
	return false;
}

static bool speaks(const struct client *client, unsigned mad_class)
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

static enum fitness fitness_of(const struct client *client, const struct hd_packet *packet)
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

static struct client *who_takes(struct hd_clients *clients, uint32_t port,
				const struct hd_packet *packet)
{
	struct client *best = NULL;
	enum fitness best_fitness = UNFIT;

	for (uint32_t id = 0; id < clients->n; id++) {
		struct client *client = &clients->clients[id];
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

static bool is_there(void *context, const struct hd_transaction *transaction)
{
	const struct client *client = find_client(context, transaction->client);

	return client && client->generation == transaction->generation;
}

static enum hd_answer_part part_of(const struct hd_packet *packet)
{
	if (!rmpp_type(packet))
		return HD_ANSWER_WHOLE;
	if (rmpp_type(packet) != HD_RMPP_DATA)
		return HD_ANSWER_NONE;
	return hd_get32(packet->mad + HD_RMPP_SEGMENT) <= 1 ? HD_ANSWER_FIRST : HD_ANSWER_FURTHER;
}

bool hd_clients_deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct hd_clients *clients = context;
	struct client *client;

	if (packet->mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE) {
		struct hd_transaction transaction = {
			.id = hd_get64(packet->mad + HD_MAD_TID),
			.port = port,
			.mad_class = packet->mad[HD_MAD_CLASS],
		};

		if (!hd_transactions_answer(clients->transactions, &transaction, part_of(packet),
					    is_there, clients))
			return false;
		client = find_client(clients, transaction.client);
	} else {
		client = who_takes(clients, port, packet);
	}
	return client && give(client, packet);
}

void hd_clients_lost(void *context, const struct hd_packet *packet)
{
	struct hd_clients *clients = context;
	struct client *client = find_client(clients, packet->origin);
	struct hd_transaction transaction;

	if (!client || !is_request(packet))
		return;
	transaction = transaction_of(client, packet->origin, packet);
	hd_transactions_remove(clients->transactions, &transaction);
	client->carrier->lost(client->context, packet);
}

void hd_clients_each(const struct hd_clients *clients,
		     void (*each)(void *context, const struct hd_client_info *info), void *context)
{
	for (uint32_t id = 0; id < clients->n; id++) {
		const struct client *client = find_client(clients, id);
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
