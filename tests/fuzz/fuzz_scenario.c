// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Scenario files: what is taken has values that a model can be made of; nothing is run. */
#include <stdlib.h>
#include <string.h>

#include "sim/scenario/setup.h"
#include "support/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(int ret, const struct hd_error *err)
{
	if (ret && (!*err->text || strchr(err->text, '\n')))
		abort();
}

static void check_point(const struct hd_scenario *scenario, size_t point)
{
	struct hd_error err = { 0 };
	struct hd_setup setup;
	int ret = hd_setup_make(scenario, point, &setup, &err);

	check_error(ret, &err);
	if (ret)
		return;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (!setup.model.links[i].unit_ticks ||
		    (!setup.model.links[i].buffer && !setup.model.links[i].port_buffer))
			abort();
	if (!setup.model.injection == !setup.model.port_injection || !setup.model.host.interval)
		abort();
	if (!setup.n_phases || !setup.window || !setup.model.cycle)
		abort();
	hd_setup_clear(&setup);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_scenario *scenario = hd_scenario_new();
	struct hd_error err = { 0 };
	int ret;

	if (!scenario)
		return 0;
	ret = hd_scenario_read_text(scenario, "fuzz.ini", (const char *)data, size, &err);
	check_error(ret, &err);
	if (!ret) {
		ret = hd_scenario_finish(scenario, &err);
		check_error(ret, &err);
	}
	/* points read the class files of their routing: whatever is there is another target's */
	if (!ret && !scenario->keys[HD_ROUTING_CLASSES].is_set &&
	    !scenario->keys[HD_ROUTING_SNAPSHOT].is_set) {
		check_point(scenario, 0);
		check_point(scenario, scenario->n_points - 1);
	}
	hd_scenario_free(scenario);
	return 0;
}
