/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A small emulated fabric, MADs for its agents, and their answers. */
#ifndef HD_TESTS_AGENTS_CASE_H
#define HD_TESTS_AGENTS_CASE_H

#include "simfabric/emulator/agents.h"
#include "simfabric/emulator/emulator.h"
#include "simfabric/emulator/link_state.h"

/*
 * "spine" (node 0, 8 ports, enhanced port 0), "leaf" (node 1, 8 ports, base port 0), "host" (node
 * 2, two ports), "other" (node 3). spine[1]-host[1] 4xSDR, spine[2]-host[2] 1xDDR, spine[3]-leaf[1]
 * 4xQDR, spine[4]-leaf[2] 4xFDR, spine[5]-leaf[3] 12xEDR, spine[6]-leaf[4] 2xHDR, spine[7]-leaf[5]
 * 4xNDR, leaf[8]-other[1] 4xHDR with 4 data VLs at other. spine[8], leaf[6] and leaf[7] are free.
 */
enum { SPINE, LEAF, HOST, OTHER };

struct agents_case {
	struct hd_fabric *fabric;
	struct hd_emulator *emulator;
	struct hd_packet packet;    /* the request, then the answer */
	struct hd_packet delivered; /* the last that reached a client */
	uint32_t delivered_port;
	unsigned n_delivered;
};

/* NULL options: the defaults. False: it cannot be made. */
bool agents_case_new(struct agents_case *c, const struct hd_emulator_options *options);
/* With switches that have adaptive routing. */
bool agents_case_new_ar(struct agents_case *c);
void agents_case_free(struct agents_case *c);

uint32_t agents_case_port(const struct agents_case *c, uint32_t node, unsigned number);
struct hd_emulator_port *agents_case_state(const struct agents_case *c, uint32_t node,
					   unsigned number);

/* The status of an SMP's answer; below 0: what hd_sma_handle() said instead. The attribute that is
 * sent is in c->packet and the answer's is there afterwards: agents_case_data(). */
#define NO_ANSWER(verdict) (-1 - (int)(verdict))
int agents_case_smp(struct agents_case *c, uint32_t node, unsigned in, unsigned method,
		    unsigned attribute, uint32_t modifier);
int agents_case_get(struct agents_case *c, uint32_t node, unsigned in, unsigned attribute,
		    uint32_t modifier);
int agents_case_set(struct agents_case *c, uint32_t node, unsigned in, unsigned attribute,
		    uint32_t modifier);
uint8_t *agents_case_data(struct agents_case *c);

/* The same of a performance management MAD, for the end port @port. */
int agents_case_pm(struct agents_case *c, uint32_t port, unsigned method, unsigned attribute);

/* Gives every end port a LID (1, 2, ... by node and port) and the subnet manager's, on host[1]; the
 * tables lead there, and all links are active. */
void agents_case_bring_up(struct agents_case *c);

#endif
