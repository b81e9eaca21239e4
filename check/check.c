// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/dependencies.h"
#include "check/failures.h"
#include "check/multicast.h"
#include "check/witness.h"
#include "support/error.h"

/* Everything that lives for one check. */
struct check {
	struct hd_network network;
	struct hd_destinations destinations;
	struct hd_usage usage;
	struct hd_dependencies dependencies;
	unsigned max_vls;
	struct hd_failure_count failures[HD_CHECK_CREDIT_LOOP];
};

/* What one thread finds: merged in any order, the result is the same. */
struct worker {
	struct hd_states states;
	struct hd_failure_count no_path, forward_loop;
	unsigned max_hops;
};

static void follow(const struct check *check, const struct hd_destination *destination,
		   struct hd_usage *usage, struct worker *worker)
{
	const struct hd_tree *tree = &worker->states.tree;
	uint32_t n_lids = destination->end - destination->first;
	uint16_t lid = check->destinations.lids[destination->first];

	hd_states_build(&worker->states, &check->network, &check->destinations, destination, usage);
	hd_failure_add(&worker->no_path, (uint64_t)tree->n_holes * n_lids, lid);
	hd_failure_add(&worker->forward_loop, (uint64_t)tree->n_circling * n_lids, lid);
	if (tree->max_hops > worker->max_hops)
		worker->max_hops = tree->max_hops;
}

static int follow_all(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	unsigned n_workers = hd_destinations_threads(&check->destinations, &check->network);
	struct worker *workers = calloc(n_workers, sizeof(*workers));
	int ret = workers ? 0 : hd_error_nomem(err);

	for (unsigned i = 0; !ret && i < n_workers; i++) {
		workers[i].no_path.first_lid = HD_NONE;
		workers[i].forward_loop.first_lid = HD_NONE;
		ret = hd_states_init(&workers[i].states, &check->network, err);
	}
	if (!ret) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_workers)
#endif
		for (uint32_t d = 0; d < check->destinations.n; d++) {
#ifdef _OPENMP
			struct worker *worker = &workers[omp_get_thread_num()];
#else
			struct worker *worker = workers;
#endif
			follow(check, &check->destinations.list[d], &check->usage, worker);
		}
	}
	for (unsigned i = 0; workers && i < n_workers; i++) {
		struct worker *worker = &workers[i];

		hd_failure_add(&check->failures[HD_CHECK_NO_PATH], worker->no_path.n,
			       worker->no_path.first_lid);
		hd_failure_add(&check->failures[HD_CHECK_FORWARD_LOOP], worker->forward_loop.n,
			       worker->forward_loop.first_lid);
		if (worker->max_hops > result->max_hops)
			result->max_hops = worker->max_hops;
		hd_states_clear(&worker->states);
	}
	free(workers);
	return ret;
}

static int follow_multicast(struct check *check, struct hd_check_result *result,
			    struct hd_error *err)
{
	const struct hd_tables *tables = check->network.tables;
	struct hd_multicast multicast;
	int ret;

	if (!tables->n_mft)
		return 0;
	ret = hd_multicast_init(&multicast, &check->network, err);
	for (size_t first = 0, end; !ret && first < tables->n_mft; first = end) {
		uint16_t mlid = tables->mft[first].mlid;

		end = hd_multicast_end(tables, first);
		hd_multicast_build(&multicast, &check->network, first, end, HD_NONE, &check->usage);
		hd_failure_add(&check->failures[HD_CHECK_FORWARD_LOOP], multicast.n_circling, mlid);
		hd_failure_add(&check->failures[HD_CHECK_DROPPED], multicast.n_dropping, mlid);
		if (multicast.has_flows)
			result->sls |= check->network.all_sls ? 0xFFFF : 1;
	}
	hd_multicast_clear(&multicast);
	return ret;
}

static int find_witness(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	unsigned n_vls = check->network.n_vls;
	uint32_t *cycle;
	int ret = hd_shortest_cycle(&check->dependencies.graph, HD_CYCLE_EFFORT, &cycle,
				    &result->n_witness, err);

	if (ret || !result->n_witness)
		return ret;
	result->witness = calloc(result->n_witness, sizeof(*result->witness));
	if (!result->witness)
		ret = hd_error_nomem(err);
	for (size_t i = 0; !ret && i < result->n_witness; i++) {
		result->witness[i].port = check->dependencies.port_of_link[cycle[i] / n_vls];
		result->witness[i].vl = (uint8_t)(cycle[i] % n_vls);
	}
	free(cycle);
	return ret ? ret
		   : hd_witness_find_flows(&check->network, &check->destinations, check->max_vls,
					   result->witness, result->n_witness, err);
}

