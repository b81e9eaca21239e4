// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/between.h"

#include <stdlib.h>
#include <string.h>

#include "check/branches.h"
#include "check/choices.h"
#include "support/error.h"

#define BLOCK         64 /* LIDs whose columns are taken together: a line of an LFT */
#define ALL_SLS       0xFFFF
#define PARALLEL_WORK 2000000 /* LIDs times switches; with less work one thread is quicker */

/* What is to be followed, and how. */
struct work {
	const struct hd_check_network *network;

	/*
	 * Where path SLs are alike, LIDs to which no switch has two entries are followed as the
	 * check of one set of tables does, which is far quicker: trees, of SL2VL rows of both.
	 */
	struct hd_destinations trees;
	bool *has_branches; /* [LID] the others */

	/* The others in scope, by the switch that delivers them, then those without one. */
	uint16_t *lids;
	uint32_t *first; /* [switch + 2] in lids[] */
};

/* Path SLs (as places) of some tables to the LIDs of a block. */
struct sls {
	const struct hd_tables *tables;
	const uint32_t *row_sources; /* [row] how many sources take it */
	uint16_t *columns;           /* [number of the LID * rows + row] */
	uint32_t own[BLOCK];         /* [number of the LID] the row that its owner alone takes: what
					that would send itself does not matter; HD_NONE: none */
	uint16_t *together;          /* [row] to any of the LIDs that are followed together */
};

/* What one thread works with. */
struct worker {
	struct hd_states states;
	struct hd_branches branches;
	struct hd_between_result result;

	/* of a block of LIDs, [number of the LID * n_switches + switch]: out-ports */
	uint8_t *now, *before;
	struct hd_port_set *mixed; /* all that a switch may do, with AR tables; else NULL */

	struct sls sls[2]; /* of the tables of now and of before */
	uint16_t lanes
		[BLOCK]; /* [number of the LID] SLs of all sources to it; ALL_SLS: they differ */
};

/* The part of the order that @lid belongs to. */
static uint32_t part_of(const struct hd_fabric *fabric, uint32_t lid)
{
	const uint32_t s = fabric->lids[lid].via_switch;

	return s == HD_NONE ? fabric->n_switches : s;
}

static void order_lids(struct work *work)
{
	const struct hd_check_network *network = work->network;
	const struct hd_fabric *fabric = network->fabric;
	const uint32_t n_parts = fabric->n_switches + 1;

	hd_for_each_lid(lid, fabric)
		if (hd_network_follows_lid(network, lid) && work->has_branches[lid])
			work->first[part_of(fabric, lid) + 1]++;
	for (uint32_t part = 0; part < n_parts; part++)
		work->first[part + 1] += work->first[part];
	/* first[part] moves to the end of the part, which is the start of the next */
	hd_for_each_lid(lid, fabric)
		if (hd_network_follows_lid(network, lid) && work->has_branches[lid])
			work->lids[work->first[part_of(fabric, lid)]++] = (uint16_t)lid;
	for (uint32_t part = n_parts; part > 0; part--)
		work->first[part] = work->first[part - 1];
	work->first[0] = 0;
}

/* Whether every source has the same path SLs in both. */
static bool sls_are_alike(const struct hd_check_network *network)
{
	const struct hd_tables *now = network->tables, *before = network->before;
	const struct hd_fabric *fabric = network->fabric;
	uint32_t rows[] = { HD_NONE, HD_NONE }; /* compared last */

	hd_for_each_port(p, fabric) {
		const uint8_t *a, *b;

		if (!hd_network_is_end(network, p) ||
		    (rows[0] == now->sl_row_of_port[p] && rows[1] == before->sl_row_of_port[p]))
			continue;
		rows[0] = now->sl_row_of_port[p];
		rows[1] = before->sl_row_of_port[p];
		a = now->sl_rows + rows[0] * now->lft_stride;
		b = before->sl_rows + rows[1] * before->lft_stride;
		hd_for_each_lid(lid, fabric)
			if (network->places[a[lid]] != network->places[b[lid]] &&
			    hd_network_follows_lid(network, lid))
				return false;
	}
	return true;
}

static bool has_sets(const struct hd_check_network *network)
{
	return network->tables->ar || network->before->ar;
}

/*
 * Marks the LIDs to which some switch has two entries, or a set; and those to which nothing
 * arrives.
 */
