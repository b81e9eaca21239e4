// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One layer, for routes that have no cycle by themselves, or that need not be free of credit loops.
 */
#include <stdlib.h>

#include "sl2vl/rules.h"
#include "support/error.h"

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	layering->patterns = calloc(1, sizeof(*layering->patterns));
	if (!layering->patterns)
		return hd_error_nomem(err);
	layering->n_layers = 1;
	layering->n_classes = 1;
	layering->n_patterns = 1;
	return 0;
}

const struct hd_layer_rule hd_layer_single = {
	.policy.name = "single",
	.policy.summary = "one layer for all flows and hops",
	.build = build,
};
