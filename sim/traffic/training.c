// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Training of a large language model as a traffic pattern: the operations of an iteration, by the
 * sizes of its parallel parts. docs/collectives.md has the formulas.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/amounts.h"
#include "sim/traffic/collective_setup.h"
#include "support/error.h"

#define MOST_BYTES ((uint64_t)1 << 44)
#define MOST_TIMES (1u << 20)

/* What the options say. */
struct training {
	uint64_t dp, tp, pp, ep;
	uint64_t layers, micro;
	uint64_t parameters, activation; /* bytes */
	double local;
};

/* @n: ranks. */
static int read_numbers(const struct hd_params *params, uint32_t n, struct training *t,
			struct hd_error *err)
{
	const struct {
		const char *key;
		uint64_t most, *value;
	} numbers[] = {
		{ "tp", UINT16_MAX, &t->tp }, { "pp", UINT16_MAX, &t->pp },
		{ "ep", UINT16_MAX, &t->ep }, { "layers", 4096, &t->layers },
		{ "micro", 4096, &t->micro },
	};
	int ret = 0;

	for (size_t i = 0; !ret && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		ret = hd_params_number(params, numbers[i].key, 1, numbers[i].most, numbers[i].value,
				       err);
	t->dp = ret ? 0 : n / (t->tp * t->pp);
	if (!ret && hd_params_get(params, "dp"))
		ret = hd_params_number(params, "dp", 1, UINT16_MAX, &t->dp, err);
	if (!ret)
		ret = hd_amount_bytes(params, "parameters", MOST_BYTES, &t->parameters, err);
	if (!ret)
		ret = hd_amount_bytes(params, "activation", MOST_BYTES, &t->activation, err);
	if (!ret)
		ret = hd_params_decimal(params, "local", 0.001, 1000, &t->local, err);
	return ret;
}

static int check(const struct training *t, uint32_t n, struct hd_error *err)
{
	if (t->dp * t->tp * t->pp != n)
		return hd_error_set(err, HD_EINVAL,
				    "dp x tp x pp = %llu ranks are not the %u hosts",
				    (unsigned long long)(t->dp * t->tp * t->pp), n);
	if (t->dp % t->ep)
		return hd_error_set(err, HD_EINVAL, "ep: %llu does not divide dp, which is %llu",
				    (unsigned long long)t->ep, (unsigned long long)t->dp);
	if (t->layers % t->pp)
		return hd_error_set(err, HD_EINVAL,
				    "pp: %llu does not divide layers, which are "
				    "%llu",
				    (unsigned long long)t->pp, (unsigned long long)t->layers);
	return 0;
}

/* Adds a stage among @n ranks, unless there is only one, or nothing to do. */
static int add(struct hd_collective_ranks *r, enum hd_collective_operation operation,
	       const char *algorithm, uint64_t n, uint64_t stride, uint64_t bytes, uint64_t times,
	       struct hd_error *err)
{
	struct hd_collective_stage *stage = &r->stages[r->n_stages];

	if (n < 2)
		return 0;
	if (times > MOST_TIMES)
		return hd_error_set(err, HD_ERANGE,
				    "%llu operations in an iteration are too many, at most %u",
				    (unsigned long long)times, MOST_TIMES);
	if (bytes / r->result.unit >= UINT32_MAX)
		return hd_error_set(err, HD_ERANGE, "a message has 2^32 units at most");
	*stage = (struct hd_collective_stage){
		.plan = { .operation = operation, .n = (uint32_t)n, .bytes = bytes, .chunks = 1 },
		.stride = (uint32_t)stride,
		.times = (uint32_t)times,
	};
	r->n_stages++;
	return hd_collective_plan_algorithm(&stage->plan, algorithm, err);
}

/* @bytes by @n, rounded up. */
static uint64_t part(uint64_t bytes, uint64_t n)
{
	return (bytes + n - 1) / n;
}

/* Ranks follow one another by tp, then by dp (with ep in it), then by pp. */
static int add_stages(struct hd_collective_ranks *r, const struct training *t, struct hd_error *err)
{
	const uint64_t per_stage = t->layers / t->pp * t->micro;
	const uint64_t gradients = part(t->parameters, t->tp * t->pp);
	int ret = add(r, HD_ALLTOALL, "direct", t->ep, t->tp, part(t->activation, t->tp),
		      4 * per_stage, err);

	if (!ret)
		ret = add(r, HD_SENDRECV, "ring", t->pp, t->tp * t->dp, part(t->activation, t->tp),
			  2 * t->micro, err);
	if (!ret)
		ret = add(r, HD_REDUCESCATTER, "ring", t->dp, t->tp, gradients, 1, err);
	if (!ret)
		ret = add(r, HD_ALLGATHER, "ring", t->dp, t->tp, gradients, 1, err);
	if (!ret && !r->n_stages)
		ret = hd_error_set(err, HD_EINVAL,
				   "nothing passes links: dp, pp and ep are 1, and tp is within "
				   "nodes");
	return ret;
}

/* Allreduces within nodes, before anything else: 4 of a layer and micro-batch. */
static int add_node(const struct hd_pattern_setup *setup, const struct training *t,
		    struct hd_collective_ranks *r, struct hd_error *err)
{
	const double operations = 4.0 * (double)(t->layers / t->pp * t->micro);
	const double bytes =
		operations * 2 * (double)(t->tp - 1) / (double)t->tp * (double)t->activation;

