// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The algorithms of collective operations: how many messages, bytes and steps each rank takes, and
 * that every rank ends with what the operation promises, whatever the order of arrival.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "sim/traffic/collective_plan.h"
#include "sim/traffic/receipts.h"
#include "support/random.h"

#define MOST        33 /* ranks */
#define MOST_CHUNKS 3
#define MOST_FLIGHT (MOST * MOST * 2 * MOST_CHUNKS)

/* A piece of data holds the contributions of these ranks, a bit each. */
typedef uint64_t set;

/* What a rank has of a chunk: of all blocks; for alltoall, by source and destination. */
struct rank {
	set blocks[MOST_CHUNKS][MOST];
	set pairs[MOST_CHUNKS][MOST]; /* [source] a bit for each destination */
	set knows;                    /* barrier: ranks that have come */
	uint32_t sent[HD_COLLECTIVE_LANES];
	struct hd_receipts receipts[HD_COLLECTIVE_LANES];
	uint32_t step;                                              /* in which it sent last */
	uint32_t came[HD_COLLECTIVE_LANES][MOST * 2 * MOST_CHUNKS]; /* flights, plus 1 */
	uint32_t taken[HD_COLLECTIVE_LANES]; /* of them, whose data it uses */
	uint32_t n_sent;
	uint64_t bytes;
};

struct flight {
	struct hd_collective_send what;
	uint32_t from, step;
	unsigned lane;
	set blocks[MOST], pairs[MOST], knows;
};

static struct world {
	struct hd_collective_plan plan;
	struct rank ranks[MOST];
	struct flight flights[MOST_FLIGHT];
	uint32_t n_flights, last_step;
	uint32_t under_way[MOST_FLIGHT], n_under_way;
	struct hd_random random;
} world;

static set all(uint32_t n)
{
	return (UINT64_C(1) << n) - 1;
}

static set one(uint32_t rank)
{
	return UINT64_C(1) << rank;
}

/* What ranks have before. */
static void prepare(struct world *w)
{
	const struct hd_collective_plan *plan = &w->plan;

	for (uint32_t r = 0; r < plan->n; r++) {
		struct rank *rank = &w->ranks[r];

		*rank = (struct rank){ .knows = one(r) };
		for (uint32_t c = 0; c < plan->chunks; c++) {
			rank->pairs[c][r] = all(plan->n);
			for (uint32_t b = 0; b < hd_collective_blocks(plan); b++) {
				const bool has = plan->operation == HD_ALLGATHER ? b == r
						 : plan->operation == HD_BROADCAST
							 ? r == HD_COLLECTIVE_ROOT
							 : true;

				rank->blocks[c][b] = has ? one(r) : 0;
			}
		}
	}
	w->n_flights = w->n_under_way = w->last_step = 0;
}

/* The data of a message leaves its sender, as it is now. */
static void load(struct world *w, struct rank *from, struct flight *f)
{
	const struct hd_collective_plan *plan = &w->plan;
	const uint32_t n_blocks = hd_collective_blocks(plan), c = f->what.chunk;
	uint32_t n_pairs = 0;

	f->knows = from->knows;
	if (plan->operation == HD_ALLTOALL) {
		for (uint32_t src = 0; src < plan->n; src++)
			for (uint32_t dst = 0; dst < plan->n; dst++) {
				const uint32_t way = (dst + plan->n - src) % plan->n;
				const uint32_t step = (f->what.to + plan->n - f->from) % plan->n;
				const bool goes = plan->algorithm == &hd_collective_bruck
							  ? (way & step) != 0
							  : src == f->from && dst == f->what.to;

				if (!goes || !(from->pairs[c][src] & one(dst)))
					continue;
				from->pairs[c][src] &= ~one(dst);
				f->pairs[src] |= one(dst);
				n_pairs++;
			}
		assert_int_equal(n_pairs, f->what.n_blocks);
		return;
	}
	for (uint32_t i = 0; i < f->what.n_blocks && plan->operation != HD_BARRIER; i++) {
		const uint32_t b = (f->what.first + i) % n_blocks;

		assert_int_not_equal(from->blocks[c][b], 0);
		f->blocks[b] = from->blocks[c][b];
	}
}

