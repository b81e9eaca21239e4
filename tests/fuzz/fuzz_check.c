// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Any small fabric with any tables: hd_check() ends, and agrees with walking every flow. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/check_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct check_case c;
	char buffer[1024];

	if (make_check_case((struct bytes){ data, size, 0 }, &c)) {
		const char *wrong =
			compare_with_oracle(c.tables, &c.options, buffer, sizeof(buffer));

		if (wrong) {
			fprintf(stderr, "%s\n", wrong);
			abort();
		}
	}
	clear_check_case(&c);
	return 0;
}
