/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Requests of the stock wrapper's clients on their control sockets: attach, detach, and data that
 * the wrapper shows as files of the kernel. No sockets here.
 */
#ifndef HD_EMULATOR_CONTROL_H
#define HD_EMULATOR_CONTROL_H

#include "simfabric/emulator/clients.h"
#include "simfabric/emulator/wire.h"

/*
 * Attaches the client that sent @message, an HD_WIRE_CONNECT, and turns the message into the
 * answer; @lowest and @id are those of hd_clients_attach(). HD_ENOTFOUND: there is no such node;
 * HD_ENOMEM.
 */
int hd_control_connect(struct hd_emulator *emulator, struct hd_clients *clients,
		       const struct hd_carrier *carrier, void *context,
		       struct hd_wire_control *message, uint32_t lowest, uint32_t *id,
		       struct hd_error *err);

/*
 * Turns @message of client @id, any but HD_WIRE_CONNECT and HD_WIRE_DISCONNECT, into the answer:
 * HD_WIRE_ERROR when there is no such client or request.
 */
void hd_control_answer(struct hd_emulator *emulator, struct hd_clients *clients, uint32_t id,
		       struct hd_wire_control *message);

/* Turns @message into the answer that its request cannot be served. */
void hd_control_refuse(struct hd_wire_control *message);

#endif