	r->group = (uint32_t)t->tp;
	return hd_collective_set_meeting(
		bytes / r->result.unit * setup->setting->unit_ticks / t->local, &r->meets[0], err);
}

/*
 * Ticks in which the ranks of a node, and the links of ranks, carry what an iteration needs at
 * least.
 */
static double communication(const struct hd_pattern_setup *setup,
			    const struct hd_collective_ranks *r)
{
	double bytes = 0;

	for (unsigned i = 0; i < r->n_stages; i++) {
		const struct hd_collective_plan *plan = &r->stages[i].plan;

		bytes += hd_collective_bus_factor(plan->operation, plan->n) * (double)plan->bytes *
			 r->stages[i].times;
	}
	return (double)r->meets[0] + bytes / r->result.unit * setup->setting->unit_ticks;
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	struct hd_collective_ranks *r = calloc(1, sizeof(*r));
	struct training t = { 0 };
	uint64_t unit = 0;
	int ret;

	if (!r)
		return hd_error_nomem(err);
	*data = r;
	ret = hd_collective_place(setup, r, err);
	if (!ret)
		ret = hd_collective_read_times(setup, r, err);
	if (!ret)
		ret = read_numbers(setup->params, r->n, &t, err);
	if (!ret)
		ret = hd_params_number(setup->params, "unit", 1, UINT32_MAX, &unit, err);
	if (!ret)
		ret = check(&t, r->n, err);
	r->result.unit = (uint32_t)unit;
	r->packet = setup->size;
	if (!ret)
		ret = add_stages(r, &t, err);
	if (!ret)
		ret = add_node(setup, &t, r, err);
	if (!ret)
		ret = hd_collective_read_ratio(setup->params, communication(setup, r), r, err);
	if (ret)
		return ret;
	r->result.operation = "training";
	r->result.algorithm = "composite";
	r->result.bytes = t.parameters;
	return hd_collective_ranks_make(r, err);
}

static const struct hd_option options[] = {
	{ "dp", NULL, "ranks",
	  "data parallel: each has all parameters of its part; default: as many as there are" },
	{ "tp", "1", "ranks", "tensor parallel: a node, whose ranks exchange data within it" },
	{ "pp", "1", "ranks", "pipeline stages, which divide the layers" },
	{ "ep", "1", "ranks", "expert parallel, a part of dp" },
	{ "layers", "8", "layers", "of the model" },
	{ "micro", "1", "", "micro-batches of an iteration" },
	{ "parameters", "64MiB", "bytes", "of the gradients of all parameters" },
	{ "activation", "1MiB", "bytes", "between two layers, of a micro-batch" },
	{ "local", "8", "links", "bandwidth of a rank within its node, in host links" },
	HD_COLLECTIVE_HOSTS,
	{ "unit", "64", "bytes", "how many bytes a unit has; messages round up" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_training = {
	.policy = { .name = "training",
		    .summary = "iterations of training a large language model: its collective "
			       "operations",
		    .reference =
			    "Narayanan et al., Efficient large-scale language model training on "
			    "GPU clusters using Megatron-LM (2021)",
		    .options = options },
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
