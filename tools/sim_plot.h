/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a plot shows of a sweep: panels, curves, and gnuplot, which draws them. */
#ifndef HD_TOOLS_SIM_PLOT_H
#define HD_TOOLS_SIM_PLOT_H

#include "tools/cmd_sim.h"

#define HD_PLOT_PANELS 64

/*
 * A panel for every column of results (plot.y) and every combination of the swept keys that are
 * neither on the x axis nor tell curves apart.
 */
struct hd_plot {
	const struct hd_sim *sim;
	enum hd_key x;
	bool is_series[HD_N_PARAMETERS]; /* keys that tell curves apart */
	unsigned y[HD_PLOT_PANELS];      /* columns of results */
	unsigned n_y;
	size_t n_rows, n_curves;
	bool is_category; /* values on the x axis are words */
};

/*
 * HD_EINVAL: plot.x, plot.y or plot.series names something that cannot be drawn; HD_ERANGE: too
 * much.
 */
int hd_plot_make(const struct hd_sim *sim, struct hd_plot *plot, struct hd_error *err);

/* The panel row and the curve of @point. */
size_t hd_plot_row(const struct hd_plot *plot, size_t point);
size_t hd_plot_curve(const struct hd_plot *plot, size_t point);

/* "engine=dla, voq=yes" of the keys that tell rows or curves apart. Free with free(). */
char *hd_plot_label(const struct hd_plot *plot, size_t point, bool of_curve);

/* The colour and the dashes of a curve. */
const char *hd_plot_colour(size_t curve);
size_t hd_plot_dash(size_t curve);

/* Prints text in single quotes. */
void hd_plot_print_quoted(FILE *stream, const char *text);

/* Whether @path is to be an SVG. */
bool hd_plot_is_svg(const char *path);

/* Lets gnuplot draw @path by @script, which was written to and stays open. HD_EIO, HD_EINVAL. */
int hd_plot_run(FILE *script, const char *path, struct hd_error *err);

/* There is no temporary file for a script. HD_EIO. */
int hd_plot_no_file(struct hd_error *err);

/* Writes the gnuplot script. @is_svg: for SVG, otherwise for PNG. */
void hd_plot_script(const struct hd_plot *plot, bool is_svg, FILE *stream);

#endif
