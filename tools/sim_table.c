// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What heddle sim prints for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tools/report.h"
#include "tools/cmd_sim.h"

struct hd_mean hd_sim_mean(const struct hd_sim *sim, size_t point, unsigned column)
{
	size_t n = hd_sim_seeds(sim);

	for (size_t i = 0; i < n; i++)
		sim->values[i] = hd_cell_number(sim->outcomes[point * n + i].cells, column);
	return hd_mean_of(sim->values, n);
}

char *hd_sim_label(const struct hd_sim *sim, size_t point)
{
	size_t size;
	char *label = NULL;
	const char *separator = "";
	FILE *stream = open_memstream(&label, &size);

	if (!stream)
		return NULL;
	for (unsigned key = 0; key < HD_N_PARAMETERS; key++) {
		if (!hd_scenario_is_swept(sim->scenario, key))
			continue;
		fprintf(stream, "%s%s=%s", separator, hd_scenario_keys[key].name,
			hd_scenario_value(sim->scenario, point, key));
		separator = ", ";
	}
	if (fclose(stream)) {
		free(label);
		return NULL;
	}
	return label;
}

static bool has_flag(const struct hd_sim *sim, size_t point, const char *column)
{
	return hd_sim_mean(sim, point, hd_result_column_find(column)).mean > 0;
}

/* "0.4987" or "0.4987 ± 0.0012"; "-": there is none. */
static const char *format(struct hd_mean mean, bool several, char *buffer, size_t size)
{
	int digits = fabs(mean.mean) < 10 ? 4 : fabs(mean.mean) < 1000 ? 2 : 0;

	if (isnan(mean.mean))
		snprintf(buffer, size, "-");
	else if (several)
		snprintf(buffer, size, "%.*f ± %.*f", digits, mean.mean, digits, mean.half_width);
	else
		snprintf(buffer, size, "%.*f", mean.mean == floor(mean.mean) ? 0 : digits,
			 mean.mean);
	return buffer;
}

/* Whether the mean of a flag means that all runs have it; it is a sum of shares. */
static bool is_whole(double mean)
{
	return mean > 1 - 1e-9;
}

/*
 * A remark on a point's numbers. There is none for a point whose runs are all steady, or whose
 * operations have come to their ends.
 */
static const char *remark(const struct hd_sim *sim, size_t point)
{
	bool is_steady = is_whole(hd_sim_mean(sim, point, hd_result_column_find("steady")).mean);

	is_steady |= !isnan(hd_sim_mean(sim, point, hd_result_column_find("repetition")).mean);
	if (has_flag(sim, point, "deadlock"))
		return "deadlock";
	if (has_flag(sim, point, "dropped"))
		return is_steady ? "drops" : "drops, not steady";
	if (has_flag(sim, point, "saturated"))
		return is_steady ? "saturated" : "saturated, not steady";
	return is_steady ? "-" : "not steady";
}

/* Columns of the table, and their titles. */
struct shown {
	const char *column, *title;
};

static const struct shown shown[] = {
	{ "offered", "offered" },
	{ "accepted", "accepted" },
	{ "latency_mean", "latency" },
	{ "latency_p99", "p99" },
	{ "network_latency_mean", "network" },
	{ "hops_mean", "hops" },
};

#define N_SHOWN (sizeof(shown) / sizeof(shown[0]))

/* Where all points have collective operations: as many. */
static const struct shown shown_of_operations[N_SHOWN] = {
	{ "repetitions", "repetitions" }, { "makespan", "makespan" },
	{ "repetition", "repetition" },   { "bus_use", "bus use" },
	{ "fct_mean", "messages" },       { "fct_p99", "p99" },
};

static const struct shown *choose_shown(const struct hd_sim *sim)
{
	const unsigned column = hd_result_column_find("repetitions");

	for (size_t point = 0; point < sim->scenario->n_points; point++)
		if (isnan(hd_sim_mean(sim, point, column).mean))
			return shown;
	return shown_of_operations;
}

