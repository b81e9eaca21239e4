// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Packets go on the VLs that the SL2VL tables say, and the proof is that of the tables. */
#include <string.h>

#include "fabric/fabric.h"
#include "sim/adaptive/vcs.h"

static int init(struct hd_vcs *vcs, const struct hd_params *params, const char *spec,
		struct hd_error *err)
{
	(void)params;
	(void)spec;
	(void)err;
	vcs->by_tables = true;
	strcpy(vcs->text, "tables");
	memset(vcs->n, HD_MAX_VLS, sizeof(vcs->n));
	return 0;
}

const struct hd_vc_rule hd_vcs_tables = {
	.policy.name = "tables",
	.policy.summary = "the VLs that the SL2VL tables say (ar alone)",
	.init = init,
};
