// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/run_domains.h"

#include <stdlib.h>

#include "sim/model/ranks.h"
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

/* The same for processes, each of which has the traffic's state of its own hosts alone. */
static const char *why_not_spread(const struct run *run)
{
	const char *why = why_whole(run);

	if (!why && hd_run_traffic_any(run->setup, hd_traffic_has_own_sizes))
		return "its traffic is not divided among processes";
	return why;
}

/* Divides the model; @n gets the number of domains. */
static int divide_model(struct run *run, struct hd_run_threads threads, unsigned *n,
			struct hd_error *err)
{
	int ret;

	*n = 1;
	if (threads.ranks)
		run->why_whole = why_not_spread(run);
	else if (threads.n > 1)
		run->why_whole = why_whole(run);
	else
		return 0;
	if (run->why_whole)
		return 0;
	if (!threads.ranks)
		return hd_model_divide(run->model, threads.n, !threads.always, n, err);
	ret = hd_model_spread(run->model, threads.ranks, n, err);
	if (!ret && *n == 1)
		run->why_whole = "too few parts of the fabric have time between them";
	run->ranks = *n == 1 ? NULL : threads.ranks;
	return ret;
}

int hd_run_divide(struct run *run, struct hd_run_threads threads, struct hd_error *err)
{
	unsigned n;
	int ret = divide_model(run, threads, &n, err);

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

static void write_domain(const struct run *domain, struct hd_bytes *bytes)
{
	hd_bytes_put(bytes, &domain->ways, sizeof(domain->ways));
	hd_bytes_put(bytes, &domain->given, sizeof(domain->given));
	hd_bytes_put(bytes, &domain->done, sizeof(domain->done));
	hd_bytes_put(bytes, &domain->last, sizeof(domain->last));
	hd_measure_write(domain->measure, bytes);
}

static void read_domain(struct run *domain, struct hd_bytes *bytes)
{
	hd_bytes_get(bytes, &domain->ways, sizeof(domain->ways));
	hd_bytes_get(bytes, &domain->given, sizeof(domain->given));
	hd_bytes_get(bytes, &domain->done, sizeof(domain->done));
	hd_bytes_get(bytes, &domain->last, sizeof(domain->last));
	hd_measure_read(domain->measure, bytes);
}

/* What domains counted in other processes comes here. */
static void share(struct run *run)
{
	struct hd_ranks *ranks = run->ranks;

	hd_ranks_begin(ranks);
	write_domain(&run->domains[ranks->rank], &ranks->out[ranks->rank]);
	hd_ranks_tell(ranks);
	for (unsigned k = 0; k < run->n_domains; k++)
		if (k != ranks->rank)
			read_domain(&run->domains[k], &ranks->in[k]);
}

void hd_run_join(struct run *run)
{
	if (run->ranks)
		share(run);
	for (unsigned k = 0; k < run->n_domains; k++) {
		struct run *domain = &run->domains[k];

		hd_measure_join(run->measure, domain->measure);
		run->given += domain->given;
		run->done += domain->done;
		run->last = domain->last > run->last ? domain->last : run->last;
		run->ways.misrouted += domain->ways.misrouted;
		run->ways.at_source += domain->ways.at_source;
		run->ways.out_of_order += domain->ways.out_of_order;
		domain->given = 0;
		domain->done = 0;
		domain->ways = (struct hd_ways){ 0 };
	}
}

void hd_run_follow(struct run *run)
{
	for (unsigned k = 0; k < run->n_domains; k++)
		run->domains[k].measure->options = run->measure->options;
}
