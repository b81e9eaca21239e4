// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/faults/fault_study.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"
#include "check/baseline_check.h"
#include "check/load.h"
#include "engines/baseline_routes.h"
#include "fabric/faults.h"
#include "fabric/link_rate.h"
#include "support/clock.h"

/* Results that are there at a time: threads wait for one another after so many sets. */
#define WINDOW UINT64_C(1024)
#define NO_SET UINT64_MAX

/* The result of one set. */
struct outcome {
	enum hd_fault_outcome kind;
	uint8_t sls, vls;
	unsigned max_hops;
	uint64_t worst_load;
	uint64_t lft_entries;
	char *reason; /* why it was refused or is unsound */
};

/* What all threads read; the last part is what they change, atomically or one alone. */
struct study {
	struct hd_fault_study *shared;
	const struct hd_engine *engine;
	const struct hd_route_request *request;
	struct hd_tables *intact;
	uint32_t fastest;    /* hd_fastest_mbps() of the intact fabric */
	uint64_t worst_load; /* of it */
	struct hd_baseline_routes *routes;
	struct hd_baseline_check check;
	const struct hd_engine *chosen; /* by engine heddle for the intact fabric; or NULL */
	const char *chosen_option;
	double end; /* hd_seconds() from which on no set begins; 0: none */

	uint64_t window, next;    /* sets: the first one whose result is there, the next to try */
	struct outcome *outcomes; /* [WINDOW] */
	bool is_over;
	int failed;
	uint64_t failed_set; /* the first one that failed in this window */
	struct hd_error error;
};

/* What one thread has. */
struct worker {
	uint32_t *chosen; /* the links and switches of a set */
	struct hd_variant_routes routes;
	struct hd_variant_check check;
};

/* Marks and counts all nodes that a walk over links from @node meets. */
static uint32_t count_reached(const struct hd_fabric *fabric, uint32_t node, bool *seen,
			      uint32_t *stack)
{
	uint32_t n_stack = 0, n_seen = 1;

	seen[node] = true;
	stack[n_stack++] = node;
	while (n_stack) {
		uint32_t at = stack[--n_stack];

		hd_for_each_number(number, fabric, at) {
			uint32_t peer = hd_peer_node(fabric, at, number);

			if (peer == HD_NONE || seen[peer])
				continue;
			seen[peer] = true;
			stack[n_stack++] = peer;
			n_seen++;
		}
	}
	return n_seen;
}

/* Whether links connect all nodes that have LIDs; -1: out of memory. */
static int is_connected(const struct hd_fabric *fabric)
{
	bool *seen = calloc(fabric->n_nodes + (size_t)1, sizeof(*seen));
	uint32_t *stack = malloc((fabric->n_nodes + (size_t)1) * sizeof(*stack));
	int connected = seen && stack ? 1 : -1;
	uint32_t first = 0;

	while (first < fabric->n_endports && !hd_is_end_port(fabric, fabric->endports[first]))
		first++;
	if (connected == 1 && first < fabric->n_endports) {
		count_reached(fabric, fabric->ports[fabric->endports[first]].node, seen, stack);
		for (uint32_t i = first; i < fabric->n_endports; i++)
			if (hd_is_end_port(fabric, fabric->endports[i]) &&
			    !seen[fabric->ports[fabric->endports[i]].node])
				connected = 0;
	}
	free(seen);
	free(stack);
	return connected;
}

/* Flows on the busiest link between switches, by rate. */
static int find_worst_load(const struct hd_tables *tables, uint32_t fastest, uint64_t *worst,
			   struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_load load;
	int ret = hd_load_compute(tables, &load, err);

	*worst = 0;
	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++) {
		uint64_t flows;

		if (!hd_is_switch_link(fabric, p))
			continue;
		flows = hd_load_by_rate(&load, fabric, fastest, p);
		*worst = flows > *worst ? flows : *worst;
	}
	if (!ret)
		hd_load_clear(&load);
	return ret;
}

/* LFT entries of switches and destinations that exist before and after, and differ. */
static uint64_t count_changes(const struct hd_tables *before, const struct hd_tables *after)
{
	uint64_t n = 0;

	hd_for_each_switch(s, after->fabric) {
		uint32_t old = hd_fabric_find_node(before->fabric, after->fabric->nodes[s].guid);

		hd_for_each_lid(lid, after->fabric)
			n += after->fabric->lids[lid].port != HD_NONE &&
			     hd_lft(before, old)[lid] != hd_lft(after, s)[lid];
	}
	return n;
}

