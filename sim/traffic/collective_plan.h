/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Collective operations as rules: which message a rank sends as its k-th, and what the rank must
 * have received before. Rules are computed when they are asked for; nothing is stored.
 *
 * The data of an operation is in blocks, cut into chunks. A rank may do several things side by
 * side, each in a lane of its own: in a lane it sends its messages in order, and messages that come
 * to it are numbered. A message that needs m others can go when the first m have come.
 */
#ifndef HD_TRAFFIC_COLLECTIVE_PLAN_H
#define HD_TRAFFIC_COLLECTIVE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "support/policy.h"

struct hd_error;

enum hd_collective_operation {
	HD_ALLREDUCE,
	HD_ALLGATHER,
	HD_REDUCESCATTER,
	HD_ALLTOALL,
	HD_BROADCAST,
	HD_REDUCE,
	HD_BARRIER,
	HD_SENDRECV,
	HD_COLLECTIVE_OPERATIONS
};

extern const char *const hd_collective_operations[HD_COLLECTIVE_OPERATIONS + 1]; /* ended by NULL */

#define HD_COLLECTIVE_LANES 4
#define HD_COLLECTIVE_ROOT  0 /* of broadcast and reduce */

struct hd_collective_algorithm;

struct hd_collective_plan {
	enum hd_collective_operation operation;
	const struct hd_collective_algorithm *algorithm;
	uint32_t n;      /* ranks */
	uint64_t bytes;  /* the operation's size, as nccl-tests counts it: docs/collectives.md */
	uint32_t chunks; /* of a message */
	uint32_t window; /* messages to others that a rank sends ahead of those that come; 0: all */
};

/* The k-th message of a rank in a lane. */
struct hd_collective_send {
	uint32_t to;     /* rank */
	uint32_t number; /* of the message among those that come to that rank in the lane */
	uint32_t needs;  /* messages that must have come to the sender ... */
	unsigned on;     /* ... in this lane */

	/*
	 * Its data: chunk @chunk of blocks @first to @first + @n_blocks - 1, modulo their number.
	 */
	uint32_t first, n_blocks, chunk;
	bool adds; /* the receiver adds the data to its own; else it puts it into its place */
};

struct hd_collective_algorithm {
	struct hd_policy policy; /* first */
	unsigned operations;     /* a bit for each that it serves */
	unsigned powers;         /* of these, those that take a power of two ranks */
	unsigned pipelined;      /* of these, those whose messages are cut into chunks by default */

	unsigned (*lanes)(const struct hd_collective_plan *plan);  /* NULL: 1 */
	uint32_t (*blocks)(const struct hd_collective_plan *plan); /* NULL: a block for each rank */

	/* How many messages @rank sends, and how many come to it. */
	void (*count)(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
		      uint32_t *sends, uint32_t *receives);
	/* @send is all 0. */
	void (*send)(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
		     uint32_t k, struct hd_collective_send *send);
};

extern const struct hd_registry hd_collective_algorithms;

extern const struct hd_collective_algorithm hd_collective_ring, hd_collective_tree,
	hd_collective_binomial, hd_collective_doubling, hd_collective_halving, hd_collective_bruck,
	hd_collective_pairwise, hd_collective_shifted, hd_collective_direct,
	hd_collective_dissemination;

bool hd_collective_serves(const struct hd_policy *algorithm,
			  enum hd_collective_operation operation);

/*
 * Sets the algorithm of @plan, all other members of which are set: @name, or "auto". Where @chunks
 * is 0, it is chosen. HD_EINVAL: there is no such algorithm, or it does not serve the operation,
 * this number of ranks or several chunks.
 */
int hd_collective_plan_algorithm(struct hd_collective_plan *plan, const char *name,
				 struct hd_error *err);

unsigned hd_collective_lanes(const struct hd_collective_plan *plan);
uint32_t hd_collective_blocks(const struct hd_collective_plan *plan);
void hd_collective_count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			 uint32_t *sends, uint32_t *receives);
struct hd_collective_send hd_collective_send(const struct hd_collective_plan *plan, uint32_t rank,
					     unsigned lane, uint32_t k);

/* The bytes of a message. */
uint64_t hd_collective_bytes(const struct hd_collective_plan *plan,
			     const struct hd_collective_send *send);

/*
 * Bytes that an operation moves over the link of a rank at least, by size: what nccl-tests
 * multiplies its bandwidth by. 0: there is none (barrier).
 */
double hd_collective_bus_factor(enum hd_collective_operation operation, uint32_t n);

/* For algorithms. */

/* @rank + @by, going round; @by < n. */
static inline uint32_t hd_collective_further(const struct hd_collective_plan *plan, uint32_t rank,
					     uint32_t by)
{
	uint32_t to = rank + by;

	return to >= plan->n ? to - plan->n : to;
}

/* @rank - @by, going round; @by <= n. */
static inline uint32_t hd_collective_before(const struct hd_collective_plan *plan, uint32_t rank,
					    uint32_t by)
{
	return rank >= by ? rank - by : rank + plan->n - by;
}

/* The steps of an algorithm that doubles: the least s with 2^s >= n. */
static inline unsigned hd_collective_doublings(uint32_t n)
{
	return n > 1 ? 32 - (unsigned)__builtin_clz(n - 1) : 0;
}

#endif
