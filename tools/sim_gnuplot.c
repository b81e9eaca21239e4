// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* gnuplot draws a plot. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "support/error.h"
#include "support/output.h"
#include "tools/program.h"
#include "tools/sim_plot.h"

/* Runs gnuplot; @in and @out are its standard input and output. */
static int run_gnuplot(char *const *argv, int in, int out, struct hd_error *err)
{
	const struct hd_program gnuplot = { argv, "gnuplot, which draws plots,", "gnuplot-nox" };

	return hd_program_run(&gnuplot, in, out, err);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

int hd_sim_plot_path_check(const char *option, const char *path, struct hd_error *err)
{
	static char *const version[] = { "gnuplot", "--version", NULL };
	int null, ret;

	if (!ends_with(path, ".svg") && !ends_with(path, ".png"))
		return hd_error_set(err, HD_EINVAL, "%s: '%s' ends in neither .svg nor .png",
				    option, path);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		return hd_error_set(err, HD_EIO, "/dev/null: %s", strerror(errno));
	ret = run_gnuplot(version, null, null, err);
	close(null);
	return ret;
}

int hd_sim_plot_check(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	struct hd_plot plot;
	int ret = hd_plot_make(sim, &plot, err);

	return ret ? ret : hd_sim_plot_path_check("--plot", path, err);
}

bool hd_plot_is_svg(const char *path)
{
	return ends_with(path, ".svg");
}

int hd_plot_no_file(struct hd_error *err)
{
	return hd_error_set(err, HD_EIO, "no temporary file: %s", strerror(errno));
}

int hd_plot_run(FILE *script, const char *path, struct hd_error *err)
{
	static char *const gnuplot[] = { "gnuplot", "-", NULL };
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	if (fflush(script) || fseek(script, 0, SEEK_SET))
		ret = hd_plot_no_file(err);
	if (!ret)
		ret = run_gnuplot(gnuplot, fileno(script), fileno(output.stream), err);
	if (ret) {
		hd_output_abort(&output);
		return ret;
	}
	return hd_output_commit(&output, err);
}

int hd_sim_plot(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	FILE *script = tmpfile();
	struct hd_plot plot;
	int ret = hd_plot_make(sim, &plot, err);

	if (!script)
		return hd_plot_no_file(err);
	if (!ret) {
		hd_plot_script(&plot, hd_plot_is_svg(path), script);
		ret = hd_plot_run(script, path, err);
	}
	fclose(script);
	return ret;
}
