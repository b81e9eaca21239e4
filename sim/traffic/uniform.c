// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"

struct uniform {
	uint32_t n_hosts;
	bool self;
};

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	struct uniform *u = malloc(sizeof(*u));
	int ret;

	if (!u)
		return hd_error_nomem(err);
	*data = u;
	u->n_hosts = setup->setting->n_hosts;
	ret = hd_params_bool(setup->params, "self", &u->self, err);
	if (!ret && !u->self && u->n_hosts < 2)
		ret = hd_error_set(err, HD_EINVAL, "there is one host only");
	return ret;
}

static uint32_t destination(const void *data, struct hd_source *source)
{
	const struct uniform *u = data;
	uint32_t to;

	if (u->self)
		return hd_random_below(&source->random, u->n_hosts);
	to = hd_random_below(&source->random, u->n_hosts - 1);
	return to + (to >= source->host);
}

static const struct hd_option options[] = {
	{ "self", "no", "", "whether hosts send to themselves too" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_uniform = {
	.policy = { .name = "uniform",
		    .summary = "all other hosts alike",
		    .reference = "Maglione-Mathey et al., DLA in OpenSM, section 5.2",
		    .options = options },
	.init = init,
	.free = free,
	.destination = destination,
};
