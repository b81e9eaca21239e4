// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/sim_plot.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static int fail(const struct hd_sim *sim, enum hd_key key, const char *value, const char *what,
		struct hd_error *err)
{
	hd_error_set(err, HD_EINVAL, "'%s' %s", value, what);
	return hd_scenario_blame(sim->scenario, key, err);
}

static int find_y(struct hd_plot *plot, struct hd_error *err)
{
	const struct hd_list *list = &plot->sim->scenario->keys[HD_PLOT_Y].list;

	for (size_t i = 0; i < list->n; i++) {
		unsigned column = hd_sweep_column_find(&plot->sim->flows, list->items[i]);

		if (column == hd_sweep_columns(&plot->sim->flows))
			return fail(plot->sim, HD_PLOT_Y, list->items[i],
				    "is no column of results (see heddle list results)", err);
		if (plot->n_y == HD_PLOT_PANELS)
			return fail(plot->sim, HD_PLOT_Y, list->items[i], "is one too many", err);
		plot->y[plot->n_y++] = column;
	}
	return 0;
}

static int find_series(struct hd_plot *plot, struct hd_error *err)
{
	const struct hd_scenario *scenario = plot->sim->scenario;
	const struct hd_list *list = &scenario->keys[HD_PLOT_SERIES].list;

	for (unsigned key = 0; !*list->items[0] && key < HD_N_PARAMETERS; key++)
		plot->is_series[key] = hd_scenario_is_swept(scenario, key) && key != plot->x;
	for (size_t i = 0; *list->items[0] && i < list->n; i++) {
		enum hd_key key = hd_scenario_key_find(list->items[i]);

		if (key >= HD_N_PARAMETERS || key == plot->x)
			return fail(plot->sim, HD_PLOT_SERIES, list->items[i],
				    "is no key that tells curves apart", err);
		plot->is_series[key] = true;
	}
	return 0;
}

static bool is_number(const char *text)
{
	return isdigit((unsigned char)*text) || *text == '.';
}

int hd_plot_make(const struct hd_sim *sim, struct hd_plot *plot, struct hd_error *err)
{
	const struct hd_scenario *scenario = sim->scenario;
	const char *x = scenario->keys[HD_PLOT_X].list.items[0];
	int ret;

	*plot = (struct hd_plot){ .sim = sim, .n_rows = 1, .n_curves = 1 };
	plot->x = hd_scenario_key_find(x);
	if (plot->x >= HD_N_PARAMETERS)
		return fail(sim, HD_PLOT_X, x, "is no key that an axis can have", err);
	ret = find_y(plot, err);
	if (!ret)
		ret = find_series(plot, err);
	if (ret)
		return ret;
	for (size_t i = 0; i < scenario->keys[plot->x].list.n; i++)
		plot->is_category |= !is_number(scenario->keys[plot->x].list.items[i]);
	for (unsigned key = 0; key < HD_N_PARAMETERS; key++) {
		if (key == plot->x)
			continue;
		if (plot->is_series[key])
			plot->n_curves *= scenario->keys[key].list.n;
		else
			plot->n_rows *= scenario->keys[key].list.n;
	}
	if (plot->n_rows * plot->n_y > HD_PLOT_PANELS)
		return hd_error_set(err, HD_ERANGE, "a plot of %zu panels, more than %d",
				    plot->n_rows * plot->n_y, HD_PLOT_PANELS);
	return 0;
}

/* The combination, at @point, of the keys that tell curves (or rows) apart. */
static size_t combination(const struct hd_plot *plot, size_t point, bool of_curve)
{
	size_t index = 0;

	for (unsigned key = 0; key < HD_N_PARAMETERS; key++)
		if (key != plot->x && plot->is_series[key] == of_curve)
			index = index * plot->sim->scenario->keys[key].list.n +
				hd_scenario_index(plot->sim->scenario, point, key);
	return index;
}

size_t hd_plot_row(const struct hd_plot *plot, size_t point)
{
	return combination(plot, point, false);
}

size_t hd_plot_curve(const struct hd_plot *plot, size_t point)
{
	return combination(plot, point, true);
}

char *hd_plot_label(const struct hd_plot *plot, size_t point, bool of_curve)
{
	const struct hd_scenario *scenario = plot->sim->scenario;
	const char *separator = "";
	char *label = NULL;
	size_t size;
	FILE *stream = open_memstream(&label, &size);

	if (!stream)
		return NULL;
	for (unsigned key = 0; key < HD_N_PARAMETERS; key++) {
		const char *value = hd_scenario_value(scenario, point, key);

		if (key == plot->x || plot->is_series[key] != of_curve ||
		    !hd_scenario_is_swept(scenario, key))
			continue;
		/* names of engines and patterns need no key */
		fprintf(stream, "%s%s%s", separator,
			is_number(value) || hd_scenario_keys[key].kind == HD_VALUE_BOOL
				? hd_scenario_keys[key].option[0].key
				: "",
			is_number(value) || hd_scenario_keys[key].kind == HD_VALUE_BOOL ? " " : "");
		fputs(value, stream);
		separator = ", ";
	}
	if (fclose(stream)) {
		free(label);
		return NULL;
	}
	return label;
}