static void find_branches(struct work *work)
{
	const struct hd_check_network *network = work->network;
	const size_t stride = network->tables->lft_stride;

	hd_for_each_switch(s, network->fabric)
		for (size_t first = 0; first < stride; first += BLOCK) {
			const uint8_t *now = hd_lft(network->tables, s) + first;
			const uint8_t *before = hd_lft(network->before, s) + first;

			if (memcmp(now, before, BLOCK) == 0)
				continue;
			for (unsigned i = 0; i < BLOCK; i++)
				work->has_branches[first + i] |= now[i] != before[i];
		}
	for (uint32_t s = 0; has_sets(network) && s < network->fabric->n_switches; s++)
		hd_for_each_lid(lid, network->fabric)
			work->has_branches[lid] |= hd_ar_ports(network->tables, s, lid) ||
						   hd_ar_ports(network->before, s, lid);
	hd_for_each_lid(lid, network->fabric)
		work->has_branches[lid] |= hd_network_has_failed(network, lid);
}

/* Where one of the LIDs of @d has branches, all of them are taken to. */
static void spread_branches(struct work *work, const struct hd_destination *d)
{
	bool any = false;

	for (uint32_t i = d->first; i < d->end; i++)
		any |= work->has_branches[work->trees.lids[i]];
	for (uint32_t i = d->first; i < d->end; i++)
		work->has_branches[work->trees.lids[i]] = any;
}

static int work_init(struct work *work, const struct hd_check_network *network,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	int ret = 0;

	*work = (struct work){ .network = network };
	work->has_branches = malloc(network->tables->lft_stride);
	work->lids = malloc((fabric->top_lid + (size_t)1) * sizeof(*work->lids));
	work->first = calloc(fabric->n_switches + (size_t)2, sizeof(*work->first));
	if (!work->has_branches || !work->lids || !work->first)
		return hd_error_nomem(err);
	if (sls_are_alike(network)) {
		memset(work->has_branches, false, network->tables->lft_stride);
		find_branches(work);
		ret = hd_destinations_init(&work->trees, network, false, err);
		if (!ret)
			ret = hd_destinations_add_next(&work->trees, network, err);
	} else {
		memset(work->has_branches, true, network->tables->lft_stride);
	}
	if (ret)
		return ret;
	for (uint32_t d = 0; d < work->trees.n; d++)
		spread_branches(work, &work->trees.list[d]);
	order_lids(work);
	return 0;
}

static void work_clear(struct work *work)
{
	hd_destinations_clear(&work->trees);
	free(work->has_branches);
	free(work->lids);
	free(work->first);
}

static bool sls_init(struct sls *sls, const struct hd_tables *tables, const uint32_t *row_sources)
{
	const size_t n = tables->n_sl_rows + (size_t)1;

	sls->tables = tables;
	sls->row_sources = row_sources;
	sls->columns = malloc(BLOCK * n * sizeof(*sls->columns));
	sls->together = malloc(n * sizeof(*sls->together));
	return sls->columns && sls->together;
}

static int worker_init(struct worker *worker, const struct hd_check_network *network,
		       struct hd_error *err)
{
	const size_t size = BLOCK * (network->fabric->n_switches + (size_t)1);
	int ret = hd_branches_init(&worker->branches, network, false, err);

	if (!ret)
		ret = hd_states_init(&worker->states, network, err);
	worker->branches.with_local = true;
	worker->result.no_path.first_lid = worker->result.forward_loop.first_lid = HD_NONE;
	worker->now = malloc(size);
	worker->before = malloc(size);
	if (has_sets(network))
		worker->mixed = malloc(size * sizeof(*worker->mixed));
	if (!ret && (!worker->now || !worker->before || (has_sets(network) && !worker->mixed) ||
		     !sls_init(&worker->sls[0], network->tables, network->row_sources) ||
		     !sls_init(&worker->sls[1], network->before, network->row_sources_before)))
		ret = hd_error_nomem(err);
	return ret;
}

static void worker_clear(struct worker *worker)
{
	hd_branches_clear(&worker->branches);
	hd_states_clear(&worker->states);
	free(worker->now);
	free(worker->before);
	free(worker->mixed);
	for (unsigned i = 0; i < 2; i++) {
		free(worker->sls[i].columns);
		free(worker->sls[i].together);
	}
}

