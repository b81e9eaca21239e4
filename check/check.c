// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/between.h"
#include "check/choices.h"
#include "check/coverage.h"
#include "check/dependencies.h"
#include "check/defects.h"
#include "check/forests.h"
#include "check/multicast.h"
#include "check/starved.h"
#include "check/witness.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/classes.h"

/* Everything that lives for one check. */
struct check {
	struct hd_check_network network;
	struct hd_destinations destinations;
	struct hd_usage usage;
	struct hd_dependencies dependencies;
	struct hd_starved starved;
	struct hd_choices_result choices;
	unsigned max_vls;
	const uint32_t *ring; /* as in the options */
	struct hd_failure_count failures[HD_CHECK_CREDIT_LOOP];
};

/* What one thread finds. Merged in any order, the result is the same. */
struct worker {
	struct hd_states states;
	struct hd_failure_count no_path, forward_loop;
	uint64_t n_looping;
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
	worker->n_looping += (uint64_t)tree->n_looping * n_lids;
	if (tree->max_hops > worker->max_hops)
		worker->max_hops = tree->max_hops;
}

static void merge_worker(struct check *check, const struct worker *worker,
			 struct hd_check_result *result)
{
	hd_failure_add(&check->failures[HD_CHECK_NO_PATH], worker->no_path.n,
		       worker->no_path.first_lid);
	hd_failure_add(&check->failures[HD_CHECK_FORWARD_LOOP], worker->forward_loop.n,
		       worker->forward_loop.first_lid);
	result->n_looping += worker->n_looping;
	if (worker->max_hops > result->max_hops)
		result->max_hops = worker->max_hops;
}

/* Follows destinations one by one, but those that are whole. */
static int follow_rest(struct check *check, const bool *whole, struct hd_check_result *result,
		       struct hd_error *err)
{
	unsigned n_workers = hd_destinations_threads(&check->destinations, &check->network);
	struct worker *workers = calloc(n_workers, sizeof(*workers));
	int ret = workers ? 0 : hd_error_nomem(err);

	if (!ret)
		ret = hd_destinations_add_next(&check->destinations, &check->network, err);
	for (unsigned i = 0; !ret && i < n_workers; i++) {
		workers[i].no_path.first_lid = HD_NONE;
		workers[i].forward_loop.first_lid = HD_NONE;
		ret = hd_states_init(&workers[i].states, &check->network, err);
	}
	if (!ret) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_workers)
#endif
		for (uint32_t d = 0; d < check->destinations.n; d++)
			if (!whole[d])
				follow(check, &check->destinations.list[d], &check->usage,
				       &workers[hd_destinations_thread()]);
	}
	for (unsigned i = 0; workers && i < n_workers; i++) {
		if (!ret)
			merge_worker(check, &workers[i], result);
		hd_states_clear(&workers[i].states);
	}
	free(workers);
	return ret;
}

