// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Lists of cables: whatever a file says, there is a plan, which differs in nothing from itself, or
 * an error with a file.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan/differ.h"
#include "plan/match.h"
#include "plan/read_csv.h"
#include "plan/read_topo.h"
#include "support/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The names of a list may be such that nothing matches; what matches is the same. */
static void look(struct hd_fabric *fabric)
{
	struct hd_differences differences = { 0 };
	struct hd_plan_match match;
	struct hd_cable_plan *plan;
	struct hd_error err;

	if (hd_cable_plan_of(fabric, &plan, &err))
		abort();
	if (!hd_cable_plan_match(plan, plan->fabric, &match, &err) &&
	    (hd_differ(plan, &match, plan->fabric, &differences, &err) ||
	     (!match.n_by[HD_UNMATCHED] && differences.n_moves)))
		abort();
	hd_differences_clear(&differences);
	hd_plan_match_clear(&match);
	hd_cable_plan_free(plan);
}

static void take(int ret, struct hd_fabric *fabric, const struct hd_error *err)
{
	if (!ret)
		look(fabric);
	else if (fabric || !err->code || !err->text[0] || !err->file[0])
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct hd_error err = { 0 };
	struct hd_fabric *fabric = NULL;
	int ret;

	/* files with such bytes are no lists */
	if (memchr(data, '\0', size))
		return 0;
	hd_cable_csv_is(text, size);
	ret = hd_csv_parse("list", text, size, &fabric, &err);
	take(ret, fabric, &err);
	fabric = NULL;
	err = (struct hd_error){ 0 };
	ret = hd_topo_cables_parse("cables", text, size, &fabric, &err);
	take(ret, fabric, &err);
	return 0;
}