static int set_reason(struct outcome *outcome, enum hd_fault_outcome kind, const char *text,
		      struct hd_error *err)
{
	outcome->kind = kind;
	outcome->reason = strdup(text);
	return outcome->reason ? 0 : hd_error_nomem(err);
}

static int prove(const struct study *study, const struct hd_tables *tables, struct outcome *outcome,
		 struct hd_error *err)
{
	const struct hd_check_options options = { .max_vls = study->request->max_vls };
	struct hd_check_result result;
	int ret = hd_check(tables, &options, &result, err);
	char text[512];

	if (ret)
		return ret;
	if (result.failure == HD_CHECK_SOUND) {
		outcome->kind = HD_FAULT_ROUTED;
		outcome->sls = (uint8_t)result.sls;
		outcome->vls = (uint8_t)result.vls;
		outcome->max_hops = result.max_hops;
	} else {
		ret = set_reason(outcome, HD_FAULT_UNSOUND,
				 hd_check_summary(&result, tables->fabric, text, sizeof(text)),
				 err);
	}
	hd_check_clear(&result);
	return ret;
}

/* Proves the tables and counts, from nothing. */
static int judge(const struct study *study, const struct hd_tables *tables, struct outcome *outcome,
		 struct hd_error *err)
{
	int ret = prove(study, tables, outcome, err);

	if (ret || outcome->kind != HD_FAULT_ROUTED)
		return ret;
	outcome->lft_entries = count_changes(study->intact, tables);
	return find_worst_load(tables, study->fastest, &outcome->worst_load, err);
}

/* The same by the baseline of the intact fabric, where the baseline tells. */
static int judge_quickly(const struct study *study, struct worker *worker,
			 const struct hd_tables *tables, struct outcome *outcome,
			 struct hd_error *err)
{
	struct hd_variant_result result;
	bool is_known;
	int ret = hd_variant_check_tell(&study->check, &worker->check, tables, &result, &is_known,
					err);

	if (ret)
		return ret;
	if (!is_known)
		return judge(study, tables, outcome, err);
	*outcome = (struct outcome){
		.kind = HD_FAULT_ROUTED,
		.sls = (uint8_t)result.sls,
		.vls = (uint8_t)result.vls,
		.max_hops = result.max_hops,
		.worst_load = result.worst_load,
		.lft_entries = result.n_changed,
	};
	return 0;
}

static int route(const struct study *study, struct worker *worker, const struct hd_fabric *fabric,
		 struct outcome *outcome, struct hd_error *err)
{
	struct hd_route_request request = *study->request;
	struct hd_tables *tables;
	int ret;

	request.variant = &worker->routes;
	request.stays = study->chosen;
	request.stays_option = study->chosen_option;
	ret = hd_route(study->engine, fabric, &request, &tables, err);
	if (ret == HD_EREFUSED)
		return set_reason(outcome, HD_FAULT_REFUSED, err->text, err);
	if (ret)
		return ret;
	ret = judge_quickly(study, worker, tables, outcome, err);
	hd_tables_free(tables);
	return ret;
}

static int try_set(const struct study *study, uint64_t set, struct worker *worker,
		   struct outcome *outcome, struct hd_error *err)
{
	const struct hd_fault_sets *sets = &study->shared->sets;
	uint32_t *chosen = worker->chosen;
	struct hd_fabric *rest;
	int ret, connected;

	hd_fault_sets_choose(&study->shared->list, sets, set, chosen);
	ret = hd_fabric_without(study->shared->fabric, chosen, sets->n_links,
				chosen + sets->n_links, sets->n_switches, &rest, err);
	if (ret)
		return ret;
	connected = is_connected(rest);
	if (connected < 0)
		ret = hd_error_nomem(err);
	else if (connected)
		ret = route(study, worker, rest, outcome, err);
	else
		outcome->kind = HD_FAULT_DISCONNECTED;
	hd_fabric_free(rest);
	return ret;
}

static int worker_init(struct worker *worker, const struct study *study, struct hd_error *err)
{
	const struct hd_fault_sets *sets = &study->shared->sets;

	*worker = (struct worker){
		.routes.base = study->routes,
		.chosen = malloc((sets->n_links + (size_t)sets->n_switches) *
				 sizeof(*worker->chosen)),
	};
	if (!worker->chosen)
		return hd_error_nomem(err);
	return hd_variant_check_init(&worker->check, &study->check, err);
}

static void worker_clear(struct worker *worker)
{
	free(worker->chosen);
	hd_variant_routes_clear(&worker->routes);
	hd_variant_check_clear(&worker->check);
}

