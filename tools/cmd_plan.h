/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What heddle plan has found, and how it is shown. Internal to the subcommand. */
#ifndef HD_TOOLS_CMD_PLAN_H
#define HD_TOOLS_CMD_PLAN_H

#include "plan/free_ports.h"
#include "tools/plan_load.h"

struct hd_comparison {
	const char *plan_name; /* as the user wrote it; NULL: inferred */
	char shape[128];       /* of an inferred plan */
	const char *now_name;
	struct hd_cable_plan *plan;
	struct hd_fabric *now;
	struct hd_plan_match match;
	struct hd_differences differences;
	struct hd_free_ports ports; /* for missing cables */
	struct hd_loads_after_moves loads;
};

void hd_plan_print(const struct hd_comparison *comparison);
void hd_plan_json(const struct hd_comparison *comparison);

/* The node of a finding of nodes, or "". Returns @buffer of HD_LABEL_SIZE bytes. */
const char *hd_finding_node(const struct hd_comparison *comparison,
			    const struct hd_finding *finding, char *buffer);

#endif
