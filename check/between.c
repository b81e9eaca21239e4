// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/between.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/branches.h"
#include "support/error.h"

#define BLOCK         64      /* LIDs whose columns are taken together: a line of an LFT */
#define PARALLEL_WORK 2000000 /* LIDs times switches; with less work one thread is quicker */

/* The LIDs in scope, in order of the switch that delivers them, then those without one. */
struct order {
	uint16_t *lids;
	uint32_t *first; /* [switch + 2] in lids[] */
};

/* What one thread works with. */
struct worker {
	struct hd_branches branches;
	struct hd_between_result result;

	/* of a block of LIDs, [number of the LID * n_switches + switch]: out-ports */
	uint8_t *now, *before;

	/* of the LIDs that are followed together: SLs (as places) by row of path SLs */
	uint16_t *row_now, *row_before;
};

/* The part of the order that @lid belongs to. */
static uint32_t part_of(const struct hd_fabric *fabric, uint32_t lid)
{
	const uint32_t s = fabric->lids[lid].via_switch;

	return s == HD_NONE ? fabric->n_switches : s;
}

static int order_lids(const struct hd_check_network *network, struct order *order,
		      struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	const uint32_t n_parts = fabric->n_switches + 1;

	order->lids = malloc((fabric->top_lid + (size_t)1) * sizeof(*order->lids));
	order->first = calloc(n_parts + (size_t)1, sizeof(*order->first));
	if (!order->lids || !order->first)
		return hd_error_nomem(err);
	hd_for_each_lid(lid, fabric)
		if (hd_network_has_lid(network, lid))
			order->first[part_of(fabric, lid) + 1]++;
	for (uint32_t part = 0; part < n_parts; part++)
		order->first[part + 1] += order->first[part];
	/* first[part] moves to the end of the part, which is the start of the next */
	hd_for_each_lid(lid, fabric)
		if (hd_network_has_lid(network, lid))
			order->lids[order->first[part_of(fabric, lid)]++] = (uint16_t)lid;
	for (uint32_t part = n_parts; part > 0; part--)
		order->first[part] = order->first[part - 1];
	order->first[0] = 0;
	return 0;
}

static int worker_init(struct worker *worker, const struct hd_check_network *network,
		       struct hd_error *err)
{
	const size_t size = BLOCK * (network->fabric->n_switches + (size_t)1);
	int ret = hd_branches_init(&worker->branches, network, err);

	worker->result.no_path.first_lid = worker->result.forward_loop.first_lid = HD_NONE;
	worker->now = malloc(size);
	worker->before = malloc(size);
	worker->row_now = malloc((network->tables->n_sl_rows + (size_t)1) * sizeof(uint16_t));
	worker->row_before = malloc((network->before->n_sl_rows + (size_t)1) * sizeof(uint16_t));
	if (!ret && (!worker->now || !worker->before || !worker->row_now || !worker->row_before))
		ret = hd_error_nomem(err);
	return ret;
}

static void worker_clear(struct worker *worker)
{
	hd_branches_clear(&worker->branches);
	free(worker->now);
	free(worker->before);
	free(worker->row_now);
	free(worker->row_before);
}

static void take_columns(const struct hd_check_network *network, const uint16_t *lids, unsigned n,
			 struct worker *worker)
{
	const size_t n_switches = network->fabric->n_switches;

	for (size_t s = 0; s < n_switches; s++) {
		const uint8_t *now = hd_lft(network->tables, (uint32_t)s);
		const uint8_t *before = hd_lft(network->before, (uint32_t)s);

		for (unsigned i = 0; i < n; i++) {
			worker->now[i * n_switches + s] = now[lids[i]];
			worker->before[i * n_switches + s] = before[lids[i]];
		}
	}
}