/* Whether two reasons differ by numbers alone. */
static bool same_reason(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			a += strspn(a, "0123456789");
			b += strspn(b, "0123456789");
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static int add_reason(struct hd_fault_study *study, const struct outcome *outcome, uint64_t set,
		      struct hd_error *err)
{
	struct hd_fault_reason *grown;
	size_t i = 0;

	while (i < study->n_reasons && (study->reasons[i].outcome != outcome->kind ||
					!same_reason(study->reasons[i].text, outcome->reason)))
		i++;
	if (i < study->n_reasons) {
		study->reasons[i].n++;
		return 0;
	}
	grown = realloc(study->reasons, (i + 1) * sizeof(*grown));
	if (!grown)
		return hd_error_nomem(err);
	study->reasons = grown;
	grown[i] = (struct hd_fault_reason){ .outcome = outcome->kind, .n = 1, .first = set };
	snprintf(grown[i].text, sizeof(grown[i].text), "%s", outcome->reason);
	study->n_reasons++;
	return 0;
}

static int compare_reasons(const void *a, const void *b)
{
	const struct hd_fault_reason *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static void add_figure(struct hd_fault_figure *figure, double value)
{
	figure->mean += value;
	if (value > figure->max)
		figure->max = value;
}

/* The worst link's flows relative to those of the intact fabric. */
static double relative_load(const struct study *study, const struct outcome *outcome)
{
	return study->worst_load ? (double)outcome->worst_load / (double)study->worst_load : 1;
}

static void add_routed(struct hd_fault_study *study, const struct outcome *outcome, double load)
{
	study->sls = outcome->sls > study->sls ? outcome->sls : study->sls;
	study->vls = outcome->vls > study->vls ? outcome->vls : study->vls;
	study->max_hops = outcome->max_hops > study->max_hops ? outcome->max_hops : study->max_hops;
	study->n_one_sl += outcome->sls == 1;
	add_figure(&study->load, load);
	add_figure(&study->lft_entries, (double)outcome->lft_entries);
}

/* Adds up the results of the window up to set @end, in the order of their numbers. */
static int add_window(struct study *study, uint64_t end, struct hd_error *err)
{
	struct hd_fault_study *shared = study->shared;
	int ret = 0;

	for (uint64_t set = study->window; !ret && set < end; set++) {
		const struct outcome *outcome = &study->outcomes[set - study->window];

		shared->n[outcome->kind]++;
		if (outcome->kind == HD_FAULT_ROUTED)
			add_routed(shared, outcome, relative_load(study, outcome));
		else if (outcome->reason)
			ret = add_reason(shared, outcome, set, err);
		if (shared->each)
			shared->each[set] = (struct hd_fault_each){
				.outcome = outcome->kind,
				.load = relative_load(study, outcome),
				.lft_entries = outcome->lft_entries,
			};
	}
	return ret;
}

/* Turns sums into means. */
static void sum_up(struct hd_fault_study *shared)
{
	const uint64_t n_routed = shared->n[HD_FAULT_ROUTED];

	if (n_routed) {
		shared->load.mean /= (double)n_routed;
		shared->lft_entries.mean /= (double)n_routed;
	}
	if (shared->n_reasons)
		qsort(shared->reasons, shared->n_reasons, sizeof(*shared->reasons),
		      compare_reasons);
}

static uint64_t end_of_window(const struct study *study)
{
	const uint64_t left = study->shared->n_sets - study->window;

	return study->window + (left < WINDOW ? left : WINDOW);
}

static bool is_late(const struct study *study)
{
	return study->end > 0 && hd_seconds() >= study->end;
}

/*
 * The next set of the window to try, which the caller then does in any case: so those that have
 * begun are the first ones. NO_SET: there is none, or no time for it.
 */
static uint64_t take_set(struct study *study)
{
	uint64_t set;

	if (__atomic_load_n(&study->next, __ATOMIC_RELAXED) && is_late(study))
		return NO_SET;
	set = __atomic_fetch_add(&study->next, 1, __ATOMIC_RELAXED);
	return set < end_of_window(study) ? set : NO_SET;
}

static void note_failure(struct study *study, uint64_t set, int ret, const struct hd_error *err)
{
#pragma omp critical
	if (set < study->failed_set) {
		study->failed_set = set;
		study->failed = ret;
		study->error = *err;
	}
}

static void clear_window(struct study *study)
{
	for (uint64_t i = 0; i < WINDOW; i++)
		free(study->outcomes[i].reason);
	memset(study->outcomes, 0, WINDOW * sizeof(*study->outcomes));
}

/* Ends a window that all threads are through with. */
static void end_window(struct study *study)
{
	const uint64_t end = end_of_window(study), begun = study->next < end ? study->next : end;

	if (!study->failed)
		study->failed = add_window(study, begun, &study->error);
	clear_window(study);
	study->is_over = study->failed || begun < end || end == study->shared->n_sets;
	study->window = study->next = begun;
}

/* Tries all sets, or as many as time allows; the error is that of the first set that has one. */
static int try_all(struct study *study, unsigned n_threads, struct hd_error *err)
{
	study->outcomes = calloc(WINDOW, sizeof(*study->outcomes));
	if (!study->outcomes)
		return hd_error_nomem(err);
#ifdef _OPENMP
	if (!n_threads)
		n_threads = (unsigned)omp_get_max_threads();
#endif
#pragma omp parallel num_threads(n_threads)
	{
		struct worker worker;
		struct hd_error lack = { 0 };
		const int ready = worker_init(&worker, study, &lack);
		bool is_over = false;

#ifdef _OPENMP
		/* a team of one is none: engines would take all processors for each set */
		omp_set_num_threads(1);
#endif
		while (!is_over) {
			uint64_t set;

			while ((set = take_set(study)) != NO_SET) {
				struct hd_error mine = lack;
				int ret = ready;

				if (!ret)
					ret = try_set(study, set, &worker,
						      &study->outcomes[set - study->window], &mine);
				if (ret)
					note_failure(study, set, ret, &mine);
				__atomic_fetch_add(&study->shared->n_done, 1, __ATOMIC_RELAXED);
			}
#pragma omp barrier
#pragma omp single
			end_window(study);
			/* nobody ends the next window before all have read that */
			is_over = study->is_over;
		}
		worker_clear(&worker);
	}
	study->shared->n_sets = study->window;
	free(study->outcomes);
	if (study->failed)
		*err = study->error;
	return study->failed;
}

static uint64_t count_entries(const struct hd_tables *tables)
{
	uint64_t n = 0;

	hd_for_each_lid(lid, tables->fabric)
		n += tables->fabric->lids[lid].port != HD_NONE;
	return n * tables->fabric->n_switches;
}

int hd_fault_study_init(struct hd_fault_study *study, const struct hd_fabric *fabric,
			const struct hd_fault_sets *sets, struct hd_error *err)
{
	int ret;

	*study = (struct hd_fault_study){ .fabric = fabric, .sets = *sets };
	study->chosen =
		malloc((sets->n_links + (size_t)sets->n_switches + 1) * sizeof(*study->chosen));
	if (!study->chosen)
		return hd_error_nomem(err);
	ret = hd_fault_list_init(&study->list, fabric, err);
	return ret ? ret : hd_fault_sets_count(&study->list, &study->sets, &study->n_sets, err);
}

int hd_fault_study_run(struct hd_fault_study *study, const struct hd_engine *engine,
		       const struct hd_route_request *request, unsigned n_threads,
		       struct hd_error *err)
{
	struct hd_baseline_routes routes = { 0 };
	struct study all = {
		.shared = study,
		.engine = engine,
		.request = request,
		.fastest = hd_fastest_mbps(study->fabric),
		.routes = &routes,
		.failed_set = NO_SET,
	};
	struct hd_route_request whole = *request;
	int ret;

	whole.chosen = &all.chosen;
	whole.chosen_option = &all.chosen_option;
	all.end = study->time_ns ? hd_seconds() + (double)study->time_ns / 1e9 : 0;
	/* switches that fail change the numbers of all others */
	if (!study->sets.n_switches)
		whole.baseline = &routes;
	ret = hd_route(engine, study->fabric, &whole, &all.intact, err);
	if (!ret) {
		study->n_lft_entries = count_entries(all.intact);
		ret = find_worst_load(all.intact, all.fastest, &all.worst_load, err);
	}
	if (!ret && !study->sets.n_switches)
		ret = hd_baseline_check_init(&all.check, all.intact, request->max_vls, err);
	if (!ret && study->keeps_each) {
		study->each = calloc(study->n_sets + 1, sizeof(*study->each));
		if (!study->each)
			ret = hd_error_nomem(err);
	}
	if (!ret)
		ret = try_all(&all, n_threads, err);
	sum_up(study);
	hd_baseline_check_clear(&all.check);
	hd_baseline_routes_clear(&routes);
	hd_tables_free(all.intact);
	return ret;
}

void hd_fault_study_clear(struct hd_fault_study *study)
{
	hd_fault_list_clear(&study->list);
	free(study->reasons);
	free(study->each);
	free(study->chosen);
	study->each = NULL;
	study->reasons = NULL;
	study->chosen = NULL;
}
