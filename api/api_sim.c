// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The performance model of libheddle: a scenario, and the rows that come of it. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "sim/scenario/columns.h"
#include "sim/scenario/flow_names.h"
#include "sim/scenario/sweep.h"

/* The texts of one run: all its cells are in `outcome.cells`, cut at the commas. */
struct row {
	struct hd_outcome outcome;
	char seed[24];
	const char **cells; /* [columns of results] */
};

struct heddle_sim {
	struct heddle_tables *tables; /* NULL: the scenario says which */
	struct hd_scenario *scenario;
	struct hd_flow_names flows;
	enum hd_key swept[HD_N_PARAMETERS]; /* keys that have columns */
	unsigned n_swept;
	struct hd_sweep_column *results;
	unsigned n_results;
	struct row *rows;
	pthread_mutex_t lock;
	char *notes; /* lines; NULL: none */
	bool no_memory;
};

static void note(void *context, char *lines)
{
	struct heddle_sim *sim = context;
	char *all;

	pthread_mutex_lock(&sim->lock);
	if (asprintf(&all, "%s%s", sim->notes ? sim->notes : "", lines) < 0) {
		sim->no_memory = true;
	} else {
		free(sim->notes);
		sim->notes = all;
	}
	pthread_mutex_unlock(&sim->lock);
}

static int read_scenario(struct heddle_sim *sim, const char *text, struct hd_error *err)
{
	int ret;

	if (!text)
		return hd_error_set(err, HD_EINVAL, "there is no scenario");
	sim->scenario = hd_scenario_new();
	if (!sim->scenario)
		return hd_error_nomem(err);
	sim->scenario->given = sim->tables ? sim->tables->snapshot : NULL;
	ret = hd_scenario_read_text(sim->scenario, "scenario", text, strlen(text), err);
	if (!ret)
		ret = hd_scenario_finish(sim->scenario, err);
	return ret ? ret : hd_flow_names_find(&sim->flows, sim->scenario, err);
}

static int make_columns(struct heddle_sim *sim, struct hd_error *err)
{
	for (unsigned key = 0; key < HD_N_PARAMETERS; key++)
		if (hd_scenario_is_swept(sim->scenario, key))
			sim->swept[sim->n_swept++] = key;
	sim->n_results = hd_sweep_columns(&sim->flows);
	sim->results = calloc(sim->n_results, sizeof(*sim->results));
	sim->rows = calloc(sim->scenario->n_runs, sizeof(*sim->rows));
	if (!sim->results || !sim->rows)
		return hd_error_nomem(err);
	for (unsigned i = 0; i < sim->n_results; i++)
		sim->results[i] = hd_sweep_column(&sim->flows, i);
	return 0;
}

static void done(void *context, size_t run, struct hd_outcome *outcome)
{
	struct heddle_sim *sim = context;

	sim->rows[run].outcome = *outcome;
}

/* Does all runs, with @jobs threads. */
static int sweep(struct heddle_sim *sim, unsigned jobs, struct hd_error *err)
{
	const size_t n = sim->scenario->n_runs;
	struct hd_sweep sweep = {
		.scenario = sim->scenario,
		.networks = hd_networks_new(sim->scenario, note, sim),
		.flows = &sim->flows,
		.with_time = true,
		.threads = hd_run_threads_left(jobs, n),
	};
	size_t *runs = malloc(n * sizeof(*runs));
	struct hd_work *work = runs ? hd_work_new(runs, n, done, sim) : NULL;
	int ret = HD_ENOMEM;

	if (work && sweep.networks) {
		for (size_t run = 0; run < n; run++) {
			runs[run] = run;
			hd_networks_expect(sweep.networks, hd_run_point(sim->scenario, run), 1);
		}
		hd_sweep_threads(&sweep, work, jobs ? jobs : 1);
		ret = hd_work_error(work, err);
	}
	if (ret == HD_ENOMEM || sim->no_memory)
		ret = hd_error_nomem(err);
	hd_work_free(work);
	hd_networks_free(sweep.networks);
	free(runs);
	return ret;
}

/* Cuts the cells of a row. */
static int cut(struct heddle_sim *sim, size_t run, struct hd_error *err)
{
	struct row *row = &sim->rows[run];
	char *rest = row->outcome.cells;

	row->cells = calloc(sim->n_results, sizeof(*row->cells));
	if (!row->cells)
		return hd_error_nomem(err);
	snprintf(row->seed, sizeof(row->seed), "%" PRIu64, hd_run_seed(sim->scenario, run));
	for (unsigned i = 0; i < sim->n_results; i++)
		row->cells[i] = rest ? strsep(&rest, ",") : "";
	return 0;
}

