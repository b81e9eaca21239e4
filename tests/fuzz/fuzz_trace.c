// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Traces of both formats: what is refused says where and why, what is taken is within its bounds,
 * in order, and sent once, with one task on a host and with several.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/placement.h"
#include "sim/traffic/replay.h"
#include "support/error.h"

#define HOSTS 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct hd_records *records)
{
	size_t n = 0;

	if (records->first[HOSTS] != records->n_sendings)
		abort();
	for (uint32_t host = 0; host < HOSTS; host++) {
		uint64_t last = 0;

		for (size_t i = records->first[host]; i < records->first[host + 1]; i++, n++) {
			const struct hd_sending *sending = &records->sendings[i];

			if (sending->from != host || sending->time < last ||
			    sending->time > records->last || sending->time > HD_RECORD_TIME ||
			    sending->time != records->all[sending->record].time)
				abort();
			last = sending->time;
		}
	}
	for (size_t i = 0; i < records->n; i++) {
		const struct hd_record *record = &records->all[i];

		n += record->waits || hd_record_is_local(records, record);
		if (record->from >= HOSTS || record->to >= HOSTS || !record->units)
			abort();
	}
	if (n != records->n)
		abort();
}

static void count(void *context, uint32_t record, uint64_t time)
{
	uint8_t *sent = context;

	(void)time;
	if (sent[record])
		abort();
	sent[record] = 1;
}

/* Whatever is received in the order of the file: all is sent, once, and before it is received. */
static void replay(const struct hd_records *records)
{
	uint8_t *sent = calloc(records->n + 1, 1);
	struct hd_replay replay;
	struct hd_error err;

	if (!sent || hd_replay_init(&replay, records, &err))
		abort();
	for (size_t i = 0; i < records->n_sendings; i++)
		count(sent, records->sendings[i].record, 0);
	for (size_t i = 0; i < records->n; i++) {
		if (hd_record_is_local(records, &records->all[i])) {
			if (sent[i])
				abort();
			continue;
		}
		if (!sent[i])
			abort();
		hd_replay_received(&replay, (uint32_t)i, records->all[i].units, i, count, sent);
	}
	if (replay.n_waiting)
		abort();
	hd_replay_free(&replay);
	free(sent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (unsigned way = 0; way < 4; way++) {
		const struct hd_placement placement = { .n_hosts = HOSTS,
							.n_usable = HOSTS,
							.tasks = 1 + way / 2 * 2,
							.instances = 1 + way / 2,
							.kind = way / 2 ? HD_PLACE_INTERLEAVED
									: HD_PLACE_BLOCKS };
		const bool vef = way % 2;
		struct hd_records records;
		struct hd_error err = { 0 };
		int ret;

		hd_placement_begin(&placement, 1000, 64, &records);
		ret = (vef ? hd_vef_parse : hd_trace_parse)("input", (const char *)data, size,
							    &records, &err);
		if (ret && (err.code != ret || !*err.text || strchr(err.text, '\n') ||
			    (ret == HD_EPARSE && !*err.file)))
			abort();
		if (!ret && hd_placement_apply(&placement, NULL, &records, &err))
			abort();
		if (!ret && hd_records_done(&records, &err) == 0) {
			check(&records);
			replay(&records);
		}
		hd_records_free(&records);
	}
	return 0;
}
