// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/records.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

void hd_records_init(struct hd_records *records, uint32_t n_hosts, uint64_t tick, uint64_t unit)
{
	*records = (struct hd_records){
		.n_hosts = n_hosts, .n_tasks = n_hosts, .tasks = 1, .tick = tick, .unit = unit
	};
}

void hd_records_free(struct hd_records *records)
{
	free(records->all);
	free(records->dependencies);
	free(records->sendings);
	free(records->first);
	free(records->first_dependency);
	hd_records_init(records, records->n_hosts, records->tick, records->unit);
}

int hd_records_add(struct hd_records *records, uint64_t time, uint32_t from, uint32_t to,
		   uint64_t bytes, struct hd_error *err)
{
	uint64_t units = (bytes + records->unit - 1) / records->unit;
	struct hd_record *all;

	if (records->n == UINT32_MAX)
		return hd_error_set(err, HD_ERANGE, "too many messages");
	all = hd_make_room(records->all, records->n, &records->allocated, sizeof(*all));
	if (!all)
		return hd_error_nomem(err);
	records->all = all;
	all[records->n++] = (struct hd_record){ .time = time * records->tick,
						.from = from,
						.to = to,
						.units = units ? (uint32_t)units : 1 };
	return 0;
}

int hd_records_wait(struct hd_records *records, uint32_t on, bool is_receipt, struct hd_error *err)
{
	struct hd_record *record = &records->all[records->n - 1];
	const struct hd_record *other = &records->all[on];
	struct hd_dependency *dependencies;

	is_receipt &= !hd_record_is_local(records, other);
	if (!is_receipt && !other->waits) {
		if (other->time > record->after)
			record->after = other->time;
		return 0;
	}
	dependencies = hd_make_room(records->dependencies, records->n_dependencies,
				    &records->dependencies_allocated, sizeof(*dependencies));
	if (!dependencies)
		return hd_error_nomem(err);
	records->dependencies = dependencies;
	dependencies[records->n_dependencies++] =
		(struct hd_dependency){ on, (uint32_t)(records->n - 1), is_receipt };
	record->waits++;
	return 0;
}

int hd_records_settle(struct hd_records *records, struct hd_error *err)
{
	struct hd_record *record = &records->all[records->n - 1];

	if (record->after + record->time > HD_RECORD_TIME)
		return hd_error_set(err, HD_ERANGE, "TIME is too late");
	if (record->waits)
		return 0;
	record->time += record->after;
	if (record->time > records->last)
		records->last = record->time;
	return 0;
}

static int compare_sendings(const void *one, const void *other)
{
	const struct hd_sending *a = one, *b = other;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->record < b->record ? -1 : 1;
}

static int compare_dependencies(const void *one, const void *other)
{
	const struct hd_dependency *a = one, *b = other;

	if (a->on != b->on)
		return a->on < b->on ? -1 : 1;
	if (a->record != b->record)
		return a->record < b->record ? -1 : 1;
	return (int)a->is_receipt - (int)b->is_receipt;
}

static int sort_sendings(struct hd_records *records, struct hd_error *err)
{
	size_t at = 0;

	records->first = malloc(((size_t)records->n_hosts + 1) * sizeof(*records->first));
	records->sendings = malloc((records->n + 1) * sizeof(*records->sendings));
	if (!records->first || !records->sendings)
		return hd_error_nomem(err);
	for (size_t i = 0; i < records->n; i++)
		if (!records->all[i].waits && !hd_record_is_local(records, &records->all[i]))
			records->sendings[records->n_sendings++] =
				(struct hd_sending){ records->all[i].time, records->all[i].from,
						     (uint32_t)i };
	qsort(records->sendings, records->n_sendings, sizeof(*records->sendings), compare_sendings);
	for (uint32_t host = 0; host <= records->n_hosts; host++) {
		while (at < records->n_sendings && records->sendings[at].from < host)
			at++;
		records->first[host] = at;
	}
	return 0;
}

static int sort_dependencies(struct hd_records *records, struct hd_error *err)
{
	size_t at = 0;

	if (!records->n_dependencies)
		return 0;
	records->first_dependency = malloc((records->n + 1) * sizeof(*records->first_dependency));
	if (!records->first_dependency)
		return hd_error_nomem(err);
	qsort(records->dependencies, records->n_dependencies, sizeof(*records->dependencies),
	      compare_dependencies);
	for (size_t i = 0; i <= records->n; i++) {
		while (at < records->n_dependencies && records->dependencies[at].on < i)
			at++;
		records->first_dependency[i] = at;
	}
	return 0;
}

int hd_records_done(struct hd_records *records, struct hd_error *err)
{
	int ret = sort_sendings(records, err);

	return ret ? ret : sort_dependencies(records, err);
}
