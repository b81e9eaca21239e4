// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/sweep.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/model/ranks.h"
#include "sim/scenario/columns.h"
#include "sim/scenario/details.h"
#include "sim/scenario/series_text.h"
#include "support/error.h"

void hd_outcome_clear(struct hd_outcome *outcome)
{
	free(outcome->cells);
	free(outcome->details);
	free(outcome->series);
	free(outcome->witness);
	*outcome = (struct hd_outcome){ 0 };
}

static int describe(const struct hd_sweep *sweep, const struct hd_network *network,
		    const struct hd_result *result, struct hd_outcome *outcome,
		    struct hd_error *err)
{
	enum hd_clock clock = sweep->scenario->clock;

	outcome->cells = hd_result_print(result, sweep->flows, clock, sweep->with_time);
	outcome->witness = hd_result_witness(result, network->fabric);
	outcome->why_whole = result->why_whole;
	if (sweep->with_details)
		outcome->details = hd_result_details(result, network->fabric, clock);
	if (sweep->with_series)
		outcome->series = hd_series_print(result, clock);
	if (outcome->cells && outcome->witness && (outcome->details || !sweep->with_details) &&
	    (outcome->series || !sweep->with_series))
		return 0;
	hd_outcome_clear(outcome);
	return hd_error_nomem(err);
}

int hd_sweep_run(const struct hd_sweep *sweep, size_t run, struct hd_outcome *outcome,
		 struct hd_error *err)
{
	size_t point = hd_run_point(sweep->scenario, run);
	const struct hd_network *network;
	struct hd_setup setup;
	struct hd_result result;
	enum hd_key culprit;
	bool is_run = false;
	int ret = hd_setup_make(sweep->scenario, point, &setup, err);

	*outcome = (struct hd_outcome){ 0 };
	ret = hd_ranks_agree(sweep->threads.ranks, ret, err);
	if (ret)
		return ret;
	if (!sweep->with_series)
		setup.series = 0;
	ret = hd_networks_get(sweep->networks, point, &setup.network, &network, err);
	ret = hd_ranks_agree(sweep->threads.ranks, ret, err);
	if (!ret) {
		ret = hd_run(network, &setup, hd_run_seed(sweep->scenario, run), sweep->trace,
			     sweep->threads, &result, &culprit, err);
		if (ret && culprit != HD_N_KEYS)
			hd_scenario_blame(sweep->scenario, culprit, err);
		is_run = !ret;
	}
	if (is_run) {
		ret = describe(sweep, network, &result, outcome, err);
		hd_result_clear(&result);
	}
	hd_networks_put(sweep->networks, point);
	hd_setup_clear(&setup);
	return ret;
}

struct hd_work {
	pthread_mutex_t lock;
	const size_t *runs;
	size_t n, next;
	hd_work_done done;
	void *context;
	size_t failed; /* the first run that failed; SIZE_MAX: none */
	struct hd_error err;
};

struct hd_work *hd_work_new(const size_t *runs, size_t n, hd_work_done done, void *context)
{
	struct hd_work *work = calloc(1, sizeof(*work));

	if (!work)
		return NULL;
	pthread_mutex_init(&work->lock, NULL);
	work->runs = runs;
	work->n = n;
	work->done = done;
	work->context = context;
	work->failed = SIZE_MAX;
	return work;
}

void hd_work_free(struct hd_work *work)
{
	if (!work)
		return;
	pthread_mutex_destroy(&work->lock);
	free(work);
}

bool hd_work_take(struct hd_work *work, size_t *run)
{
	bool is_left;

	pthread_mutex_lock(&work->lock);
	is_left = work->next < work->n && work->failed == SIZE_MAX;
	if (is_left)
		*run = work->runs[work->next++];
	pthread_mutex_unlock(&work->lock);
	return is_left;
}

void hd_work_give(struct hd_work *work, size_t run, struct hd_outcome *outcome,
		  const struct hd_error *err)
{
	pthread_mutex_lock(&work->lock);
	if (!err->code) {
		work->done(work->context, run, outcome);
	} else if (run < work->failed) {
		work->failed = run;
		work->err = *err;
	}
	pthread_mutex_unlock(&work->lock);
}

int hd_work_error(struct hd_work *work, struct hd_error *err)
{
	if (work->failed == SIZE_MAX)
		return 0;
	if (err)
		*err = work->err;
	return work->err.code;
}

struct worker {
	pthread_t thread;
	locale_t locale; /* the caller's: numbers are text in between */
	const struct hd_sweep *sweep;
	struct hd_work *work;
};

static void *toil(void *context)
{
	const struct worker *worker = context;
	size_t run;

	uselocale(worker->locale);
	while (hd_work_take(worker->work, &run)) {
		struct hd_outcome outcome;
		struct hd_error err = { 0 };

		hd_sweep_run(worker->sweep, run, &outcome, &err);
		hd_work_give(worker->work, run, &outcome, &err);
	}
	return NULL;
}

struct hd_run_threads hd_run_threads_left(unsigned jobs, size_t n)
{
	return (struct hd_run_threads){ .n = n && jobs > n ? (unsigned)(jobs / n) : 1 };
}

void hd_sweep_threads(const struct hd_sweep *sweep, struct hd_work *work, unsigned jobs)
{
	struct worker *workers = calloc(jobs, sizeof(*workers));
	struct worker own = { .locale = uselocale((locale_t)0), .sweep = sweep, .work = work };
	unsigned n = 0;

	/* with fewer threads than asked for the work is done all the same */
	while (workers && n + 1 < jobs) {
		workers[n] = own;
		if (pthread_create(&workers[n].thread, NULL, toil, &workers[n]))
			break;
		n++;
	}
	toil(&own);
	for (unsigned i = 0; i < n; i++)
		pthread_join(workers[i].thread, NULL);
	free(workers);
}
