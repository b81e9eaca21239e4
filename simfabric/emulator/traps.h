/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Notices that a node sends to the master subnet manager (14.2.5.1), repeated until a TrapRepress
 * names them or the port goes down (14.3.x; 13.4.9).
 */
#ifndef HD_EMULATOR_TRAPS_H
#define HD_EMULATOR_TRAPS_H

#include "simfabric/emulator/emulator.h"

/* Trap 128: a port of the switch @node changed its state. */
void hd_trap_link_state(struct hd_emulator *emulator, uint32_t node);

/* Traps 129 (local link integrity), 130 (excessive buffer overrun), 131 (flow control watchdog). */
void hd_trap_link_errors(struct hd_emulator *emulator, uint16_t trap, uint32_t port);

/* Trap 144: the capability mask or the NodeDescription of the end port @port changed. */
void hd_trap_capabilities(struct hd_emulator *emulator, uint32_t port, bool description);

/* Trap 256: @packet came to @port with a wrong M_Key. */
void hd_trap_mkey(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet);

/* Traps 257, 258: bad P_Key, bad Q_Key. */
void hd_trap_key(struct hd_emulator *emulator, uint16_t trap, uint32_t port,
		 const struct hd_packet *packet);

/* A TrapRepress arrived at @port. False: it is not for a trap that the port sends. */
bool hd_trap_repress(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet);

#endif
