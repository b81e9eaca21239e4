// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The time series of each point, over its seeds: as CSV, and drawn. */
#include <math.h>
#include <stdlib.h>

#include "sim/scenario/series_text.h"
#include "support/error.h"
#include "support/output.h"
#include "tools/sim_plot.h"

/* The time series of a point, step by step. */
struct walk {
	const struct hd_sim *sim;
	size_t point, n_seeds;
	const char **at;                      /* [seed] in the text of its run */
	double (*numbers)[HD_SERIES_COLUMNS]; /* [seed] of this step */
	double *values;                       /* [seed] of a column */
};

static void end_walk(struct walk *walk)
{
	free(walk->at);
	free(walk->numbers);
	free(walk->values);
}

static int begin_walk(const struct hd_sim *sim, size_t point, struct walk *walk,
		      struct hd_error *err)
{
	size_t n = hd_sim_seeds(sim);

	*walk = (struct walk){ .sim = sim, .point = point, .n_seeds = n };
	walk->at = calloc(n, sizeof(*walk->at));
	walk->numbers = calloc(n, sizeof(*walk->numbers));
	walk->values = calloc(n, sizeof(*walk->values));
	if (!walk->at || !walk->numbers || !walk->values) {
		end_walk(walk);
		return hd_error_nomem(err);
	}
	for (size_t i = 0; i < n; i++)
		walk->at[i] = sim->outcomes[point * n + i].series;
	return 0;
}

/* False: the series is over. */
static bool next_step(struct walk *walk)
{
	for (size_t i = 0; i < walk->n_seeds; i++)
		if (!hd_series_read(&walk->at[i], walk->numbers[i]))
			return false;
	return true;
}

/* Of the seeds that have a number: their mean, NaN where none has one; or their sum. */
static struct hd_mean over_seeds(const struct walk *walk, unsigned column)
{
	struct hd_mean mean;
	size_t n = 0;

	for (size_t i = 0; i < walk->n_seeds; i++)
		if (!isnan(walk->numbers[i][column]))
			walk->values[n++] = walk->numbers[i][column];
	if (!n)
		return (struct hd_mean){ NAN, NAN };
	mean = hd_mean_of(walk->values, n);
	if (hd_series_columns[column].is_count)
		mean.mean *= (double)n;
	return mean;
}

static bool has_width(unsigned column)
{
	return column != HD_SERIES_TIME && !hd_series_columns[column].is_count;
}

static void print_number(FILE *stream, const char *separator, double number, const char *missing)
{
	if (isnan(number))
		fprintf(stream, "%s%s", separator, missing);
	else
		fprintf(stream, "%s%.9g", separator, number);
}

/* Means with their half widths, and sums; @missing stands for what there is not. */
static void print_step(const struct walk *walk, const char *separator, const char *missing,
		       FILE *stream)
{
	for (unsigned column = 0; column < HD_SERIES_COLUMNS; column++) {
		struct hd_mean mean = over_seeds(walk, column);

		print_number(stream, column ? separator : "", mean.mean, missing);
		if (has_width(column))
			print_number(stream, separator, mean.half_width, missing);
	}
	fputc('\n', stream);
}

static void print_header(const struct hd_scenario *scenario, FILE *stream)
{
	for (unsigned key = 0; key < HD_N_PARAMETERS; key++)
		if (hd_scenario_is_swept(scenario, key))
			fprintf(stream, "%s,", hd_scenario_keys[key].name);
	for (unsigned i = 0; i < HD_SERIES_COLUMNS; i++) {
		fprintf(stream, "%s%s", i ? "," : "", hd_series_columns[i].name);
		if (has_width(i))
			fprintf(stream, ",%s_half_width", hd_series_columns[i].name);
	}
	fputc('\n', stream);
}

static int print_point(const struct hd_sim *sim, size_t point, FILE *stream, struct hd_error *err)
{
	const struct hd_scenario *scenario = sim->scenario;
	struct walk walk;
	int ret = begin_walk(sim, point, &walk, err);

	if (ret)
		return ret;
	while (next_step(&walk)) {
		for (unsigned key = 0; key < HD_N_PARAMETERS; key++) {
			if (!hd_scenario_is_swept(scenario, key))
				continue;
			hd_sim_print_cell(stream, hd_scenario_value(scenario, point, key));
			fputc(',', stream);
		}
		print_step(&walk, ",", "", stream);
	}
	end_walk(&walk);
	return 0;
}

