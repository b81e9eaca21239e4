// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle sim: the performance model, one run or a sweep. */
#include "tools/cmd_sim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/scenario/setup.h"
#include "support/error.h"
#include "support/printable.h"
#include "tools/open_input.h"

enum {
	KEY_CSV = HD_KEY_OWN,
	KEY_JSON,
	KEY_PLOT,
	KEY_SERIES,
	KEY_PLOT_SERIES,
	KEY_RESUME,
	KEY_NO_TIME,
	KEY_TRACE,
	KEY_NO_PROOF,
	KEY_THREADS,
	KEY_TIMELINE,
	KEY_PLOT_FCT,
	KEY_PLOT_JOBS,
};

static const struct argp_option options[] = {
	{ "engine", 'e', "ENGINE", 0, "As -s routing.engine=ENGINE; a list sweeps", 0 },
	{ "option", 'O', "KEY=VALUE", 0, "Option of the engine", 0 },
	{ "layers", 'l', "LAYERS", 0, "As -s routing.layers=LAYERS", 0 },
	{ "queues", 'q', "QUEUES:N", 0, "As -s routing.queues=QUEUES:N", 0 },
	{ "set", 's', "SECTION.KEY=VALUE", 0,
	  "Set a key of the scenario (heddle list scenario); a list or range sweeps", 0 },
	{ "csv", KEY_CSV, "FILE", 0, "Write every run, with every parameter, as CSV", 0 },
	{ "json", KEY_JSON, "FILE", 0,
	  "Write JSON, with units, flow classes, links, time series and histograms", 0 },
	{ "plot", KEY_PLOT, "FILE", 0, "Draw curves with gnuplot, to a .svg or .png", 0 },
	{ "series", KEY_SERIES, "FILE", 0,
	  "Write the time series as CSV; run.series is the length of a step", 0 },
	{ "plot-series", KEY_PLOT_SERIES, "FILE", 0, "Draw the time series, to a .svg or .png", 0 },
	{ "timeline", KEY_TIMELINE, "FILE", 0,
	  "Write iterations and operations of jobs, and flows (run.flows), as JSON for Perfetto",
	  0 },
	{ "plot-fct", KEY_PLOT_FCT, "FILE", 0,
	  "Draw the distribution of flow completion times, to a .svg or .png", 0 },
	{ "plot-jobs", KEY_PLOT_JOBS, "FILE", 0,
	  "Draw when jobs compute and communicate, to a .svg or .png", 0 },
	{ "jobs", 'j', "N", 0,
	  "Use N threads: for runs side by side, and those that are left within each run (default: "
	  "one for each processor)",
	  0 },
	{ "threads", KEY_THREADS, "N", 0,
	  "Divide each run among N threads, however small the fabric is; results are the same", 0 },
	{ "resume", KEY_RESUME, NULL, 0, "Continue the parameter sweep whose runs the CSV file has",
	  0 },
	{ "trace", KEY_TRACE, "PACKET|HOST", 0,
	  "Print the steps of the PACKET-th packet, or of all packets that HOST sends, in a single "
	  "run",
	  0 },
	{ "no-proof", KEY_NO_PROOF, NULL, 0,
	  "Run adaptive routing without a proof, as -s routing.proof=no", 0 },
	{ "no-time", KEY_NO_TIME, NULL, 0,
	  "Leave wall_s empty, so that equal runs give equal files", 0 },
	{ 0 }
};

static error_t add_engine_option(const char *pair, struct hd_sim_arguments *arguments,
				 struct argp_state *state)
{
	char *joined;

	if (asprintf(&joined, "%s%s%s", arguments->engine_options ? arguments->engine_options : "",
		     arguments->engine_options ? " " : "", pair) < 0)
		return hd_usage_error(state, "out of memory");
	free(arguments->engine_options);
	arguments->engine_options = joined;
	return 0;
}

