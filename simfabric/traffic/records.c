// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/traffic/records.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

void hd_records_init(struct hd_records *records, uint32_t n_hosts, uint64_t tick, uint64_t unit)
{
	*records = (struct hd_records){ .n_hosts = n_hosts, .tick = tick, .unit = unit };
}

void hd_records_free(struct hd_records *records)
{
	free(records->all);
	free(records->first);
	records->all = NULL;
	records->first = NULL;
}

int hd_records_add(struct hd_records *records, uint64_t time, uint32_t from, uint32_t to,
		   uint64_t bytes, struct hd_error *err)
{
	uint64_t units = (bytes + records->unit - 1) / records->unit;

	if (records->n == records->allocated) {
		size_t more = records->allocated ? records->allocated * 2 : 1024;
		struct hd_record *all = realloc(records->all, more * sizeof(*all));

		if (!all)
			return hd_error_nomem(err);
		records->all = all;
		records->allocated = more;
	}
	records->all[records->n] = (struct hd_record){ .time = time * records->tick,
						       .order = records->n,
						       .from = from,
						       .to = to,
						       .units = units ? (uint32_t)units : 1 };
	if (time * records->tick > records->last)
		records->last = time * records->tick;
	records->n++;
	return 0;
}

static int compare(const void *one, const void *other)
{
	const struct hd_record *a = one, *b = other;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

int hd_records_done(struct hd_records *records, struct hd_error *err)
{
	size_t at = 0;

	records->first = malloc(((size_t)records->n_hosts + 1) * sizeof(*records->first));
	if (!records->first)
		return hd_error_nomem(err);
	if (records->n)
		qsort(records->all, records->n, sizeof(*records->all), compare);
	for (uint32_t host = 0; host <= records->n_hosts; host++) {
		while (at < records->n && records->all[at].from < host)
			at++;
		records->first[host] = at;
	}
	return 0;
}