static void unload(struct world *w, const struct flight *f)
{
	struct rank *to = &w->ranks[f->what.to];
	const uint32_t c = f->what.chunk;

	to->knows |= f->knows;
	for (uint32_t i = 0; i < MOST; i++) {
		assert_int_equal(to->pairs[c][i] & f->pairs[i], 0);
		to->pairs[c][i] |= f->pairs[i];
		if (!f->blocks[i])
			continue;
		/* nothing is added twice, and nothing that is known is lost */
		if (f->what.adds)
			assert_int_equal(to->blocks[c][i] & f->blocks[i], 0);
		else if (w->plan.operation != HD_SENDRECV)
			assert_int_equal(to->blocks[c][i] & ~f->blocks[i], 0);
		to->blocks[c][i] = f->what.adds ? to->blocks[c][i] | f->blocks[i] : f->blocks[i];
	}
}

/*
 * The rank uses the data of the first @n messages of a lane. It uses no more than it has to wait
 * for: what came early is in a buffer apart. Returns the last step in which one of them was sent.
 */
static uint32_t take(struct world *w, struct rank *rank, unsigned lane, uint32_t n)
{
	uint32_t step = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct flight *f = &w->flights[rank->came[lane][i] - 1];

		if (i >= rank->taken[lane])
			unload(w, f);
		step = f->step > step ? f->step : step;
	}
	if (n > rank->taken[lane])
		rank->taken[lane] = n;
	return step;
}

/* The rank sends a message if one can go: in a step after all that it needs, and its own last. */
static bool send_one(struct world *w, uint32_t r)
{
	struct rank *rank = &w->ranks[r];

	for (unsigned lane = 0; lane < hd_collective_lanes(&w->plan); lane++) {
		struct flight *f = &w->flights[w->n_flights];
		uint32_t sends, receives, step;

		hd_collective_count(&w->plan, r, lane, &sends, &receives);
		if (rank->sent[lane] == sends)
			continue;
		*f = (struct flight){ .from = r, .lane = lane };
		f->what = hd_collective_send(&w->plan, r, lane, rank->sent[lane]);
		if (rank->receipts[f->what.on].n < f->what.needs)
			continue;
		assert_true(f->what.to < w->plan.n && f->what.to != r);
		step = take(w, rank, f->what.on, f->what.needs);
		f->step = rank->step = (step > rank->step ? step : rank->step) + 1;
		w->last_step = f->step > w->last_step ? f->step : w->last_step;
		load(w, rank, f);
		rank->sent[lane]++;
		rank->n_sent++;
		rank->bytes += hd_collective_bytes(&w->plan, &f->what);
		w->under_way[w->n_under_way++] = w->n_flights++;
		assert_true(w->n_flights < MOST_FLIGHT);
		return true;
	}
	return false;
}

/* Any message that is under way arrives. */
static void arrive(struct world *w)
{
	const uint32_t i = hd_random_below(&w->random, w->n_under_way);
	const struct flight *f = &w->flights[w->under_way[i]];
	struct rank *to = &w->ranks[f->what.to];
	uint32_t sends, receives;

	hd_collective_count(&w->plan, f->what.to, f->lane, &sends, &receives);
	assert_true(f->what.number < receives);
	assert_int_equal(to->came[f->lane][f->what.number], 0);
	to->came[f->lane][f->what.number] = w->under_way[i] + 1;
	assert_true(hd_receipts_add(&to->receipts[f->lane], f->what.number));
	w->under_way[i] = w->under_way[--w->n_under_way];
}

/* Ranks act in any order until nobody can do anything. */
static void run(struct world *w)
{
	prepare(w);
	for (;;) {
		const uint32_t first = hd_random_below(&w->random, w->plan.n);
		bool sent = false;

		for (uint32_t i = 0; i < w->plan.n && !sent; i++)
			if (hd_random_below(&w->random, 2) || !w->n_under_way)
				sent = send_one(w, (first + i) % w->plan.n);
		if (!sent && !w->n_under_way)
			break;
		if (w->n_under_way && (!sent || hd_random_below(&w->random, 2)))
			arrive(w);
	}
	for (uint32_t r = 0; r < w->plan.n; r++)
		for (unsigned lane = 0; lane < hd_collective_lanes(&w->plan); lane++) {
			uint32_t sends, receives;

			hd_collective_count(&w->plan, r, lane, &sends, &receives);
			assert_int_equal(w->ranks[r].sent[lane], sends);
			assert_int_equal(w->ranks[r].receipts[lane].n, receives);
			take(w, &w->ranks[r], lane, receives);
			hd_receipts_free(&w->ranks[r].receipts[lane]);
		}
}

