// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* CSV: every parameter and every result of every run; written, and read to resume a sweep. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uthash.h>

#include "support/error.h"
#include "support/output.h"
#include "support/text.h"
#include "tools/cmd_sim.h"

void hd_sim_print_cell(FILE *stream, const char *text)
{
	if (!strpbrk(text, ",\"")) {
		fputs(text, stream);
		return;
	}
	fputc('"', stream);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', stream);
		fputc(*text, stream);
	}
	fputc('"', stream);
}

static void print_header(const struct hd_sim *sim, FILE *stream)
{
	for (unsigned key = 0; key < HD_N_PARAMETERS; key++)
		fprintf(stream, "%s,", hd_scenario_keys[key].name);
	fputs("seed", stream);
	for (unsigned i = 0; i < hd_sweep_columns(&sim->flows); i++) {
		const struct hd_sweep_column column = hd_sweep_column(&sim->flows, i);

		fprintf(stream, ",%s", column.name);
	}
	fputc('\n', stream);
}

/* Prints the parameters, which tell @run from all others. */
static void print_parameters(FILE *stream, const struct hd_scenario *scenario, size_t run)
{
	for (unsigned key = 0; key < HD_N_PARAMETERS; key++) {
		hd_sim_print_cell(stream,
				  hd_scenario_value(scenario, hd_run_point(scenario, run), key));
		fputc(',', stream);
	}
	fprintf(stream, "%" PRIu64 ",", hd_run_seed(scenario, run));
}

static void print_run(FILE *stream, const struct hd_sim *sim, size_t run)
{
	print_parameters(stream, sim->scenario, run);
	fprintf(stream, "%s\n", sim->outcomes[run].cells);
}

int hd_sim_write_csv(const struct hd_sim *sim, const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	print_header(sim, output.stream);
	for (size_t run = 0; run < sim->scenario->n_runs; run++)
		print_run(output.stream, sim, run);
	return hd_output_commit(&output, err);
}

/* During a sweep */

static bool is_special(const char *path)
{
	struct stat status;

	return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

int hd_sim_partial_open(struct hd_sim *sim, const char *path, bool keep, struct hd_error *err)
{
	struct stat status;

	if (is_special(path))
		return 0;
	if (asprintf(&sim->partial_path, "%s.partial", path) < 0) {
		sim->partial_path = NULL;
		return hd_error_nomem(err);
	}
	sim->partial = fopen(sim->partial_path, keep ? "a" : "w");
	if (!sim->partial || fstat(fileno(sim->partial), &status))
		return hd_error_at(err, HD_EIO, sim->partial_path, 0, "cannot write: %s",
				   strerror(errno));
	if (!status.st_size)
		print_header(sim, sim->partial);
	else
		fputc('\n', sim->partial); /* ends the line that an interrupted process may have
					      left incomplete */
	fflush(sim->partial);
	return 0;
}

void hd_sim_partial_add(struct hd_sim *sim, size_t run)
{
	if (!sim->partial)
		return;
	print_run(sim->partial, sim, run);
	fflush(sim->partial);
}

int hd_sim_partial_close(struct hd_sim *sim, bool is_complete, struct hd_error *err)
{
	int failed = 0;

	if (sim->partial) {
		failed = ferror(sim->partial);
		errno = EIO;
		failed |= fclose(sim->partial);
	}
	sim->partial = NULL;
	if (failed)
		hd_error_at(err, HD_EIO, sim->partial_path, 0, "cannot write: %s", strerror(errno));
	else if (is_complete && sim->partial_path)
		unlink(sim->partial_path);
	free(sim->partial_path);
	sim->partial_path = NULL;
	return failed ? HD_EIO : 0;
}

/* Resuming a sweep */

/* A run, found by its parameters. */
struct known {
	UT_hash_handle hh;
	size_t run;
	size_t length;
	char *parameters;
};

static void free_known(struct known *known, size_t n)
{
	for (size_t i = 0; known && i < n; i++)
		free(known[i].parameters);
	free(known);
}

static char *parameters_of(const struct hd_scenario *scenario, size_t run, size_t *length)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, length);

	if (!stream)
		return NULL;
	print_parameters(stream, scenario, run);
	if (fclose(stream)) {
		free(text);
		return NULL;
	}
	return text;
}

