/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shared by the files of the stock carrier: stock_clients.c has the clients and their packets,
 * stock_entrance.c admits and removes clients, stock.c is the carrier.
 */
#ifndef HD_EMULATOR_STOCK_PRIVATE_H
#define HD_EMULATOR_STOCK_PRIVATE_H

#include "simfabric/emulator/stock.h"
#include "simfabric/emulator/stock_peer.h"

#define HD_STOCK_REAP_FIRST \
	16 /* number of clients at which dead ones are looked for; again at
			          every doubling */

/* A control socket. */
struct hd_entrance {
	struct hd_stock *stock;
	int fd;
	bool inet;
	struct hd_watch watch;
};

struct hd_stock {
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	struct hd_loop *loop;
	struct hd_stock_options options;
	char name[HD_STOCK_NAME_MAX + 1];

	struct hd_entrance un, in;
	int timer;
	struct hd_watch timer_watch;
	struct hd_watch before_wait;

	struct hd_peer **peers; /* ascending by attaching */
	size_t n_peers, size_peers;
	size_t reap_at;
	struct hd_peer *dirty;
	struct hd_batch batch;
};

/* stock_clients.c */

/* Says a line to the user. */
void hd_stock_say(const struct hd_stock *stock, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Adds a client of @user whose message came from @control; it is not attached yet. HD_EINVAL: not
 * admitted; HD_ENOMEM.
 */
int hd_stock_add(struct hd_stock *stock, uid_t user, const struct hd_address *control,
		 const struct hd_address *data, struct hd_peer **peer, struct hd_error *err);

/* Removes the UDP client that has been silent longest. False: all of them sent something lately. */
bool hd_stock_make_place(struct hd_stock *stock);

/*
 * Attaches the client, as its @message asks, and turns the message into the answer. HD_ENOTFOUND
 * and others.
 */
int hd_stock_attach(struct hd_peer *peer, struct hd_wire_control *message, struct hd_error *err);

/* Removes the client, attached or not. */
void hd_stock_remove(struct hd_peer *peer);

/* Serves what the client has sent until now; false: it is dead. */
bool hd_stock_serve_rest(struct hd_peer *peer);

/* At the end of a turn: queued messages of all clients of the carrier @context go out. */
void hd_stock_flush(void *context, uint32_t events);

/* stock_entrance.c */

/* Opens the control sockets. HD_EIO. */
int hd_stock_open_entrances(struct hd_stock *stock, struct hd_error *err);
void hd_stock_close_entrances(struct hd_stock *stock);

#endif