/* How many of the files are standard output. */
static unsigned n_on_stdout(const struct hd_sim_arguments *arguments)
{
	const char *const files[] = { arguments->csv, arguments->json, arguments->series,
				      arguments->timeline };
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		n += files[i] && strcmp(files[i], "-") == 0;
	return n;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hd_sim_arguments *arguments = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case 'e':
		arguments->engine = arg;
		return 0;
	case 'O':
		return add_engine_option(arg, arguments, state);
	case 'l':
		arguments->layers = arg;
		return 0;
	case 'q':
		arguments->queues = arg;
		return 0;
	case 's':
		arguments->pairs[arguments->n_pairs++] = arg;
		return 0;
	case 'j':
		return hd_usage_number(state, "-j", arg, 1, 1024, &arguments->jobs);
	case KEY_THREADS:
		return hd_usage_number(state, "--threads", arg, 1, 255, &arguments->threads);
	case KEY_CSV:
		arguments->csv = arg;
		return 0;
	case KEY_JSON:
		arguments->json = arg;
		return 0;
	case KEY_PLOT:
		arguments->plot = arg;
		return 0;
	case KEY_SERIES:
		arguments->series = arg;
		return 0;
	case KEY_PLOT_SERIES:
		arguments->plot_series = arg;
		return 0;
	case KEY_TIMELINE:
		arguments->timeline = arg;
		return 0;
	case KEY_PLOT_FCT:
		arguments->plot_fct = arg;
		return 0;
	case KEY_PLOT_JOBS:
		arguments->plot_jobs = arg;
		return 0;
	case KEY_RESUME:
		arguments->resume = true;
		return 0;
	case KEY_TRACE:
		arguments->trace = arg;
		return 0;
	case KEY_NO_PROOF:
		arguments->pairs[arguments->n_pairs++] = "routing.proof=no";
		return 0;
	case KEY_NO_TIME:
		arguments->no_time = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_argument(state, key, "SNAPSHOT, FABRIC or SCENARIO", arg,
					   &arguments->input);
		if (status || key == ARGP_KEY_ARG)
			return status;
		if (arguments->resume && !arguments->csv)
			return hd_usage_error(state, "--resume needs --csv FILE");
		if (arguments->resume && (arguments->series || arguments->plot_series))
			return hd_usage_error(state, "--resume: no CSV has the time series of "
						     "what was done");
		if (arguments->resume &&
		    (arguments->timeline || arguments->plot_fct || arguments->plot_jobs))
			return hd_usage_error(state, "--resume: no CSV has the times of jobs and "
						     "messages");
		if (arguments->trace && n_on_stdout(arguments))
			return hd_usage_error(state, "--trace prints to standard output, and so "
						     "does '-'");
		if (n_on_stdout(arguments) > 1)
			return hd_usage_error(state, "two of --csv -, --json -, --series - and "
						     "--timeline - mean standard output");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "SNAPSHOT|FABRIC|SCENARIO",
	.doc = "Simulates traffic on switches that forward by the tables of SNAPSHOT, or of an "
	       "engine on FABRIC, "
	       "or all that SCENARIO says: one run, or a sweep over lists and ranges of values. "
	       "Prints "
	       "accepted load and latency. Exit status: 0 done, 1 a deadlock or an engine that "
	       "refuses, 2 unusable input."
	       "\v"
	       "Example:\n"
	       "  heddle sim dragonfly:a=4,p=2,h=2 -s traffic.load=0.1:1:0.1 --plot x.svg",
	.children = children,
};

static void done(void *context, size_t run, struct hd_outcome *outcome)
{
	struct hd_sim *sim = context;

	sim->outcomes[run] = *outcome;
	sim->n_done++;
	hd_sim_partial_add(sim, run);
	hd_sim_progress(sim);
}

/* Does the runs that were not done before. */
static int sweep(const struct hd_sim_arguments *arguments, struct hd_sim *sim,
		 struct hd_sim_processes processes, struct hd_error *err)
{
	size_t n = 0, *runs = malloc(sim->scenario->n_runs * sizeof(*runs));
	long jobs = arguments->jobs ? (long)arguments->jobs
				    : (processes.n > 1 ? 1 : sysconf(_SC_NPROCESSORS_ONLN));
	struct hd_work *work;
	int ret;