static int judge(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	result->reachable = true;
	for (int failure = HD_CHECK_NO_PATH; failure < HD_CHECK_CREDIT_LOOP; failure++) {
		const struct hd_failure_count *count = &check->failures[failure];

		if (!count->n)
			continue;
		result->reachable = false;
		result->failure = failure;
		result->n_bad = count->n;
		return hd_find_bad_flow(&check->network, failure, count->first_lid, check->max_vls,
					&result->bad_flow, &result->bad_port, err);
	}
	if (result->n_witness)
		result->failure = HD_CHECK_CREDIT_LOOP;
	return 0;
}

static int run(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	int ret = hd_destinations_init(&check->destinations, &check->network, false, err);

	if (!ret)
		ret = hd_usage_init(&check->usage, &check->network, err);
	if (!ret)
		ret = follow_all(check, result, err);
	if (!ret)
		ret = follow_multicast(check, result, err);
	if (!ret)
		ret = hd_dependencies_init(&check->dependencies, &check->network, &check->usage,
					   err);
	if (!ret && check->dependencies.drops)
		ret = hd_count_drops(&check->network, &check->destinations,
				     &check->failures[HD_CHECK_DROPPED], err);
	if (!ret)
		ret = find_witness(check, result, err);
	if (ret)
		return ret;
	hd_count_direct_failures(&check->network, &check->failures[HD_CHECK_NO_PATH]);
	result->channels = check->dependencies.n_channels;
	result->dependencies = check->dependencies.n_dependencies;
	result->vls = check->dependencies.n_vls;
	result->sls = (unsigned)__builtin_popcount(result->sls | check->network.sls_used);
	return judge(check, result, err);
}

int hd_check(const struct hd_tables *tables, const struct hd_check_options *options,
	     struct hd_check_result *result, struct hd_error *err)
{
	const struct hd_check_options defaults = { 0 };
	struct check *check = calloc(1, sizeof(*check));
	int ret;

	memset(result, 0, sizeof(*result));
	result->bad_flow.source = HD_NONE;
	result->bad_port = HD_NONE;
	if (!check)
		return hd_error_nomem(err);
	options = options ? options : &defaults;
	check->max_vls = options->max_vls;
	for (int failure = 0; failure < HD_CHECK_CREDIT_LOOP; failure++)
		check->failures[failure].first_lid = HD_NONE;
	ret = hd_network_init(&check->network, tables, options, err);
	if (!ret)
		ret = run(check, result, err);
	hd_dependencies_clear(&check->dependencies);
	hd_usage_clear(&check->usage);
	hd_destinations_clear(&check->destinations);
	hd_network_clear(&check->network);
	free(check);
	if (ret)
		hd_check_clear(result);
	return ret;
}

void hd_check_clear(struct hd_check_result *result)
{
	free(result->witness);
	result->witness = NULL;
	result->n_witness = 0;
}

const char *hd_check_failure_name(enum hd_check_failure failure)
{
	static const char *const names[] = {
		[HD_CHECK_SOUND] = "sound",
		[HD_CHECK_NO_PATH] = "no path",
		[HD_CHECK_FORWARD_LOOP] = "forwarding loop",
		[HD_CHECK_DROPPED] = "dropped packets",
		[HD_CHECK_CREDIT_LOOP] = "credit loop",
	};

	return names[failure];
}

const char *hd_check_summary(const struct hd_check_result *result, const struct hd_fabric *fabric,
			     char *buffer, size_t size)
{
	const char *name = hd_check_failure_name(result->failure);
	char source[320], port[320];

	switch (result->failure) {
	case HD_CHECK_SOUND:
		snprintf(buffer, size,
			 "%s: %u SL%s, %u VL%s, at most %u hop%s, %" PRIu64 " channels, %" PRIu64
			 " dependencies",
			 name, result->sls, result->sls == 1 ? "" : "s", result->vls,
			 result->vls == 1 ? "" : "s", result->max_hops,
			 result->max_hops == 1 ? "" : "s", result->channels, result->dependencies);
		break;
	case HD_CHECK_CREDIT_LOOP:
		snprintf(buffer, size, "%s of %zu channels through %s on VL %u", name,
			 result->n_witness,
			 hd_port_label(fabric, result->witness[0].port, port, sizeof(port)),
			 result->witness[0].vl);
		break;
	default:
		snprintf(buffer, size,
			 "%s: %" PRIu64 " time%s, first from %s to LID %u on SL %u at %s", name,
			 result->n_bad, result->n_bad == 1 ? "" : "s",
			 hd_port_label(fabric, result->bad_flow.source, source, sizeof(source)),
			 result->bad_flow.lid, result->bad_flow.sl,
			 hd_port_label(fabric, result->bad_port, port, sizeof(port)));
		break;
	}
	return buffer;
}
