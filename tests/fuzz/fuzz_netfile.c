// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Whatever is read as a netfile is written and read again as the same fabric; what is odd is read
 * when it may be, and what is written of it is not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "fabric/netfile.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "tests/unit/same_fabric.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const struct hd_error *err)
{
	char text[1100];

	fprintf(stderr, "%s: %s\n", what, hd_error_format(err, text, sizeof(text)));
	abort();
}

/* Reads as users do by default. A link that is left out takes its port's LID along, so that only
 * counts can be the same. */
static void run_odd(const char *data, size_t size, bool is_plain)
{
	struct hd_fabric *first, *second;
	struct hd_error err = { 0 };
	struct hd_reading how = { 0 };
	char *text = NULL, *notes = NULL;
	size_t length = 0, notes_length = 0;
	FILE *stream;

	how.notes = open_memstream(&notes, &notes_length);
	if (!how.notes)
		abort();
	if (hd_netfile_parse("input", data, size, &how, &first, &err)) {
		if (is_plain || !err.code || !err.text[0] || first)
			fail("a failure without a reason", &err);
		fclose(how.notes);
		free(notes);
		return;
	}
	if (fclose(how.notes) || (!is_plain && !notes_length))
		fail("odd without a note", &err);
	stream = open_memstream(&text, &length);
	if (!stream || hd_netfile_write(first, stream, &err) || fclose(stream))
		fail("writing what was odd", &err);
	if (hd_netfile_parse("again", text, length, NULL, &second, &err))
		fail("reading what was odd again", &err);
	if (first->n_nodes != second->n_nodes || first->n_links != second->n_links)
		fail("what was odd comes back as another fabric", &err);
	hd_fabric_free(first);
	hd_fabric_free(second);
	free(text);
	free(notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_fabric *first, *second;
	struct hd_error err = { 0 };
	const char *difference;
	char *text = NULL;
	size_t length = 0;
	FILE *stream;

	if (hd_netfile_parse("input", (const char *)data, size, NULL, &first, &err)) {
		if (!err.code || !err.text[0] || first)
			fail("a failure without an error", &err);
		run_odd((const char *)data, size, false);
		return 0;
	}
	run_odd((const char *)data, size, true);
	stream = open_memstream(&text, &length);
	if (!stream)
		abort();
	if (hd_netfile_write(first, stream, &err))
		fail("writing", &err);
	if (fclose(stream))
		abort();
	if (hd_netfile_parse("again", text, length, NULL, &second, &err))
		fail("reading again", &err);
	difference = fabric_difference(first, second);
	if (difference)
		fail(difference, &err);
	hd_fabric_free(first);
	hd_fabric_free(second);
	free(text);
	return 0;
}
