// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* In builds without libprotobuf-c. */
#include "sim/traffic/chakra.h"
#include "support/error.h"

int hd_chakra_parse(const char *file, const char *data, size_t size, struct hd_chakra *trace,
		    struct hd_error *err)
{
	(void)data;
	(void)size;
	(void)trace;
	return hd_error_at(err, HD_EREFUSED, file, 0,
			   "this build has no libprotobuf-c, which reads Chakra traces");
}
