// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ar.dump: what is read is written back alike, and has a verdict. */
#include "tests/fuzz/dump_target.h"

#include <stdlib.h>

#include "check/check.h"
#include "tests/unit/tables_case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The proof of what was read, with every SL and two ports down. */
static void prove(const uint8_t *data, size_t size)
{
	const struct hd_check_options options = { .all_sls = true, .local_repair = 2 };
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = NULL;
	struct hd_check_result result;

	if (!fabric || hd_tables_new(fabric, &tables, NULL))
		abort();
	if (!hd_dump_ar.parse(tables, "fuzz", (const char *)data, size, NULL)) {
		if (hd_check(tables, &options, &result, NULL))
			abort();
		/* a cycle of channels has the flows that make it */
		for (size_t i = 0; i < result.n_witness; i++)
			if (result.witness[i].flow.source == HD_NONE)
				abort();
		hd_check_clear(&result);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	dump_target_run(&hd_dump_ar, data, size);
	prove(data, size);
	return 0;
}
