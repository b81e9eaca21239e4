// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Logs of a recorder, as task 0 gets them from the others: whatever they hold, they become a trace
 * that can be read, or there is a line that says why not.
 */
#include <stdlib.h>
#include <string.h>

#include "host/recorder/merge.h"
#include "sim/traffic/records.h"
#include "support/error.h"

#define TASKS 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct hd_merge_options options = { .factor = (double)(size % 2),
						  .last = UINT64_MAX };
	struct hd_step_log logs[TASKS];
	struct hd_records records;
	struct hd_error err = { 0 };
	char error[256] = "", *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	bool ok;

	if (!out)
		abort();
	for (unsigned i = 0; i < TASKS; i++)
		logs[i] = (struct hd_step_log){
			.bytes = (uint8_t *)(uintptr_t)data + size / TASKS * i, .n = size / TASKS
		};
	ok = hd_merge(logs, TASKS, &options, out, error);
	fclose(out);
	if (ok == (*error != '\0') || strchr(error, '\n'))
		abort();
	hd_records_init(&records, TASKS, 1, 64);
	if (ok && hd_trace_parse("merged", text, length, &records, &err) &&
	    !strstr(err.text, "TIME") && err.code != HD_ENOMEM)
		abort();
	hd_records_free(&records);
	free(text);
	return 0;
}
