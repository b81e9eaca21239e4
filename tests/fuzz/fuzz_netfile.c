// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Whatever is read as a netfile is written and read again as the same fabric. */
#include <stdio.h>
#include <stdlib.h>

#include "fabric/netfile.h"
#include "support/error.h"
#include "tests/unit/same_fabric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const struct hd_error *err)
{
	char text[1100];

	fprintf(stderr, "%s: %s\n", what, hd_error_format(err, text, sizeof(text)));
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_fabric *first, *second;
	struct hd_error err = { 0 };
	const char *difference;
	char *text = NULL;
	size_t length = 0;
	FILE *stream;

	if (hd_netfile_parse("input", (const char *)data, size, &first, &err)) {
		if (!err.code || !err.text[0] || first)
			fail("a failure without an error", &err);
		return 0;
	}
	stream = open_memstream(&text, &length);
	if (!stream)
		abort();
	if (hd_netfile_write(first, stream, &err))
		fail("writing", &err);
	if (fclose(stream))
		abort();
	if (hd_netfile_parse("again", text, length, &second, &err))
		fail("reading again", &err);
	difference = fabric_difference(first, second);
	if (difference)
		fail(difference, &err);
	hd_fabric_free(first);
	hd_fabric_free(second);
	free(text);
	return 0;
}
