/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The messages of PTRANS, the parallel matrix transposition of the HPC Challenge (Choi, Dongarra
 * and Walker: Parallel matrix transpose algorithms on distributed memory concurrent computers,
 * 1995).
 *
 * Square blocks of a matrix lie on a grid of P x Q tasks in turn: block (i, j) is on task (i mod P,
 * j mod Q). Its transpose belongs to task (j mod P, i mod Q), so only i and j modulo L = lcm(P, Q)
 * count. All blocks with the same (i mod L, j mod L) are one message. A task has L / G of these,
 * with G = gcd(P, Q). They go to rows that differ from its own by (q - p) mod G, plus 0, G, 2 G and
 * so on, and to columns that are as far before its own. The task serves these columns, the nearest
 * first, one row after the other. So in each step a task sends to one partner and receives from
 * one.
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
 * those of the step before. As in HPCC, every message has the size of the largest one: ceil(ceil(n
 * / block) / L)^2 blocks. HD_ERANGE: too long messages; HD_ENOMEM.
 */
int hd_ptrans_fill(const struct hd_ptrans *ptrans, struct hd_records *records,
		   struct hd_error *err);

#endif
