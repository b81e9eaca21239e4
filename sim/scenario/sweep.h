/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sweeps: the runs of a scenario, computed by several threads or processes in any order. The result
 * of a run depends on the scenario alone.
 */
#ifndef HD_SCENARIO_SWEEP_H
#define HD_SCENARIO_SWEEP_H

#include "sim/scenario/flow_names.h"
#include "sim/scenario/run.h"

/* The result of a run, as text that can be sent and kept. */
struct hd_outcome {
	char *cells;           /* hd_result_print(); NULL: not run */
	char *details;         /* hd_result_details(); NULL: not asked for */
	char *series;          /* hd_series_print(); NULL: not asked for */
	char *witness;         /* hd_result_witness() of a deadlock, otherwise "" */
	const char *why_whole; /* that of hd_result; NULL, too, where another process ran it */
};

struct hd_sweep {
	const struct hd_scenario *scenario;
	struct hd_networks *networks;
	const struct hd_flow_names *flows;    /* whose columns cells have; NULL: none */
	bool with_time;                       /* cells tell how long a run took */
	bool with_details;                    /* make details */
	bool with_series;                     /* make series, which the scenario has steps for */
	const struct hd_trace_request *trace; /* trace of the only run; NULL: none is wanted */
	struct hd_run_threads threads;        /* of each run */
};

static inline size_t hd_run_point(const struct hd_scenario *scenario, size_t run)
{
	return run / scenario->keys[HD_RUN_SEEDS].list.n;
}

static inline uint64_t hd_run_seed(const struct hd_scenario *scenario, size_t run)
{
	const struct hd_values *seeds = &scenario->keys[HD_RUN_SEEDS];

	return seeds->quantities[run % seeds->list.n].whole;
}

/*
 * Free with hd_outcome_clear(). Errors are those of hd_setup_make(), hd_network_make(), hd_run().
 */
int hd_sweep_run(const struct hd_sweep *sweep, size_t run, struct hd_outcome *outcome,
		 struct hd_error *err);
void hd_outcome_clear(struct hd_outcome *outcome);

/* Runs to do, handed out in their order; threads may share it. */
struct hd_work;

/* Takes over the outcome of @run; calls come one after another. */
typedef void (*hd_work_done)(void *context, size_t run, struct hd_outcome *outcome);

/* @runs, ascending, must outlive it. NULL when out of memory. */
struct hd_work *hd_work_new(const size_t *runs, size_t n, hd_work_done done, void *context);
void hd_work_free(struct hd_work *work);

/* The next run to do; false: none is left, or one failed. */
bool hd_work_take(struct hd_work *work, size_t *run);

/* Gives the outcome of a run that was taken: @err->code is 0, or tells why there is no outcome. */
void hd_work_give(struct hd_work *work, size_t run, struct hd_outcome *outcome,
		  const struct hd_error *err);

/*
 * The error of the first run that failed, or 0. Since runs are taken in order, the error does not
 * depend on the number of threads, once all runs that were taken are given back.
 */
int hd_work_error(struct hd_work *work, struct hd_error *err);

/* The threads of each of @n runs, where there are @jobs in all. */
struct hd_run_threads hd_run_threads_left(unsigned jobs, size_t n);

/* Does the rest of @work with @jobs threads, the caller's included. */
void hd_sweep_threads(const struct hd_sweep *sweep, struct hd_work *work, unsigned jobs);

#endif
