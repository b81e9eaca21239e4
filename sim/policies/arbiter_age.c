// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/state.h"

static bool before(const struct hd_model *model, const struct hd_contender *a,
		   const struct hd_contender *b)
{
	(void)model;
	return a->packet->message.time < b->packet->message.time;
}

const struct hd_arbiter hd_arbiter_age = {
	.policy.name = "age",
	.policy.summary = "first what was generated first",
	.before = before,
};
