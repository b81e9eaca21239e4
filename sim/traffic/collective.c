// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collective operations as a traffic pattern: its options. docs/collectives.md explains them. */
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/amounts.h"
#include "sim/traffic/application_hosts.h"
#include "sim/traffic/collective_ranks.h"
#include "support/error.h"
#include "support/text.h"

#define MOST_BYTES       ((uint64_t)1 << 40)
#define MOST_CHUNKS      1024
#define MOST_REPETITIONS 1000000
#define MOST_TIME        0x1p60 /* ticks */

static void release(void *data)
{
	struct hd_collective_ranks *r = data;

	hd_collective_ranks_free(r);
	free(r->host_of);
	free(r->rank_of);
	free(r);
}

static const struct hd_collective *collective(const void *data)
{
	return &((const struct hd_collective_ranks *)data)->result;
}

static uint32_t class_of(const void *data, uint32_t host)
{
	return ((const struct hd_collective_ranks *)data)->rank_of[host] == HD_NONE ? HD_NONE : 0;
}

/* Ranks do not send by the phase's load. */
static double load(const void *data, uint32_t class, double load_of_all)
{
	(void)data;
	(void)class;
	(void)load_of_all;
	return 0;
}

#define RANDOM "random"

/* "in-order", "random" or "random:SEED": which rank each host of the list has. */
static int order_ranks(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
		       struct hd_error *err)
{
	const char *text = hd_params_get(setup->params, "order");
	uint32_t *order, *hosts;
	struct hd_random random;
	uint64_t seed;
	int ret = 0;

	if (strcmp(text, "in-order") == 0)
		return 0;
	if (strncmp(text, RANDOM, strlen(RANDOM)) != 0 ||
	    (text[strlen(RANDOM)] && text[strlen(RANDOM)] != ':'))
		return hd_error_set(err, HD_EINVAL,
				    "order: '%s' is none of in-order, random, random:SEED", text);
	if (text[strlen(RANDOM)]) {
		ret = hd_parse_number(text + strlen(RANDOM) + 1, "order", 0, UINT64_MAX, &seed,
				      err);
		hd_random_init(&random, seed, 0);
	}
	if (ret)
		return ret;
	order = malloc(r->n * sizeof(*order));
	hosts = malloc(r->n * sizeof(*hosts));
	if (order && hosts) {
		hd_random_permutation(text[strlen(RANDOM)] ? &random : setup->random, r->n, order);
		memcpy(hosts, r->host_of, r->n * sizeof(*hosts));
		for (uint32_t i = 0; i < r->n; i++)
			r->host_of[i] = hosts[order[i]];
	} else {
		ret = hd_error_nomem(err);
	}
	free(order);
	free(hosts);
	return ret;
}

static int place(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
		 struct hd_error *err)
{
	int ret = hd_application_hosts(setup, &r->host_of, &r->n, err);

	if (!ret)
		ret = order_ranks(setup, r, err);
	if (ret)
		return ret;
	r->n_hosts = setup->setting->n_hosts;
	r->rank_of = malloc(r->n_hosts * sizeof(*r->rank_of));
	if (!r->rank_of)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < r->n_hosts; host++)
		r->rank_of[host] = HD_NONE;
	for (uint32_t rank = 0; rank < r->n; rank++)
		r->rank_of[r->host_of[rank]] = rank;
	r->result.n_ranks = r->n;
	return 0;
}

static int read_times(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
		      struct hd_error *err)
{
	const uint32_t cycle = setup->setting->cycle_ticks;
	double start = 0, compute = 0;
	uint64_t repeat = 0;
	int ret = hd_amount_time(setup->params, "start", cycle, 0, MOST_TIME, &start, err);

	if (!ret)
		ret = hd_amount_time(setup->params, "compute", cycle, 0,
				     MOST_TIME / MOST_REPETITIONS, &compute, err);

	if (!ret)
		ret = hd_params_number(setup->params, "repeat", 1, MOST_REPETITIONS, &repeat, err);
	r->start = (uint64_t)(start + 0.5);
	r->result.compute = (uint64_t)(compute + 0.5);
	r->result.n_repetitions = (uint32_t)repeat;
	return ret;
}

static int read_sizes(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
		      struct hd_error *err)
{
	uint64_t unit = 0;
	int ret = hd_amount_bytes(setup->params, "size", MOST_BYTES, &r->result.bytes, err);

	if (!ret)
		ret = hd_params_number(setup->params, "unit", 1, UINT32_MAX, &unit, err);
	if (!ret && r->result.bytes / unit >= UINT32_MAX)
		ret = hd_error_set(err, HD_ERANGE, "size: a message has 2^32 units at most");
	r->result.unit = (uint32_t)unit;
	r->packet = setup->size;
	return ret;
}

/* Whether the ranks of a group exchange data before or after their rails' operation. */
static int find_meetings(enum hd_collective_operation operation, bool meets[2],
			 struct hd_error *err)
{
	meets[0] = operation == HD_ALLREDUCE || operation == HD_REDUCESCATTER ||
		   operation == HD_ALLTOALL;
	meets[1] = operation == HD_ALLREDUCE || operation == HD_ALLGATHER;
	if (meets[0] || meets[1])
		return 0;
	return hd_error_set(err, HD_EINVAL,
			    "group: only for allreduce, allgather, reducescatter and alltoall");
}

/*
 * Groups: within them each rank moves (group - 1) / group of the size, @local times as fast as a
 * host's link; each rail has its part of the size.
 */
