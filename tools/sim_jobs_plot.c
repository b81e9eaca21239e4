// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Plots of jobs: the distribution of flow completion times, and when jobs computed and
 * communicated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tools/sim_jobs.h"
#include "tools/sim_plot.h"

#define MOST_BARS       64   /* jobs of all points */
#define MOST_ITERATIONS 2000 /* of a job */
#define MOST_COLOURS    16
#define HEIGHT          0.72 /* of a bar */

static const char *unit_of_time(const struct hd_sim *sim)
{
	return sim->scenario->clock == HD_CLOCK_CYCLES ? "cycles" : "ns";
}

static void print_begin(bool is_svg, unsigned width, unsigned height, FILE *stream)
{
	fprintf(stream,
		"set terminal %s size %u,%u font 'sans,%s' background rgb 'white'\n"
		"set encoding utf8\nset grid lc rgb '#E0E0E0' lt 1\nset border 3\n"
		"set tics nomirror\n",
		is_svg ? "svg" : "pngcairo", width, height, is_svg ? "12" : "10");
}

static int draw(const struct hd_sim *sim, const char *path,
		int (*print)(const struct hd_sim *sim, bool is_svg, FILE *stream,
			     struct hd_error *err),
		struct hd_error *err)
{
	FILE *script = tmpfile();
	int ret;

	if (!script)
		return hd_plot_no_file(err);
	ret = print(sim, hd_plot_is_svg(path), script, err);
	if (!ret)
		ret = hd_plot_run(script, path, err);
	fclose(script);
	return ret;
}

/* Flow completion times */

/* A bucket of a histogram. */
struct bucket {
	double last; /* the longest time in it */
	double count;
};

struct buckets {
	struct bucket *list;
	size_t n;
	double sum;
};

static int compare_buckets(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;

	return (x->last > y->last) - (x->last < y->last);
}

/* Adds what @details have, by sizes of messages. */
static int add_buckets(struct buckets *buckets, const json_t *details, struct hd_error *err)
{
	const json_t *sizes = json_object_get(details, "completion_times");

	for (size_t i = 0; i < json_array_size(sizes); i++) {
		const json_t *histogram = json_object_get(json_array_get(sizes, i), "histogram");
		const size_t n = json_array_size(histogram);
		struct bucket *list = realloc(buckets->list, (buckets->n + n + 1) * sizeof(*list));

		if (!list)
			return hd_error_nomem(err);
		buckets->list = list;
		for (size_t j = 0; j < n; j++) {
			const json_t *bucket = json_array_get(histogram, j);

			list[buckets->n++] = (struct bucket){
				json_number_value(json_array_get(bucket, 1)),
				json_number_value(json_array_get(bucket, 2)),
			};
			buckets->sum += list[buckets->n - 1].count;
		}
	}
	return 0;
}

/* The times of all seeds of @point, as shares of messages that took no longer. */
static int print_times(const struct hd_sim *sim, size_t point, bool *has_any, FILE *stream,
		       struct hd_error *err)
{
	const size_t n_seeds = hd_sim_seeds(sim);
	struct buckets buckets = { 0 };
	double sum = 0;
	int ret = 0;

	for (size_t i = 0; i < n_seeds && !ret; i++) {
		json_t *details = hd_sim_details(sim, point * n_seeds + i);

		ret = add_buckets(&buckets, details, err);
		json_decref(details);
	}
	if (buckets.n)
		qsort(buckets.list, buckets.n, sizeof(*buckets.list), compare_buckets);
	fprintf(stream, "$times_%zu << EOD\n", point);
	for (size_t i = 0; i < buckets.n; i++) {
		if (!i)
			fprintf(stream, "%.9g 0\n", buckets.list[i].last);
		sum += buckets.list[i].count;
		fprintf(stream, "%.9g %.9g\n", buckets.list[i].last, sum / buckets.sum);
	}
	fputs("EOD\n", stream);
	*has_any = buckets.n > 0;
	free(buckets.list);
	return ret;
}

