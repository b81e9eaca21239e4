// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How long routes and proofs take, on balanced dragonflies of 72 to 16,512 hosts, beside a memset
 * of the same LFT bytes measured in the same run: into memory that is warm, and into fresh memory,
 * as an engine has to use. Every figure is the median of several repetitions.
 *
 *	bench_route [-n REPETITIONS] [-p LARGEST-P]
 *
 * Use OMP_NUM_THREADS=1 for one core.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "support/error.h"
#include "topologies/topology.h"

#define MAX_REPETITIONS 101

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *seconds, int n)
{
	qsort(seconds, (size_t)n, sizeof(*seconds), compare);
	return seconds[n / 2];
}

static void __attribute__((noreturn)) fail(const struct hd_error *err)
{
	char text[1200];

	fprintf(stderr, "bench_route: %s\n", hd_error_format(err, text, sizeof(text)));
	exit(1);
}

static struct hd_fabric *dragonfly(unsigned p, unsigned lmc)
{
	struct hd_fabric *bare, *fabric;
	struct hd_error err;
	char spec[64];

	snprintf(spec, sizeof(spec), "dragonfly:a=%u,p=%u,h=%u", 2 * p, p, p);
	if (hd_topology_build(spec, &bare, &err) ||
	    hd_fabric_assign_lids(bare, HD_NONE, lmc, &fabric, &err))
		fail(&err);
	hd_fabric_free(bare);
	return fabric;
}

/* Medians of memset into warm and fresh memory of @size bytes. */
static void time_memset(size_t size, int n, double *warm, double *fresh)
{
	double seconds[2][MAX_REPETITIONS];
	char *block = malloc(size);

	if (!block)
		exit(1);
	memset(block, 1, size);
	for (int i = 0; i < n; i++) {
		double start = now();
		char *other;

		memset(block, i, size);
		__asm__ volatile("" : : "r"(block) : "memory");
		seconds[0][i] = now() - start;
		start = now();
		other = malloc(size);
		if (!other)
			exit(1);
		memset(other, i, size);
		__asm__ volatile("" : : "r"(other) : "memory");
		free(other);
		seconds[1][i] = now() - start;
	}
	free(block);
	*warm = median(seconds[0], n);
	*fresh = median(seconds[1], n);
}

/* The median time of hd_route(); leaves the tables of the last repetition in @tables. */
static double time_route(const struct hd_fabric *fabric, const char *engine, int n,
			 struct hd_tables **tables)
{
	struct hd_route_request request = { 0 };
	double seconds[MAX_REPETITIONS];
	struct hd_error err;

	*tables = NULL;
	for (int i = 0; i < n; i++) {
		double start;

		hd_tables_free(*tables);
		start = now();
		if (hd_route(hd_engine_find(engine), fabric, &request, tables, &err))
			fail(&err);
		seconds[i] = now() - start;
	}
	return median(seconds, n);
}

static double time_check(const struct hd_tables *tables, int n, enum hd_check_failure *failure)
{
	double seconds[MAX_REPETITIONS];
	struct hd_error err;

	for (int i = 0; i < n; i++) {
		struct hd_check_result result;
		double start = now();

		if (hd_check(tables, NULL, &result, &err))
			fail(&err);
		seconds[i] = now() - start;
		*failure = result.failure;
		hd_check_clear(&result);
	}
	return median(seconds, n);
}

/* dfval, for two LIDs a host: times of routes and proof. */
static double time_dfval(unsigned p, int n, double *check, enum hd_check_failure *failure)
{
	struct hd_fabric *fabric = dragonfly(p, 1);
	struct hd_tables *tables;
	double seconds = time_route(fabric, "dfval", n, &tables);

	*check = time_check(tables, n, failure);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	return seconds;
}

static void run(unsigned p, int n)
{
	struct hd_fabric *fabric = dragonfly(p, 0);
	enum hd_check_failure dla_failure, minhop_failure, dfval_failure;
	struct hd_tables *tables;
	double warm, fresh, dla, dla_check, minhop, minhop_check, dfval, dfval_check;
	size_t lft_bytes = (size_t)fabric->n_switches * (fabric->top_lid + 1);

	time_memset(lft_bytes, n, &warm, &fresh);
	dla = time_route(fabric, "dla", n, &tables);
	dla_check = time_check(tables, n > 5 ? 5 : n, &dla_failure);
	hd_tables_free(tables);
	minhop = time_route(fabric, "minhop", n > 5 ? 5 : n, &tables);
	minhop_check = time_check(tables, 1, &minhop_failure);
	hd_tables_free(tables);
	dfval = time_dfval(p, n > 5 ? 5 : n, &dfval_check, &dfval_failure);
	printf("%6u %8u %8.2f %8.3f %8.3f %8.3f %6.1f %6.1f %8.3f %7.0f %9.3f %9.3f %8.2f %9.3f  "
	       "%s / %s / %s\n",
	       fabric->n_nodes - fabric->n_switches, fabric->n_switches, (double)lft_bytes / 1e6,
	       warm * 1e3, fresh * 1e3, dla * 1e3, dla / warm, dla / fresh, minhop * 1e3,
	       minhop / warm, dla_check * 1e3, minhop_check * 1e3, dfval * 1e3, dfval_check * 1e3,
	       hd_check_failure_name(dla_failure), hd_check_failure_name(minhop_failure),
	       hd_check_failure_name(dfval_failure));
	fflush(stdout);
	hd_fabric_free(fabric);
}

int main(int argc, char **argv)
{
	static const unsigned sizes[] = { 2, 3, 4, 5, 6, 7, 8 };
	int option, repetitions = 11, largest = 8, threads = 1;
	struct rusage usage;

	while ((option = getopt(argc, argv, "n:p:")) != -1) {
		if (option == 'n')
			repetitions = atoi(optarg);
		else if (option == 'p')
			largest = atoi(optarg);
		else
			return 2;
	}
	if (repetitions < 1 || repetitions > MAX_REPETITIONS)
		return 2;
#ifdef _OPENMP
	threads = omp_get_max_threads();
#endif
	printf("# threads %d; times in ms, medians of %d (check: at most 5; minhop's: 1)\n",
	       threads, repetitions);
	printf("# hosts switches LFT-MB  memset    fresh      dla  /mset /fresh   minhop   /mset"
	       " dla-check mh-check    dfval dfv-check  verdicts\n");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (sizes[i] <= (unsigned)largest)
			run(sizes[i], repetitions);
	getrusage(RUSAGE_SELF, &usage);
	printf("# peak memory %.0f MiB\n", (double)usage.ru_maxrss / 1024);
	return 0;
}