static void take_sl_columns(const struct hd_check_network *network, struct sls *sls,
			    const uint16_t *lids, unsigned n)
{
	const struct hd_tables *tables = sls->tables;
	const size_t n_rows = tables->n_sl_rows;

	for (size_t row = 0; row < n_rows; row++) {
		const uint8_t *to = tables->sl_rows + row * tables->lft_stride;

		for (unsigned i = 0; i < n; i++)
			sls->columns[i * n_rows + row] =
				sls->row_sources[row] ? network->places[to[lids[i]]] : 0;
	}
	for (unsigned i = 0; i < n; i++) {
		const uint32_t row = hd_network_own_row(network, tables, lids[i]);

		sls->own[i] = row != HD_NONE && sls->row_sources[row] == 1 ? row : HD_NONE;
		if (sls->own[i] != HD_NONE)
			sls->columns[i * n_rows + row] = 0;
	}
}

/* The one set of SLs that every other source sends to LID @i of the block; false: they differ. */
static bool find_common_sls(const struct hd_check_network *network, const struct sls *sls,
			    unsigned i, unsigned *common)
{
	const size_t n_rows = sls->tables->n_sl_rows;
	bool any = false;

	for (size_t row = 0; row < n_rows; row++) {
		const unsigned here = sls->columns[i * n_rows + row];

		if (!sls->row_sources[row] || row == sls->own[i])
			continue;
		if (any && here != *common)
			return false;
		*common = here;
		any = true;
	}
	return true;
}

/*
 * The same, of both tables; all SLs where they differ by source. What arrives at the root for
 * several LIDs together is told apart by SL.
 */
static unsigned lanes_of(const struct hd_check_network *network, const struct worker *worker,
			 unsigned i)
{
	unsigned now = 0, before = 0;

	if (network->all_sls || !find_common_sls(network, &worker->sls[0], i, &now) ||
	    !find_common_sls(network, &worker->sls[1], i, &before))
		return ALL_SLS;
	return now | before;
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
		for (unsigned i = 0; worker->mixed && i < n; i++)
			worker->mixed[i * n_switches + s] = hd_ar_mixed_choices(
				network->tables, network->before, (uint32_t)s, 0, lids[i], 0);
	}
	for (unsigned i = 0; i < 2; i++)
		take_sl_columns(network, &worker->sls[i], lids, n);
	for (unsigned i = 0; i < n; i++)
		worker->lanes[i] = (uint16_t)lanes_of(network, worker, i);
}

/* Whether every source, but the owners, sends to both LIDs of the block on the same SLs. */
static bool has_same_sls(const struct sls *sls, unsigned a, unsigned b)
{
	const size_t n_rows = sls->tables->n_sl_rows;
	const uint16_t *x = sls->columns + a * n_rows, *y = sls->columns + b * n_rows;

	for (size_t row = 0; row < n_rows; row++)
		if (x[row] != y[row] && row != sls->own[a] && row != sls->own[b])
			return false;
	return true;
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
	if (worker->mixed) {
		const struct hd_port_set *x = worker->mixed + a * (size_t)n_switches;
		const struct hd_port_set *y = worker->mixed + b * (size_t)n_switches;

		return memcmp(x, y, root * sizeof(*x)) == 0 &&
		       memcmp(x + root + 1, y + root + 1, (n_switches - root - 1) * sizeof(*x)) ==
			       0;
	}
	return true;
}

/* Whether the root hands out packets to @lid, before as after. */
static bool is_delivered(const struct hd_check_network *network, uint16_t lid)
{
	const struct hd_lid *place = &network->fabric->lids[lid];

	return place->via_switch != HD_NONE &&
	       !hd_ar_ports(network->tables, place->via_switch, lid) &&
	       !hd_ar_ports(network->before, place->via_switch, lid) &&
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
		if (worker->mixed) {
			b->sets[s] = worker->mixed[i * n_switches + s];
			continue;
		}
		b->sets[s] = (struct hd_port_set){ { 0 } };
		hd_port_set_add(&b->sets[s], worker->now[i * n_switches + s]);
		hd_port_set_add(&b->sets[s], worker->before[i * n_switches + s]);
	}
	if (b->root != HD_NONE)
		hd_port_set_remove(&b->sets[b->root], b->root_port);
}

static void add_sls(struct sls *sls, unsigned i)
{
	const size_t n_rows = sls->tables->n_sl_rows;

	for (size_t row = 0; row < n_rows; row++)
		sls->together[row] |= sls->columns[i * n_rows + row];
}

