// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Algorithms whose steps double: recursive doubling, recursive halving and then doubling
 * (Rabenseifner), Bruck's, and dissemination.
 *
 * Allreduce by the first two takes any number of ranks: of the first ones, as many pairs as are
 * beyond the power of two become one member each. The even rank of a pair gives its data to the odd
 * one before, and gets the result after (Thakur, Rabenseifner and Gropp, Optimization of collective
 * communication operations in MPICH, 2005).
 */
#include "sim/traffic/collective_plan.h"

/* The greatest power of two that is no more than n. */
static unsigned log_of(uint32_t n)
{
	return 31 - (unsigned)__builtin_clz(n);
}

static uint32_t n_pairs(const struct hd_collective_plan *plan)
{
	return plan->n - (1u << log_of(plan->n));
}

/* Whether @rank is in a pair, and the even one. */
static bool is_paired(const struct hd_collective_plan *plan, uint32_t rank)
{
	return rank < 2 * n_pairs(plan);
}

static bool is_guest(const struct hd_collective_plan *plan, uint32_t rank)
{
	return is_paired(plan, rank) && rank % 2 == 0;
}

static uint32_t member_of(const struct hd_collective_plan *plan, uint32_t rank)
{
	return is_paired(plan, rank) ? rank / 2 : rank - n_pairs(plan);
}

static uint32_t rank_of(const struct hd_collective_plan *plan, uint32_t member)
{
	return member < n_pairs(plan) ? 2 * member + 1 : member + n_pairs(plan);
}

/* @bits of @x in reverse. */
static uint32_t reverse(uint32_t x, unsigned bits)
{
	uint32_t r = 0;

	for (unsigned i = 0; i < bits; i++)
		r |= (x >> i & 1) << (bits - 1 - i);
	return r;
}

static bool has_halving(const struct hd_collective_plan *plan)
{
	return plan->algorithm == &hd_collective_halving && plan->operation != HD_ALLGATHER;
}

static bool has_doubling(const struct hd_collective_plan *plan)
{
	return plan->operation != HD_REDUCESCATTER;
}

/* Steps of a member. */
static uint32_t steps(const struct hd_collective_plan *plan)
{
	return log_of(plan->n) * ((uint32_t)has_halving(plan) + has_doubling(plan));
}

static uint32_t blocks(const struct hd_collective_plan *plan)
{
	if (plan->operation == HD_ALLREDUCE && plan->algorithm == &hd_collective_doubling)
		return 1;
	return 1u << log_of(plan->n);
}

static void count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
		  uint32_t *sends, uint32_t *receives)
{
	const uint32_t extra = plan->operation == HD_ALLREDUCE && is_paired(plan, rank);

	(void)lane;
	*sends = *receives = plan->chunks;
	if (!extra || !is_guest(plan, rank))
		*sends = *receives = plan->chunks * (steps(plan) + extra);
}

/*
 * Step @step of halving and doubling, for @member: its partner, and the blocks for that one. Blocks
 * are those of members by place: with an allreduce, the bits of a member's number in reverse, so
 * that the first and longest messages go to the nearest. Else members get and have their own.
 */
static void exchange(const struct hd_collective_plan *plan, uint32_t member, uint32_t step,
		     struct hd_collective_send *send)
{
	const unsigned bits = log_of(plan->n);
	const bool is_reversed = plan->operation == HD_ALLREDUCE;
	const uint32_t place = is_reversed ? reverse(member, bits) : member;
	uint32_t distance;

	send->adds = has_halving(plan) && step < bits;
	if (send->adds)
		distance = 1u << (bits - 1 - step);
	else
		distance = 1u << (has_halving(plan) ? step - bits : step);
	send->n_blocks = distance;
	send->first = (send->adds ? place ^ distance : place) & ~(distance - 1);
	send->to = is_reversed ? reverse(place ^ distance, bits) : place ^ distance;
}

static void send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane, uint32_t k,
		 struct hd_collective_send *send)
{
	const bool folds = plan->operation == HD_ALLREDUCE;
	const bool is_whole = folds && plan->algorithm == &hd_collective_doubling;
	const uint32_t before = folds && is_paired(plan, rank);
	const uint32_t step = k / plan->chunks, came = step + before;

