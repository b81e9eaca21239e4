// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* JSON: a sweep with everything that it depends on, units, runs, and means over seeds. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "config.h"
#include "support/error.h"
#include "support/output.h"
#include "tools/report.h"
#include "tools/cmd_sim.h"

static json_t *number(double value)
{
	if (!isfinite(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 0x1p53)
		return json_integer((json_int_t)value);
	return json_real(value);
}

/* Keys with their units, and the values of each. */
static json_t *scenario_json(const struct hd_scenario *scenario)
{
	json_t *object = json_object();

	for (unsigned key = 0; key < HD_N_KEYS; key++) {
		const struct hd_scenario_key *k = &hd_scenario_keys[key];
		const char *unit = hd_scenario_option(k, scenario->clock)->unit;
		json_t *values = json_array();

		for (size_t i = 0; i < scenario->keys[key].list.n; i++)
			json_array_append_new(values,
					      hd_json_text(scenario->keys[key].list.items[i]));
		json_object_set_new(object, k->name,
				    json_pack("{s:s, s:o}", "unit", unit, "values", values));
	}
	return object;
}

static json_t *columns_json(const struct hd_sim *sim)
{
	json_t *object = json_object();

	for (unsigned i = 0; i < hd_sweep_columns(&sim->flows); i++) {
		const struct hd_sweep_column column = hd_sweep_column(&sim->flows, i);

		json_object_set_new(object, column.name,
				    json_pack("{s:s, s:s}", "unit",
					      hd_result_unit(column.unit, sim->scenario->clock),
					      "help", column.help));
	}
	return object;
}

static json_t *run_json(const struct hd_sim *sim, size_t run)
{
	const struct hd_outcome *outcome = &sim->outcomes[run];
	json_t *object = json_object(), *results = json_object();

	json_object_set_new(object, "seed",
			    json_integer((json_int_t)hd_run_seed(sim->scenario, run)));
	for (unsigned i = 0; i < hd_sweep_columns(&sim->flows); i++) {
		const struct hd_sweep_column column = hd_sweep_column(&sim->flows, i);
		double value = hd_cell_number(outcome->cells, i);

		if (isnan(value))
			continue;
		json_object_set_new(results, column.name,
				    column.is_flag ? json_boolean(value != 0) : number(value));
	}
	json_object_set_new(object, "results", results);
	/* runs that were resumed have only their columns */
	if (outcome->details)
		json_object_set_new(object, "details", json_loads(outcome->details, 0, NULL));
	return object;
}

static json_t *point_json(const struct hd_sim *sim, size_t point)
{
	const struct hd_scenario *scenario = sim->scenario;
	size_t seeds = hd_sim_seeds(sim);
	json_t *parameters = json_object(), *runs = json_array(), *means = json_object();

	for (unsigned key = 0; key < HD_N_PARAMETERS; key++)
		json_object_set_new(parameters, hd_scenario_keys[key].name,
				    hd_json_text(hd_scenario_value(scenario, point, key)));
	for (size_t i = 0; i < seeds; i++)
		json_array_append_new(runs, run_json(sim, point * seeds + i));
	for (unsigned i = 0; i < hd_sweep_columns(&sim->flows); i++) {
		const struct hd_sweep_column column = hd_sweep_column(&sim->flows, i);
		struct hd_mean mean = hd_sim_mean(sim, point, i);

		if (isnan(mean.mean) || column.is_flag)
			continue;
		json_object_set_new(means, column.name,
				    json_pack("{s:o, s:o}", "mean", number(mean.mean),
					      "half_width_95", number(mean.half_width)));
	}
	return json_pack("{s:o, s:o, s:o}", "parameters", parameters, "means", means, "runs", runs);
}

int hd_sim_write_json(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	json_t *root = hd_json_begin(), *points = json_array();
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret) {
		json_decref(root);
		json_decref(points);
		return ret;
	}
	json_object_set_new(root, "version", json_string(PACKAGE_VERSION));
	json_object_set_new(root, "scenario", scenario_json(sim->scenario));
	json_object_set_new(root, "columns", columns_json(sim));
	for (size_t point = 0; point < sim->scenario->n_points; point++)
		json_array_append_new(points, point_json(sim, point));
	json_object_set_new(root, "points", points);
	json_dumpf(root, output.stream,
		   JSON_INDENT(1) | JSON_REAL_PRECISION(9) | JSON_ENSURE_ASCII);
	fputc('\n', output.stream);
	json_decref(root);
	return hd_output_commit(&output, err);
}
