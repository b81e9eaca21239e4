// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/run_traffic.h"

#include <stdlib.h>

#include "sim/scenario/jobs.h"
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

/* The class of @setup that is the @i-th of the traffic. */
static const struct hd_traffic_class *class_at(const struct hd_setup *setup, unsigned i)
{
	return &setup->classes[setup->is_alone ? setup->alone : i];
}

/* Makes the traffic of @classes; jobs have @patterns of their own. */
static int make_classes(const struct hd_traffic_setting *setting, const struct hd_setup *setup,
			char **patterns, struct hd_run_traffic *traffic, struct hd_error *err)
{
	struct hd_concurrent_class classes[HD_TRAFFIC_CLASSES_MAX] = {
		{ .phases = setup->phases, .n_phases = setup->n_phases }
	};
	struct hd_traffic_phase *phases =
		malloc(HD_TRAFFIC_CLASSES_MAX * sizeof(*phases) * HD_PHASES_MAX);
	unsigned n = setup->n_classes ? 0 : 1;
	int ret;

	if (!phases)
		return hd_error_nomem(err);
	for (unsigned c = 0; c < setup->n_classes; c++) {
		struct hd_traffic_phase *own = phases + c * HD_PHASES_MAX;

		if (setup->is_alone && c != setup->alone)
			continue;
		hd_traffic_class_phases(setup, c, own);
		if (patterns[c])
			own[0].pattern = patterns[c];
		classes[n++] = (struct hd_concurrent_class){ .name = setup->classes[c].name,
							     .phases = own,
							     .n_phases = setup->n_phases,
							     .stream = c };
	}
	ret = hd_concurrent_new(setting, classes, n, &traffic->concurrent, err);
	free(phases);
	return ret;
}

int hd_run_traffic_make(const struct hd_traffic_setting *setting, const struct hd_network *network,
			const struct hd_setup *setup, struct hd_run_traffic *traffic,
			struct hd_error *err)
{
	char *patterns[HD_TRAFFIC_CLASSES_MAX] = { NULL };
	int ret = hd_jobs_place(setup, network->fabric, setting->host_ports, setting->n_hosts,
				setting->seed, patterns, err);

	if (!ret)
		ret = make_classes(setting, setup, patterns, traffic, err);
	hd_jobs_free(setup, patterns);
	if (ret || !traffic->class_of_tag)
		return ret;
	for (unsigned tag = 0; !ret && tag < hd_concurrent_flows(traffic->concurrent); tag++)
		ret = find_service(network->tables->classes,
				   class_at(setup, hd_concurrent_class(traffic->concurrent, tag)),
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
