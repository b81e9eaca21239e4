/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The carrier for clients of ibsim's stock wrapper, libumad2sim: datagram sockets in the abstract
 * namespace and, if asked for, UDP (docs/emulator.md, "Wire protocol"). The carrier finds clients
 * that died, and detaches them. When places run out, it detaches clients on other machines,
 * beginning with the one that has been silent longest. Messages that a client does not read stay in
 * its queue; while the queue is long, its requests are not served.
 */
#ifndef HD_EMULATOR_STOCK_H
#define HD_EMULATOR_STOCK_H

#include <netinet/in.h>

#include "simfabric/emulator/clients.h"
#include "simfabric/emulator/loop.h"

struct hd_stock;

/*
 * How long a request waits for the answer of another client, because libumad2sim does not pass on
 * its program's timeout. OpenSM gives a kernel 0.2 s and three repetitions; libibmad waits 1 s and
 * asks again itself; an SA that computes routes may need longer than 1 s.
 */
#define HD_STOCK_TIMEOUT_NS UINT64_C(2000000000)

struct hd_stock_options {
	const char *name; /* of the sockets, IBSIM_SOCKNAME; "sim" is the wrapper's default */
	bool inet;        /* serve UDP, too, */
	struct sockaddr_in listen; /* at this address: control; the data port of client N is N +
				      1 above it */
	struct hd_access *access;  /* whom to admit; must outlive the carrier */

	/* Gets a line for the user when a client came, went or could not be served; may be NULL. */
	void (*say)(void *context, const char *line);
	void *context;
};

/*
 * Serves from now on, whenever @loop turns. HD_EINVAL: a name that is too long; HD_EIO: it is in
 * use or the sockets cannot be made; HD_ENOMEM.
 */
int hd_stock_new(struct hd_emulator *emulator, struct hd_clients *clients, struct hd_loop *loop,
		 const struct hd_stock_options *options, struct hd_stock **stock,
		 struct hd_error *err);

/* Detaches all clients. */
void hd_stock_free(struct hd_stock *stock);

/* Looks for clients that died; the carrier itself does so every second. */
void hd_stock_reap(struct hd_stock *stock);

#endif
