// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The gnuplot script of a plot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/printable.h"
#include "tools/sim_plot.h"

#define PANEL_WIDTH    560
#define PANEL_HEIGHT   400
#define HEADING_HEIGHT 30
#define MOST_ACROSS    3
#define MOST_IN_BOX    8  /* with at most so many curves, the legend fits into the panel */
#define LOG_FROM       20 /* the axis of latencies that span a larger factor is logarithmic */

/* Colours that the colour-blind tell apart too (Okabe and Ito), without the faint yellow. */
static const char *const colours[] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
				       "#E69F00", "#56B4E9", "#000000" };
#define N_COLOURS (sizeof(colours) / sizeof(colours[0]))

const char *hd_plot_colour(size_t curve)
{
	return colours[curve % N_COLOURS];
}

size_t hd_plot_dash(size_t curve)
{
	return 1 + curve / N_COLOURS % 4;
}

/* gnuplot knows no escapes within single quotes but a doubled quote. */
void hd_plot_print_quoted(FILE *stream, const char *text)
{
	char *printable = strdup(text);

	fputc('\'', stream);
	for (const char *c = printable ? hd_make_printable(printable) : ""; *c; c++) {
		if (*c == '\'')
			fputc('\'', stream);
		fputc(*c, stream);
	}
	fputc('\'', stream);
	free(printable);
}

static bool is_time(const struct hd_plot *plot, unsigned column)
{
	return strcmp(hd_sweep_column(&plot->sim->flows, column).unit, "time") == 0;
}

/* "latency_mean" -> "latency mean (ns)" */
static void axis_title(const struct hd_plot *plot, unsigned column, char *buffer, size_t size)
{
	const struct hd_sweep_column c = hd_sweep_column(&plot->sim->flows, column);
	const char *unit = hd_result_unit(c.unit, plot->sim->scenario->clock);

	snprintf(buffer, size, *unit ? "%s (%s)" : "%s", c.name,
		 strcmp(unit, "share") == 0 ? "share of a link" : unit);
	for (char *at = buffer; *at && *at != '('; at++)
		if (*at == '_')
			*at = ' ';
}

static const char *unit_of(const char *value)
{
	char *end;

	strtod(value, &end);
	return end + strspn(end, " ");
}

static void x_title(const struct hd_plot *plot, char *buffer, size_t size)
{
	const struct hd_scenario *scenario = plot->sim->scenario;
	const struct hd_scenario_key *key = &hd_scenario_keys[plot->x];
	const char *unit = plot->is_category ? "" : unit_of(scenario->keys[plot->x].list.items[0]);

	if (plot->x == HD_TRAFFIC_LOAD)
		snprintf(buffer, size, "offered load (share of a link)");
	else if (*unit)
		snprintf(buffer, size, "%s (%s)", key->name, unit);
	else
		snprintf(buffer, size, "%s", key->name);
}

static double x_of(const struct hd_plot *plot, size_t point)
{
	const struct hd_scenario *scenario = plot->sim->scenario;

	if (plot->is_category)
		return (double)hd_scenario_index(scenario, point, plot->x);
	return strtod(hd_scenario_value(scenario, point, plot->x), NULL);
}

/* Gnuplot warns of a range without width, which points with one x would have. */
static void print_range_of_one(const struct hd_plot *plot, FILE *stream)
{
	const double x = x_of(plot, 0);

	for (size_t point = 1; point < plot->sim->scenario->n_points; point++)
		if (x_of(plot, point) < x || x_of(plot, point) > x)
			return;
	fprintf(stream, "set xrange [%.9g:%.9g]\n", x > 0 ? 0.9 * x : x - 1,
		x > 0 ? 1.1 * x : x + 1);
}

/* A data block for every row and curve: x, then mean and half width of every column shown. */
static void print_data(const struct hd_plot *plot, FILE *stream)
{
	const struct hd_sim *sim = plot->sim;
	unsigned deadlock = hd_result_column_find("deadlock");

	for (size_t row = 0; row < plot->n_rows; row++)
		for (size_t curve = 0; curve < plot->n_curves; curve++) {
			fprintf(stream, "$data_%zu_%zu << EOD\n", row, curve);
			for (size_t point = 0; point < sim->scenario->n_points; point++) {
				if (hd_plot_row(plot, point) != row ||
				    hd_plot_curve(plot, point) != curve)
					continue;
				fprintf(stream, "%.9g %d", x_of(plot, point),
					hd_sim_mean(sim, point, deadlock).mean > 0);
				for (unsigned i = 0; i < plot->n_y; i++) {
					struct hd_mean mean = hd_sim_mean(sim, point, plot->y[i]);

					fprintf(stream, " %.9g %.9g", mean.mean, mean.half_width);
				}
				fputc('\n', stream);
			}
			fputs("EOD\n", stream);
		}
}

