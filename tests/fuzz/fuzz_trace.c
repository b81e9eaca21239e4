// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Traces of both formats: what is refused says where and why, what is taken is within its bounds and in
 * order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/traffic/records.h"
#include "support/error.h"

#define HOSTS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct hd_records *records)
{
	size_t total = 0;

	if (records->first[HOSTS] != records->n)
		abort();
	for (uint32_t host = 0; host < HOSTS; host++) {
		uint64_t last = 0;

		for (size_t i = records->first[host]; i < records->first[host + 1]; i++, total++) {
			const struct hd_record *record = &records->all[i];

			if (record->from != host || record->to >= HOSTS || !record->units ||
			    record->time < last || record->time > records->last ||
			    record->time > HD_RECORD_TIME)
				abort();
			last = record->time;
		}
	}
	if (total != records->n)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int vef = 0; vef < 2; vef++) {
		struct hd_records records;
		struct hd_error err = { 0 };
		int ret;

		hd_records_init(&records, HOSTS, 1000, 64);
		ret = (vef ? hd_vef_parse : hd_trace_parse)("input", (const char *)data, size,
							    &records, &err);
		if (ret && (err.code != ret || !*err.text || strchr(err.text, '\n') ||
			    (ret == HD_EPARSE && !*err.file)))
			abort();
		if (!ret && hd_records_done(&records, &err) == 0)
			check(&records);
		hd_records_free(&records);
	}
	return 0;
}