/* Whether block @b of rank @r is as the operation promises. */
static void check_block(const struct world *w, uint32_t r, uint32_t c, uint32_t b)
{
	const struct hd_collective_plan *plan = &w->plan;
	const set has = w->ranks[r].blocks[c][b];

	switch (plan->operation) {
	case HD_ALLREDUCE:
		assert_int_equal(has, all(plan->n));
		break;
	case HD_ALLGATHER:
		assert_int_equal(has, one(b));
		break;
	case HD_REDUCESCATTER:
		if (b == r)
			assert_int_equal(has, all(plan->n));
		break;
	case HD_BROADCAST:
		assert_int_equal(has, one(HD_COLLECTIVE_ROOT));
		break;
	case HD_REDUCE:
		if (r == HD_COLLECTIVE_ROOT)
			assert_int_equal(has, all(plan->n));
		break;
	case HD_SENDRECV:
		assert_int_equal(has, one((r + plan->n - 1) % plan->n));
		break;
	default:
		break;
	}
}

static void check_ends(const struct world *w)
{
	const struct hd_collective_plan *plan = &w->plan;

	for (uint32_t r = 0; r < plan->n; r++) {
		for (uint32_t c = 0; c < plan->chunks; c++) {
			for (uint32_t b = 0; b < hd_collective_blocks(plan); b++)
				check_block(w, r, c, b);
			for (uint32_t src = 0; plan->operation == HD_ALLTOALL && src < plan->n;
			     src++)
				assert_int_equal(w->ranks[r].pairs[c][src], one(r));
		}
		if (plan->operation == HD_BARRIER)
			assert_int_equal(w->ranks[r].knows, all(plan->n));
	}
}

static unsigned log2_up(uint32_t n)
{
	unsigned bits = 0;

	while (1u << bits < n)
		bits++;
	return bits;
}

/* Of a binomial tree: a rank is as far from the root as its number has bits. */
static double height_of_binomial(uint32_t n)
{
	int height = 0;

	for (uint32_t r = 0; r < n; r++)
		if (__builtin_popcount(r) > height)
			height = __builtin_popcount(r);
	return height;
}

/*
 * What the literature says: messages of all ranks, bytes of all ranks in units of the size, and
 * steps, in each of which a rank sends one message; 0: not one number.
 */
struct expected {
	double messages, bytes, steps;
};

static struct expected expect(const struct hd_collective_plan *plan)
{
	const double n = plan->n, c = plan->chunks, up = log2_up(plan->n);
	const unsigned down = plan->n & (plan->n - 1) ? (unsigned)up - 1 : (unsigned)up;
	const double members = 1u << down, pairs = n - members, fold = pairs > 0 ? 1 : 0;
	const enum hd_collective_operation op = plan->operation;
	const struct hd_collective_algorithm *a = plan->algorithm;
	const double rounds = n * (n - 1), part = (n - 1);

