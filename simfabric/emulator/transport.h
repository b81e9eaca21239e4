/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How MADs travel. Directed-route SMPs take the ports that they name (14.2.2), up to 64 hops,
 * before or after LID-routed parts. All others follow the LFTs that the switches hold now
 * (18.2.4.3) and use the VLs that SL2VL tables give them. A packet is lost, as in hardware, if an
 * entry is missing, leads back to the in-port or into a forwarding loop, or if its VL is 15 or one
 * that the link does not operate. Every link on its path counts the packet at both ends.
 */
#ifndef HD_EMULATOR_TRANSPORT_H
#define HD_EMULATOR_TRANSPORT_H

#include "simfabric/emulator/emulator.h"

/* Words of a MAD in link counters: LRH, BTH, DETH, 256 bytes, ICRC. */
#define HD_PACKET_WORDS ((8 + 12 + 8 + HD_MAD_SIZE + 4) / 4)

/* Carries the packets in the outbox, and those that are added meanwhile. */
void hd_transport_flush(struct hd_emulator *emulator);

#endif
