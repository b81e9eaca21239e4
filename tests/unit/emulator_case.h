/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An emulated fabric with one client on every end port, whose packets are recorded. */
#ifndef HD_TESTS_EMULATOR_CASE_H
#define HD_TESTS_EMULATOR_CASE_H

#include "simfabric/emulator/emulator.h"

struct emulator_case {
	struct hd_fabric *fabric;
	struct hd_tables
		*tables; /* of the engine, as programmed; NULL: a fabric just switched on */
	struct hd_emulator *emulator;

	/* What came last, and how much: */
	unsigned delivered, lost;
	uint32_t port;
	struct hd_packet packet;
};

/*
 * A fabric just switched on from @spec; with @engine, LIDs of LMC @lmc, states and tables as a
 * subnet manager leaves them.
 */
void emulator_case_new(struct emulator_case *c, const char *spec, const char *engine, unsigned lmc,
		       const struct hd_emulator_options *options);
void emulator_case_free(struct emulator_case *c);

/* Sends @packet as client 0 of @port; true: something was delivered to that port at once. */
bool emulator_case_ask(struct emulator_case *c, uint32_t port, const struct hd_packet *packet);

/* A Get of @attribute by LID of SMI class 1 or GSI class 4. */
struct hd_packet lid_routed(unsigned mad_class, unsigned attribute, uint32_t modifier,
			    uint16_t dlid);

/* A Get of @attribute along @n ports of @path. */
struct hd_packet directed(unsigned attribute, uint32_t modifier, const uint8_t *path, unsigned n);

/* The shortest path from @port to @node in out-ports; its length. */
unsigned shortest_path(const struct hd_fabric *fabric, uint32_t port, uint32_t node, uint8_t *path);

#endif
