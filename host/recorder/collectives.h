/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The messages of collective operations. An MPI library chooses among many algorithms; a trace
 * always has the textbook's (Thakur, Rabenseifner, Gropp: Optimization of collective communication
 * operations in MPICH, 2005). docs/traffic.md lists them.
 */
#ifndef HD_RECORDER_COLLECTIVES_H
#define HD_RECORDER_COLLECTIVES_H

#include <stdbool.h>
#include <stdint.h>

enum hd_collective {
	HD_BARRIER,
	HD_BCAST,
	HD_REDUCE,
	HD_ALLREDUCE,
	HD_GATHER,
	HD_GATHERV,
	HD_SCATTER,
	HD_SCATTERV,
	HD_ALLGATHER,
	HD_ALLTOALL,
	HD_REDUCE_SCATTER,
	HD_SCAN,
	HD_COLLECTIVES
};

extern const char *const hd_collective_names[HD_COLLECTIVES];

struct hd_collective_call {
	enum hd_collective kind;
	uint32_t rank, size, root; /* of the task, in the communicator */
	uint64_t bytes;            /* of a block */
	/*
	 * [size] If blocks differ: for HD_ALLTOALL and HD_SCATTERV, the bytes that the task sends
	 * to each rank; for HD_ALLGATHER and HD_REDUCE_SCATTER, the block of each rank. NULL:
	 * `bytes` each.
	 */
	const uint64_t *blocks;
};

/* One message: to @peer, of @bytes, or from it. */
typedef void (*hd_collective_step)(void *context, bool sends, uint32_t peer, uint64_t bytes);

/* Gives the task's messages to @step, in order. */
void hd_collective_steps(const struct hd_collective_call *call, hd_collective_step step,
			 void *context);

#endif
