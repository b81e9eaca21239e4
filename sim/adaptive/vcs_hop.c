// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A packet takes, of each link's class, the next VC of the sequence behind the one that it had
 * (Guenther 1981; Dally 1992). Then VCs only ascend in the sequence, and the buffers that packets
 * wait for have no cycle.
 */
#include <string.h>

#include "sim/adaptive/vcs.h"

static const struct hd_option options[] = {
	{ "sequence", NULL, "",
	  "L/G, of L local and G global VCs: 2/1, 3/2, 4/2 or 5/2; N, of N local ones; or their "
	  "order on the longest path, \"l g l\"; with those of replies 2/1+2/1" },
	{ 0 },
};

static int init(struct hd_vcs *vcs, const struct hd_params *params, const char *spec,
		struct hd_error *err)
{
	const char *text = hd_params_get(params, "sequence");

	if (!text || !hd_vcs_add_parts(vcs, text, hd_vcs_add_known))
		return hd_vcs_refuse(spec, "hop:2/1, 3/2, 4/2 or 5/2, hop:N", err);
	hd_vcs_index(vcs);
	return 0;
}

const struct hd_vc_rule hd_vcs_hop = {
	.policy.name = "hop",
	.policy.summary = "each hop its own VC: the next one of a sequence",
	.policy.reference = "K. Guenther, IEEE Trans. Commun. 29(4), 1981",
	.policy.options = options,
	.policy.is_text = true,
	.init = init,
};