/* Whether all switches but the root forward to two LIDs of the block alike, before as after. */
static bool is_alike(const struct worker *worker, unsigned a, unsigned b, uint32_t n_switches,
		     uint32_t root)
{
	const uint8_t *columns[] = { worker->now, worker->before };

	for (unsigned i = 0; i < 2; i++) {
		const uint8_t *x = columns[i] + a * (size_t)n_switches;
		const uint8_t *y = columns[i] + b * (size_t)n_switches;

		if (memcmp(x, y, root) != 0 ||
		    memcmp(x + root + 1, y + root + 1, n_switches - root - 1) != 0)
			return false;
	}
	return true;
}

/* Whether the root hands out packets to @lid, before as after. */
static bool is_delivered(const struct hd_check_network *network, uint16_t lid)
{
	const struct hd_lid *place = &network->fabric->lids[lid];

	return place->via_switch != HD_NONE &&
	       hd_lft(network->tables, place->via_switch)[lid] == place->via_port &&
	       hd_lft(network->before, place->via_switch)[lid] == place->via_port;
}

static void take_sets(const struct hd_check_network *network, struct worker *worker, unsigned i,
		      uint16_t lid)
{
	struct hd_branches *b = &worker->branches;
	const size_t n_switches = network->fabric->n_switches;
	const struct hd_lid *place = &network->fabric->lids[lid];

	b->root = place->via_switch;
	b->root_port = place->via_port;
	for (size_t s = 0; s < n_switches; s++) {
		b->sets[s] = (struct hd_port_set){ { 0 } };
		hd_port_set_add(&b->sets[s], worker->now[i * n_switches + s]);
		hd_port_set_add(&b->sets[s], worker->before[i * n_switches + s]);
	}
	if (b->root != HD_NONE)
		hd_port_set_remove(&b->sets[b->root], b->root_port);
}

static void clear_sls(const struct hd_check_network *network, struct worker *worker)
{
	memset(worker->row_now, 0, network->tables->n_sl_rows * sizeof(uint16_t));
	memset(worker->row_before, 0, network->before->n_sl_rows * sizeof(uint16_t));
}

static void add_sls(const struct hd_check_network *network, const struct hd_tables *tables,
		    uint16_t lid, uint16_t *sls)
{
	for (uint32_t row = 0; row < tables->n_sl_rows; row++)
		sls[row] |= network->places[tables->sl_rows[row * tables->lft_stride + lid]];
}

/* What every source sends to the LIDs whose SLs were added. */
static void take_sls(const struct hd_check_network *network, struct worker *worker)
{
	const uint32_t n = network->first_source[network->fabric->n_switches];

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t source = network->sources[i];

		worker->branches.sls[i] =
			network->all_sls
				? (uint16_t)((1u << network->n_sls) - 1)
				: worker->row_now[network->tables->sl_row_of_port[source]] |
					  worker->row_before[network->before
								     ->sl_row_of_port[source]];
	}
}

/* A port sends nothing to its own LID, which matters where the root passes packets on. */
static void leave_out_owner(const struct hd_check_network *network, struct worker *worker,
			    uint16_t lid)
{
	const uint32_t root = network->fabric->lids[lid].via_switch;

	if (root == HD_NONE)
		return;
	for (uint32_t i = network->first_source[root]; i < network->first_source[root + 1]; i++)
		if (network->sources[i] == network->fabric->lids[lid].port)
			worker->branches.sls[i] = 0;
}

/* Follows the LIDs of the block that are alike LID @i and not @done yet, and that one. */
static void follow_alike(const struct hd_check_network *network, struct worker *worker,
			 const uint16_t *lids, unsigned i, unsigned n, bool *done,
			 struct hd_usage *usage)
{
	struct hd_branches *b = &worker->branches;
	struct hd_between_result *result = &worker->result;
	const uint32_t n_switches = network->fabric->n_switches;
	const uint32_t root = network->fabric->lids[lids[i]].via_switch;
	const bool delivered = is_delivered(network, lids[i]);
	bool together[BLOCK] = { false };
	unsigned n_lids = 0;