/* What every source sends to the LIDs whose SLs were added. */
static void take_sls(const struct hd_check_network *network, struct worker *worker)
{
	const uint32_t n = network->first_source[network->fabric->n_switches];
	const struct sls *now = &worker->sls[0], *before = &worker->sls[1];

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t source = network->sources[i];
		const uint32_t new_row = now->tables->sl_row_of_port[source];
		const uint32_t old_row = before->tables->sl_row_of_port[source];
		const unsigned both = now->together[new_row] | before->together[old_row];

		worker->branches.sls[i] =
			(uint16_t)(network->all_sls ? (1u << network->n_sls) - 1 : both);
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

/* Which LIDs of the block that are not @done can be followed with LID @i; their number. */
static unsigned find_together(const struct hd_check_network *network, const struct worker *worker,
			      const uint16_t *lids, unsigned i, unsigned n, const bool *done,
			      bool *together)
{
	const uint32_t root = network->fabric->lids[lids[i]].via_switch;
	const bool differ = worker->lanes[i] == ALL_SLS;
	unsigned n_lids = 1;

	together[i] = true;
	/* a root that passes packets on does so by the LID's own entries */
	if (!is_delivered(network, lids[i]))
		return 1;
	for (unsigned j = i + 1; j < n; j++) {
		together[j] =
			!done[j] && is_delivered(network, lids[j]) &&
			is_alike(worker, i, j, network->fabric->n_switches, root) &&
			(network->all_sls || (differ ? has_same_sls(&worker->sls[0], i, j) &&
							       has_same_sls(&worker->sls[1], i, j)
						     : worker->lanes[j] != ALL_SLS));
		n_lids += together[j];
	}
	return n_lids;
}

/* Hands out what arrived for the LIDs that were followed, where one of the two tables does. */
static void deliver(const struct hd_check_network *network, const struct worker *worker,
		    const uint16_t *lids, unsigned n, const bool *together,
		    const struct hd_tables *one, const struct hd_tables *other,
		    struct hd_usage *usage)
{
	const struct hd_branches *b = &worker->branches;

	for (unsigned j = 0; b->root != HD_NONE && j < n; j++) {
		const unsigned port = network->fabric->lids[lids[j]].via_port;

		if (together[j] && (hd_lft(one, b->root)[lids[j]] == port ||
				    hd_lft(other, b->root)[lids[j]] == port))
			hd_branches_deliver(b, port, worker->lanes[j], usage);
	}
}

/*
 * Mixtures of the two make a circle, in front of which packets were followed alone: what either
 * table leads to its end counts as well.
 */
static void follow_alone(const struct hd_check_network *network, struct worker *worker,
			 const uint16_t *lids, unsigned i, unsigned n, const bool *together,
			 struct hd_usage *usage)
{
	const struct hd_tables *tables[] = { network->tables, network->before };

	for (unsigned k = 0; k < 2; k++) {
		hd_branches_take_entries(&worker->branches, tables[k], lids[i]);
		hd_branches_follow(&worker->branches, usage);
		deliver(network, worker, lids, n, together, tables[k], tables[k], usage);
	}
}

/* Follows the LIDs of the block that are alike LID @i and not @done yet, and that one. */
static void follow_alike(const struct hd_check_network *network, struct worker *worker,
			 const uint16_t *lids, unsigned i, unsigned n, bool *done,
			 struct hd_usage *usage)
{
	struct hd_branches *b = &worker->branches;
	struct hd_between_result *result = &worker->result;
	bool together[BLOCK] = { false };
	const unsigned n_lids = find_together(network, worker, lids, i, n, done, together);

	take_sets(network, worker, i, lids[i]);
	for (unsigned k = 0; k < 2; k++) {
		struct sls *sls = &worker->sls[k];

		memset(sls->together, 0, sls->tables->n_sl_rows * sizeof(*sls->together));
		for (unsigned j = i; j < n; j++)
			if (together[j])
				add_sls(sls, j);
	}
	for (unsigned j = i; j < n; j++)
		done[j] |= together[j];
	take_sls(network, worker);
	if (!is_delivered(network, lids[i]))
		leave_out_owner(network, worker, lids[i]);
	hd_branches_follow(b, usage);
	deliver(network, worker, lids, n, together, network->tables, network->before, usage);
	/* nothing is expected to arrive where the owner has failed */
	if (!hd_network_has_failed(network, lids[i]))
		hd_failure_add(&result->no_path, (uint64_t)b->n_holes * n_lids, lids[i]);
	hd_failure_add(&result->forward_loop, (uint64_t)b->n_circling * n_lids, lids[i]);
	if (b->hops > result->max_hops)
		result->max_hops = b->hops;
	if (b->n_circling)
		follow_alone(network, worker, lids, i, n, together, usage);
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

/* @n LIDs of one switch. */
static void follow_lids(const struct work *work, struct worker *worker, const uint16_t *lids,
			uint32_t n, struct hd_usage *usage)
{
	for (uint32_t i = 0; i < n; i += BLOCK)
		follow_block(work->network, worker, lids + i, n - i < BLOCK ? n - i : BLOCK, usage);
}

static void follow_tree(const struct work *work, struct worker *worker, uint32_t d,
			struct hd_usage *usage)
{
	const struct hd_destination *destination = &work->trees.list[d];
	const struct hd_tree *tree = &worker->states.tree;
	const uint32_t n_lids = destination->end - destination->first;
	const uint16_t lid = work->trees.lids[destination->first];

	if (work->has_branches[lid])
		return;
	hd_states_build(&worker->states, work->network, &work->trees, destination, usage);
	/* a tree has only what arrives, but what is lost takes channels on its way, too */
	if (tree->n_holes) {
		follow_lids(work, worker, work->trees.lids + destination->first, n_lids, usage);
		return;
	}
	hd_failure_add(&worker->result.no_path, (uint64_t)tree->n_holes * n_lids, lid);
	hd_failure_add(&worker->result.forward_loop, (uint64_t)tree->n_circling * n_lids, lid);
	if (tree->max_hops > worker->result.max_hops)
		worker->result.max_hops = tree->max_hops;
}

static void merge(struct hd_between_result *result, const struct hd_between_result *part)
{
	hd_failure_add(&result->no_path, part->no_path.n, part->no_path.first_lid);
	hd_failure_add(&result->forward_loop, part->forward_loop.n, part->forward_loop.first_lid);
	if (part->max_hops > result->max_hops)
		result->max_hops = part->max_hops;
}

/* Where pLFTs, VL2VL or local repair come in, packets are followed as all choices are. */
static int follow_choices(const struct hd_check_network *network, struct hd_usage *usage,
			  struct hd_between_result *result, struct hd_error *err)
{
	struct hd_choices_result choices;
	const int ret = hd_choices_follow(network, usage, &choices, err);

	*result = (struct hd_between_result){
		.no_path = choices.failures[HD_CHECK_NO_PATH],
		.forward_loop = choices.failures[HD_CHECK_FORWARD_LOOP],
		.max_hops = choices.max_hops,
		.n_states = choices.n_states,
	};
	return ret;
}

static int follow(const struct hd_check_network *network, struct hd_usage *usage,
		  struct hd_between_result *result, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	const unsigned n_workers =
		hd_check_threads((uint64_t)fabric->top_lid * fabric->n_switches, PARALLEL_WORK);
	struct worker *workers = calloc(n_workers, sizeof(*workers));
	struct work work = { 0 };
	int ret = workers ? work_init(&work, network, err) : hd_error_nomem(err);

	*result = (struct hd_between_result){ .no_path.first_lid = HD_NONE,
					      .forward_loop.first_lid = HD_NONE };
	for (unsigned i = 0; !ret && i < n_workers; i++)
		ret = worker_init(&workers[i], network, err);
	if (!ret) {
		const uint32_t n_parts = network->fabric->n_switches + 1;

#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 4) num_threads(n_workers)
#endif
		for (uint32_t i = 0; i < n_parts + work.trees.n; i++)
			if (i < n_parts)
				follow_lids(&work, &workers[hd_destinations_thread()],
					    work.lids + work.first[i],
					    work.first[i + 1] - work.first[i], usage);
			else
				follow_tree(&work, &workers[hd_destinations_thread()], i - n_parts,
					    usage);
	}
	for (unsigned i = 0; workers && i < n_workers; i++) {
		merge(result, &workers[i].result);
		worker_clear(&workers[i]);
	}
	free(workers);
	work_clear(&work);
	return ret;
}

int hd_between_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_between_result *result, struct hd_error *err)
{
	return network->is_private || network->n_down ? follow_choices(network, usage, result, err)
						      : follow(network, usage, result, err);
}
