/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle sim: a sweep and its outcomes, as printed, written and drawn. */
#ifndef HD_TOOLS_CMD_SIM_H
#define HD_TOOLS_CMD_SIM_H

#include <stdio.h>
#include <time.h>

#include "sim/measure/statistics.h"
#include "sim/scenario/columns.h"
#include "sim/scenario/sweep.h"
#include "tools/command.h"

struct hd_error;

/* The command line. */
struct hd_sim_arguments {
	struct hd_common common;
	const char *input;
	const char *engine, *layers, *queues;
	char **pairs; /* of -s */
	size_t n_pairs;
	char *engine_options; /* of -O, divided by blanks */
	const char *csv, *json, *plot, *series, *plot_series;
	const char *timeline, *plot_fct, *plot_jobs;
	const char *trace; /* NULL: nothing is followed */
	uint64_t jobs;     /* 0: as many as there are processors */
	uint64_t threads;  /* of each run; 0: what `jobs` leaves */
	bool resume, no_time;
};

/*
 * Makes the scenario of the command line and the flow classes of all points; the caller clears
 * them. All values are read, and every point is possible. HD_EPARSE, HD_EINVAL and others, with
 * file and line where they have some.
 */
int hd_sim_scenario(const struct hd_sim_arguments *arguments, struct hd_scenario *scenario,
		    struct hd_flow_names *flows, struct hd_error *err);

struct hd_sim {
	const struct hd_common *common;
	struct hd_scenario *scenario;
	struct hd_flow_names flows;
	struct hd_sweep sweep;
	struct hd_ranks *ranks; /* processes that do the only run together; NULL: there are none */
	struct hd_trace_request trace;
	struct hd_outcome *outcomes; /* [run] */
	double *values;              /* [seed], of one column: room for hd_sim_mean() */
	size_t n_resumed, n_done;    /* runs; the latter includes the former */
	struct timespec begin;
	FILE *partial; /* where every run is appended when it is done; NULL: nowhere */
	char *partial_path;
};

static inline size_t hd_sim_seeds(const struct hd_sim *sim)
{
	return sim->scenario->keys[HD_RUN_SEEDS].list.n;
}

/* Result @column of @point: the mean over its seeds, with its confidence interval. */
struct hd_mean hd_sim_mean(const struct hd_sim *sim, size_t point, unsigned column);

/*
 * "traffic.load=0.5, switch.voq=yes" of the keys that are swept, "" when there are none. Free with
 * free().
 */
char *hd_sim_label(const struct hd_sim *sim, size_t point);

/* A cell of CSV; quoted where it must be (RFC 4180). */
void hd_sim_print_cell(FILE *stream, const char *text);

/*
 * CSV. During a sweep, every run is appended to PATH.partial when it is done, in any order, so that
 * nothing is lost; at the end PATH is written in order and takes its place.
 */

/*
 * Opens PATH.partial; @keep: with its former contents. Does nothing for a pipe or standard output.
 * HD_EIO, HD_ENOMEM.
 */
int hd_sim_partial_open(struct hd_sim *sim, const char *path, bool keep, struct hd_error *err);

/* Appends @run. Failures to write are told when the sweep is over. */
void hd_sim_partial_add(struct hd_sim *sim, size_t run);

/* Closes PATH.partial; @is_complete: PATH has all, and PATH.partial is removed. HD_EIO. */
int hd_sim_partial_close(struct hd_sim *sim, bool is_complete, struct hd_error *err);

/*
 * Takes the outcomes of runs of this very scenario from PATH and PATH.partial, where they exist.
 * HD_EINVAL: a file of other columns; HD_EIO; HD_ENOMEM.
 */
int hd_sim_resume(struct hd_sim *sim, const char *path, struct hd_error *err);

int hd_sim_write_csv(const struct hd_sim *sim, const char *path, struct hd_error *err);
int hd_sim_write_json(const struct hd_sim *sim, const char *path, struct hd_error *err);

/*
 * Checks that a plot can be drawn. HD_EINVAL: no such axis, no gnuplot, or a name that ends in
 * neither .svg nor .png.
 */
int hd_sim_plot_check(const struct hd_sim *sim, const char *path, struct hd_error *err);
int hd_sim_plot(const struct hd_sim *sim, const char *path, struct hd_error *err);

/* The time series, as CSV and drawn. */
int hd_sim_write_series(const struct hd_sim *sim, const char *path, struct hd_error *err);
/* As hd_sim_plot_check(); @option draws @path. */
int hd_sim_plot_path_check(const char *option, const char *path, struct hd_error *err);
int hd_sim_plot_series(const struct hd_sim *sim, const char *path, struct hd_error *err);

/*
 * Jobs: their time line as JSON, the distribution of flow completion times, and when they computed
 * and communicated. Runs have details. HD_EINVAL: there is nothing to draw; HD_ERANGE: too much.
 */
int hd_sim_write_timeline(const struct hd_sim *sim, const char *path, struct hd_error *err);
int hd_sim_plot_fct(const struct hd_sim *sim, const char *path, struct hd_error *err);
int hd_sim_plot_jobs(const struct hd_sim *sim, const char *path, struct hd_error *err);

/* A table of points, or the measures of a single one. HD_ENOMEM. */
int hd_sim_print(const struct hd_sim *sim, struct hd_error *err);

/* Prints on a terminal how many runs are done, and when the others will be. */
void hd_sim_progress(const struct hd_sim *sim);
void hd_sim_progress_end(const struct hd_sim *sim);

/* Processes that mpirun started, one without mpirun; sim_mpi.c. */
struct hd_sim_processes {
	int rank, n;
	bool has_to_succeed; /* mpirun prints for any status but 0 that the job was aborted */
};

struct hd_sim_processes hd_sim_mpi_begin(int *argc, char ***argv);

/* Whether @failed is false in all processes; each must call it. */
bool hd_sim_mpi_agree(struct hd_sim_processes processes, bool failed);

/* Does @work with all processes; each must call it, those other than rank 0 without @work. */
void hd_sim_mpi_sweep(const struct hd_sweep *sweep, struct hd_work *work, unsigned jobs,
		      struct hd_sim_processes processes);

/*
 * For a single run that all processes do together: goes to the threads of the sweep. NULL: no
 * memory.
 */
struct hd_ranks *hd_sim_mpi_ranks(struct hd_sim_processes processes);
void hd_sim_mpi_ranks_free(struct hd_ranks *ranks);

/* The greatest @status of all processes; each must call it, so that all exit alike. */
int hd_sim_mpi_status(struct hd_sim_processes processes, int status);
void hd_sim_mpi_end(struct hd_sim_processes processes);

#endif