	take_sets(network, worker, i, lids[i]);
	clear_sls(network, worker);
	for (unsigned j = i; j < n; j++) {
		/* a root that passes packets on does so by the LID's own entries */
		together[j] = j == i || (!done[j] && delivered && is_delivered(network, lids[j]) &&
					 is_alike(worker, i, j, n_switches, root));
		if (!together[j])
			continue;
		done[j] = true;
		n_lids++;
		add_sls(network, network->tables, lids[j], worker->row_now);
		add_sls(network, network->before, lids[j], worker->row_before);
	}
	take_sls(network, worker);
	if (!delivered)
		leave_out_owner(network, worker, lids[i]);
	hd_branches_follow(b, usage);
	for (unsigned j = i; root != HD_NONE && j < n; j++)
		if (together[j])
			hd_branches_deliver(b, network->fabric->lids[lids[j]].via_port, usage);
	hd_failure_add(&result->no_path, (uint64_t)b->n_holes * n_lids, lids[i]);
	hd_failure_add(&result->forward_loop, (uint64_t)b->n_circling * n_lids, lids[i]);
	if (root != HD_NONE && b->depth[root] > result->max_hops)
		result->max_hops = b->depth[root];
}

static void follow_block(const struct hd_check_network *network, struct worker *worker,
			 const uint16_t *lids, unsigned n, struct hd_usage *usage)
{
	bool done[BLOCK] = { false };

	take_columns(network, lids, n, worker);
	for (unsigned i = 0; i < n; i++)
		if (!done[i])
			follow_alike(network, worker, lids, i, n, done, usage);
}

static void follow_part(const struct hd_check_network *network, struct worker *worker,
			const struct order *order, uint32_t part, struct hd_usage *usage)
{
	for (uint32_t i = order->first[part]; i < order->first[part + 1]; i += BLOCK) {
		const uint32_t left = order->first[part + 1] - i;

		follow_block(network, worker, order->lids + i, left < BLOCK ? left : BLOCK, usage);
	}
}

static void merge(struct hd_between_result *result, const struct hd_between_result *part)
{
	hd_failure_add(&result->no_path, part->no_path.n, part->no_path.first_lid);
	hd_failure_add(&result->forward_loop, part->forward_loop.n, part->forward_loop.first_lid);
	if (part->max_hops > result->max_hops)
		result->max_hops = part->max_hops;
}

static unsigned count_workers(const struct hd_check_network *network)
{
#ifdef _OPENMP
	if ((uint64_t)network->fabric->top_lid * network->fabric->n_switches > PARALLEL_WORK)
		return (unsigned)omp_get_max_threads();
#else
	(void)network;
#endif
	return 1;
}

int hd_between_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_between_result *result, struct hd_error *err)
{
	const unsigned n_workers = count_workers(network);
	struct worker *workers = calloc(n_workers, sizeof(*workers));
	struct order order = { 0 };
	int ret = workers ? order_lids(network, &order, err) : hd_error_nomem(err);

	*result = (struct hd_between_result){ .no_path.first_lid = HD_NONE,
					      .forward_loop.first_lid = HD_NONE };
	for (unsigned i = 0; !ret && i < n_workers; i++)
		ret = worker_init(&workers[i], network, err);
	if (!ret) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 4) num_threads(n_workers)
#endif
		for (uint32_t part = 0; part <= network->fabric->n_switches; part++) {
#ifdef _OPENMP
			struct worker *worker = &workers[omp_get_thread_num()];
#else
			struct worker *worker = workers;
#endif
			follow_part(network, worker, &order, part, usage);
		}
	}
	for (unsigned i = 0; workers && i < n_workers; i++) {
		merge(result, &workers[i].result);
		worker_clear(&workers[i]);
	}
	free(workers);
	free(order.lids);
	free(order.first);
	return ret;
}