int hd_sim_write_series(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	print_header(sim->scenario, output.stream);
	for (size_t point = 0; point < sim->scenario->n_points && !ret; point++)
		ret = print_point(sim, point, output.stream, err);
	if (ret) {
		hd_output_abort(&output);
		return ret;
	}
	return hd_output_commit(&output, err);
}

/* The plot */

static int print_data(const struct hd_sim *sim, FILE *stream, struct hd_error *err)
{
	int ret = 0;

	for (size_t point = 0; point < sim->scenario->n_points && !ret; point++) {
		struct walk walk;

		ret = begin_walk(sim, point, &walk, err);
		if (ret)
			break;
		fprintf(stream, "$series_%zu << EOD\n", point);
		while (next_step(&walk))
			print_step(&walk, " ", "NaN", stream);
		fputs("EOD\n", stream);
		end_walk(&walk);
	}
	return ret;
}

/* Where gnuplot finds @column in a line of data. */
static unsigned place_of(unsigned column)
{
	unsigned place = 1;

	for (unsigned i = 0; i < column; i++)
		place += 1 + has_width(i);
	return place;
}

static void print_panel(const struct hd_sim *sim, unsigned column, FILE *stream)
{
	const struct hd_series_column *kind = &hd_series_columns[column];
	bool is_time = kind->unit[0] == 't';
	const char *unit = sim->scenario->clock == HD_CLOCK_CYCLES ? "cycles" : "ns";

	fprintf(stream, "set ylabel '%s (%s)' noenhanced\n", kind->name,
		is_time                         ? unit
		: column == HD_SERIES_MISROUTED ? "share of packets"
						: "share of a link");
	fputs("plot ", stream);
	for (size_t point = 0; point < sim->scenario->n_points; point++) {
		char *label = hd_sim_label(sim, point);

		fprintf(stream, "%s$series_%zu using 1:%u with lines lc rgb '%s' dt %zu lw 1.6 ",
			point ? ", \\\n     " : "", point, place_of(column), hd_plot_colour(point),
			hd_plot_dash(point));
		if (label && *label) {
			fputs("title ", stream);
			hd_plot_print_quoted(stream, label);
			fputs(" noenhanced", stream);
		} else {
			fputs("notitle", stream);
		}
		free(label);
	}
	fputc('\n', stream);
}

/* Whether packets choose their ways in some point. */
static bool chooses_ways(const struct hd_sim *sim)
{
	for (size_t point = 0; point < sim->scenario->n_points; point++)
		if (*hd_scenario_value(sim->scenario, point, HD_ROUTING_ADAPTIVE))
			return true;
	return false;
}

static int print_script(const struct hd_sim *sim, bool is_svg, FILE *stream, struct hd_error *err)
{
	static const unsigned panels[] = { HD_SERIES_LATENCY, HD_SERIES_ACCEPTED,
					   HD_SERIES_MISROUTED };
	unsigned n = chooses_ways(sim) ? 3 : 2;
	int ret;

	fprintf(stream,
		"set terminal %s size 760,%u font 'sans,%s' background rgb 'white'\n"
		"set encoding utf8\nset grid lc rgb '#E0E0E0' lt 1\nset border 3\n"
		"set tics nomirror\nset key above left Left reverse\nset yrange [0:*]\n"
		"set xlabel 'time (%s)' noenhanced\n",
		is_svg ? "svg" : "pngcairo", 300 * n, is_svg ? "12" : "10",
		sim->scenario->clock == HD_CLOCK_CYCLES ? "cycles" : "ns");
	ret = print_data(sim, stream, err);
	fprintf(stream, "set multiplot layout %u,1\n", n);
	for (unsigned i = 0; i < n; i++)
		print_panel(sim, panels[i], stream);
	fputs("unset multiplot\n", stream);
	return ret;
}

int hd_sim_plot_series(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	FILE *script = tmpfile();
	int ret;

	if (!script)
		return hd_plot_no_file(err);
	ret = print_script(sim, hd_plot_is_svg(path), script, err);
	if (!ret)
		ret = hd_plot_run(script, path, err);
	fclose(script);
	return ret;
}