/* The end of the first @n cells of @text, with the comma after them; NULL: there are fewer. */
static const char *skip_cells(const char *text, const char *end, unsigned n)
{
	bool is_quoted = false;

	for (; n && text < end; text++) {
		if (*text == '"')
			is_quoted = !is_quoted;
		else if (*text == ',' && !is_quoted)
			n--;
	}
	return n ? NULL : text;
}

/* Whether the text is the cells of a complete line. */
static bool are_cells(const struct hd_sim *sim, const char *text, const char *end)
{
	unsigned commas = 0;

	for (const char *c = text; c < end; c++) {
		commas += *c == ',';
		if (!strchr("0123456789+-.e,", *c) || !*c)
			return false;
	}
	return commas == hd_sweep_columns(&sim->flows) - 1;
}

static int take_line(struct hd_sim *sim, struct known *table, const struct hd_lines *lines,
		     struct hd_error *err)
{
	const char *cells = skip_cells(lines->begin, lines->end, HD_N_PARAMETERS + 1);
	struct hd_outcome *outcome;
	struct known *known;
	size_t length;

	/* an incomplete line, or a run of another scenario */
	if (!cells || !are_cells(sim, cells, lines->end))
		return 0;
	length = (size_t)(cells - lines->begin);
	HASH_FIND(hh, table, lines->begin, length, known);
	if (!known || sim->outcomes[known->run].cells)
		return 0;
	outcome = &sim->outcomes[known->run];
	outcome->cells = strndup(cells, (size_t)(lines->end - cells));
	outcome->witness = strdup("");
	sim->n_resumed++;
	return outcome->cells && outcome->witness ? 0 : hd_error_nomem(err);
}

static int check_header(const struct hd_sim *sim, const struct hd_lines *lines,
			struct hd_error *err)
{
	char *header = NULL;
	size_t size, length = (size_t)(lines->end - lines->begin);
	FILE *stream = open_memstream(&header, &size);
	bool is_same;

	if (!stream)
		return hd_error_nomem(err);
	print_header(sim, stream);
	if (fclose(stream)) {
		free(header);
		return hd_error_nomem(err);
	}
	is_same = size == length + 1 && memcmp(header, lines->begin, length) == 0;
	free(header);
	return is_same ? 0
		       : hd_error_at(err, HD_EINVAL, lines->file, 1,
				     "not the CSV of such a sweep: other columns");
}

static int take_file(struct hd_sim *sim, struct known *table, const char *path,
		     struct hd_error *err)
{
	struct hd_text text;
	struct hd_lines lines;
	int ret;

	if (access(path, F_OK) != 0)
		return 0;
	ret = hd_text_read(path, &text, err);
	if (ret)
		return ret;
	hd_lines_begin(&lines, path, text.data, text.size);
	if (hd_lines_next(&lines))
		ret = check_header(sim, &lines, err);
	/* in a last line without its end, digits may be missing */
	while (!ret && hd_lines_next(&lines) && lines.end < lines.limit)
		ret = take_line(sim, table, &lines, err);
	hd_text_free(&text);
	return ret;
}

int hd_sim_resume(struct hd_sim *sim, const char *path, struct hd_error *err)
{
	size_t n = sim->scenario->n_runs;
	struct known *known = calloc(n, sizeof(*known)), *table = NULL;
	char *partial = NULL;
	int ret = 0;

	if (is_special(path)) {
		free(known);
		return hd_error_set(err, HD_EINVAL, "--resume needs a file that --csv names");
	}
	if (!known || asprintf(&partial, "%s.partial", path) < 0) {
		free(known);
		return hd_error_nomem(err);
	}
	for (size_t run = 0; !ret && run < n; run++) {
		known[run].run = run;
		known[run].parameters = parameters_of(sim->scenario, run, &known[run].length);
		if (!known[run].parameters)
			ret = hd_error_nomem(err);
		else
			HASH_ADD_KEYPTR(hh, table, known[run].parameters, known[run].length,
					&known[run]);
	}
	if (!ret)
		ret = take_file(sim, table, path, err);
	if (!ret)
		ret = take_file(sim, table, partial, err);
	HASH_CLEAR(hh, table);
	free_known(known, n);
	free(partial);
	return ret;
}
