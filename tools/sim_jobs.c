// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/sim_jobs.h"

#include <string.h>

json_t *hd_sim_details(const struct hd_sim *sim, size_t run)
{
	const char *details = sim->outcomes[run].details;

	return details ? json_loads(details, 0, NULL) : NULL;
}

size_t hd_sim_classes(const json_t *details)
{
	return json_array_size(json_object_get(details, "classes"));
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

const char *hd_sim_class_name(const json_t *details, size_t class)
{
	return text_of(json_array_get(json_object_get(details, "classes"), class), "name");
}

const json_t *hd_sim_operations(const json_t *details, const char *class)
{
	const json_t *all = json_object_get(details, "collectives");

	for (size_t i = 0; i < json_array_size(all); i++)
		if (strcmp(text_of(json_array_get(all, i), "class"), class) == 0)
			return json_array_get(all, i);
	return NULL;
}

size_t hd_sim_iterations(const json_t *operations)
{
	return json_array_size(json_object_get(operations, "repetitions"));
}

bool hd_sim_iteration(const json_t *operations, size_t i, struct hd_sim_iteration *iteration)
{
	const json_t *times = json_array_get(json_object_get(operations, "repetitions"), i);

	*iteration = (struct hd_sim_iteration){
		.number = i,
		.operation = text_of(operations, "operation"),
		.begin = number_of(times, "begin"),
		.end = number_of(times, "end"),
		.parts = json_object_get(times, "operations"),
	};
	iteration->computing = iteration->begin - number_of(operations, "compute");
	iteration->n_parts = json_array_size(iteration->parts);
	return json_object_get(times, "end") != NULL;
}

struct hd_sim_part hd_sim_part(const struct hd_sim_iteration *iteration, size_t i)
{
	const json_t *part = json_array_get(iteration->parts, i);

	return (struct hd_sim_part){ text_of(part, "operation"), number_of(part, "begin"),
				     number_of(part, "end") };
}
