/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The agents of a node: subnet management (SMA, 14.2), performance management (PMA, 16.1). They get
 * a MAD that arrived at their node and turn it into its answer in place. They do not route: the
 * transport does.
 */
#ifndef HD_EMULATOR_AGENTS_H
#define HD_EMULATOR_AGENTS_H

#include "simfabric/emulator/emulator.h"

enum hd_verdict {
	HD_ANSWERED,  /* the packet's MAD is now the answer, method, status and data; the
		         transport turns round LIDs, queue pairs and the direction bit */
	HD_CONSUMED,  /* there is no answer: a wrong M_Key, a TrapRepress */
	HD_FOR_CLIENT /* no agent's MAD: a response, a trap, SMInfo, SA, CM */
};

/*
 * A subnet management MAD (class 0x01 or 0x81) for @node, which came in through its port number @in
 * (0: from the node itself). On a switch an end port is port 0; an adapter's end port is @in, or
 * port 1 when @in is 0.
 */
enum hd_verdict hd_sma_handle(struct hd_emulator *emulator, uint32_t node, uint8_t in,
			      struct hd_packet *packet);

/*
 * A MAD for the GSI of @port (an end port): performance management is answered; classes that
 * clients speak are for them; the others get HD_STATUS_BAD_VERSION.
 */
enum hd_verdict hd_gsi_handle(struct hd_emulator *emulator, uint32_t port,
			      struct hd_packet *packet);

/* Makes the GSI's answer to a request that no client at its port takes. False: no answer. */
bool hd_gsi_refuse(struct hd_packet *packet);

#endif