static int print_fct(const struct hd_sim *sim, bool is_svg, FILE *stream, struct hd_error *err)
{
	const size_t n = sim->scenario->n_points;
	bool *has_any = calloc(n + 1, sizeof(*has_any));
	const char *separator = "plot ";
	int ret = has_any ? 0 : hd_error_nomem(err);

	print_begin(is_svg, 760, 480, stream);
	for (size_t point = 0; point < n && !ret; point++)
		ret = print_times(sim, point, &has_any[point], stream, err);
	fprintf(stream,
		"set logscale x\nset yrange [0:1]\nset format x '%%.0s%%c'\n"
		"set xlabel 'flow completion time (%s)' noenhanced\n"
		"set ylabel 'share of messages'\nset key above left Left reverse\n",
		unit_of_time(sim));
	for (size_t point = 0; point < n && !ret; point++) {
		char *label = has_any[point] ? hd_sim_label(sim, point) : NULL;

		if (!has_any[point])
			continue;
		fprintf(stream, "%s$times_%zu using 1:2 with steps lc rgb '%s' dt %zu lw 1.6 ",
			separator, point, hd_plot_colour(point), hd_plot_dash(point));
		separator = ", \\\n     ";
		fputs(label && *label ? "title " : "notitle", stream);
		if (label && *label) {
			hd_plot_print_quoted(stream, label);
			fputs(" noenhanced", stream);
		}
		free(label);
	}
	fputc('\n', stream);
	if (!ret && *separator == 'p')
		ret = hd_error_set(err, HD_EINVAL,
				   "--plot-fct: no message of an operation, a schedule or a trace "
				   "arrived");
	free(has_any);
	return ret;
}

int hd_sim_plot_fct(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	return draw(sim, path, print_fct, err);
}

/* When jobs computed and communicated */

#define COMPUTING "computing"

struct gantt {
	const struct hd_sim *sim;
	FILE *boxes, *labels;
	size_t n_bars, n_colours;
	double end;                   /* of the last box */
	char names[MOST_COLOURS][32]; /* what a job does in a colour */
};

/* The colour of what has @name; the last one if there are too many. */
static size_t colour_of(struct gantt *g, const char *name)
{
	for (size_t i = 0; i < g->n_colours; i++)
		if (strcmp(g->names[i], name) == 0)
			return i;
	if (g->n_colours == MOST_COLOURS)
		return MOST_COLOURS - 1;
	snprintf(g->names[g->n_colours], sizeof(g->names[0]), "%s", name);
	return g->n_colours++;
}

static void print_box(struct gantt *g, double begin, double end, double low, double high,
		      const char *name)
{
	fprintf(g->boxes, "%.12g %.9g %.12g %.12g %.9g %.9g %zu\n", (begin + end) / 2,
		(low + high) / 2, begin, end, low, high, colour_of(g, name));
	g->end = fmax(g->end, end);
}

static void print_iteration(struct gantt *g, const struct hd_sim_iteration *of, double bar)
{
	const double low = bar - HEIGHT / 2, height = HEIGHT / (double)(of->n_parts + !of->n_parts);

	if (of->begin > of->computing)
		print_box(g, of->computing, of->begin, low, low + HEIGHT, COMPUTING);
	if (!of->n_parts)
		print_box(g, of->begin, of->end, low, low + HEIGHT, of->operation);
	for (size_t i = 0; i < of->n_parts; i++) {
		const struct hd_sim_part part = hd_sim_part(of, i);
		const double top = low + height * (double)i;

		print_box(g, part.begin, part.end, top, top + height, part.operation);
	}
}

static int print_job(struct gantt *g, size_t point, const json_t *operations, const char *name,
		     struct hd_error *err)
{
	const size_t n = hd_sim_iterations(operations);
	char *label = hd_sim_label(g->sim, point), *text = NULL;

	if (g->n_bars == MOST_BARS) {
		free(label);
		return hd_error_set(err, HD_ERANGE, "--plot-jobs: more than %d jobs", MOST_BARS);
	}
	if (!label || asprintf(&text, "%s%s%s", name, *label ? ", " : "", label) < 0) {
		free(label);
		return hd_error_nomem(err);
	}
	fputs(g->n_bars ? ", " : "", g->labels);
	hd_plot_print_quoted(g->labels, text);
	fprintf(g->labels, " %zu", g->n_bars);
	for (size_t i = 0; i < n && i < MOST_ITERATIONS; i++) {
		struct hd_sim_iteration iteration;

		if (hd_sim_iteration(operations, i, &iteration))
			print_iteration(g, &iteration, (double)g->n_bars);
	}
	g->n_bars++;
	free(label);
	free(text);
	return 0;
}

