// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "sim/traffic/fixed.h"
#include "support/error.h"

/*
 * One permutation in e has no host that sends to itself, so that permutations are drawn until one
 * is found.
 */
static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts, host = 0, *to;
	int ret;

	if (n < 2)
		return hd_error_set(err, HD_EINVAL, "there is one host only");
	ret = hd_fixed_new(n, data, &to, err);
	while (!ret && host < n) {
		hd_random_permutation(setup->random, n, to);
		for (host = 0; host < n && to[host] != host;)
			host++;
	}
	return ret;
}

static const struct hd_option options[] = { { 0 } };

const struct hd_pattern_kind hd_pattern_permutation = {
	.policy = { .name = "permutation",
		    .summary = "a random permutation: every host from one other host",
		    .options = options },
	.init = init,
	.free = free,
	.class_of = hd_fixed_class_of,
	.destination = hd_fixed_destination,
};
