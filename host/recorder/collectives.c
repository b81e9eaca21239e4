// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/recorder/collectives.h"

const char *const hd_collective_names[HD_COLLECTIVES] = {
	"barrier", "bcast",    "reduce",    "allreduce", "gather",         "gatherv",
	"scatter", "scatterv", "allgather", "alltoall",  "reduce_scatter", "scan",
};

struct way {
	const struct hd_collective_call *call;
	hd_collective_step step;
	void *context;
};

static uint64_t block(const struct way *way, uint32_t rank)
{
	return way->call->blocks ? way->call->blocks[rank] : way->call->bytes;
}

static void send(const struct way *way, uint32_t rank, uint64_t bytes)
{
	way->step(way->context, true, rank, bytes);
}

static void receive(const struct way *way, uint32_t rank)
{
	way->step(way->context, false, rank, 0);
}

/* The rank that is @distance further. */
static uint32_t further(const struct way *way, uint32_t distance)
{
	return (uint32_t)(((uint64_t)way->call->rank + distance) % way->call->size);
}

/* In round k everybody tells the one 2^k further. */
static void barrier(const struct way *way)
{
	for (uint64_t k = 1; k < way->call->size; k *= 2) {
		send(way, further(way, (uint32_t)k), 0);
		receive(way, further(way, way->call->size - (uint32_t)k));
	}
}

/* Ranks in a binomial tree, counted from the root. */
static uint32_t from_root(const struct way *way)
{
	return (way->call->rank + way->call->size - way->call->root) % way->call->size;
}

static uint32_t absolute(const struct way *way, uint64_t relative)
{
	return (uint32_t)((relative + way->call->root) % way->call->size);
}

/* How many ranks hang on relative rank @me by the child at distance @k, itself counted. */
static uint64_t branch(const struct way *way, uint64_t me, uint64_t k)
{
	return me + 2 * k <= way->call->size ? k : way->call->size - me - k;
}

/* Down a binomial tree, the longest branches first; @scatters: each branch its blocks. */
static void down(const struct way *way, bool scatters)
{
	const uint64_t me = from_root(way), size = way->call->size;
	uint64_t k = 1;

	while (k < size && !(me & k))
		k *= 2;
	if (me)
		receive(way, absolute(way, me - k));
	for (k /= 2; k; k /= 2)
		if (me + k < size)
			send(way, absolute(way, me + k),
			     way->call->bytes * (scatters ? branch(way, me, k) : 1));
}

/* Up a binomial tree, the shortest branches first; @gathers: each branch its blocks. */
static void up(const struct way *way, bool gathers)
{
	const uint64_t me = from_root(way), size = way->call->size;
	uint64_t k = 1;

	for (; k < size && !(me & k); k *= 2)
		if (me + k < size)
			receive(way, absolute(way, me + k));
	if (me)
		send(way, absolute(way, me - k),
		     way->call->bytes * (gathers ? (me + k <= size ? k : size - me) : 1));
}

/*
 * Recursive doubling among the largest power of two of ranks; before it, each of the others gives
 * its part to one of them, and gets the result after it.
 */
static void allreduce(const struct way *way)
{
	const uint32_t me = way->call->rank;
	const uint64_t bytes = way->call->bytes;
	uint32_t power = 1, rest;

	while ((uint64_t)power * 2 <= way->call->size)
		power *= 2;
	rest = way->call->size - power;
	if (me >= power) {
		send(way, me - power, bytes);
		receive(way, me - power);
		return;
	}
	if (me < rest)
		receive(way, me + power);
	for (uint32_t k = 1; k < power; k *= 2) {
		send(way, me ^ k, bytes);
		receive(way, me ^ k);
	}
	if (me < rest)
		send(way, me + power, bytes);
}

/* Everybody sends to, or receives from, the root at once. */
static void direct(const struct way *way, bool to_root)
{
	const struct hd_collective_call *call = way->call;

	if (call->rank == call->root) {
		for (uint32_t rank = 0; rank < call->size; rank++)
			if (rank != call->root && to_root)
				receive(way, rank);
			else if (rank != call->root)
				send(way, rank, block(way, rank));
	} else if (to_root) {
		send(way, call->root, call->bytes);
	} else {
		receive(way, call->root);
	}
}

/* Around a ring: each passes on what it got last. */
static void allgather(const struct way *way)
{
	const uint32_t size = way->call->size;

	for (uint32_t i = 0; i + 1 < size; i++) {
		send(way, further(way, 1), block(way, further(way, size - i)));
		receive(way, further(way, size - 1));
	}
}

/* In round i everybody sends to the one i further. */
static void pairwise(const struct way *way)
{
	for (uint32_t i = 1; i < way->call->size; i++) {
		send(way, further(way, i), block(way, further(way, i)));
		receive(way, further(way, way->call->size - i));
	}
}

static void scan(const struct way *way)
{
	for (uint64_t k = 1; k < way->call->size; k *= 2) {
		if (way->call->rank + k < way->call->size)
			send(way, (uint32_t)(way->call->rank + k), way->call->bytes);
		if (way->call->rank >= k)
			receive(way, (uint32_t)(way->call->rank - k));
	}
}

void hd_collective_steps(const struct hd_collective_call *call, hd_collective_step step,
			 void *context)
{
	const struct way way = { call, step, context };

	switch (call->kind) {
	case HD_BARRIER:
		barrier(&way);
		break;
	case HD_BCAST:
		down(&way, false);
		break;
	case HD_REDUCE:
		up(&way, false);
		break;
	case HD_ALLREDUCE:
		allreduce(&way);
		break;
	case HD_GATHER:
		up(&way, true);
		break;
	case HD_GATHERV:
		direct(&way, true);
		break;
	case HD_SCATTER:
		down(&way, true);
		break;
	case HD_SCATTERV:
		direct(&way, false);
		break;
	case HD_ALLGATHER:
		allgather(&way);
		break;
	case HD_ALLTOALL:
	case HD_REDUCE_SCATTER:
		pairwise(&way);
		break;
	case HD_SCAN:
		scan(&way);
		break;
	case HD_COLLECTIVES:
		break;
	}
}
