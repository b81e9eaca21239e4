// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Class files as they stand beside dumps, and as heddle route reads them. */
#include "support/error.h"
#include "tables/classes.h"
#include "tests/fuzz/dump_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_classes classes;
	struct hd_error err;

	dump_target_run(&hd_dump_classes, data, size);
	if (!hd_classes_parse("fuzz", (const char *)data, size, &classes, &err))
		hd_classes_assign(&classes, classes.n_sls ? classes.n_sls : 2, &err);
	return 0;
}