	(void)lane;
	send->chunk = k % plan->chunks;
	send->n_blocks = blocks(plan);
	if (folds && is_guest(plan, rank)) {
		send->to = rank + 1;
		send->number = k;
		send->adds = true;
		return;
	}
	/* chunks of the whole data go one by one, parts of it when all has come */
	if (came)
		send->needs = is_whole ? (came - 1) * plan->chunks + send->chunk + 1
				       : came * plan->chunks;
	if (step >= steps(plan)) { /* the result for its guest */
		send->to = rank - 1;
		send->number = send->chunk;
		return;
	}
	if (is_whole) {
		send->to = member_of(plan, rank) ^ 1u << step;
		send->adds = true;
	} else {
		exchange(plan, folds ? member_of(plan, rank) : rank, step, send);
	}
	if (folds)
		send->to = rank_of(plan, send->to);
	send->number = (step + (folds && is_paired(plan, send->to))) * plan->chunks + send->chunk;
}

/* Bruck: step s takes what 2^s ranks have together. */

static void bruck_count(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			uint32_t *sends, uint32_t *receives)
{
	(void)rank;
	(void)lane;
	*sends = *receives = hd_collective_doublings(plan->n) * plan->chunks;
}

/* Numbers below @n that have @bit. */
static uint32_t with_bit(uint32_t n, uint32_t bit)
{
	const uint32_t rest = n & (2 * bit - 1);

	return n / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

static void bruck_send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
		       uint32_t k, struct hd_collective_send *send)
{
	const uint32_t step = k / plan->chunks, distance = 1u << step;

	(void)lane;
	send->number = k;
	send->chunk = k % plan->chunks;
	send->needs = step * plan->chunks;
	if (plan->operation == HD_ALLTOALL) {
		send->to = hd_collective_further(plan, rank, distance);
		send->n_blocks = with_bit(plan->n, distance);
		return;
	}
	send->to = hd_collective_before(plan, rank, distance);
	send->first = rank;
	send->n_blocks = distance < plan->n - distance ? distance : plan->n - distance;
}

/* Dissemination: a barrier in which rank r tells r + 2^s in step s. */

static void dissemination_send(const struct hd_collective_plan *plan, uint32_t rank, unsigned lane,
			       uint32_t k, struct hd_collective_send *send)
{
	(void)lane;
	send->to = hd_collective_further(plan, rank, 1u << k);
	send->number = send->needs = k;
}

#define BIT(operation) (1u << (operation))

const struct hd_collective_algorithm hd_collective_doubling = {
	.policy = { .name = "doubling",
		    .summary = "recursive doubling: pairs exchange all they have, in steps of "
			       "twice the "
			       "distance",
		    .reference = "Thakur et al., Optimization of collective communication "
				 "operations in MPICH (2005)" },
	.operations = BIT(HD_ALLREDUCE) | BIT(HD_ALLGATHER),
	.powers = BIT(HD_ALLGATHER),
	.blocks = blocks,
	.count = count,
	.send = send,
};

const struct hd_collective_algorithm hd_collective_halving = {
	.policy = { .name = "halving",
		    .summary = "recursive halving, for an allreduce then doubling (Rabenseifner)",
		    .reference = "Rabenseifner, Optimization of collective reduction operations "
				 "(2004)" },
	.operations = BIT(HD_ALLREDUCE) | BIT(HD_REDUCESCATTER),
	.powers = BIT(HD_REDUCESCATTER),
	.blocks = blocks,
	.count = count,
	.send = send,
};

const struct hd_collective_algorithm hd_collective_bruck = {
	.policy = { .name = "bruck",
		    .summary = "Bruck's: few steps, each with the blocks of many ranks",
		    .reference = "Bruck et al., Efficient algorithms for all-to-all communications "
				 "in multiport message-passing systems (1997)" },
	.operations = BIT(HD_ALLGATHER) | BIT(HD_ALLTOALL),
	.count = bruck_count,
	.send = bruck_send,
};

const struct hd_collective_algorithm hd_collective_dissemination = {
	.policy = { .name = "dissemination",
		    .summary = "a barrier: in step s every rank tells the one 2^s further",
		    .reference =
			    "Hensgen et al., Two algorithms for barrier synchronization (1988)" },
	.operations = BIT(HD_BARRIER),
	.count = bruck_count,
	.send = dissemination_send,
};
