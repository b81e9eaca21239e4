// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What it costs that the threads of a run meet: bench_barrier [THREADS [ROUNDS]]. Prints, as the
 * least of five: nanoseconds for each time that THREADS (2) meet at the barrier of
 * support/barrier.h with nothing to do in between, and for a cache line that goes from one
 * processor to another and is written there, of which docs/model.md makes a model for more threads.
 */
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support/barrier.h"

#define TIMES 5

static struct {
	struct hd_barrier barrier;
	uint64_t rounds;
	alignas(64) atomic_uint line;
} shared;

static double nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void *meet(void *unused)
{
	for (uint64_t i = 0; i < shared.rounds; i++)
		hd_barrier_wait(&shared.barrier);
	return unused;
}

/* Two threads write a line in turn: @parity is whose turn it is. */
static void pass_on(unsigned parity)
{
	for (uint64_t i = 0; i < shared.rounds; i++) {
		while (atomic_load_explicit(&shared.line, memory_order_acquire) % 2 != parity)
			;
		atomic_fetch_add_explicit(&shared.line, 1, memory_order_acq_rel);
	}
}

static void *pass_odd(void *unused)
{
	pass_on(1);
	return unused;
}

/* Nanoseconds of @n threads, of which this is one. */
static double time_of(void *(*work)(void *), void *(*others_work)(void *), unsigned n)
{
	pthread_t *others = calloc(n, sizeof(*others));
	double begin = nanoseconds();
	unsigned started = 1;

	if (!others)
		exit(1);
	while (started < n && !pthread_create(&others[started], NULL, others_work, NULL))
		started++;
	if (started < n)
		exit(1);
	work(NULL);
	for (unsigned i = 1; i < n; i++)
		pthread_join(others[i], NULL);
	free(others);
	return nanoseconds() - begin;
}

static void *pass_even(void *unused)
{
	pass_on(0);
	return unused;
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 2;
	double met = 0, passed = 0;

	shared.rounds = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000000;
	if (n < 1 || !shared.rounds)
		return 2;
	hd_barrier_init(&shared.barrier, n);
	for (unsigned i = 0; i < TIMES; i++) {
		double ns = time_of(meet, meet, n);

		met = !i || ns < met ? ns : met;
		ns = time_of(pass_even, pass_odd, 2);
		passed = !i || ns < passed ? ns : passed;
	}
	printf("a meeting of %u threads: %.0f ns\n", n, met / (double)shared.rounds);
	printf("a line from processor to processor: %.0f ns\n", passed / (double)shared.rounds / 2);
	hd_barrier_destroy(&shared.barrier);
	return 0;
}