static bool has_deadlock(const struct hd_plot *plot, size_t row)
{
	unsigned deadlock = hd_result_column_find("deadlock");

	for (size_t point = 0; point < plot->sim->scenario->n_points; point++)
		if (hd_plot_row(plot, point) == row &&
		    hd_sim_mean(plot->sim, point, deadlock).mean > 0)
			return true;
	return false;
}

static size_t first_point(const struct hd_plot *plot, size_t row, size_t curve)
{
	size_t point = 0;

	while (point + 1 < plot->sim->scenario->n_points &&
	       (hd_plot_row(plot, point) != row || hd_plot_curve(plot, point) != curve))
		point++;
	return point;
}

/* Least and greatest positive value of @column in @row. */
static void range_of(const struct hd_plot *plot, size_t row, unsigned column, double *least,
		     double *greatest)
{
	*least = INFINITY;
	*greatest = 0;
	for (size_t point = 0; point < plot->sim->scenario->n_points; point++) {
		double value = hd_sim_mean(plot->sim, point, column).mean;

		if (hd_plot_row(plot, point) != row || !(value > 0))
			continue;
		*least = fmin(*least, value);
		*greatest = fmax(*greatest, value);
	}
}

static void print_axes(const struct hd_plot *plot, size_t row, unsigned i, FILE *stream)
{
	unsigned column = plot->y[i];
	double least, greatest;
	char title[200];

	axis_title(plot, column, title, sizeof(title));
	fputs("set ylabel ", stream);
	hd_plot_print_quoted(stream, title);
	fputs(" noenhanced\n", stream);
	range_of(plot, row, column, &least, &greatest);
	if (is_time(plot, column) && greatest > LOG_FROM * least)
		fprintf(stream, "set logscale y\nset yrange [%g:*]\nset format y '%%.0s%%c'\n",
			0.7 * least);
	else
		fputs("unset logscale y\nset yrange [0:*]\nset format y '%g'\n", stream);
	if (plot->n_curves > MOST_IN_BOX)
		fputs("set key outside right top Left reverse\n", stream);
	else
		fprintf(stream, "set key inside %s opaque Left reverse\n",
			is_time(plot, column) ? "top left" : "bottom right");
	if (plot->n_curves == 1 && !has_deadlock(plot, row))
		fputs("unset key\n", stream);
}

static void print_curve(const struct hd_plot *plot, size_t row, size_t curve, unsigned i,
			FILE *stream)
{
	unsigned y = 3 + 2 * i;
	char *label = hd_plot_label(plot, first_point(plot, row, curve), true);

	if (curve)
		fputs(", \\\n     ", stream);
	fprintf(stream, "$data_%zu_%zu using 1:%u", row, curve, y);
	if (hd_sim_seeds(plot->sim) > 1)
		fprintf(stream, ":%u with %s", y + 1,
			plot->is_category ? "yerrorbars" : "yerrorlines");
	else
		fprintf(stream, " with %s", plot->is_category ? "points" : "linespoints");
	fprintf(stream, " lc rgb '%s' dt %zu pt %zu ps 0.7 lw 1.6 title ", hd_plot_colour(curve),
		hd_plot_dash(curve), 4 + curve % 10);
	hd_plot_print_quoted(stream, label ? label : "");
	fputs(" noenhanced", stream);
	free(label);
}