static int follow_all(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	struct hd_forests forests;
	int ret = hd_forests_follow(&forests, &check->network, &check->destinations, &check->usage,
				    err);

	result->max_hops = forests.max_hops;
	if (!ret && forests.n_whole < check->destinations.n)
		ret = follow_rest(check, forests.whole, result, err);
	hd_forests_clear(&forests);
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

/*
 * A cycle of the dependency graph; with bubbles, one that is not within a single ring and VL. Those
 * are safe. Of packets that wait for one another in a circle, each would go straight on in the ring
 * and want room for one packet, and the circle would be all of the ring. But a packet enters a
 * ring only where that leaves room for another, and one that goes straight on makes as much room as
 * it takes: somewhere in the ring there is always room for one.
 */
static int find_cycle(const struct check *check, uint32_t **cycle, struct hd_check_result *result,
		      struct hd_error *err)
{
	const struct hd_dependencies *dependencies = &check->dependencies;
	const unsigned n_vls = check->network.n_vls;
	uint32_t *group;
	int ret;

	if (!check->ring)
		return hd_shortest_cycle(&dependencies->graph, HD_CYCLE_EFFORT, cycle,
					 &result->n_witness, err);
	group = malloc((dependencies->graph.n + (size_t)1) * sizeof(*group));
	if (!group)
		return hd_error_nomem(err);
	for (uint32_t v = 0; v < dependencies->graph.n; v++) {
		uint32_t ring = check->ring[dependencies->port_of_link[v / n_vls]];

		group[v] = ring ? 1 + ring * n_vls + v % n_vls : 0;
	}
	ret = hd_shortest_mixed_cycle(&dependencies->graph, group, HD_CYCLE_EFFORT, cycle,
				      &result->n_witness, &result->n_bubbles, err);
	free(group);
	return ret;
}

static int find_witness(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	unsigned n_vls = check->network.n_vls;
	uint32_t *cycle;
	int ret = find_cycle(check, &cycle, result, err);

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
	if (!ret)
		ret = hd_destinations_add_next(&check->destinations, &check->network, err);
	return ret ? ret
		   : hd_witness_find_flows(&check->network, &check->destinations, check->max_vls,
					   result->witness, result->n_witness, err);
}

/* A failure that only choices of AR tables lead to. */
static int judge_choices(struct check *check, enum hd_check_failure failure,
			 struct hd_check_result *result, struct hd_error *err)
{
	const struct hd_failure_count *count = &check->choices.failures[failure];

	result->reachable = false;
	result->failure = failure;
	result->found[failure].n = count->n;
	return hd_choices_find_bad_flow(&check->network, failure, count->first_lid,
					&result->found[failure], &result->loop, &result->n_loop,
					err);
}

static int find_starved(struct check *check, struct hd_check_finding *found, struct hd_error *err)
{
	const struct hd_starved *starved = &check->starved;
	const struct hd_fabric *fabric = check->network.fabric;
	const bool by_lfts = !check->network.is_private ||
			     !hd_is_switch(fabric, fabric->ports[starved->port].node);
	int ret = hd_destinations_add_next(&check->destinations, &check->network, err);

	found->flow.source = HD_NONE;
	found->port = starved->port;
	found->vl = (uint8_t)starved->vl;
	if (!ret && by_lfts)
		ret = hd_find_starved_flow(&check->network, &check->destinations, check->max_vls,
					   starved->port, starved->vl, found, err);
	if (ret || found->flow.source != HD_NONE)
		return ret;
	return hd_choices_find_flow(&check->network, HD_NONE, 0, starved->port, starved->vl,
				    &found->flow, err);
}

/* Judges the worst failure, which is the first one of the enum and is found last here. */
static int judge(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	result->reachable = !result->n_uncovered;
	if (result->n_uncovered)
		result->failure = HD_CHECK_NOT_COVERED;
	if (result->n_witness)
		result->failure = HD_CHECK_CREDIT_LOOP;
	for (int failure = HD_CHECK_CREDIT_LOOP - 1; failure > HD_CHECK_SOUND; failure--) {
		const struct hd_failure_count *count = &check->failures[failure];
		const struct hd_failure_count *choices = &check->choices.failures[failure];
		struct hd_check_finding *found = &result->found[failure];
		int ret;

		/* what is wrong with LFTs alone is simpler to show */
		if (!count->n && choices->n) {
			ret = judge_choices(check, failure, result, err);
			if (ret)
				return ret;
			continue;
		}
		if (!count->n)
			continue;
		result->reachable = false;
		result->failure = failure;
		found->n = count->n;
		if (failure == HD_CHECK_STARVED)
			ret = find_starved(check, found, err);
		else
			ret = hd_find_bad_flow(&check->network, failure, count->first_lid,
					       check->max_vls, found, err);
		if (ret)
			return ret;
	}
	if (!result->found[HD_CHECK_FORWARD_LOOP].n || result->loop)
		return 0;
	return hd_find_loop(&check->network, &result->found[HD_CHECK_FORWARD_LOOP].flow,
			    &result->loop, &result->n_loop, err);
}

static int run(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	const bool by_lfts = !check->network.is_private;
	int ret = hd_destinations_init(&check->destinations, &check->network, false, err);

	if (!ret)
		ret = hd_usage_init(&check->usage, &check->network, err);
	if (!ret && by_lfts)
		ret = follow_all(check, result, err);
	if (!ret)
		ret = hd_choices_follow(&check->network, &check->usage, &check->choices, err);
	if (check->choices.max_hops > result->max_hops)
		result->max_hops = check->choices.max_hops;
	result->states = check->choices.n_states;
	if (!ret)
		ret = follow_multicast(check, result, err);
	if (!ret)
		ret = hd_dependencies_init(&check->dependencies, &check->network, &check->usage,
					   err);
	if (!ret && check->dependencies.drops)
		ret = hd_destinations_add_next(&check->destinations, &check->network, err);
	if (!ret && check->dependencies.drops && by_lfts)
		ret = hd_count_drops(&check->network, &check->destinations,
				     &check->failures[HD_CHECK_DROPPED], err);
	if (!ret)
		ret = find_witness(check, result, err);
	if (!ret)
		ret = hd_coverage_count(&check->network, false, &result->n_uncovered,
					&result->n_flows, err);
	if (ret)
		return ret;
	hd_find_starved(&check->network, &check->dependencies, &check->starved);
	check->failures[HD_CHECK_STARVED].n = check->starved.n;
	result->vlarb_gap = check->starved.unknown;
	hd_count_direct_failures(&check->network, &check->failures[HD_CHECK_NO_PATH]);
	result->channels = check->dependencies.n_channels;
	result->dependencies = check->dependencies.n_dependencies;
	result->vls = check->dependencies.n_vls;
	result->sls = (unsigned)__builtin_popcount(result->sls | check->network.sls_used);
	return judge(check, result, err);
}

/* The forwarding loop that all mixtures together have, if any, or else the credit loop. */
static int judge_between(struct check *check, const struct hd_between_result *between,
			 struct hd_check_result *result, struct hd_error *err)
{
	struct hd_check_finding *looping = &result->found[HD_CHECK_FORWARD_LOOP];

	result->reachable = !between->forward_loop.n;
	result->max_hops = between->max_hops;
	result->n_lossy = between->no_path.n;
	result->states = between->n_states;
	if (result->n_witness)
		result->failure = HD_CHECK_CREDIT_LOOP;
	if (!between->forward_loop.n)
		return 0;
	result->failure = HD_CHECK_FORWARD_LOOP;
	looping->n = between->forward_loop.n;
	return hd_choices_find_bad_flow(&check->network, HD_CHECK_FORWARD_LOOP,
					between->forward_loop.first_lid, looping, &result->loop,
					&result->n_loop, err);
}

/* The check of all mixtures with the tables of before. */
static int run_between(struct check *check, struct hd_check_result *result, struct hd_error *err)
{
	struct hd_between_result between;
	int ret = hd_usage_init(&check->usage, &check->network, err);

	if (!ret)
		ret = hd_between_follow(&check->network, &check->usage, &between, err);
	if (!ret)
		ret = hd_dependencies_init(&check->dependencies, &check->network, &check->usage,
					   err);
	if (!ret)
		ret = find_witness(check, result, err);
	if (ret)
		return ret;
	result->channels = check->dependencies.n_channels;
	result->dependencies = check->dependencies.n_dependencies;
	result->vls = check->dependencies.n_vls;
	result->sls = (unsigned)__builtin_popcount(check->network.sls_used);
	return judge_between(check, &between, result, err);
}

static int refuse_options(const struct hd_tables *tables, const struct hd_check_options *options,
			  struct hd_error *err)
{
	if (options->local_repair && !tables->ar && !(options->before && options->before->ar))
		return hd_error_set(err, HD_EINVAL,
				    "local repair is of AR tables, and there are none");
	if (hd_ar_is_private(tables) && tables->n_lft_unknown)
		return hd_error_set(err, HD_EINVAL,
				    "private LFTs or VL2VL, and some LFTs are missing");
	if (!options->before)
		return 0;
	if (options->reversed_sl || options->ring)
		return hd_error_set(err, HD_EINVAL,
				    "a check of mixtures takes neither reversed SLs nor bubble "
				    "flow control");
	if (tables->n_lft_unknown)
		return hd_error_set(err, HD_EINVAL, "the new tables lack LFTs");
	if (hd_classes_count_changes(options->before->classes, tables->classes))
		return hd_error_set(err, HD_EINVAL,
				    "old and new tables have different service classes: their "
				    "mixtures are not checked");
	return 0;
}

int hd_check(const struct hd_tables *tables, const struct hd_check_options *options,
	     struct hd_check_result *result, struct hd_error *err)
{
	const struct hd_check_options defaults = { 0 };
	struct check *check = calloc(1, sizeof(*check));
	int ret;

	memset(result, 0, sizeof(*result));
	result->n_unknown = tables->n_lft_unknown;
	if (!check)
		return hd_error_nomem(err);
	options = options ? options : &defaults;
	check->max_vls = options->max_vls;
	check->ring = options->ring;
	for (int failure = 0; failure < HD_CHECK_CREDIT_LOOP; failure++)
		check->failures[failure].first_lid = HD_NONE;
	ret = refuse_options(tables, options, err);
	if (!ret)
		ret = hd_network_init(&check->network, tables, options, err);
	if (!ret)
		ret = options->before ? run_between(check, result, err) : run(check, result, err);
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
	free(result->loop);
	result->loop = NULL;
	result->n_loop = 0;
}

const char *hd_check_failure_name(enum hd_check_failure failure)
{
	static const char *const names[] = {
		[HD_CHECK_SOUND] = "sound",
		[HD_CHECK_NO_PATH] = "no path",
		[HD_CHECK_FORWARD_LOOP] = "forwarding loop",
		[HD_CHECK_DROPPED] = "dropped packets",
		[HD_CHECK_STARVED] = "starved VLs",
		[HD_CHECK_CREDIT_LOOP] = "credit loop",
		[HD_CHECK_NOT_COVERED] = "not covered",
	};

	return names[failure];
}

/* Appends to @buffer; what does not fit is cut. */
static void append(char *buffer, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void append(char *buffer, size_t size, const char *format, ...)
{
	size_t length = strlen(buffer);
	va_list arguments;

	if (length)
		length += (size_t)snprintf(buffer + length, size - length, "; ");
	if (length >= size)
		return;
	va_start(arguments, format);
	vsnprintf(buffer + length, size - length, format, arguments);
	va_end(arguments);
}

static void append_finding(const struct hd_check_result *result, enum hd_check_failure failure,
			   const struct hd_fabric *fabric, char *buffer, size_t size)
{
	const struct hd_check_finding *found = &result->found[failure];
	char source[320], port[320], flows[64] = "", vl[16] = "";

	if (failure == HD_CHECK_FORWARD_LOOP && result->n_looping)
		snprintf(flows, sizeof(flows), " (%" PRIu64 " flow%s)", result->n_looping,
			 result->n_looping == 1 ? "" : "s");
	if (failure == HD_CHECK_STARVED)
		snprintf(vl, sizeof(vl), " on VL %u", found->vl);
	append(buffer, size, "%s: %" PRIu64 " time%s%s, first from %s to LID %u on SL %u at %s%s",
	       hd_check_failure_name(failure), found->n, found->n == 1 ? "" : "s", flows,
	       hd_port_label(fabric, found->flow.source, source, sizeof(source)), found->flow.lid,
	       found->flow.sl, hd_port_label(fabric, found->port, port, sizeof(port)), vl);
}

const char *hd_check_summary(const struct hd_check_result *result, const struct hd_fabric *fabric,
			     char *buffer, size_t size)
{
	char port[320];

	buffer[0] = '\0';
	if (result->failure == HD_CHECK_SOUND)
		append(buffer, size,
		       "%s: %u SL%s, %u VL%s, at most %u hop%s, %" PRIu64 " channels, %" PRIu64
		       " dependencies",
		       hd_check_failure_name(result->failure), result->sls,
		       result->sls == 1 ? "" : "s", result->vls, result->vls == 1 ? "" : "s",
		       result->max_hops, result->max_hops == 1 ? "" : "s", result->channels,
		       result->dependencies);
	for (int failure = HD_CHECK_NO_PATH; failure < HD_CHECK_CREDIT_LOOP; failure++)
		if (result->found[failure].n)
			append_finding(result, failure, fabric, buffer, size);
	if (result->n_witness)
		append(buffer, size, "%s of %zu channels through %s on VL %u",
		       hd_check_failure_name(HD_CHECK_CREDIT_LOOP), result->n_witness,
		       hd_port_label(fabric, result->witness[0].port, port, sizeof(port)),
		       result->witness[0].vl);
	if (result->n_uncovered)
		append(buffer, size,
		       "%s: %" PRIu64 " of %" PRIu64 " flows pass %" PRIu32
		       " switch%s without a table%s",
		       hd_check_failure_name(HD_CHECK_NOT_COVERED), result->n_uncovered,
		       result->n_flows, result->n_unknown, result->n_unknown == 1 ? "" : "es",
		       result->failure == HD_CHECK_NOT_COVERED &&
				       result->n_uncovered < result->n_flows
			       ? "; the rest is sound"
			       : "");
	return buffer;
}

int hd_check_demand(const struct hd_tables *tables, const struct hd_check_options *options,
		    char *summary, size_t size, struct hd_error *err)
{
	struct hd_check_result result;
	int ret = hd_check(tables, options, &result, err);

	if (ret)
		return ret;
	hd_check_summary(&result, tables->fabric, summary, size);
	if (result.failure != HD_CHECK_SOUND)
		ret = hd_error_set(err, HD_EREFUSED, "its tables fail the check: %s", summary);
	hd_check_clear(&result);
	return ret;
}
