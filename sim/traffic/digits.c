// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Destinations that rearrange the digits of the source's number. */
#include <stdlib.h>

#include "sim/traffic/fixed.h"
#include "support/error.h"

static int init_bitreverse(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts, *to;
	unsigned bits = 0;
	int ret;

	while (bits < 31 && 1u << bits < n)
		bits++;
	if (1u << bits != n)
		return hd_error_set(err, HD_EINVAL, "%u hosts are no power of two", n);
	ret = hd_fixed_new(n, data, &to, err);
	if (ret)
		return ret;
	for (uint32_t host = 0; host < n; host++) {
		to[host] = 0;
		for (unsigned bit = 0; bit < bits; bit++)
			to[host] |= (host >> bit & 1) << (bits - 1 - bit);
	}
	return hd_fixed_done(n, to, err);
}

static int init_transpose(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts, side = 1, *to;
	int ret;

	while ((uint64_t)side * side < n)
		side++;
	if ((uint64_t)side * side != n)
		return hd_error_set(err, HD_EINVAL, "%u hosts are no square", n);
	ret = hd_fixed_new(n, data, &to, err);
	if (ret)
		return ret;
	for (uint32_t host = 0; host < n; host++)
		to[host] = host % side * side + host / side;
	return hd_fixed_done(n, to, err);
}

static const struct hd_option options[] = { { 0 } };

const struct hd_pattern_kind hd_pattern_bitreverse = {
	.policy = { .name = "bitreverse",
		    .summary = "to the host whose number has the bits in reverse",
		    .reference = "Penaranda et al., XORDET and XORADAP, section 5",
		    .options = options },
	.init = init_bitreverse,
	.free = free,
	.class_of = hd_fixed_class_of,
	.destination = hd_fixed_destination,
};

const struct hd_pattern_kind hd_pattern_transpose = {
	.policy = { .name = "transpose",
		    .summary = "from column and row of a square to row and column",
		    .reference = "Penaranda et al., XORDET and XORADAP, section 5",
		    .options = options },
	.init = init_transpose,
	.free = free,
	.class_of = hd_fixed_class_of,
	.destination = hd_fixed_destination,
};