static void print_panel(const struct hd_plot *plot, size_t row, unsigned i, FILE *stream)
{
	const char *title = "deadlock";
	char *label = hd_plot_label(plot, first_point(plot, row, 0), false);

	fputs("set title ", stream);
	hd_plot_print_quoted(stream, label ? label : "");
	fputs(" noenhanced\n", stream);
	free(label);
	print_axes(plot, row, i, stream);
	fputs("plot ", stream);
	for (size_t curve = 0; curve < plot->n_curves; curve++)
		print_curve(plot, row, curve, i, stream);
	for (size_t curve = 0; has_deadlock(plot, row) && curve < plot->n_curves; curve++) {
		fprintf(stream,
			", \\\n     $data_%zu_%zu using ($2 > 0 ? $1 : NaN):%u with points pt 2 ps "
			"1.6 "
			"lw 2 lc rgb '#B00000' title '%s'",
			row, curve, 3 + 2 * i, title);
		title = ""; /* a curve has one entry in the legend */
	}
	if (plot->x == HD_TRAFFIC_LOAD && plot->y[i] == hd_result_column_find("accepted"))
		fputs(", \\\n     x with lines lc rgb '#B0B0B0' dt 2 lw 1 notitle", stream);
	fputc('\n', stream);
}

/* What all curves have in common: "dragonfly:a=4,p=2,h=2, dla, uniform". */
static void make_heading(const struct hd_plot *plot, char *buffer, size_t size)
{
	static const enum hd_key keys[] = { HD_FABRIC_TOPOLOGY,  HD_FABRIC_FILE,
					    HD_ROUTING_SNAPSHOT, HD_ROUTING_ENGINE,
					    HD_ROUTING_QUEUES,   HD_TRAFFIC_PATTERN };
	const struct hd_scenario *scenario = plot->sim->scenario;
	bool has_snapshot = *scenario->keys[HD_ROUTING_SNAPSHOT].list.items[0];
	bool has_file = has_snapshot || *scenario->keys[HD_FABRIC_FILE].list.items[0];
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct hd_list *list = &scenario->keys[keys[i]].list;

		if (list->n > 1 || !*list->items[0] ||
		    (keys[i] == HD_FABRIC_TOPOLOGY && has_file) ||
		    (keys[i] == HD_ROUTING_ENGINE && has_snapshot) ||
		    (keys[i] == HD_ROUTING_QUEUES && !scenario->keys[keys[i]].is_set))
			continue;
		used += (size_t)snprintf(buffer + used, size - used, "%s%.100s", used ? ", " : "",
					 list->items[0]);
		if (used >= size)
			return;
	}
}

void hd_plot_script(const struct hd_plot *plot, bool is_svg, FILE *stream)
{
	const struct hd_list *values = &plot->sim->scenario->keys[plot->x].list;
	unsigned width = PANEL_WIDTH + (plot->n_curves > MOST_IN_BOX ? 160 : 0);
	size_t across = plot->n_y, down = plot->n_rows;
	char title[200], heading[400];

	if (across == 1 && down > 2) {
		across = MOST_ACROSS;
		down = (down + across - 1) / across;
	}
	make_heading(plot, heading, sizeof(heading));
	fprintf(stream, "set terminal %s size %zu,%zu font 'sans,%s' background rgb 'white'\n",
		is_svg ? "svg" : "pngcairo", width * across, PANEL_HEIGHT * down + HEADING_HEIGHT,
		is_svg ? "12" : "10");
	fputs("set encoding utf8\nset grid lc rgb '#E0E0E0' lt 1\nset border 3\n"
	      "set tics nomirror\nset samples 200\n",
	      stream);
	print_data(plot, stream);
	x_title(plot, title, sizeof(title));
	fputs("set xlabel ", stream);
	hd_plot_print_quoted(stream, title);
	fputs(" noenhanced\n", stream);
	if (plot->is_category) {
		fputs("set xtics noenhanced (", stream);
		for (size_t i = 0; i < values->n; i++) {
			fputs(i ? ", " : "", stream);
			hd_plot_print_quoted(stream, values->items[i]);
			fprintf(stream, " %zu", i);
		}
		fprintf(stream, ")\nset xrange [-0.5:%zu.5]\n", values->n - 1);
	} else {
		print_range_of_one(plot, stream);
	}
	fprintf(stream, "set multiplot layout %zu,%zu title ", down, across);
	hd_plot_print_quoted(stream, heading);
	fputs(" noenhanced\n", stream);
	for (size_t row = 0; row < plot->n_rows; row++)
		for (unsigned i = 0; i < plot->n_y; i++)
			print_panel(plot, row, i, stream);
	fputs("unset multiplot\n", stream);
}
