/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The carrier of clients that use the umad library of this project: packets in shared memory
 * (ring_layout.h). For an event loop: wait for hd_ring_server_fd() to become readable, then call
 * hd_ring_server_poll(). What arrives for clients between two calls wakes them by itself.
 */
#ifndef HD_EMULATOR_RING_H
#define HD_EMULATOR_RING_H

#include "simfabric/emulator/clients.h"

struct hd_ring_server;

/*
 * Listens on the abstract socket "@name:ring". @emulator and @clients must outlive the server.
 * HD_EIO: the name is taken, or a system call failed; HD_ENOMEM.
 */
int hd_ring_server_new(struct hd_emulator *emulator, struct hd_clients *clients, const char *name,
		       struct hd_ring_server **server, struct hd_error *err);
void hd_ring_server_free(struct hd_ring_server *server);

/* Readable when hd_ring_server_poll() has something to do; the server's own. */
int hd_ring_server_fd(const struct hd_ring_server *server);

/* Does a bounded share of what there is to do, without waiting. */
void hd_ring_server_poll(struct hd_ring_server *server);

#endif
