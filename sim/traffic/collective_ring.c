// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rings: every rank passes on to the next one what came from the one before. Broadcast and reduce
 * are chains, from the root and to it.
 */
#include "sim/traffic/collective_plan.h"

static bool is_chain(const struct hd_collective_plan *plan)
{
	return plan->operation == HD_BROADCAST || plan->operation == HD_REDUCE;
}

static uint32_t blocks(const struct hd_collective_plan *plan)
{
	return is_chain(plan) || plan->operation == HD_SENDRECV ? 1 : plan->n;
}

static uint32_t steps(const struct hd_collective_plan *plan)
{
	if (plan->operation == HD_SENDRECV)
		return 1;
	return plan->operation == HD_ALLREDUCE ? 2 * (plan->n - 1) : plan->n - 1;
}

static void count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
		  uint32_t *sends, uint32_t *receives)
{
	const bool is_first = rank == 0, is_last = rank == plan->n - 1;

	(void)lane;
	*sends = *receives = steps(plan) * plan->chunks;
	if (is_chain(plan)) {
		*sends = *receives = plan->chunks;
		if (plan->operation == HD_BROADCAST ? is_last : is_first)
			*sends = 0;
		if (plan->operation == HD_BROADCAST ? is_first : is_last)
			*receives = 0;
	}
}

static void send_in_chain(const struct hd_collective_plan *plan, uint32_t rank, uint32_t k,
			  struct hd_collective_send *send)
{
	const bool is_down = plan->operation == HD_BROADCAST;
	const bool begins = is_down ? rank == 0 : rank == plan->n - 1;

	send->to = is_down ? rank + 1 : rank - 1;
	send->number = send->chunk = k;
	send->needs = begins ? 0 : k + 1;
	send->n_blocks = 1;
	send->adds = !is_down;
}

static void send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane, uint32_t k,
		 struct hd_collective_send *send)
{
	const uint32_t step = k / plan->chunks;
	uint32_t reducing = 0; /* steps */

	(void)lane;
	if (is_chain(plan)) {
		send_in_chain(plan, rank, k, send);
		return;
	}
	send->to = hd_collective_further(plan, rank, 1);
	send->number = k;
	send->chunk = k % plan->chunks;
	send->n_blocks = 1;
	if (plan->operation == HD_SENDRECV)
		return;
	send->needs = step ? k - plan->chunks + 1 : 0;
	if (plan->operation != HD_ALLGATHER)
		reducing = plan->n - 1;
	send->adds = step < reducing;
	send->first = send->adds ? hd_collective_before(plan, rank, step + 1)
				 : hd_collective_before(plan, rank, step - reducing);
}

#define BIT(operation) (1u << (operation))

const struct hd_collective_algorithm hd_collective_ring = {
	.policy = { .name = "ring",
		    .summary = "each rank passes on to the next what came from the one before",
		    .reference = "Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms for "
				 "clusters of workstations (2009)" },
	.operations = BIT(HD_ALLREDUCE) | BIT(HD_ALLGATHER) | BIT(HD_REDUCESCATTER) |
		      BIT(HD_BROADCAST) | BIT(HD_REDUCE) | BIT(HD_SENDRECV),
	.pipelined = BIT(HD_BROADCAST) | BIT(HD_REDUCE),
	.blocks = blocks,
	.count = count,
	.send = send,
};
