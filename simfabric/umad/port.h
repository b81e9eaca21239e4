/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A port that a program has open: the rings to the server, and the exchange on them. Any number of
 * threads may send and receive.
 */
#ifndef HD_UMAD_PORT_H
#define HD_UMAD_PORT_H

#include <pthread.h>

#include "simfabric/emulator/ring_layout.h"
#include "simfabric/umad/exchange.h"

struct hd_unread_packet;

struct hd_umad_port {
	struct hd_umad_port *next; /* of the table in umad.c */
	unsigned references;       /* the table's lock holds them */
	int id; /* a descriptor that polls readable when umad_recv() would not wait:
				      an epoll set of the following and a timer */
	int socket, timer;
	int wake_server; /* the eventfd on which the server sleeps */
	int wake;        /* our end of the pair of sockets, through which the server wakes us */
	int self;        /* an eventfd of this process alone */
	unsigned number;
	uint32_t client;

	pthread_mutex_t lock;
	struct hd_ring_pair *rings;
	struct hd_ring_end in, out;
	struct hd_exchange exchange;
	/* what waits for room in the ring */
	struct hd_unread_packet *backlog, **backlog_end;
	unsigned waiters;   /* threads that sleep in hd_port_wait() */
	uint64_t armed;     /* when the timer expires; UINT64_MAX: never */
	bool server_sleeps; /* and there is something for it */
	bool self_woken;    /* the eventfd is readable */
	unsigned n_wakes;   /* events of the socket */
	bool watched;       /* the program polls the descriptor itself */
	bool gone;          /* the server is */
};

/* 0 or -errno. */
int hd_port_open(unsigned number, struct hd_umad_port **port);
void hd_port_free(struct hd_umad_port *port);

/* The other functions need the port's lock held. */

/* What arrived goes to the exchange, until it has something for the program. */
void hd_port_collect(struct hd_umad_port *port);

/*
 * Waits until the exchange has something for the program. 0, -ETIMEDOUT, -EINTR. @timeout_ms < 0: for
 * ever. The thread, which comes here with cancellation disabled, may be cancelled when @cancel_state
 * says so: then @cancelled is called with @port, and the lock is not held.
 */
int hd_port_wait(struct hd_umad_port *port, int timeout_ms, int cancel_state,
		 void (*cancelled)(void *port));

/* What this thread leaves, another that waits takes. */
void hd_port_pass_on(struct hd_umad_port *port);

/* To be called after a change: what was sent goes out, the descriptor says what it is to say. */
void hd_port_settle(struct hd_umad_port *port);

/* The program polls the descriptor from now on. */
void hd_port_watch(struct hd_umad_port *port);

/* Asks the server on the port's socket. */
int hd_port_register(struct hd_umad_port *port, unsigned mad_class);

uint64_t hd_umad_now(void);

#endif
