// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/run_domains.h"

#include <stdlib.h>

#include "support/error.h"

static int make_domain(struct run *run, unsigned k, struct hd_error *err)
{
	struct run *domain = &run->domains[k];
	int ret;

	*domain = (struct run){ .network = run->network,
				.setup = run->setup,
				.traffic = run->traffic,
				.model = hd_model_domain(run->model, k, domain),
				.actions = run->actions };
	domain->actions.context = domain;
	ret = hd_measure_new(&run->measure->options, &domain->measure, err);
	run->n_domains += !ret;
	return ret;
}

static const char *why_whole(const struct run *run)
{
	if (run->series)
		return "run.series is set";
	if (run->setup->flows)
		return "run.flows is set";
	if (hd_run_traffic_any(run->setup, hd_traffic_looks_across))
		return "the traffic of a host depends on that of others";
	return hd_model_why_whole(run->model);
}

int hd_run_divide(struct run *run, struct hd_run_threads threads, struct hd_error *err)
{
	unsigned n;
	int ret;

	if (threads.n < 2)
		return 0;
	run->why_whole = why_whole(run);
	if (run->why_whole)
		return 0;
	ret = hd_model_divide(run->model, threads.n, !threads.always, &n, err);
	if (ret || n == 1)
		return ret;
	run->domains = calloc(n, sizeof(*run->domains));
	if (!run->domains)
		return hd_error_nomem(err);
	for (unsigned k = 0; k < n && !ret; k++)
		ret = make_domain(run, k, err);
	return ret;
}

void hd_run_unite(struct run *run)
{
	for (unsigned k = 0; k < run->n_domains; k++)
		hd_measure_free(run->domains[k].measure);
	free(run->domains);
	run->domains = NULL;
	run->n_domains = 0;
}

void hd_run_join(struct run *run)
{
	for (unsigned k = 0; k < run->n_domains; k++) {
		struct run *domain = &run->domains[k];

		hd_measure_join(run->measure, domain->measure);
		run->given += domain->given;
		run->done += domain->done;
		run->last = domain->last > run->last ? domain->last : run->last;
		domain->given = 0;
		domain->done = 0;
	}
}

void hd_run_follow(struct run *run)
{
	for (unsigned k = 0; k < run->n_domains; k++)
		run->domains[k].measure->options = run->measure->options;
}
