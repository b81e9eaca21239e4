// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Chakra traces: what is refused says where and why; what is taken is a schedule whose operations
 * are within their bounds, for the rank of the file and for several ranks that have it.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/chakra.h"
#include "support/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int check_error(int ret, const struct hd_error *err)
{
	if (ret && (err->code != ret || !*err->text || strchr(err->text, '\n') ||
		    (ret == HD_EPARSE && !*err->file)))
		abort();
	return ret;
}

static void schedule(const struct hd_chakra *trace, uint32_t ranks)
{
	struct hd_error err = { 0 };
	struct hd_goal goal;

	if (!check_error(hd_chakra_schedule(trace, "input", ranks, "auto", &goal, &err), &err))
		for (uint32_t i = 0; i < goal.n; i++) {
			const struct hd_goal_op *op = &goal.ops[i];

			if (op->rank >= ranks || (op->type == HD_GOAL_SEND && op->peer >= ranks))
				abort();
		}
	hd_goal_free(&goal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_chakra trace = { 0 };
	struct hd_error err = { 0 };

	if (!check_error(hd_chakra_parse("input", (const char *)data, size, &trace, &err), &err)) {
		schedule(&trace, 1);
		schedule(&trace, 5);
	}
	hd_chakra_free(&trace);
	return 0;
}
