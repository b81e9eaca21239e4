// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/flow_names.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static int add(struct hd_flow_names *flows, const char *name, struct hd_error *err)
{
	char(*names)[HD_FLOW_NAME];

	if (strcmp(name, "all") == 0)
		return 0;
	for (unsigned i = 0; i < flows->n; i++)
		if (strcmp(flows->names[i], name) == 0)
			return 0;
	if (flows->n == HD_FLOW_NAMES_MAX)
		return hd_error_set(err, HD_ERANGE, "more than %d classes of packets",
				    HD_FLOW_NAMES_MAX);
	names = realloc(flows->names, (flows->n + (size_t)1) * sizeof(*names));
	if (!names)
		return hd_error_nomem(err);
	flows->names = names;
	memcpy(names[flows->n++], name, HD_FLOW_NAME);
	return 0;
}

int hd_flow_names_add(struct hd_flow_names *flows, const struct hd_setup *setup,
		      struct hd_error *err)
{
	struct hd_traffic_phase phases[HD_PHASES_MAX];
	unsigned c = 0;
	int ret = 0;

	do {
		const bool is_class = c < setup->n_classes;

		if (is_class)
			hd_traffic_class_phases(setup, c, phases);
		for (size_t i = 0; !ret && i < setup->n_phases; i++) {
			char names[HD_TRAFFIC_FLOWS][HD_FLOW_NAME] = { 0 };
			unsigned n =
				hd_traffic_flows(is_class ? &phases[i] : &setup->phases[i],
						 is_class ? setup->classes[c].name : NULL, names);

			for (unsigned k = 0; !ret && k < n; k++)
				ret = add(flows, names[k], err);
		}
	} while (!ret && ++c < setup->n_classes);
	return ret;
}

int hd_flow_names_find(struct hd_flow_names *flows, const struct hd_scenario *scenario,
		       struct hd_error *err)
{
	int ret = 0;

	for (size_t point = 0; !ret && point < scenario->n_points; point++) {
		struct hd_setup setup;

		ret = hd_setup_make(scenario, point, &setup, err);
		if (ret)
			break;
		ret = hd_flow_names_add(flows, &setup, err);
		hd_setup_clear(&setup);
	}
	return ret;
}

void hd_flow_names_clear(struct hd_flow_names *flows)
{
	free(flows->names);
	*flows = (struct hd_flow_names){ 0 };
}