	if (!runs)
		return hd_error_nomem(err);
	for (size_t run = 0; run < sim->scenario->n_runs; run++)
		if (!sim->outcomes[run].cells) {
			hd_networks_expect(sim->sweep.networks, hd_run_point(sim->scenario, run),
					   1);
			runs[n++] = run;
		}
	sim->sweep.threads = hd_run_threads_left(jobs < 1 ? 1 : (unsigned)jobs, n);
	if (arguments->threads)
		sim->sweep.threads = (struct hd_run_threads){ .n = (unsigned)arguments->threads,
							      .always = true };
	sim->sweep.threads.ranks = sim->ranks;
	sim->n_done = sim->n_resumed;
	clock_gettime(CLOCK_MONOTONIC, &sim->begin);
	work = hd_work_new(runs, n, done, sim);
	if (!work) {
		free(runs);
		return hd_error_nomem(err);
	}
	hd_sim_mpi_sweep(&sim->sweep, work, jobs < 1 ? 1 : (unsigned)jobs, processes);
	hd_sim_progress_end(sim);
	ret = hd_work_error(work, err);
	hd_work_free(work);
	free(runs);
	return ret;
}

/* Users who ask for threads, or processes, should know where they get none. */
static void tell_whole(const struct hd_sim *sim)
{
	const char *why = NULL;
	size_t n = 0;

	for (size_t run = 0; run < sim->scenario->n_runs; run++) {
		if (!sim->outcomes[run].why_whole)
			continue;
		why = sim->outcomes[run].why_whole;
		n++;
	}
	if (n && sim->ranks)
		hd_note(sim->common, "mpirun: each process does all of the run: %s", why);
	else if (n)
		hd_note(sim->common, "--threads: %zu of %zu runs stay on one thread: %s", n,
			sim->scenario->n_runs, why);
}

/* Not by hd_note(), which cuts a line at a fixed length: a circle of channels may be longer. */
static void print_deadlock(char *label, char *witness)
{
	fprintf(stderr, "heddle: deadlock%s%s%s%s\n", *label ? " at " : "",
		hd_make_printable(label), *witness ? ": " : "", hd_make_printable(witness));
}

/* Tells of deadlocks, and of windows that were too short. True when there was a deadlock. */
static bool tell(const struct hd_sim *sim)
{
	unsigned deadlock = hd_result_column_find("deadlock");
	unsigned steady = hd_result_column_find("steady");
	unsigned makespan = hd_result_column_find("makespan");
	unsigned levels = hd_result_column_find("levels");
	unsigned repetitions = hd_result_column_find("repetitions");
	unsigned repetition = hd_result_column_find("repetition");
	size_t n_unfinished = 0;
	size_t n_unsteady = 0;
	bool any = false;

	for (size_t run = 0; run < sim->scenario->n_runs; run++) {
		const struct hd_outcome *outcome = &sim->outcomes[run];
		char *label;

		if (!(hd_cell_number(outcome->cells, deadlock) > 0)) {
			n_unfinished += hd_cell_number(outcome->cells, levels) > 0 &&
					!(hd_cell_number(outcome->cells, makespan) > 0);
			n_unfinished += hd_cell_number(outcome->cells, repetitions) >= 0 &&
					!(hd_cell_number(outcome->cells, repetition) > 0);
			/* what has come to its end is no matter of steadiness */
			n_unsteady += !(hd_cell_number(outcome->cells, steady) > 0) &&
				      !(hd_cell_number(outcome->cells, makespan) > 0);
			continue;
		}
		any = true;
		label = hd_sim_label(sim, hd_run_point(sim->scenario, run));
		if (label)
			print_deadlock(label, outcome->witness);
		free(label);
	}
	if (n_unfinished)
		hd_note(sim->common,
			"in %zu of %zu runs the application or operation did not come to its end: "
			"it "
			"has no makespan (a longer run.measure may help, unless packets were lost)",
			n_unfinished, sim->scenario->n_runs);
	else if (n_unsteady)
		hd_note(sim->common,
			"%zu of %zu runs are not shown to be steady (a longer run.warmup or "
			"run.measure may help, or run.measure = auto with a greater run.longest)",
			n_unsteady, sim->scenario->n_runs);
	return any;
}

static int write_all(const struct hd_sim_arguments *arguments, struct hd_sim *sim,
		     struct hd_error *err)
{
	int ret = 0;

