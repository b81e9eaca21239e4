// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/state.h"

static bool is_from_host(const struct hd_model *model, const struct hd_contender *contender)
{
	return hd_sender(model, contender->in)->link_class == HD_LINK_TERMINAL;
}

static bool before(const struct hd_model *model, const struct hd_contender *a,
		   const struct hd_contender *b)
{
	return is_from_host(model, b) && !is_from_host(model, a);
}

bool hd_before_in_transit(const struct hd_model *model, const struct hd_contender *a,
			  const struct hd_contender *b)
{
	hd_arbiter_before then = model->options.arbiter->before;

	if (is_from_host(model, a) != is_from_host(model, b))
		return is_from_host(model, b);
	return then && then(model, a, b);
}

const struct hd_arbiter hd_arbiter_transit = {
	.policy.name = "transit",
	.policy.summary = "in-ports in turn, those from switches before those from hosts",
	.before = before,
};
