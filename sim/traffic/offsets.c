// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Destinations a number of steps away, in a row of all hosts or in every dimension of a shape. */
#include <stdlib.h>

#include "sim/traffic/fixed.h"
#include "support/error.h"

#define DIMENSIONS 8

/* Steps in a dimension of @length. */
typedef uint32_t (*steps_fn)(uint32_t length);

static int init(const struct hd_pattern_setup *setup, steps_fn steps, void **data,
		struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts, lengths[DIMENSIONS], *to;
	unsigned dimensions;
	int ret = hd_params_shape(setup->params, "dims", n, DIMENSIONS, lengths, &dimensions, err);

	if (!ret)
		ret = hd_fixed_new(n, data, &to, err);
	if (ret)
		return ret;
	for (uint32_t host = 0; host < n; host++) {
		uint32_t rest = host, stride = 1;

		to[host] = 0;
		for (unsigned i = 0; i < dimensions; i++) {
			to[host] += (rest % lengths[i] + steps(lengths[i])) % lengths[i] * stride;
			rest /= lengths[i];
			stride *= lengths[i];
		}
	}
	return hd_fixed_done(n, to, err);
}

static uint32_t half(uint32_t length)
{
	return (length + 1) / 2 - 1;
}

static uint32_t one(uint32_t length)
{
	(void)length;
	return 1;
}

static int init_tornado(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	return init(setup, half, data, err);
}

static int init_neighbour(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	return init(setup, one, data, err);
}

static int init_shift(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts, *to;
	uint64_t by = n / 2;
	int ret = 0;

	if (hd_params_get(setup->params, "by"))
		ret = hd_params_number(setup->params, "by", 1, n - 1, &by, err);
	if (!ret)
		ret = hd_fixed_new(n, data, &to, err);
	if (ret)
		return ret;
	for (uint32_t host = 0; host < n; host++)
		to[host] = (uint32_t)((host + by) % n);
	return hd_fixed_done(n, to, err);
}

static const struct hd_option shape_options[] = {
	{ "dims", NULL, "hosts", "lengths of the shape, \"8x8\", first varying fastest; one row" },
	{ 0 },
};

static const struct hd_option shift_options[] = {
	{ "by", NULL, "hosts", "how far; half of all when not given" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_tornado = {
	.policy = { .name = "tornado",
		    .summary = "just less than halfway round, in every dimension",
		    .reference = "Dally and Towles, Principles and Practices, table 3.1",
		    .options = shape_options },
	.policy.n_bare = 1,
	.init = init_tornado,
	.free = free,
	.class_of = hd_fixed_class_of,
	.destination = hd_fixed_destination,
};

const struct hd_pattern_kind hd_pattern_neighbour = {
	.policy = { .name = "neighbour",
		    .summary = "one step on, in every dimension",
		    .reference = "Dally and Towles, Principles and Practices, table 3.1",
		    .options = shape_options },
	.policy.n_bare = 1,
	.init = init_neighbour,
	.free = free,
	.class_of = hd_fixed_class_of,
	.destination = hd_fixed_destination,
};

const struct hd_pattern_kind hd_pattern_shift = {
	.policy = { .name = "shift",
		    .summary = "to the host a number of hosts further",
		    .reference = "Dally and Towles, Principles and Practices, table 3.1",
		    .options = shift_options },
	.policy.n_bare = 1,
	.init = init_shift,
	.free = free,
	.class_of = hd_fixed_class_of,
	.destination = hd_fixed_destination,
};
