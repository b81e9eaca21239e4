// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/fuzz/dump_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	dump_target_run(&hd_dump_ar, data, size);
	return 0;
}