/* Swept keys that the table has room for. */
#define MOST_KEYS 16

static unsigned shown_keys(const struct hd_sim *sim, enum hd_key keys[MOST_KEYS])
{
	unsigned n = 0;

	for (unsigned key = 0; key < HD_N_PARAMETERS && n < MOST_KEYS; key++)
		if (hd_scenario_is_swept(sim->scenario, key))
			keys[n++] = key;
	return n;
}

static void add_titles(const struct hd_sim *sim, const enum hd_key *keys, unsigned n_keys,
		       struct hd_columns *columns)
{
	enum hd_clock clock = sim->scenario->clock;
	const struct shown *columns_shown = choose_shown(sim);

	for (unsigned i = 0; i < n_keys; i++)
		hd_columns_add(columns, "%s", hd_scenario_keys[keys[i]].name);
	for (size_t i = 0; i < N_SHOWN; i++) {
		const struct hd_result_column *column =
			&hd_result_columns[hd_result_column_find(columns_shown[i].column)];

		if (strcmp(column->unit, "time") == 0)
			hd_columns_add(columns, "%s/%s", columns_shown[i].title,
				       hd_result_unit(column->unit, clock));
		else
			hd_columns_add(columns, "%s", columns_shown[i].title);
	}
	hd_columns_add(columns, "remark");
}

static int print_table(const struct hd_sim *sim, struct hd_error *err)
{
	struct hd_columns columns;
	enum hd_key keys[MOST_KEYS];
	unsigned n_keys = shown_keys(sim, keys);
	const struct shown *columns_shown = choose_shown(sim);
	char text[64];

	hd_columns_init(&columns, n_keys + N_SHOWN + 1, ((1u << N_SHOWN) - 1) << n_keys);
	add_titles(sim, keys, n_keys, &columns);
	for (size_t point = 0; point < sim->scenario->n_points; point++) {
		for (unsigned i = 0; i < n_keys; i++)
			hd_columns_add(&columns, "%s",
				       hd_scenario_value(sim->scenario, point, keys[i]));
		for (size_t i = 0; i < N_SHOWN; i++)
			hd_columns_add(
				&columns, "%s",
				format(hd_sim_mean(sim, point,
						   hd_result_column_find(columns_shown[i].column)),
				       hd_sim_seeds(sim) > 1, text, sizeof(text)));
		hd_columns_add(&columns, "%s", remark(sim, point));
	}
	return hd_columns_print(&columns, err);
}

/* The text for a flag's mean over all runs of a point. */
static const char *format_flag(double mean)
{
	if (mean == 0)
		return "no";
	return is_whole(mean) ? "yes" : "partly";
}

/* Prints a single point: all its measures. */
static int print_point(const struct hd_sim *sim, struct hd_error *err)
{
	struct hd_columns columns;
	char text[64];

	hd_columns_init(&columns, 3, 1u << 1);
	for (unsigned i = 0; i < hd_sweep_columns(&sim->flows); i++) {
		const struct hd_sweep_column column = hd_sweep_column(&sim->flows, i);
		struct hd_mean mean = hd_sim_mean(sim, 0, i);

		if (isnan(mean.mean))
			continue;
		hd_columns_add(&columns, "%s", column.name);
		if (column.is_flag)
			hd_columns_add(&columns, "%s", format_flag(mean.mean));
		else
			hd_columns_add(&columns, "%s",
				       format(mean, hd_sim_seeds(sim) > 1, text, sizeof(text)));
		hd_columns_add(&columns, "%s",
			       *column.unit ? hd_result_unit(column.unit, sim->scenario->clock)
					    : "-");
	}
	return hd_columns_print(&columns, err);
}

int hd_sim_print(const struct hd_sim *sim, struct hd_error *err)
{
	if (sim->scenario->n_points > 1)
		return print_table(sim, err);
	return print_point(sim, err);
}
