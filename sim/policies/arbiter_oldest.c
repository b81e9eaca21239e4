// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/state.h"

static bool before(const struct hd_model *model, const struct hd_contender *a,
		   const struct hd_contender *b)
{
	(void)model;
	return a->packet->arrived < b->packet->arrived;
}

const struct hd_arbiter hd_arbiter_oldest = {
	.policy.name = "oldest",
	.policy.summary = "first who is longest in this switch",
	.before = before,
};
