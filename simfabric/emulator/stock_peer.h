/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One client of the stock carrier: its data socket, and the queue of what it has not read yet. */
#ifndef HD_EMULATOR_STOCK_PEER_H
#define HD_EMULATOR_STOCK_PEER_H

#include "simfabric/emulator/access.h"
#include "simfabric/emulator/clients.h"
#include "simfabric/emulator/loop.h"
#include "simfabric/emulator/stock_socket.h"
#include "simfabric/emulator/transactions.h"
#include "simfabric/emulator/wire.h"

struct hd_stock;

#define HD_STOCK_BATCH 64 /* messages in one system call */

/*
 * Messages in a queue: from the first number on, the client's requests are not served; at the
 * second the queue is full. The difference between the second and the third is for what ends the
 * client's own requests: not more of them than HD_TRANSACTIONS_MAX wait at any time.
 */
#define HD_STOCK_QUEUE_HIGH   262144
#define HD_STOCK_QUEUE_MAX    524288
#define HD_STOCK_QUEUE_OTHERS (HD_STOCK_QUEUE_MAX - HD_TRANSACTIONS_MAX)

struct hd_peer {
	struct hd_stock *stock;
	uint32_t id;    /* the client's number */
	uid_t user;     /* HD_NO_USER over UDP */
	uint64_t heard; /* when it last sent a message; s */
	int fd;
	struct hd_address control; /* where its control messages come from */
	struct hd_address data;    /* where its MADs come from and go to */
	struct hd_watch watch;
	uint32_t events;            /* epoll's events that are watched */
	struct hd_peer *next_dirty; /* list of clients that have messages to send */
	bool dirty;

	uint8_t (*queue)[HD_WIRE_DATA_SIZE]; /* a ring */
	uint32_t size, first, n;
};

/* Buffers for receiving. */
struct hd_batch {
	uint8_t bytes[HD_STOCK_BATCH][HD_WIRE_DATA_SIZE + 1];
	size_t sizes[HD_STOCK_BATCH];
};

/* Binds the data socket to @own and connects it to peer->data; negative: errno. */
int hd_peer_open(struct hd_peer *peer, const struct hd_address *own);
void hd_peer_close(struct hd_peer *peer);

/*
 * Queues a message; false: the queue is full, or out of memory. @status is 0 or
 * HD_WIRE_TIMED_OUT.
 */
bool hd_peer_push(struct hd_peer *peer, const struct hd_packet *packet, uint32_t status);

/* Sends what is queued, as far as the client's socket takes it; false: the client is dead. */
bool hd_peer_flush(struct hd_peer *peer);

/* Receives up to HD_STOCK_BATCH messages and returns their number, or -1: the client is dead. */
int hd_peer_receive(struct hd_peer *peer, struct hd_batch *batch);

/* The events to wait for: requests unless the queue is long, room if there is a queue. */
uint32_t hd_peer_wanted(const struct hd_peer *peer);

#endif
