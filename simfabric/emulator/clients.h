/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The programs that run on the fabric, each attached to an end port: finds the client that gets a
 * MAD. The client's carrier brings MADs to the program (by sockets, or shared memory).
 */
#ifndef HD_EMULATOR_CLIENTS_H
#define HD_EMULATOR_CLIENTS_H

#include "simfabric/emulator/emulator.h"

struct hd_clients;

/* How packets reach a client. */
struct hd_carrier {
	/* False: the client cannot take the packet now, which is counted and lost. */
	bool (*deliver)(void *context, const struct hd_packet *packet);

	/*
	 * A request of the client gets no answer: the request or its answer was lost, the client
	 * that should answer is gone, or timeout_ns are over. The client sees a send that timed
	 * out.
	 */
	void (*lost)(void *context, const struct hd_packet *packet);

	/*
	 * How long a request may wait for the answer of another client, which may have stopped; 0:
	 * the client itself measures the time.
	 */
	uint64_t timeout_ns;

	/* The console throws the client out: close its connection and call hd_clients_detach(). */
	void (*expel)(void *context);
};

/* @emulator's host.deliver and host.lost are to be hd_clients_deliver() and hd_clients_lost(). */
int hd_clients_new(struct hd_emulator *emulator, struct hd_clients **clients, struct hd_error *err);
void hd_clients_free(struct hd_clients *clients);

/*
 * The end port that a user means by SIM_HOST: "" is that of the first adapter, else a node's name
 * or a node's or port's GUID, in the forms of hd_fabric_find() and of umad2sim. HD_ENOTFOUND.
 */
int hd_clients_find_port(const struct hd_fabric *fabric, const char *host, uint32_t *port,
			 struct hd_error *err);

/*
 * Attaches a client to @port; @id gets its number, the lowest from @lowest on that is free.
 * HD_ENOMEM.
 */
int hd_clients_attach(struct hd_clients *clients, uint32_t port, const struct hd_carrier *carrier,
		      void *context, uint32_t lowest, uint32_t *id, struct hd_error *err);

/* Detaches; a client that had set IsSM clears it. */
void hd_clients_detach(struct hd_clients *clients, uint32_t id);

/*
 * IsSM of the client's port (CapabilityMask bit 1); it is set while any client there asks for it.
 */
void hd_clients_set_issm(struct hd_clients *clients, uint32_t id, bool issm);

/* Calls @first once, when a client sets IsSM for the first time. */
void hd_clients_when_managed(struct hd_clients *clients, void (*first)(void *context),
			     void *context);

/*
 * The client takes unsolicited MADs of @mad_class whose method's bit is set in @methods (128 bits,
 * as umad_register() has them), and no others of that class any more. Clients of the stock wrapper
 * never register: they get what hd_clients_deliver() guesses.
 */
int hd_clients_register(struct hd_clients *clients, uint32_t id, unsigned mad_class,
			const uint64_t methods[2], struct hd_error *err);

/*
 * Sends @packet from the client's port and remembers its transaction, so that the answer returns.
 * A request, and all repetitions of it together, ends once: by an answer, or by carrier->lost().
 */
void hd_clients_send(struct hd_clients *clients, uint32_t id, const struct hd_packet *packet);

/*
 * Gives a packet that arrived at @port to a client there: to the client that asked (class and
 * transaction ID of a response); else to the one that registered for it; else, for MADs to subnet
 * managers and SAs, to the one that set IsSM. False: there is none.
 */
bool hd_clients_deliver(void *clients, uint32_t port, const struct hd_packet *packet);
void hd_clients_lost(void *clients, const struct hd_packet *packet);

/* For the console: calls @each for every client, ascending by number. */
struct hd_client_info {
	uint32_t id, port;
	bool issm;
	uint64_t sent, received;
	uint64_t refused; /* MADs that the carrier could not take */
};
void hd_clients_each(const struct hd_clients *clients,
		     void (*each)(void *context, const struct hd_client_info *info), void *context);

/* The port of client @id; HD_NONE: there is no such client. */
uint32_t hd_clients_port(const struct hd_clients *clients, uint32_t id);

/* Throws client @id out: its carrier forgets it, and it is detached. False: no such client. */
bool hd_clients_expel(struct hd_clients *clients, uint32_t id);

#endif
