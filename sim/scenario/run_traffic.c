// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/run_traffic.h"

#include <stdlib.h>

#include "support/error.h"
#include "tables/classes.h"

/* Tags of all classes' flows in all phases. */
#define MOST_TAGS (HD_TRAFFIC_CLASSES_MAX * HD_PHASES_MAX * HD_TRAFFIC_FLOWS)

/* The service class of @class among @classes, which may be NULL. */
static int find_service(const struct hd_classes *classes, const struct hd_traffic_class *class,
			uint8_t *service, struct hd_error *err)
{
	const struct hd_class *found =
		hd_class_find(classes, class->service ? class->service : class->name);

	*service = classes ? (uint8_t)classes->fallback : 0;
	if (found)
		*service = (uint8_t)(found - classes->list);
	if (found || !class->service)
		return 0;
	return hd_error_set(err, HD_EINVAL, "class %s: the tables have no service class '%s'",
			    class->name, class->service);
}

int hd_run_traffic_prepare(const struct hd_network *network, const struct hd_setup *setup,
			   struct hd_run_traffic *traffic, struct hd_model_options *model,
			   struct hd_error *err)
{
	const struct hd_classes *classes = network->tables->classes;
	struct hd_traffic_phase phases[HD_PHASES_MAX];

	for (unsigned c = 0; c < setup->n_classes; c++) {
		uint8_t service;
		int ret = find_service(classes, &setup->classes[c], &service, err);

		if (ret)
			return ret;
		hd_traffic_class_phases(setup, c, phases);
		for (size_t i = 0; i < setup->n_phases; i++)
			if (phases[i].size > traffic->class_packets[service])
				traffic->class_packets[service] = phases[i].size;
	}
	if (!setup->n_classes || !classes)
		return 0;
	traffic->class_of_tag = calloc(MOST_TAGS, sizeof(*traffic->class_of_tag));
	if (!traffic->class_of_tag)
		return hd_error_nomem(err);
	model->class_of_tag = traffic->class_of_tag;
	model->class_packets = traffic->class_packets;
	return 0;
}

int hd_run_traffic_make(const struct hd_traffic_setting *setting, const struct hd_network *network,
			const struct hd_setup *setup, struct hd_run_traffic *traffic,
			struct hd_error *err)
{
	const unsigned n = setup->n_classes ? setup->n_classes : 1;
	struct hd_concurrent_class classes[HD_TRAFFIC_CLASSES_MAX] = { { NULL, setup->phases,
									 setup->n_phases } };
	struct hd_traffic_phase *phases = malloc(n * sizeof(*phases) * HD_PHASES_MAX);
	int ret;

	if (!phases)
		return hd_error_nomem(err);
	for (unsigned c = 0; c < setup->n_classes; c++) {
		hd_traffic_class_phases(setup, c, phases + c * HD_PHASES_MAX);
		classes[c] =
			(struct hd_concurrent_class){ setup->classes[c].name,
						      phases + c * HD_PHASES_MAX, setup->n_phases };
	}
	ret = hd_concurrent_new(setting, classes, n, &traffic->concurrent, err);
	free(phases);
	if (ret || !traffic->class_of_tag)
		return ret;
	for (unsigned tag = 0; !ret && tag < hd_concurrent_flows(traffic->concurrent); tag++)
		ret = find_service(network->tables->classes,
				   &setup->classes[hd_concurrent_class(traffic->concurrent, tag)],
				   &traffic->class_of_tag[tag], err);
	return ret;
}

void hd_run_traffic_clear(struct hd_run_traffic *traffic)
{
	hd_concurrent_free(traffic->concurrent);
	free(traffic->class_of_tag);
	*traffic = (struct hd_run_traffic){ 0 };
}

bool hd_run_traffic_any(const struct hd_setup *setup, bool (*is)(const char *pattern))
{
	bool any = false;

	for (size_t i = 0; i < setup->n_phases; i++)
		any |= is(setup->phases[i].pattern);
	for (unsigned c = 0; c < setup->n_classes; c++) {
		struct hd_traffic_phase phases[HD_PHASES_MAX];

		hd_traffic_class_phases(setup, c, phases);
		for (size_t i = 0; i < setup->n_phases; i++)
			any |= is(phases[i].pattern);
	}
	return any;
}

enum hd_key hd_run_traffic_culprit(const struct hd_setup *setup)
{
	if (setup->n_classes)
		return HD_TRAFFIC_CLASSES;
	return setup->phase_text ? HD_TRAFFIC_PHASES : HD_TRAFFIC_PATTERN;
}