	if (a == &hd_collective_ring && op == HD_ALLREDUCE)
		return (struct expected){ 2 * rounds * c, 2 * part, 2 * part * c };
	if (a == &hd_collective_ring && (op == HD_ALLGATHER || op == HD_REDUCESCATTER))
		return (struct expected){ rounds * c, part, part * c };
	if (a == &hd_collective_ring && op == HD_SENDRECV)
		return (struct expected){ n * c, n, c };
	if (a == &hd_collective_ring) /* a chain */
		return (struct expected){ part * c, part, part + c - 1 };
	if (a == &hd_collective_tree && op == HD_ALLREDUCE)
		return (struct expected){ 4 * part * c, 2 * part, 0 };
	if (a == &hd_collective_tree)
		return (struct expected){ 2 * part * c, part, 0 };
	if (a == &hd_collective_binomial)
		return (struct expected){ part * c, part,
					  c > 1                ? 0
					  : op == HD_BROADCAST ? up
							       : height_of_binomial(plan->n) };
	if (a == &hd_collective_doubling && op == HD_ALLREDUCE)
		return (struct expected){ (members * down + 2 * pairs) * c,
					  members * down + 2 * pairs, c > 1 ? 0 : down + 2 * fold };
	if (a == &hd_collective_doubling)
		return (struct expected){ n * up * c, part, up * c };
	if (a == &hd_collective_halving && op == HD_ALLREDUCE)
		return (struct expected){ (members * 2 * down + 2 * pairs) * c,
					  2 * (members - 1) + 2 * pairs,
					  (2 * down + 2 * fold) * c };
	if (a == &hd_collective_halving)
		return (struct expected){ n * up * c, part, up * c };
	if (a == &hd_collective_bruck && op == HD_ALLGATHER)
		return (struct expected){ n * up * c, part, up * c };
	if (a == &hd_collective_bruck) {
		double blocks = 0;

		for (uint32_t way = 1; way < plan->n; way++)
			blocks += __builtin_popcount(way);
		return (struct expected){ n * up * c, blocks, up * c };
	}
	if (a == &hd_collective_dissemination)
		return (struct expected){ n * up, 0, up };
	if (op == HD_BARRIER) /* direct */
		return (struct expected){ 2 * part, 0, n };
	if (op == HD_ALLREDUCE)
		return (struct expected){ 2 * rounds * c, 2 * part, 2 * part * c };
	if (op == HD_BROADCAST)
		return (struct expected){ part * c, part, part * c };
	if (op == HD_REDUCE)
		return (struct expected){ part * c, part, c };
	/* rounds: shifted, pairwise, direct */
	return (struct expected){ rounds * c, part, part * c };
}

static void check_sums(const struct world *w)
{
	const struct hd_collective_plan *plan = &w->plan;
	const struct expected e = expect(plan);
	uint64_t messages = 0, bytes = 0;

	for (uint32_t r = 0; r < plan->n; r++) {
		messages += w->ranks[r].n_sent;
		bytes += w->ranks[r].bytes;
		/* where all ranks are alike, each has its part */
		if (plan->algorithm == &hd_collective_ring && plan->operation <= HD_ALLTOALL) {
			assert_true(w->ranks[r].n_sent * plan->n == e.messages);
			assert_true((double)w->ranks[r].bytes * plan->n ==
				    e.bytes * (double)plan->bytes);
		}
	}
	if ((double)messages != e.messages || (double)bytes != e.bytes * (double)plan->bytes ||
	    (e.steps > 0 && w->last_step != e.steps))
		fail_msg("%s by %s, %u ranks, %u chunks: %llu messages, %g sizes, %u steps; not "
			 "%g, %g, %g",
			 hd_collective_operations[plan->operation], plan->algorithm->policy.name,
			 plan->n, plan->chunks, (unsigned long long)messages,
			 (double)bytes / (double)plan->bytes, w->last_step, e.messages, e.bytes,
			 e.steps);
	/* up and down two trees, a step for each child */
	if (plan->algorithm == &hd_collective_tree && plan->chunks == 1)
		assert_true(w->last_step <= 8 * (log2_up(plan->n) + 1));
}

static bool serves(const struct hd_collective_algorithm *a, unsigned operation, uint32_t n)
{
	return a->operations >> operation & 1 && !(a->powers >> operation & 1 && n & (n - 1));
}

static void try_all(uint32_t n, uint32_t chunks, uint32_t window)
{
	for (unsigned i = 0; hd_collective_algorithms.policies[i]; i++)
		for (unsigned op = 0; op < HD_COLLECTIVE_OPERATIONS; op++) {
			const struct hd_collective_algorithm *a =
				(const struct hd_collective_algorithm *)
					hd_collective_algorithms.policies[i];
			struct hd_error err = { 0 };

			world.plan = (struct hd_collective_plan){
				.operation = (enum hd_collective_operation)op,
				.n = n,
				/* blocks, halves and chunks are whole */
				.bytes = (uint64_t)n * 64 * 6,
				.chunks = op == HD_BARRIER ? 1 : chunks,
				.window = window,
			};
			if (!serves(a, op, n)) {
				assert_int_equal(hd_collective_plan_algorithm(&world.plan,
									      a->policy.name, &err),
						 HD_EINVAL);
				continue;
			}
			assert_hd_ok(
				hd_collective_plan_algorithm(&world.plan, a->policy.name, &err),
				err);
			if (a == &hd_collective_direct)
				world.plan.window = 0;
			run(&world);
			check_ends(&world);
			check_sums(&world);
		}
}

