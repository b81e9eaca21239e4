/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Faults: a share of MADs is lost or late, by seeded random streams; Sets are refused. No MAD is
 * corrupted, and no other packet is lost.
 */
#ifndef HD_EMULATOR_MAD_FAULTS_H
#define HD_EMULATOR_MAD_FAULTS_H

#include "simfabric/emulator/emulator.h"

/* The share (0 .. 1) of transmitted MADs that @port (HD_NONE: every port) loses. */
int hd_fault_drop(struct hd_emulator *emulator, uint32_t port, double share, struct hd_error *err);

/* MADs from clients arrive @ns later; 0: at once. HD_ENOMEM. */
int hd_fault_delay(struct hd_emulator *emulator, uint64_t ns, struct hd_error *err);
uint64_t hd_fault_delay_ns(const struct hd_emulator *emulator);

/* The agents of @node act @ns after a request has come to them; 0: at once. HD_ENOMEM. */
int hd_fault_slow(struct hd_emulator *emulator, uint32_t node, uint64_t ns, struct hd_error *err);

/*
 * Requests of subnet management wait at their switches, each for a random time of less than @ns, so
 * they overtake one another. The times have a random stream of their own, by @seed. 0: they wait no
 * more. HD_ENOMEM.
 */
int hd_fault_shuffle(struct hd_emulator *emulator, uint64_t ns, uint64_t seed,
		     struct hd_error *err);

/*
 * @node refuses the next @n Sets of LFT blocks and SL2VL rows: it answers with a status, and keeps
 * what it has. HD_ENOMEM.
 */
int hd_fault_refuse(struct hd_emulator *emulator, uint32_t node, uint32_t n, struct hd_error *err);

/* For the agents: whether @node refuses the Set that has come now. */
bool hd_fault_refuses(struct hd_emulator *emulator, uint32_t node);

/* For the transport: how long a request that has come to @node waits there. */
uint64_t hd_fault_wait_ns(struct hd_emulator *emulator, uint32_t node);

/*
 * The link at @port goes down and up for ever: up for @up_ns, down for @down_ns; both 0: the flap
 * ends. HD_EINVAL: no link is wired there; HD_ERANGE: less than HD_FLAP_LEAST_NS; HD_ENOMEM.
 */
#define HD_FLAP_LEAST_NS UINT64_C(1000000)
int hd_fault_flap(struct hd_emulator *emulator, uint32_t port, uint64_t up_ns, uint64_t down_ns,
		  struct hd_error *err);

/* For the transport: whether @port loses the MAD that it transmits now. */
bool hd_fault_loses(struct hd_emulator *emulator, uint32_t port);

void hd_faults_free(struct hd_emulator *emulator);

#endif
