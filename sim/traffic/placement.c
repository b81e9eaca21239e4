// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/placement.h"

#include <stdlib.h>
#include <string.h>

#include "sim/traffic/application_hosts.h"
#include "support/error.h"
#include "support/options.h"
#include "support/random.h"

/* The hosts that tasks may have: those of the option, which may be one, or all. */
static int list_usable(const struct hd_pattern_setup *setup, struct hd_placement *placement,
		       struct hd_error *err)
{
	placement->n_hosts = placement->n_usable = setup->setting->n_hosts;
	if (hd_params_get(setup->params, "hosts"))
		return hd_application_hosts(setup, &placement->host_of, &placement->n_usable, err);
	return 0;
}

void hd_placement_clear(struct hd_placement *placement)
{
	free(placement->host_of);
	placement->host_of = NULL;
}

int hd_placement_read(const struct hd_pattern_setup *setup, struct hd_placement *placement,
		      struct hd_error *err)
{
	const struct hd_params *params = setup->params;
	static const char *const kinds[] = { "blocks", "interleaved", "random" };
	const char *place = hd_params_get(params, "place");
	uint64_t tasks, instances;
	int ret;

	*placement = (struct hd_placement){ 0 };
	ret = hd_params_number(params, "tasks", 1, UINT16_MAX, &tasks, err);
	if (!ret)
		ret = hd_params_number(params, "instances", 1, UINT32_MAX, &instances, err);
	if (!ret)
		ret = list_usable(setup, placement, err);
	if (ret)
		return ret;
	if (instances > placement->n_usable)
		return hd_error_set(err, HD_ERANGE, "instances: %u on %u hosts",
				    (unsigned)instances, (unsigned)placement->n_usable);
	placement->tasks = (uint32_t)tasks;
	placement->instances = (uint32_t)instances;
	while (strcmp(place, kinds[placement->kind]) != 0)
		if (++placement->kind > HD_PLACE_RANDOM)
			return hd_error_set(err, HD_EINVAL,
					    "place: '%s' is none of blocks, interleaved, random",
					    place);
	return 0;
}

void hd_placement_begin(const struct hd_placement *placement, uint64_t tick, uint64_t unit,
			struct hd_records *records)
{
	hd_records_init(records, placement->n_hosts, tick, unit);
	records->n_tasks = placement->n_usable / placement->instances * placement->tasks;
	records->tasks = placement->tasks;
}

static uint32_t count_tasks(const struct hd_records *records)
{
	uint32_t n = 0;

	for (size_t i = 0; i < records->n; i++) {
		const struct hd_record *record = &records->all[i];
		uint32_t most = record->from > record->to ? record->from : record->to;

		n = most >= n ? most + 1 : n;
	}
	return n;
}

uint32_t *hd_placement_list(const struct hd_placement *p, uint32_t hosts, struct hd_random *random)
{
	uint32_t *list = malloc((p->n_usable + (size_t)1) * sizeof(*list));

	if (!list)
		return NULL;
	for (uint32_t i = 0; i < p->n_usable; i++)
		list[i] = i;
	if (p->kind == HD_PLACE_RANDOM)
		hd_random_permutation(random, p->n_usable, list);
	for (uint32_t i = 0; p->kind == HD_PLACE_INTERLEAVED && i < p->instances * hosts; i++)
		list[i] = i / hosts + i % hosts * p->instances;
	for (uint32_t i = 0; p->host_of && i < p->n_usable; i++)
		list[i] = p->host_of[list[i]];
	return list;
}

static int copy_instances(const struct hd_placement *p, struct hd_records *records,
			  struct hd_error *err)
{
	const size_t n = records->n, n_dependencies = records->n_dependencies;
	struct hd_dependency *dependencies;
	struct hd_record *all;

	if (n > UINT32_MAX / p->instances)
		return hd_error_set(err, HD_ERANGE, "too many messages");
	all = realloc(records->all, (n * p->instances + 1) * sizeof(*all));
	if (!all)
		return hd_error_nomem(err);
	records->all = all;
	dependencies = realloc(records->dependencies,
			       (n_dependencies * p->instances + 1) * sizeof(*dependencies));
	if (!dependencies)
		return hd_error_nomem(err);
	records->dependencies = dependencies;
	for (uint32_t instance = 1; instance < p->instances; instance++) {
		const uint32_t first = (uint32_t)(instance * n);

		for (size_t i = 0; i < n; i++)
			all[first + i] = all[i];
		for (size_t i = 0; i < n_dependencies; i++) {
			struct hd_dependency *copy = &dependencies[instance * n_dependencies + i];

			*copy = dependencies[i];
			copy->on += first;
			copy->record += first;
		}
	}
	records->n = records->allocated = n * p->instances;
	records->n_dependencies = records->dependencies_allocated = n_dependencies * p->instances;
	return 0;
}

int hd_placement_apply(const struct hd_placement *p, struct hd_random *random,
		       struct hd_records *records, struct hd_error *err)
{
	const uint32_t hosts = (count_tasks(records) + p->tasks - 1) / p->tasks;
	const size_t n = records->n;
	uint32_t *list;
	int ret = p->instances > 1 ? copy_instances(p, records, err) : 0;

	if (ret)
		return ret;
	list = hd_placement_list(p, hosts, random);
	if (!list)
		return hd_error_nomem(err);
	for (size_t i = 0; i < records->n; i++) {
		const uint32_t *mine = list + i / n * hosts;
		struct hd_record *record = &records->all[i];

		record->from = mine[record->from / p->tasks];
		record->to = mine[record->to / p->tasks];
	}
	records->n_tasks = records->n_hosts;
	records->tasks = 1;
	free(list);
	return 0;
}
