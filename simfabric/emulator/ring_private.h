/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the files of the ring carrier share: ring.c is the server, which makes connections;
 * ring_control.c answers their requests, ring_packets.c carries their packets, ring_disconnect.c
 * ends them.
 */
#ifndef HD_EMULATOR_RING_PRIVATE_H
#define HD_EMULATOR_RING_PRIVATE_H

#include "simfabric/emulator/ring.h"
#include "simfabric/emulator/ring_layout.h"

struct hd_ring_connection {
	struct hd_ring_server *server;
	struct hd_ring_connection *next, *previous;
	int socket;
	uid_t user;     /* whose process is at the other end */
	uint64_t since; /* when the connection was made; s */
	struct hd_watch socket_watch, wake_watch;

	/* after HD_RING_OPEN; client is HD_NONE before */
	uint32_t client;
	uint32_t port;   /* index in the fabric's ports */
	int wake;        /* the eventfd on which the server sleeps: never read or written */
	int wake_client; /* the server's end of the pair of sockets */
	struct hd_ring_pair *rings;
	struct hd_ring_end in, out;
	bool served;     /* its requests are being taken */
	bool again;      /* there are more requests, for the next round */
	bool wake_later; /* the client sleeps, and there is a packet for it */

	/* after HD_RING_ISSM: the client whose IsSM lasts as long as this connection */
	uint32_t issm_client;
	bool issm_own; /* that client is attached only for this */
};

struct hd_ring_server {
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	struct hd_loop *loop;
	struct hd_access *access;
	struct hd_ring_connection *connections;
	int listener;
	struct hd_watch listener_watch;
	bool listening; /* the loop watches the listener */
	int again;      /* an eventfd of the server alone: some connections have more requests */
	struct hd_watch again_watch;
	bool round_is_due;
	uint32_t opened; /* clients that were ever opened */
	int timer;
	struct hd_watch timer_watch;
};

/* ring_disconnect.c */

void hd_ring_close_rings(struct hd_ring_connection *connection);

/* Detaches the client of @connection, clears the IsSM that it has set, and frees it. */
void hd_ring_disconnect(struct hd_ring_connection *connection);

/* The console throws out the client of @connection; not called while events are served. */
void hd_ring_expel(void *connection);

/* ring_packets.c */

/*
 * Makes the rings of @connection and attaches it to @port: 0, or an errno value with @text. @files
 * are for the client, and are closed by the caller.
 */
int hd_ring_open(struct hd_ring_connection *connection, uint32_t port, int files[HD_RING_FILES],
		 char *text, size_t size);

/* Serves the connections of the server @context that have more requests. */
void hd_ring_serve_round(void *context, uint32_t events);

/* ring_control.c */

/* Reads and answers one request. False: the connection is to be closed. */
bool hd_ring_control(struct hd_ring_connection *connection);

#endif