	if (arguments->csv)
		ret = hd_sim_write_csv(sim, arguments->csv, err);
	if (!ret && arguments->json)
		ret = hd_sim_write_json(sim, arguments->json, err);
	if (!ret && arguments->plot)
		ret = hd_sim_plot(sim, arguments->plot, err);
	if (!ret && arguments->series)
		ret = hd_sim_write_series(sim, arguments->series, err);
	if (!ret && arguments->plot_series)
		ret = hd_sim_plot_series(sim, arguments->plot_series, err);
	if (!ret && arguments->timeline)
		ret = hd_sim_write_timeline(sim, arguments->timeline, err);
	if (!ret && arguments->plot_fct)
		ret = hd_sim_plot_fct(sim, arguments->plot_fct, err);
	if (!ret && arguments->plot_jobs)
		ret = hd_sim_plot_jobs(sim, arguments->plot_jobs, err);
	if (!ret && !n_on_stdout(arguments))
		ret = hd_sim_print(sim, err);
	return ret;
}

static void note(void *context, char *lines)
{
	const struct hd_sim *sim = context;

	hd_input_notes(sim->common, lines);
}

/* Tells what users should know of the patterns, once each. */
static void tell_remarks(const struct hd_sim *sim)
{
	char last[256] = "", line[256];

	for (size_t point = 0; point < sim->scenario->n_points; point++) {
		struct hd_setup setup;
		struct hd_error ignored;

		if (hd_setup_make(sim->scenario, point, &setup, &ignored))
			continue;
		for (size_t i = 0; i < setup.n_phases; i++) {
			hd_traffic_remark(setup.phases[i].pattern, line, sizeof(line));
			if (*line && strcmp(line, last) != 0)
				hd_note(sim->common, "%s", line);
			if (*line)
				memcpy(last, line, sizeof(last));
		}
		hd_setup_clear(&setup);
	}
}

static int prepare(const struct hd_sim_arguments *arguments, struct hd_sim *sim,
		   struct hd_error *err)
{
	int ret = hd_sim_scenario(arguments, sim->scenario, &sim->flows, err);

	if (ret)
		return ret;
	sim->sweep = (struct hd_sweep){
		.scenario = sim->scenario,
		.networks = hd_networks_new(sim->scenario, note, sim),
		.flows = &sim->flows,
		.with_time = !arguments->no_time,
		.with_details = arguments->json || arguments->timeline || arguments->plot_fct ||
				arguments->plot_jobs,
		.with_series = arguments->series || arguments->plot_series,
	};
	if (sim->sweep.with_series && !*sim->scenario->keys[HD_RUN_SERIES].list.items[0])
		return hd_error_set(err, HD_EINVAL,
				    "a time series needs the length of its steps: run.series");
	if (arguments->trace && sim->scenario->n_runs > 1)
		return hd_error_set(err, HD_EINVAL, "--trace is for a single run, not %zu",
				    sim->scenario->n_runs);
	if (arguments->trace) {
		bool cycles = sim->scenario->clock == HD_CLOCK_CYCLES;

		sim->trace = (struct hd_trace_request){
			.what = arguments->trace,
			.file = stdout,
			.unit = cycles ? HD_TICKS_PER_CYCLE : 1000,
			.unit_name = cycles ? "cycles" : "ns",
		};
		sim->sweep.trace = &sim->trace;
	}
	sim->outcomes = calloc(sim->scenario->n_runs, sizeof(*sim->outcomes));
	sim->values = calloc(hd_sim_seeds(sim), sizeof(*sim->values));
	if (!sim->sweep.networks || !sim->outcomes || !sim->values)
		return hd_error_nomem(err);
	return 0;
}

/* Prepares the files before a sweep; only rank 0 does so. */
static int prepare_files(const struct hd_sim_arguments *arguments, struct hd_sim *sim,
			 struct hd_error *err)
{
	int ret = 0;