static int make_groups(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
		       struct hd_error *err)
{
	bool meets[2];
	uint64_t group = 0;
	double local = 0, ticks;
	int ret = hd_params_number(setup->params, "group", 1, r->n, &group, err);

	if (!ret)
		ret = hd_params_decimal(setup->params, "local", 0.001, 1000, &local, err);
	if (ret)
		return ret;
	r->group = (uint32_t)group;
	r->plan.n = r->n / r->group;
	r->plan.bytes = (r->result.bytes + group - 1) / group;
	if (r->plan.operation == HD_ALLTOALL) /* a rail moves all, of fewer and longer blocks */
		r->plan.bytes = r->result.bytes;
	if (group == 1)
		return 0;
	if (r->n % r->group)
		return hd_error_set(err, HD_EINVAL, "group: %u ranks are no whole groups of %u",
				    r->n, r->group);
	ret = find_meetings(r->plan.operation, meets, err);
	ticks = (double)r->result.bytes * (double)(group - 1) / (double)group / r->result.unit *
		setup->setting->unit_ticks / local;
	for (unsigned i = 0; i < 2; i++)
		r->meets[i] = meets[i] ? (uint64_t)(ticks + 0.5) + !r->result.bytes : 0;
	return ret;
}

static bool has_rounds(const struct hd_collective_plan *plan)
{
	return plan->algorithm == &hd_collective_shifted ||
	       plan->algorithm == &hd_collective_pairwise;
}

static int read_algorithm(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
			  struct hd_error *err)
{
	const bool has_window = hd_params_is_set(setup->params, "window");
	uint64_t chunks = 0, window = 0;
	int ret = 0;

	if (strcmp(hd_params_get(setup->params, "chunks"), "auto") != 0)
		ret = hd_params_number(setup->params, "chunks", 1, MOST_CHUNKS, &chunks, err);
	if (!ret)
		ret = hd_params_number(setup->params, "window", 0, UINT32_MAX, &window, err);
	r->plan.chunks = (uint32_t)chunks;
	if (!ret)
		ret = hd_collective_plan_algorithm(&r->plan,
						   hd_params_get(setup->params, "algorithm"), err);
	if (ret)
		return ret;
	if (has_window && !has_rounds(&r->plan))
		return hd_error_set(err, HD_EINVAL,
				    "window: only for algorithms in rounds, "
				    "shifted and pairwise");
	r->plan.window = has_rounds(&r->plan) ? (uint32_t)window : 0;
	return 0;
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	struct hd_collective_ranks *r = calloc(1, sizeof(*r));
	unsigned operation = 0;
	int ret;

	if (!r)
		return hd_error_nomem(err);
	*data = r;
	ret = hd_params_word(setup->params, "op", hd_collective_names, &operation, err);
	r->plan.operation = (enum hd_collective_operation)operation;
	if (!ret)
		ret = place(setup, r, err);
	if (!ret)
		ret = read_times(setup, r, err);
	if (!ret)
		ret = read_sizes(setup, r, err);
	if (!ret)
		ret = make_groups(setup, r, err);
	if (!ret)
		ret = read_algorithm(setup, r, err);
	if (ret)
		return ret;
	r->result.operation = hd_collective_names[operation];
	r->result.algorithm = r->plan.algorithm->name;
	r->result.bus_factor = hd_collective_bus_factor(r->plan.operation, r->n);
	return hd_collective_ranks_make(r, err);
}

static const struct hd_option options[] = {
	{ "op", "allreduce", "",
	  "allreduce, allgather, reducescatter, alltoall, broadcast, reduce, barrier or sendrecv" },
	{ "algorithm", "auto", "",
	  "ring, tree, binomial, doubling, halving, bruck, pairwise, shifted, direct, "
	  "dissemination; auto: the usual one of the operation" },
	{ "size", "1MiB", "bytes", "of the operation, as nccl-tests counts it" },
	{ "hosts", NULL, "", "0..31+40..71, or random:64; a rank each; default: all" },
	{ "order", "in-order", "", "of ranks on these hosts: in-order, random or random:SEED" },
	{ "start", "0", "", "time from the beginning of the phase until ranks begin" },
	{ "repeat", "1", "", "how often each rank does it" },
	{ "compute", "0", "", "time that each rank computes before each repetition" },
	{ "chunks", "auto", "",
	  "of a message; auto: of 64 KiB, at most 64, where a message is passed on; else 1" },
	{ "window", "1", "rounds",
	  "shifted, pairwise: how far a rank's messages are ahead of those that it got; 0: all" },
	{ "group", "1", "ranks", "of a node with an adapter each: they first exchange data there" },
	{ "local", "8", "links", "bandwidth of a rank within its group, in host links" },
	{ "unit", "64", "bytes", "how many bytes a unit has; messages round up" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_collective = {
	.policy = { .name = "collective",
		    .summary = "a collective operation, by one of ten algorithms, repeated",
		    .reference = "Thakur et al., Optimization of collective communication "
				 "operations in MPICH (2005)",
		    .options = options },
	.policy.n_bare = 1,
	.init = init,
	.free = release,
	.class_of = class_of,
	.load = load,
	.received = hd_collective_received,
	.waiting = hd_collective_waiting,
	.begin = hd_collective_begin,
	.entered = hd_collective_entered,
	.woken = hd_collective_woken,
	.collective = collective,
};