static int run(struct heddle_sim *sim, const struct heddle_sim_request *request,
	       struct hd_error *err)
{
	int ret;

	if (request->tables)
		sim->tables = hd_api_hold_tables(request->tables);
	ret = read_scenario(sim, request->scenario, err);
	if (!ret)
		ret = make_columns(sim, err);
	if (!ret)
		ret = sweep(sim, request->jobs, err);
	for (size_t i = 0; !ret && i < sim->scenario->n_runs; i++)
		ret = cut(sim, i, err);
	return ret;
}

enum heddle_status heddle_sim_run(const struct heddle_sim_request *request, struct heddle_sim **sim,
				  struct heddle_error *error)
{
	struct heddle_sim_request own;
	struct heddle_sim *made = calloc(1, sizeof(*made));
	struct hd_error err = { 0 };
	locale_t locale = hd_api_enter();
	int ret = made ? hd_api_take(&own, sizeof(own), request, &err) : hd_error_nomem(&err);

	*sim = NULL;
	if (made)
		pthread_mutex_init(&made->lock, NULL);
	if (!ret)
		ret = run(made, &own, &err);
	hd_api_leave(locale);
	if (ret)
		heddle_sim_free(made);
	else
		*sim = made;
	return hd_api_done(error, ret, &err);
}

/* The column of a key, of the seed. */
static void tell_key(const struct heddle_sim *sim, enum hd_key key, struct heddle_column *own)
{
	const struct hd_scenario_key *k = &hd_scenario_keys[key];
	const struct hd_option *option = hd_scenario_option(k, sim->scenario->clock);

	own->name = key == HD_RUN_SEEDS ? "seed" : k->name;
	own->unit = key == HD_RUN_SEEDS ? "" : option->unit;
	own->help = option->help;
	own->is_text = key != HD_RUN_SEEDS;
}

static void tell_result(const struct heddle_sim *sim, unsigned i, struct heddle_column *own)
{
	const struct hd_sweep_column *column = &sim->results[i];

	own->name = column->name;
	own->unit = hd_result_unit(column->unit, sim->scenario->clock);
	own->help = column->help;
	own->is_flag = column->is_flag;
}

enum heddle_status heddle_sim_column(const struct heddle_sim *sim, uint32_t number,
				     struct heddle_column *column, struct heddle_error *error)
{
	struct heddle_column own;
	struct hd_error err = { 0 };
	int ret = hd_api_take(&own, sizeof(own), column, &err);

	if (ret)
		return hd_api_done(error, ret, &err);
	own = (struct heddle_column){ .n_rows = sim->scenario->n_runs };
	if (number > sim->n_swept + sim->n_results)
		return hd_api_no(error, "there is no column %u", number);
	if (number <= sim->n_swept)
		tell_key(sim, number < sim->n_swept ? sim->swept[number] : HD_RUN_SEEDS, &own);
	else
		tell_result(sim, number - sim->n_swept - 1, &own);
	hd_api_give(&own, sizeof(own), column);
	return hd_api_done(error, 0, &err);
}

/* NaN: @text is no number. */
static double number_of(const char *text)
{
	locale_t locale = hd_api_enter();
	char *end;
	double value = strtod(text, &end);

	hd_api_leave(locale);
	return end == text || *end ? (double)NAN : value;
}

const char *heddle_sim_cell(const struct heddle_sim *sim, size_t row, uint32_t column,
			    double *value)
{
	const char *text = NULL;

	if (row < sim->scenario->n_runs && column <= sim->n_swept + sim->n_results)
		text = column < sim->n_swept
			       ? hd_scenario_value(sim->scenario, hd_run_point(sim->scenario, row),
						   sim->swept[column])
		       : column == sim->n_swept ? sim->rows[row].seed
						: sim->rows[row].cells[column - sim->n_swept - 1];
	if (value)
		*value = text ? number_of(text) : (double)NAN;
	return text;
}

const char *heddle_sim_notes(const struct heddle_sim *sim)
{
	return sim->notes ? sim->notes : "";
}

void heddle_sim_free(struct heddle_sim *sim)
{
	if (!sim)
		return;
	for (size_t i = 0; sim->rows && i < sim->scenario->n_runs; i++) {
		hd_outcome_clear(&sim->rows[i].outcome);
		free(sim->rows[i].cells);
	}
	free(sim->rows);
	free(sim->results);
	hd_flow_names_clear(&sim->flows);
	hd_scenario_free(sim->scenario);
	heddle_tables_free(sim->tables);
	pthread_mutex_destroy(&sim->lock);
	free(sim->notes);
	free(sim);
}
