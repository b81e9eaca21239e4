/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shared by clients.c (the clients, and the MADs that each takes) and client_requests.c (their
 * requests).
 */
#ifndef HD_EMULATOR_CLIENTS_PRIVATE_H
#define HD_EMULATOR_CLIENTS_PRIVATE_H

#include "simfabric/emulator/clients.h"
#include "simfabric/emulator/transactions.h"

struct hd_registration {
	uint8_t mad_class;
	uint64_t methods[2];
};

struct hd_client {
	const struct hd_carrier *carrier; /* NULL: nobody has this number */
	void *context;
	uint32_t port;
	uint32_t generation;
	bool issm;
	uint64_t spoke[4]; /* bit c of the 256: the client sent a MAD of class c */
	uint64_t sent, received, refused;
	struct hd_registration *registrations;
	size_t n_registrations;
};

struct hd_clients {
	struct hd_emulator *emulator;
	struct hd_transactions *transactions;
	struct hd_client *clients;
	uint32_t n; /* used entries of the array; numbers beyond are free */
	uint32_t size;
	uint32_t generation;
	bool timer_runs; /* for the first deadline of a request */
	void (*managed)(void *context);
	void *managed_context;
};

static inline struct hd_client *hd_client_find(const struct hd_clients *clients, uint32_t id)
{
	if (id >= clients->n || !clients->clients[id].carrier)
		return NULL;
	return &clients->clients[id];
}

/* Whether @packet answers a request of its receiver, and has that request's transaction ID. */
static inline bool hd_is_answer(const struct hd_packet *packet)
{
	unsigned method = packet->mad[HD_MAD_METHOD];

	return method & HD_METHOD_RESPONSE || method == HD_METHOD_TRAP_REPRESS;
}

/* HD_ENOMEM. */
int hd_requests_new(struct hd_clients *clients, struct hd_error *err);

/* The client packet->origin sends @packet: if it is a request, an answer must follow. */
void hd_requests_send(struct hd_clients *clients, const struct hd_packet *packet);

/* @client gets @packet of client packet->origin; if it is a request, @client must answer. */
void hd_requests_arrive(struct hd_clients *clients, const struct hd_client *client,
			const struct hd_packet *packet);

/* The client at @port that waits for the answer @packet; NULL: none does. */
struct hd_client *hd_requests_answer(struct hd_clients *clients, uint32_t port,
				     const struct hd_packet *packet);

/* Client @id leaves: no client waits for it any more, nor does it wait for others. */
void hd_requests_leave(struct hd_clients *clients, uint32_t id);

#endif