	if (arguments->plot)
		ret = hd_sim_plot_check(sim, arguments->plot, err);
	if (!ret && arguments->plot_series)
		ret = hd_sim_plot_path_check("--plot-series", arguments->plot_series, err);
	if (!ret && arguments->plot_fct)
		ret = hd_sim_plot_path_check("--plot-fct", arguments->plot_fct, err);
	if (!ret && arguments->plot_jobs)
		ret = hd_sim_plot_path_check("--plot-jobs", arguments->plot_jobs, err);
	if (!ret && arguments->resume)
		ret = hd_sim_resume(sim, arguments->csv, err);
	if (!ret && arguments->csv)
		ret = hd_sim_partial_open(sim, arguments->csv, arguments->resume, err);
	return ret;
}

/* Does all that only rank 0 does. */
static int lead(const struct hd_sim_arguments *arguments, struct hd_sim *sim,
		struct hd_sim_processes processes, struct hd_error *err)
{
	struct hd_error ignored;
	int ret = sweep(arguments, sim, processes, err);

	if (!ret)
		ret = write_all(arguments, sim, err);
	if (hd_sim_partial_close(sim, !ret, ret ? &ignored : err) && !ret)
		ret = HD_EIO;
	return ret;
}

static int simulate(const struct hd_sim_arguments *arguments, struct hd_sim *sim,
		    struct hd_sim_processes processes)
{
	struct hd_error err, ignored;
	int ret = prepare(arguments, sim, &err);

	/* all processes know this alike, but not what a file of results has already */
	if (!ret && processes.n > 1 && sim->scenario->n_runs == 1 && !arguments->resume &&
	    !arguments->trace) {
		sim->ranks = hd_sim_mpi_ranks(processes);
		ret = sim->ranks ? 0 : hd_error_nomem(&err);
	}
	if (!ret && !processes.rank)
		ret = prepare_files(arguments, sim, &err);
	if (!hd_sim_mpi_agree(processes, ret)) {
		if (processes.rank)
			return HD_EXIT_YES; /* rank 0 tells why */
		if (!ret)
			hd_error_set(&err, HD_EINVAL, "another process cannot read its input");
		hd_sim_partial_close(sim, false, &ignored);
		return hd_command_fail(&err);
	}
	if (processes.rank) {
		sim->sweep.threads.ranks = sim->ranks;
		hd_sim_mpi_sweep(&sim->sweep, NULL, 1, processes);
		return HD_EXIT_YES;
	}
	if (lead(arguments, sim, processes, &err))
		return hd_command_fail(&err);
	tell_remarks(sim);
	if (arguments->threads || sim->ranks)
		tell_whole(sim);
	if (!tell(sim))
		return HD_EXIT_YES;
	/* a deadlock is a result, and all results are there: the job was not aborted */
	return processes.has_to_succeed ? HD_EXIT_YES : HD_EXIT_NO;
}

static int run(int argc, char **argv)
{
	struct hd_sim_arguments arguments = { .pairs = calloc((size_t)argc, sizeof(char *)) };
	struct hd_sim sim = { .common = &arguments.common, .scenario = hd_scenario_new() };
	struct hd_sim_processes processes = hd_sim_mpi_begin(&argc, &argv);
	int status = HD_EXIT_UNUSABLE;
	struct hd_error err;

	if (!arguments.pairs || !sim.scenario) {
		hd_error_nomem(&err);
		status = hd_command_fail(&err);
	} else if (hd_command_parse(&argp, argc, argv, &arguments) == 0) {
		/* usage is the same in all processes, so either all come here or none */
		status = simulate(&arguments, &sim, processes);
	}
	status = hd_sim_mpi_status(processes, status);
	for (size_t i = 0; sim.outcomes && i < sim.scenario->n_runs; i++)
		hd_outcome_clear(&sim.outcomes[i]);
	free(sim.outcomes);
	free(sim.values);
	hd_sim_mpi_ranks_free(sim.ranks);
	hd_networks_free(sim.sweep.networks);
	hd_scenario_free(sim.scenario);
	hd_flow_names_clear(&sim.flows);
	free(arguments.pairs);
	free(arguments.engine_options);
	hd_sim_mpi_end(processes);
	return status;
}

const struct hd_command hd_command_sim = {
	.name = "sim",
	.summary = "simulate traffic: accepted load, latency, fairness",
	.run = run,
};
