/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The carrier of clients that use the umad library of this project: packets in shared memory
 * (ring_layout.h). It serves in every step of its loop. Packets that arrive for clients between two
 * steps wake the clients at once. A client cannot make the server wait by changes to the shared
 * files.
 */
#ifndef HD_EMULATOR_RING_H
#define HD_EMULATOR_RING_H

#include "simfabric/emulator/access.h"
#include "simfabric/emulator/clients.h"
#include "simfabric/emulator/loop.h"

struct hd_ring_server;

/*
 * Listens on the abstract socket "@name:ring", and admits the users that @access admits. All must
 * outlive the server. HD_EIO: the name is taken, or a system call failed; HD_ENOMEM.
 */
int hd_ring_server_new(struct hd_emulator *emulator, struct hd_clients *clients,
		       struct hd_access *access, struct hd_loop *loop, const char *name,
		       struct hd_ring_server **server, struct hd_error *err);
void hd_ring_server_free(struct hd_ring_server *server);

/*
 * Closes connections that have not become a client for @seconds; the server itself does so for 10.
 */
void hd_ring_server_reap(struct hd_ring_server *server, uint64_t seconds);

#endif
