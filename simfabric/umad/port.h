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
	struct hd_umad_port *next; /* for the table in umad.c */
	unsigned references;       /* guarded by the lock of the table */
	int id; /* a descriptor that polls readable when umad_recv() would not block: an epoll
		   set of the following and a timer */
	int socket, timer;
	int wake_server; /* the eventfd on which the server sleeps */
	int wake;        /* this process's end of the pair of sockets, through which the server
			    wakes it */
	int self;        /* an eventfd of this process alone */
	unsigned number;
	uint32_t client;

	pthread_mutex_t lock;
	struct hd_ring_pair *rings;
	struct hd_ring_end in, out;
	struct hd_exchange exchange;
	/* packets for which the ring has no room yet */
	struct hd_unread_packet *backlog, **backlog_end;
	unsigned waiters;   /* threads that sleep in hd_port_wait() */
	uint64_t armed;     /* when the timer expires; UINT64_MAX: never */
	bool server_sleeps; /* and there are packets for it */
	bool self_woken;    /* the eventfd is readable */
	unsigned n_wakes;   /* events of the socket */
	bool watched;       /* the program polls the descriptor itself */
	bool gone;          /* the server is gone */
};

/* 0 or -errno. */
int hd_port_open(unsigned number, struct hd_umad_port **port);
void hd_port_free(struct hd_umad_port *port);

/* The other functions need the port's lock held. */

/* Gives packets that arrived to the exchange, until that has a message for the program. */
void hd_port_collect(struct hd_umad_port *port);

/*
 * Waits until the exchange has a message for the program. 0, -ETIMEDOUT, -EINTR. @timeout_ms < 0:
 * for ever. The calling thread has cancellation disabled; where @cancel_state allows it, it may be
 * cancelled here: then @cancelled is called with @port, and the lock is not held.
 */
int hd_port_wait(struct hd_umad_port *port, int timeout_ms, int cancel_state,
		 void (*cancelled)(void *port));

/* Wakes another waiting thread for messages that this thread leaves. */
void hd_port_pass_on(struct hd_umad_port *port);

/* To be called after a change: sends packets, and makes the descriptor readable or not. */
void hd_port_settle(struct hd_umad_port *port);

/* The program polls the descriptor from now on. */
void hd_port_watch(struct hd_umad_port *port);

/* Tells the server, on the port's socket, which methods of @mad_class are taken. */
int hd_port_register(struct hd_umad_port *port, unsigned mad_class);

uint64_t hd_umad_now(void);

#endif