/* The jobs of the first seed of @point. */
static int print_point(struct gantt *g, size_t point, struct hd_error *err)
{
	json_t *details = hd_sim_details(g->sim, point * hd_sim_seeds(g->sim));
	const size_t n = hd_sim_classes(details);
	int ret = 0;

	for (size_t class = 0; class < n && !ret; class ++) {
		const char *name = hd_sim_class_name(details, class);
		const json_t *operations = hd_sim_operations(details, name);

		if (operations)
			ret = print_job(g, point, operations, name, err);
	}
	json_decref(details);
	return ret;
}

struct unit {
	const char *name;
	double length; /* in the times of details */
};

/* The unit of the axis: its numbers are short. */
static struct unit axis_unit(const struct gantt *g)
{
	static const struct unit units[] = { { "ms", 1e6 }, { "us", 1e3 } };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (g->sim->scenario->clock == HD_CLOCK_TIME && g->end >= 10 * units[i].length)
			return units[i];
	return (struct unit){ unit_of_time(g->sim), 1 };
}

static void print_gantt(const struct gantt *g, const char *boxes, const char *labels, bool is_svg,
			FILE *stream)
{
	const struct unit unit = axis_unit(g);

	print_begin(is_svg, 960, 120 + 44 * (unsigned)g->n_bars, stream);
	fprintf(stream,
		"set xlabel 'time (%s)' noenhanced\nset xrange [0:*]\n"
		"set yrange [%zu.5:-0.5]\nset ytics noenhanced (%s)\n"
		"set tmargin 3\nset key at screen 0.5,0.98 center top horizontal Left reverse "
		"samplen "
		"1.5\nset style fill solid 1 border rgb "
		"'white'\n"
		"$boxes << EOD\n%sEOD\nplot ",
		unit.name, g->n_bars - 1, labels, boxes);
	for (size_t i = 0, n = 0; i < g->n_colours; i++) {
		const bool computes = strcmp(g->names[i], COMPUTING) == 0;

		fprintf(stream,
			"%s$boxes using ($7 == %zu ? $1 / %g : NaN):2:($3 / %g):($4 / %g):5:6 "
			"with boxxyerror lc rgb '%s' title ",
			i ? ", \\\n     " : "", i, unit.length, unit.length, unit.length,
			computes ? "#C8C8C8" : hd_plot_colour(n));
		n += !computes;
		hd_plot_print_quoted(stream, g->names[i]);
		fputs(" noenhanced", stream);
	}
	fputc('\n', stream);
}

static int print_jobs(const struct hd_sim *sim, bool is_svg, FILE *stream, struct hd_error *err)
{
	struct gantt g = { .sim = sim };
	char *boxes = NULL, *labels = NULL;
	size_t boxes_size, labels_size;
	int ret = 0;

	g.boxes = open_memstream(&boxes, &boxes_size);
	g.labels = open_memstream(&labels, &labels_size);
	if (!g.boxes || !g.labels)
		ret = hd_error_nomem(err);
	for (size_t point = 0; point < sim->scenario->n_points && !ret; point++)
		ret = print_point(&g, point, err);
	if (!ret && !g.n_colours)
		ret = hd_error_set(err, HD_EINVAL,
				   "--plot-jobs: no iteration of a collective operation or of "
				   "training has ended");
	if (g.boxes && fclose(g.boxes) && !ret)
		ret = hd_error_nomem(err);
	if (g.labels && fclose(g.labels) && !ret)
		ret = hd_error_nomem(err);
	if (!ret)
		print_gantt(&g, boxes, labels, is_svg, stream);
	free(boxes);
	free(labels);
	return ret;
}

int hd_sim_plot_jobs(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	return draw(sim, path, print_jobs, err);
}
