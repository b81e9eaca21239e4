// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Flows spread over layers until none has a cycle, for routes of any kind: all start in one layer,
 * and the flows that close a cycle there move on, as in LASH (Skeie, Lysne and Theiss, 2002) and
 * DFSSSP (Domke, Hoefler and Nagel, 2011). A flow is in one layer all the way.
 */
#include <stdlib.h>

#include "sl2vl/rules.h"
#include "sl2vl/split.h"
#include "support/error.h"

static int build(const struct hd_layer_input *input, struct hd_layering *layering,
		 struct hd_error *err)
{
	int ret = hd_layer_single.build(input, layering, err);

	return ret ? ret : hd_split_flows(input, layering, NULL, err);
}

const struct hd_layer_rule hd_layer_layered = {
	.policy.name = "layered",
	.policy.summary = "any routes: flows spread over layers until no cycle is left",
	.policy.reference = "after Skeie, Lysne and Theiss (2002); Domke, Hoefler and Nagel (2011)",
	.build = build,
};
