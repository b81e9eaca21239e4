/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An emulated fabric with clients whose carrier is a list. */
#ifndef HD_TESTS_CLIENTS_CASE_H
#define HD_TESTS_CLIENTS_CASE_H

#include "simfabric/emulator/clients.h"

struct clients_case {
	struct hd_fabric *fabric;
	struct hd_emulator *emulator;
	struct hd_clients *clients;
};

/* Messages that a client got; the newest of each kind is kept. */
struct inbox {
	struct clients_case *of;
	uint32_t id;
	unsigned n_delivered, n_lost;
	struct hd_packet delivered, lost;
	bool full, expelled;
};

extern const struct hd_carrier inbox_carrier;
extern const struct hd_carrier inbox_timed_carrier; /* the same with a timeout */
#define INBOX_TIMEOUT_NS UINT64_C(2000000000)

void clients_case_new(struct clients_case *c, const char *spec);
void clients_case_free(struct clients_case *c);

/* Attaches @inbox to @port. */
void inbox_attach(struct clients_case *c, struct inbox *inbox, uint32_t port);
void inbox_attach_timed(struct clients_case *c, struct inbox *inbox, uint32_t port);

/* Port 1 of the adapter @index. */
uint32_t host_port(const struct clients_case *c, uint32_t index);

/* A directed SMP of no hops: it asks the sender's own node. */
struct hd_packet own_smp(unsigned method, unsigned attribute, uint64_t id);

#endif