static void test_all(void **state)
{
	(void)state;
	hd_random_init(&world.random, 1, 1);
	for (uint32_t n = 2; n <= MOST; n++)
		for (uint32_t chunks = 1; chunks <= MOST_CHUNKS; chunks += 2)
			try_all(n, chunks, 1);
	for (uint32_t n = 7; n <= 8; n++)
		for (uint32_t window = 0; window <= 3; window++)
			try_all(n, 2, window);
}

/* The two trees: nobody has more than two children; at most one rank has some in both. */
static void test_trees(void **state)
{
	(void)state;
	for (uint32_t n = 2; n <= 257; n++) {
		struct hd_collective_plan plan = {
			.operation = HD_BROADCAST, .n = n, .bytes = 2, .chunks = 1
		};
		struct hd_error err = { 0 };
		uint32_t in_both = 0;

		assert_hd_ok(hd_collective_plan_algorithm(&plan, "tree", &err), err);
		for (uint32_t r = 1; r < n; r++) {
			uint32_t children[2], parents[2];

			for (unsigned tree = 0; tree < 2; tree++) {
				hd_collective_count(&plan, r, tree, &children[tree],
						    &parents[tree]);
				assert_true(children[tree] <= 2 && parents[tree] == 1);
			}
			in_both += children[0] && children[1];
		}
		assert_true(in_both <= 1);
	}
}

/* Blocks that are not whole: nothing is lost to rounding. */
static void test_rounding(void **state)
{
	struct hd_collective_plan plan = { .operation = HD_ALLGATHER, .n = 7, .bytes = 1000003 };
	struct hd_error err = { 0 };
	uint64_t sum = 0, chunks = 0;

	(void)state;
	plan.chunks = 1;
	assert_hd_ok(hd_collective_plan_algorithm(&plan, "ring", &err), err);
	for (uint32_t rank = 0; rank < plan.n; rank++) {
		struct hd_collective_send send = hd_collective_send(&plan, rank, 0, 0);
		const uint64_t bytes = hd_collective_bytes(&plan, &send);

		assert_true(bytes == 142857 || bytes == 142858);
		sum += bytes;
		plan.chunks = 5;
		for (send.chunk = 0; send.chunk < 5; send.chunk++)
			chunks += hd_collective_bytes(&plan, &send);
		plan.chunks = 1;
	}
	assert_int_equal(sum, 1000003);
	assert_int_equal(chunks, 1000003);
}

static void test_defaults(void **state)
{
	static const char *const names[] = { "ring", "ring", "ring",          "shifted",
					     "tree", "tree", "dissemination", "ring" };

	(void)state;
	for (unsigned op = 0; op < HD_COLLECTIVE_OPERATIONS; op++) {
		struct hd_collective_plan plan = { .operation = (enum hd_collective_operation)op,
						   .n = 12,
						   .bytes = 1 << 20 };
		struct hd_error err = { 0 };

		assert_hd_ok(hd_collective_plan_algorithm(&plan, "auto", &err), err);
		assert_string_equal(plan.algorithm->policy.name, names[op]);
		/* chunks of 64 KiB of two trees' halves */
		assert_int_equal(plan.chunks, strcmp(names[op], "tree") == 0 ? 8 : 1);
	}
}

/* Numbers in any order, far ahead of their turn, too. */
static void test_receipts(void **state)
{
	struct hd_receipts receipts = { 0 };
	uint32_t order[1000];
	bool has[1001] = { false };
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 3, 3);
	for (unsigned round = 0; round < 3; round++) {
		uint64_t first = receipts.n;
		uint32_t n = 0;

		hd_random_permutation(&random, 1000, order);
		memset(has, 0, sizeof(has));
		for (uint32_t i = 0; i < 1000; i++) {
			assert_true(hd_receipts_add(&receipts, first + order[i]));
			has[order[i]] = true;
			while (has[n])
				n++;
			assert_int_equal(receipts.n, first + n);
		}
	}
	hd_receipts_free(&receipts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),      cmocka_unit_test(test_trees),
		cmocka_unit_test(test_rounding), cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_receipts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
