// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Collective operations as a traffic pattern: its options. docs/collectives.md explains them. */
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/amounts.h"
#include "sim/traffic/collective_setup.h"
#include "support/error.h"

#define MOST_BYTES  ((uint64_t)1 << 40)
#define MOST_CHUNKS 1024

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
	struct hd_collective_plan *plan = &r->stages[0].plan;
	bool meets[2];
	uint64_t group = 0;
	double local = 0, ticks;
	int ret = hd_params_number(setup->params, "group", 1, r->n, &group, err);

	if (!ret)
		ret = hd_params_decimal(setup->params, "local", 0.001, 1000, &local, err);
	if (ret)
		return ret;
	r->group = (uint32_t)group;
	r->n_stages = 1;
	r->stages[0].stride = r->group;
	r->stages[0].times = 1;
	plan->n = r->n / r->group;
	plan->bytes = (r->result.bytes + group - 1) / group;
	if (plan->operation == HD_ALLTOALL) /* a rail moves all, of fewer and longer blocks */
		plan->bytes = r->result.bytes;
	if (group == 1)
		return 0;
	if (r->n % r->group)
		return hd_error_set(err, HD_EINVAL, "group: %u ranks are no whole groups of %u",
				    r->n, r->group);
	ret = find_meetings(plan->operation, meets, err);
	ticks = (double)r->result.bytes * (double)(group - 1) / (double)group / r->result.unit *
		setup->setting->unit_ticks / local;
	for (unsigned i = 0; !ret && i < 2; i++)
		if (meets[i]) {
			ret = hd_collective_set_meeting(ticks, &r->meets[i], err);
			r->meets[i] += !r->result.bytes;
		}
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
	struct hd_collective_plan *plan = &r->stages[0].plan;
	const bool has_window = hd_params_is_set(setup->params, "window");
	uint64_t chunks = 0, window = 0;
	int ret = 0;

	if (strcmp(hd_params_get(setup->params, "chunks"), "auto") != 0)
		ret = hd_params_number(setup->params, "chunks", 1, MOST_CHUNKS, &chunks, err);
	if (!ret)
		ret = hd_params_number(setup->params, "window", 0, UINT32_MAX, &window, err);
	plan->chunks = (uint32_t)chunks;
	if (!ret)
		ret = hd_collective_plan_algorithm(plan, hd_params_get(setup->params, "algorithm"),
						   err);
	if (ret)
		return ret;
	if (has_window && !has_rounds(plan))
		return hd_error_set(err, HD_EINVAL,
				    "window: only for algorithms in rounds, "
				    "shifted and pairwise");
	plan->window = has_rounds(plan) ? (uint32_t)window : 0;
	return 0;
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	struct hd_collective_ranks *r = calloc(1, sizeof(*r));
	struct hd_collective_plan *plan;
	unsigned operation = 0;
	int ret;

	if (!r)
		return hd_error_nomem(err);
	*data = r;
	plan = &r->stages[0].plan;
	ret = hd_params_word(setup->params, "op", hd_collective_operations, &operation, err);
	plan->operation = (enum hd_collective_operation)operation;
	if (!ret)
		ret = hd_collective_place(setup, r, err);
	if (!ret)
		ret = hd_collective_read_times(setup, r, err);
	if (!ret)
		ret = read_sizes(setup, r, err);
	if (!ret)
		ret = make_groups(setup, r, err);
	if (!ret)
		ret = read_algorithm(setup, r, err);
	if (ret)
		return ret;
	r->result.operation = hd_collective_operations[operation];
	r->result.algorithm = plan->algorithm->policy.name;
	r->result.bus_factor = hd_collective_bus_factor(plan->operation, r->n);
	ret = hd_collective_read_ratio(setup->params,
				       r->result.bus_factor * (double)r->result.bytes /
					       r->result.unit * setup->setting->unit_ticks,
				       r, err);
	return ret ? ret : hd_collective_ranks_make(r, err);
}

static const struct hd_option options[] = {
	{ "op", "allreduce", "",
	  "allreduce, allgather, reducescatter, alltoall, broadcast, reduce, barrier or sendrecv" },
	{ "algorithm", "auto", "",
	  "ring, tree, binomial, doubling, halving, bruck, pairwise, shifted, direct, "
	  "dissemination; auto: the usual one of the operation" },
	{ "size", "1MiB", "bytes", "of the operation, as nccl-tests counts it" },
	HD_COLLECTIVE_HOSTS,
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
	.free = hd_collective_release,
	.class_of = hd_collective_class_of,
	.load = hd_collective_load,
	.received = hd_collective_received,
	.waiting = hd_collective_waiting,
	.begin = hd_collective_begin,
	.entered = hd_collective_entered,
	.woken = hd_collective_woken,
	.collective = hd_collective_result,
};
