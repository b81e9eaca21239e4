/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The messages of PTRANS, the parallel matrix transposition of the HPC Challenge (Choi, Dongarra and
 * Walker: Parallel matrix transpose algorithms on distributed memory concurrent computers, 1995).
 *
 * Square blocks of a matrix lie on a grid of P x Q tasks in turn: block (i, j) is on task
 * (i mod P, j mod Q). Its transpose belongs on task (j mod P, i mod Q), so that what counts of i and j
 * is what they leave modulo L = lcm(P, Q). All blocks with the same (i mod L, j mod L) are one message.
 * A task has L / G of those, G = gcd(P, Q): to rows that differ from its own by (q - p) mod G, that and
 * G, 2 G and so on, and to columns before its own by as much. Of these columns, the nearest first, it
 * serves one row after the other; so each task has one partner to send to and one to receive from in
 * each step.
 */
#ifndef HD_TRAFFIC_PTRANS_H
#define HD_TRAFFIC_PTRANS_H

#include "sim/traffic/records.h"

struct hd_ptrans {
	uint32_t p, q;   /* task p * Q + q is at row p, column q */
	uint32_t n;      /* rows and columns of the matrix, of 8 bytes an element */
	uint32_t block;  /* rows and columns of a block */
	uint32_t repeat; /* transpositions */
	uint64_t pause;  /* units of time that a task computes before each of them */
};

/*
 * Adds the messages to @records. A task sends the message of a step when it has sent and received
 * those of the step before. All messages have room for the most blocks that one can have, as in
 * HPCC: ceil(ceil(n / block) / L)^2. HD_ERANGE: messages that are too long; HD_ENOMEM.
 */
int hd_ptrans_fill(const struct hd_ptrans *ptrans, struct hd_records *records,
		   struct hd_error *err);

#endif
