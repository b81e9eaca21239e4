// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Algorithms in which ranks send straight to one another: in rounds with the rank so many further,
 * in rounds of pairs, and all at once.
 */
#include "sim/traffic/collective_plan.h"

static uint32_t rooted_blocks(const struct hd_collective_plan *plan)
{
	return plan->operation == HD_BROADCAST || plan->operation == HD_REDUCE ? 1 : plan->n;
}

static void round_count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			uint32_t *sends, uint32_t *receives)
{
	(void)rank;
	(void)lane;
	*sends = *receives = (plan->n - 1) * plan->chunks;
}

/* The message of a round to @send->to. */
static void fill_round(const struct hd_collective_plan *plan, uint32_t rank, uint32_t k,
		       uint32_t window, struct hd_collective_send *send)
{
	const uint32_t round = k / plan->chunks;

	send->number = k;
	send->chunk = k % plan->chunks;
	send->needs = window && round >= window ? (round + 1 - window) * plan->chunks : 0;
	send->first = plan->operation == HD_REDUCESCATTER ? send->to : rank;
	send->n_blocks = 1;
	send->adds = plan->operation == HD_REDUCESCATTER;
}

static uint32_t shifted_to(const struct hd_collective_plan *plan, uint32_t rank, uint32_t k)
{
	return hd_collective_further(plan, rank, k / plan->chunks + 1);
}

static void shifted_send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			 uint32_t k, struct hd_collective_send *send)
{
	(void)lane;
	send->to = shifted_to(plan, rank, k);
	fill_round(plan, rank, k, plan->window, send);
}

static void pairwise_send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			  uint32_t k, struct hd_collective_send *send)
{
	(void)lane;
	send->to = rank ^ (k / plan->chunks + 1);
	fill_round(plan, rank, k, plan->window, send);
}

/*
 * All at once. With a root: all send to it, or it sends to all, or one after the other (barrier).
 */

static void direct_count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			 uint32_t *sends, uint32_t *receives)
{
	const uint32_t with_all = (plan->n - 1) * plan->chunks, with_root = plan->chunks;
	const bool is_root = rank == HD_COLLECTIVE_ROOT;

	(void)lane;
	switch (plan->operation) {
	case HD_ALLREDUCE:
		*sends = *receives = 2 * with_all;
		break;
	case HD_BROADCAST:
		*sends = is_root ? with_all : 0;
		*receives = is_root ? 0 : with_root;
		break;
	case HD_REDUCE:
		*sends = is_root ? 0 : with_root;
		*receives = is_root ? with_all : 0;
		break;
	case HD_BARRIER:
		*sends = *receives = is_root ? with_all : with_root;
		break;
	default:
		*sends = *receives = with_all;
		break;
	}
}

/* Allreduce: every rank adds up a block, then gives it to all. */
static void allreduce_send(const struct hd_collective_plan *plan, uint32_t rank, uint32_t k,
			   struct hd_collective_send *send)
{
	const uint32_t with_all = (plan->n - 1) * plan->chunks;
	const bool adds = k < with_all;
	const uint32_t j = adds ? k : k - with_all;

	send->to = shifted_to(plan, rank, j);
	fill_round(plan, rank, j, 0, send);
	send->number = k;
	send->needs = adds ? 0 : with_all;
	send->first = adds ? send->to : rank;
	send->adds = adds;
}

static void direct_send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			uint32_t k, struct hd_collective_send *send)
{
	const bool is_root = rank == HD_COLLECTIVE_ROOT;

	switch (plan->operation) {
	case HD_ALLREDUCE:
		allreduce_send(plan, rank, k, send);
		return;
	case HD_BROADCAST:
	case HD_REDUCE:
	case HD_BARRIER:
		break;
	default:
		shifted_send(plan, rank, lane, k, send);
		return;
	}
	send->chunk = k % plan->chunks;
	send->n_blocks = 1;
	send->adds = plan->operation == HD_REDUCE;
	if (is_root) {
		send->to = 1 + k / plan->chunks;
		send->number = send->chunk;
		send->needs = plan->operation == HD_BARRIER ? plan->n - 1 : 0;
	} else {
		send->to = HD_COLLECTIVE_ROOT;
		send->number = (rank - 1) * plan->chunks + send->chunk;
	}
}

#define BIT(operation) (1u << (operation))
#define EXCHANGES      (BIT(HD_ALLTOALL) | BIT(HD_ALLGATHER) | BIT(HD_REDUCESCATTER))

const struct hd_collective_algorithm hd_collective_shifted = {
	.policy = { .name = "shifted",
		    .summary = "in round i every rank sends to the one i further" },
	.operations = EXCHANGES,
	.count = round_count,
	.send = shifted_send,
};

const struct hd_collective_algorithm hd_collective_pairwise = {
	.policy = { .name = "pairwise", .summary = "in round i ranks r and r XOR i exchange" },
	.operations = EXCHANGES,
	.powers = EXCHANGES,
	.count = round_count,
	.send = pairwise_send,
};

const struct hd_collective_algorithm hd_collective_direct = {
	.policy = { .name = "direct",
		    .summary = "all send straight to all without waiting; with a root, from or to "
			       "it" },
	.operations = EXCHANGES | BIT(HD_ALLREDUCE) | BIT(HD_BROADCAST) | BIT(HD_REDUCE) |
		      BIT(HD_BARRIER),
	.blocks = rooted_blocks,
	.count = direct_count,
	.send = direct_send,
};
