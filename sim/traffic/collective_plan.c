// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/collective_plan.h"

#include <string.h>

#include "support/error.h"

const char *const hd_collective_operations[HD_COLLECTIVE_OPERATIONS + 1] = {
	[HD_ALLREDUCE] = "allreduce",
	[HD_ALLGATHER] = "allgather",
	[HD_REDUCESCATTER] = "reducescatter",
	[HD_ALLTOALL] = "alltoall",
	[HD_BROADCAST] = "broadcast",
	[HD_REDUCE] = "reduce",
	[HD_BARRIER] = "barrier",
	[HD_SENDRECV] = "sendrecv",
};

const struct hd_registry hd_collective_algorithms = {
	.singular = "collective algorithm",
	.plural = "collectives",
	.policies =
		(const struct hd_policy *const[]){
			&hd_collective_binomial.policy,
			&hd_collective_bruck.policy,
			&hd_collective_direct.policy,
			&hd_collective_dissemination.policy,
			&hd_collective_doubling.policy,
			&hd_collective_halving.policy,
			&hd_collective_pairwise.policy,
			&hd_collective_ring.policy,
			&hd_collective_shifted.policy,
			&hd_collective_tree.policy,
			NULL,
		},
};

static const struct hd_collective_algorithm *const defaults[] = {
	[HD_ALLREDUCE] = &hd_collective_ring,        [HD_ALLGATHER] = &hd_collective_ring,
	[HD_REDUCESCATTER] = &hd_collective_ring,    [HD_ALLTOALL] = &hd_collective_shifted,
	[HD_BROADCAST] = &hd_collective_tree,        [HD_REDUCE] = &hd_collective_tree,
	[HD_BARRIER] = &hd_collective_dissemination, [HD_SENDRECV] = &hd_collective_ring,
};

/* A chunk of messages that are cut by default, and the most of them. */
#define CHUNK       (64u << 10)
#define MOST_CHUNKS 64u

bool hd_collective_serves(const struct hd_policy *algorithm, enum hd_collective_operation operation)
{
	return ((const struct hd_collective_algorithm *)algorithm)->operations >> operation & 1;
}

/* The names of the algorithms that serve @operation. */
static void name_all(enum hd_collective_operation operation, char *names, size_t size)
{
	size_t used = 0;

	*names = '\0';
	for (unsigned i = 0; hd_collective_algorithms.policies[i]; i++) {
		const struct hd_policy *policy = hd_collective_algorithms.policies[i];
		size_t length = strlen(policy->name);

		if (!hd_collective_serves(policy, operation) || used + length + 3 > size)
			continue;
		if (used) {
			memcpy(names + used, ", ", 3);
			used += 2;
		}
		memcpy(names + used, policy->name, length + 1);
		used += length;
	}
}

/* As many chunks of equal length as make chunks of CHUNK bytes. */
static uint32_t choose_chunks(const struct hd_collective_plan *plan)
{
	uint64_t chunks = plan->bytes / hd_collective_blocks(plan) / CHUNK;

	if (!(plan->algorithm->pipelined >> plan->operation & 1) || chunks < 2)
		return 1;
	return chunks < MOST_CHUNKS ? (uint32_t)chunks : MOST_CHUNKS;
}

int hd_collective_plan_algorithm(struct hd_collective_plan *plan, const char *name,
				 struct hd_error *err)
{
	const char *operation = hd_collective_operations[plan->operation];
	const struct hd_policy *policy = strcmp(name, "auto") == 0
						 ? &defaults[plan->operation]->policy
						 : hd_policy_find(&hd_collective_algorithms, name);
	const struct hd_collective_algorithm *a = (const struct hd_collective_algorithm *)policy;
	char names[160];

	if (!policy || !hd_collective_serves(policy, plan->operation)) {
		name_all(plan->operation, names, sizeof(names));
		return hd_error_set(err, HD_EINVAL, "algorithm: no '%s' for %s (known are %s)",
				    name, operation, names);
	}
	if (a->powers >> plan->operation & 1 && plan->n & (plan->n - 1))
		return hd_error_set(err, HD_EINVAL,
				    "algorithm: %s by %s takes a power of two ranks, not %u",
				    operation, a->policy.name, plan->n);
	plan->algorithm = a;
	if (!plan->chunks)
		plan->chunks = choose_chunks(plan);
	if (plan->operation == HD_BARRIER && plan->chunks > 1)
		return hd_error_set(err, HD_EINVAL, "chunks: a barrier has no data to cut");
	return 0;
}

unsigned hd_collective_lanes(const struct hd_collective_plan *plan)
{
	return plan->algorithm->lanes ? plan->algorithm->lanes(plan) : 1;
}

uint32_t hd_collective_blocks(const struct hd_collective_plan *plan)
{
	return plan->algorithm->blocks ? plan->algorithm->blocks(plan) : plan->n;
}

void hd_collective_count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			 uint32_t *sends, uint32_t *receives)
{
	*sends = *receives = 0;
	if (plan->n > 1)
		plan->algorithm->count(plan, rank, lane, sends, receives);
}

struct hd_collective_send hd_collective_send(const struct hd_collective_plan *plan, uint32_t rank,
					     unsigned lane, uint32_t k)
{
	struct hd_collective_send send = { .on = lane };

	plan->algorithm->send(plan, rank, lane, k, &send);
	return send;
}

/* @i of @n equal parts of @bytes, as far as bytes are whole. */
static uint64_t part(uint64_t bytes, uint32_t i, uint32_t n)
{
	return (uint64_t)((unsigned __int128)bytes * (i + 1u) / n -
			  (unsigned __int128)bytes * i / n);
}

/* Blocks before block @i. */
static uint64_t before(const struct hd_collective_plan *plan, uint64_t i, uint32_t blocks)
{
	return (uint64_t)((unsigned __int128)plan->bytes * i / blocks);
}

uint64_t hd_collective_bytes(const struct hd_collective_plan *plan,
			     const struct hd_collective_send *send)
{
	uint32_t blocks = hd_collective_blocks(plan);
	uint64_t last = (uint64_t)send->first + send->n_blocks, bytes;

	if (plan->operation == HD_BARRIER)
		return 0;
	if (plan->operation == HD_ALLTOALL) /* all blocks are alike, as in MPI */
		bytes = (plan->bytes + plan->n - 1) / plan->n * send->n_blocks;
	else if (last <= blocks)
		bytes = before(plan, last, blocks) - before(plan, send->first, blocks);
	else
		bytes = plan->bytes - before(plan, send->first, blocks) +
			before(plan, last - blocks, blocks);
	return part(bytes, send->chunk, plan->chunks);
}

double hd_collective_bus_factor(enum hd_collective_operation operation, uint32_t n)
{
	switch (operation) {
	case HD_ALLREDUCE:
		return 2.0 * (n - 1) / n;
	case HD_ALLGATHER:
	case HD_REDUCESCATTER:
	case HD_ALLTOALL:
		return (n - 1.0) / n;
	case HD_BARRIER:
		return 0;
	default:
		return 1;
	}
}
