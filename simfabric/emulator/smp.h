/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A subnet management packet, as the functions of the agent's attributes get it. */
#ifndef HD_EMULATOR_SMP_H
#define HD_EMULATOR_SMP_H

#include "simfabric/emulator/emulator.h"

/* A Get or Set whose header and M_Key are accepted. */
struct hd_smp {
	struct hd_emulator *emulator;
	uint32_t node;
	uint32_t port; /* the end port at which it arrived */
	uint8_t in;    /* the port number through which; 0: from the node itself */
	uint32_t modifier;
	uint64_t mkey; /* of the sender */
	uint8_t *data; /* the attribute, 64 bytes, all zero in a Get; it becomes that of the
		          answer */
};

/* The index of port @number of the SMP's node, or HD_NONE. */
uint32_t hd_smp_port(const struct hd_smp *smp, unsigned number);

#endif
