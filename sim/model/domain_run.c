// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The threads of a model with domains. All meet once a window. Each then knows the earliest event
 * of all domains, and so the next window. Deadlocks are looked for at the same times as in a model
 * that is whole (machine.inc): all stop there, and the first thread decides.
 */
#include "sim/model/domains.h"

#include "sim/hosts/host.h"
#include "sim/model/deadlock.h"
#include "support/error.h"

/*
 * A thread, which runs each domain whose number is @first or that plus a multiple of the threads.
 */
struct worker {
	struct hd_domains *domains;
	uint32_t first;
	pthread_t thread;
};

/* The time of the first event of @domain, and of what it sent in the mails @which. */
static uint64_t next_of(struct hd_domains *domains, struct hd_domain *domain, unsigned which)
{
	uint64_t next = hd_events_next(&domain->model->events) >> HD_KEY_BITS;

	for (uint32_t k = 0; k < domains->n; k++)
		next = hd_events_earlier(next, domain->mails[which][k].first);
	return next;
}

/* The first event of all domains, as of the window that wrote @which. */
static uint64_t first_of_all(const struct hd_domains *domains, unsigned which)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t k = 0; k < domains->n; k++)
		first = hd_events_earlier(first, domains->of[k].next[which]);
	return first;
}

/* With @err, all ranks call this. */
static int failure(struct hd_domains *domains, unsigned which, struct hd_error *err)
{
	for (uint32_t k = 0; k < domains->n; k++) {
		if (!domains->of[k].ret[which])
			continue;
		if (err && domains->ranks)
			hd_ranks_error(domains->ranks, k, &domains->of[k].err);
		if (err)
			*err = domains->of[k].err;
		return domains->of[k].ret[which];
	}
	return 0;
}

/* Runs domain @k until @end; takes the mail of the window before, and writes to @which. */
static void run_window(struct hd_domains *domains, uint32_t k, uint64_t end, unsigned which)
{
	struct hd_domain *domain = &domains->of[k];
	struct hd_model *model = domain->model;

	for (uint32_t from = 0; from < domains->n; from++) {
		hd_mails_empty(&domain->mails[which][from]);
		hd_mails_take(model, &domains->of[from].mails[!which][k]);
	}
	model->mails = domain->mails[which];
	model->horizon = end;
	domain->ret[which] = model->run(model, end, &domain->err);
	domain->next[which] = next_of(domains, domain, which);
}

static bool is_deadlocked(struct hd_domains *domains, uint64_t now)
{
	domains->whole->events.now = now;
	return hd_model_is_deadlocked(domains->whole);
}

/* At a pause: a look for deadlocks, or the end. The next event comes at @first. */
static void decide(struct hd_domains *domains, uint64_t first)
{
	if (first >= domains->until) {
		domains->is_over = true;
		return;
	}
	if (is_deadlocked(domains, first)) {
		domains->ret = hd_deadlock_refuse(domains->whole, &domains->err);
		domains->is_over = true;
	}
	domains->pause = hd_deadlock_pause(domains->whole, domains->until);
}

/* All threads, or ranks, have come to the end of the window that wrote @which. */
static void meet(struct hd_domains *domains, unsigned which)
{
	if (domains->ranks)
		hd_ranks_meet(domains, which);
	else
		hd_barrier_wait(&domains->barrier);
}

/* Whether the thread whose first domain is @own decides; ranks all decide alike. */
static bool decides(const struct hd_domains *domains, uint32_t own)
{
	return !own || domains->ranks;
}

/* All threads see what one has decided. */
static void wait_for_decision(struct hd_domains *domains)
{
	if (!domains->ranks)
		hd_barrier_wait(&domains->barrier);
}

/* All threads do this alike, each with its domains. */
static void work(struct hd_domains *domains, uint32_t own)
{
	unsigned last = domains->last;
	uint64_t pause = domains->pause;

	for (;;) {
		uint64_t first = first_of_all(domains, last), end;

		if (failure(domains, last, NULL))
			break;
		if (first >= pause) {
			if (decides(domains, own))
				decide(domains, first);
			wait_for_decision(domains);
			if (domains->is_over)
				break;
			pause = domains->pause;
			/* nobody may decide anew before all have read that */
			wait_for_decision(domains);
			continue;
		}
		end = pause - first > domains->window ? first + domains->window : pause;
		last = !last;
		for (uint32_t k = own; k < domains->n; k += domains->n_threads)
			run_window(domains, k, end, last);
		meet(domains, last);
	}
	if (decides(domains, own))
		domains->last = last;
}

static void *run_worker(void *context)
{
	const struct worker *worker = context;

	/* the number of threads is known when all are made */
	pthread_mutex_lock(&worker->domains->gate);
	pthread_mutex_unlock(&worker->domains->gate);
	work(worker->domains, worker->first);
	return NULL;
}

/* With fewer threads than domains the work is done all the same. */
static void work_together(struct hd_domains *domains)
{
	struct worker workers[HD_DOMAINS_MAX];
	uint32_t n = 1;

	pthread_mutex_init(&domains->gate, NULL);
	pthread_mutex_lock(&domains->gate);
	for (; n < domains->n; n++) {
		workers[n].domains = domains;
		workers[n].first = n;
		if (pthread_create(&workers[n].thread, NULL, run_worker, &workers[n]))
			break;
	}
	domains->n_threads = n;
	hd_barrier_init(&domains->barrier, n);
	pthread_mutex_unlock(&domains->gate);
	work(domains, 0);
	while (--n)
		pthread_join(workers[n].thread, NULL);
	hd_barrier_destroy(&domains->barrier);
	pthread_mutex_destroy(&domains->gate);
}

static void begin(struct hd_domains *domains)
{
	struct hd_model *whole = domains->whole;

	whole->started = true;
	for (uint32_t host = 0; host < whole->injection.n_hosts; host++)
		if (hd_domain_is_here(domains, domains->of_host[host]))
			hd_model_schedule(domains->of[domains->of_host[host]].model, host);
}

/* With one domain in each process. */
static void work_as_rank(struct hd_domains *domains)
{
	hd_ranks_meet(domains, domains->last);
	domains->n_threads = domains->n;
	work(domains, domains->ranks->rank);
}

/* How the work ended. */
static int conclude(struct hd_domains *domains, uint64_t until, struct hd_error *err)
{
	bool is_empty;

	if (domains->ret) {
		if (err)
			*err = domains->err;
		return domains->ret;
	}
	is_empty = first_of_all(domains, domains->last) == HD_KEY_NONE >> HD_KEY_BITS;
	return hd_deadlock_conclude(domains->whole, until, is_empty, err);
}

int hd_domains_run(struct hd_model *model, uint64_t until, struct hd_error *err)
{
	struct hd_domains *domains = model->domains;
	int ret;

	domains->until = until;
	domains->is_over = false;
	domains->ret = 0;
	domains->pause = hd_deadlock_pause(domains->whole, domains->until);
	if (!model->started)
		begin(domains);
	for (uint32_t k = 0; k < domains->n; k++)
		domains->of[k].next[domains->last] =
			next_of(domains, &domains->of[k], domains->last);
	if (domains->ranks)
		work_as_rank(domains);
	else
		work_together(domains);
	ret = failure(domains, domains->last, err);
	if (!ret)
		ret = conclude(domains, until, err);
	if (domains->ranks)
		hd_ranks_share(domains);
	return ret;
}
