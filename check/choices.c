// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/choices.h"

#include <stdlib.h>
#include <string.h>

#include "check/alike.h"
#include "check/branches.h"
#include "check/destinations.h"
#include "support/error.h"

/* Below so many pairs of a LID and a switch, threads cost more than they save. */
#define PARALLEL_WORK 65536

/*
 * The root delivers. Where its LFT does not, that is wrong without any choice, and the check of
 * LFTs says so, unless there are private ones or old tables.
 */
static void take_root(struct hd_branches *b, uint32_t lid)
{
	const struct hd_check_network *network = b->network;

	b->delivers = network->is_private || network->before ? 0 : 1;
	for (unsigned plft = 0; plft < network->n_plfts; plft++) {
		struct hd_port_set *set = &b->sets[b->root * network->n_plfts + plft];

		if (hd_port_set_has(set, b->root_port))
			b->delivers |= 1u << plft;
		hd_port_set_remove(set, b->root_port);
		if (!network->is_private && !network->before &&
		    hd_lft(network->tables, b->root)[lid] != b->root_port)
			hd_port_set_remove(set, hd_lft(network->tables, b->root)[lid]);
	}
}

/* The sets of switch @s for @lid. */
static void take_switch(struct hd_branches *b, uint32_t s, uint32_t lid)
{
	const struct hd_check_network *network = b->network;

	for (unsigned plft = 0; plft < network->n_plfts; plft++) {
		const size_t pair = s * network->n_plfts + plft;

		if (b->mapped[pair])
			b->sets[pair] = hd_network_choices(network, s, plft, lid);
	}
}

/* Takes up @lid; false: there are no choices for it. */
static bool take_lid(struct hd_branches *b, uint32_t lid)
{
	const struct hd_check_network *network = b->network;
	const struct hd_lid *place = &network->fabric->lids[lid];

	b->root = place->via_switch;
	b->root_port = place->via_port;
	/* without a root nothing arrives, but packets of a mixture may circle */
	if (b->root == HD_NONE && !network->before)
		return false;
	memset(b->sets, 0,
	       network->fabric->n_switches * (size_t)network->n_plfts * sizeof(*b->sets));
	hd_for_each_switch(s, network->fabric)
		take_switch(b, s, lid);
	if (b->root != HD_NONE)
		take_root(b, lid);
	return true;
}

/* The same for a LID that is like the last one (check/alike.h): only the root's sets may differ. */
static bool take_next(struct hd_branches *b, uint32_t lid)
{
	if (b->root == HD_NONE)
		return take_lid(b, lid);
	b->root_port = b->network->fabric->lids[lid].via_port;
	take_switch(b, b->root, lid);
	take_root(b, lid);
	return true;
}

static void take_sls(struct hd_branches *b, uint32_t lid, uint32_t first, uint32_t end)
{
	const struct hd_check_network *network = b->network;

	for (uint32_t i = first; i < end; i++)
		b->sls[i] = (uint16_t)hd_flow_sls(network, network->sources[i], lid);
}

static void take_all_sls(struct hd_branches *b, uint32_t lid)
{
	take_sls(b, lid, 0, b->network->first_source[b->network->fabric->n_switches]);
}

/* What tells whether two LIDs of a switch are alike to all sources at others. */
struct likeness {
	uint32_t number;    /* of the LID before (check/alike.h); HD_NONE: there was none */
	uint8_t *sls;       /* [SL row], then those of the tables of before */
	uint32_t owner_row; /* that of the LID's owner */
	uint32_t root;      /* HD_NONE: there was no LID yet */
	uint64_t n_states;
};

static int like_init(struct likeness *like, const struct hd_check_network *network,
		     struct hd_error *err)
{
	*like = (struct likeness){ .root = HD_NONE, .number = HD_NONE };
	like->sls = calloc(network->tables->n_sl_rows +
				   (network->before ? network->before->n_sl_rows : (size_t)0) + 1,
			   sizeof(*like->sls));
	return like->sls ? 0 : hd_error_nomem(err);
}

/* Whether the root does nothing but deliver, by all of its pLFTs. */
static bool only_delivers(const struct hd_branches *b)
{
	for (unsigned plft = 0; plft < b->network->n_plfts; plft++)
		if (hd_port_set_count(&b->sets[b->root * b->network->n_plfts + plft]))
			return false;
	return true;
}

/* Whether all path SLs of @tables to @lid are @sls; notes them there. */
static bool has_same_sls(const struct hd_tables *tables, uint32_t lid, uint8_t *sls)
{
	bool same = true;

	for (uint32_t row = 0; row < tables->n_sl_rows; row++) {
		const uint8_t sl = tables->sl_rows[row * tables->lft_stride + lid];

		same &= sl == sls[row];
		sls[row] = sl;
	}
	return same;
}

/* Whether the LID is like the one before, in all; notes it. @same: it has the same number. */
static bool is_alike(const struct hd_branches *b, uint32_t lid, bool same, struct likeness *like)
{
	const struct hd_check_network *network = b->network;
	const struct hd_tables *tables = network->tables;
	const uint32_t owner_row = hd_network_own_row(network, tables, lid);

	same &= like->root == b->root;
	if (network->reversed_sl)
		same &= like->owner_row == owner_row;
	like->owner_row = owner_row;
	/* by a root that passes packets on, sources there go their ways, too */
	like->root = b->root != HD_NONE && only_delivers(b) ? b->root : HD_NONE;
	if (!network->all_sls)
		same &= has_same_sls(tables, lid, like->sls);
	if (!network->all_sls && network->before)
		same &= has_same_sls(network->before, lid, like->sls + tables->n_sl_rows);
	return same && like->root != HD_NONE;
}

static void add_result(const struct hd_branches *b, uint32_t lid, struct hd_choices_result *result)
{
	/* nothing is expected to arrive where the owner has failed */
	if (!hd_network_has_failed(b->network, lid))
		hd_failure_add(&result->failures[HD_CHECK_NO_PATH], b->n_holes, lid);
	hd_failure_add(&result->failures[HD_CHECK_FORWARD_LOOP], b->n_circling, lid);
	hd_failure_add(&result->failures[HD_CHECK_DROPPED], b->n_drops, lid);
	if (b->hops > result->max_hops)
		result->max_hops = b->hops;
}

static void follow_lid(struct hd_branches *b, uint32_t lid, bool same, struct likeness *like,
		       struct hd_usage *usage, struct hd_choices_result *result)
{
	const uint32_t *first = b->network->first_source;
	bool keeps = true;

	if (is_alike(b, lid, same, like)) {
		take_sls(b, lid, first[b->root], first[b->root + 1]);
	} else {
		take_all_sls(b, lid);
		hd_branches_follow(b, usage);
		like->n_states = b->n_states;
	}
	b->n_states = like->n_states;
	add_result(b, lid, result);
	if (b->root != HD_NONE) {
		keeps = hd_branches_deliver(b, b->root_port, 0xFFFF, usage);
		keeps &= hd_branches_deliver_local(b, usage);
	}
	hd_failure_add(&result->failures[HD_CHECK_DROPPED], !keeps, lid);
	result->n_states += b->n_states;
}

/* What one thread follows with. */
struct worker {
	struct hd_branches branches;
	struct likeness like;
	struct hd_choices_result result;
};

static void result_init(struct hd_choices_result *result)
{
	*result = (struct hd_choices_result){ .max_hops = 0 };
	for (int failure = 0; failure < HD_CHECK_CREDIT_LOOP; failure++)
		result->failures[failure].first_lid = HD_NONE;
}

static int worker_init(struct worker *worker, const struct hd_check_network *network,
		       struct hd_error *err)
{
	int ret = hd_branches_init(&worker->branches, network, true, err);

	result_init(&worker->result);
	return ret ? ret : like_init(&worker->like, network, err);
}

/* Adds what @worker found to the rest; clears it. */
static void worker_finish(struct worker *worker, struct hd_usage *usage,
			  struct hd_choices_result *result)
{
	const struct hd_choices_result *part = &worker->result;

	for (int failure = 0; failure < HD_CHECK_CREDIT_LOOP; failure++)
		hd_failure_add(&result->failures[failure], part->failures[failure].n,
			       part->failures[failure].first_lid);
	if (part->max_hops > result->max_hops)
		result->max_hops = part->max_hops;
	result->n_states += part->n_states;
	if (usage)
		hd_branches_add_usage(&worker->branches, usage);
	free(worker->like.sls);
	hd_branches_clear(&worker->branches);
}

/*
 * LIDs by the switch that delivers them, each switch's by their numbers in `alike`, then ascending.
 */
struct lid_list {
	uint32_t *lids;
	uint32_t *alike; /* [LID] as in check/alike.h */
	uint32_t *first; /* [switch + 1], the last one for LIDs without a switch */
};

static uint32_t part_of(const struct hd_check_network *network, uint32_t lid)
{
	const uint32_t root = network->fabric->lids[lid].via_switch;

	return root == HD_NONE ? network->fabric->n_switches : root;
}

/* A LID, for sorting. */
struct numbered {
	uint32_t part, number, lid;
};

static int compare_numbered(const void *x, const void *y)
{
	const struct numbered *a = x, *b = y;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->lid < b->lid ? -1 : a->lid > b->lid;
}

/* LIDs that are alike stand together. @mapped as in struct hd_branches. */
static int list_lids(const struct hd_check_network *network, const bool *mapped,
		     struct lid_list *list, struct hd_error *err)
{
	const uint32_t n_parts = network->fabric->n_switches + 1;

	const size_t most = network->fabric->top_lid + (size_t)1;
	struct numbered *sorted = malloc(most * sizeof(*sorted));
	uint32_t n = 0;
	int ret;

	list->lids = malloc(most * sizeof(*list->lids));
	list->alike = malloc(most * sizeof(*list->alike));
	list->first = calloc(n_parts + (size_t)1, sizeof(*list->first));
	ret = sorted && list->lids && list->alike && list->first
		      ? hd_alike_find(network, mapped, list->alike, err)
		      : hd_error_nomem(err);
	if (!ret) {
		hd_for_each_lid(lid, network->fabric)
			if (hd_network_follows_lid(network, lid))
				sorted[n++] = (struct numbered){ part_of(network, lid),
								 list->alike[lid], lid };
		qsort(sorted, n, sizeof(*sorted), compare_numbered);
		for (uint32_t i = 0; i < n; i++) {
			list->lids[i] = sorted[i].lid;
			list->first[sorted[i].part + 1]++;
		}
		for (uint32_t part = 0; part < n_parts; part++)
			list->first[part + 1] += list->first[part];
	}
	free(sorted);
	return ret;
}

/* Follows the LIDs of part @part. */
static void follow_part(struct worker *worker, const struct lid_list *list, uint32_t part,
			struct hd_usage *usage)
{
	struct hd_branches *b = &worker->branches;
	struct likeness *like = &worker->like;

	for (uint32_t i = list->first[part]; i < list->first[part + 1]; i++) {
		const uint32_t lid = list->lids[i];
		const bool same = list->alike[lid] == like->number;

		like->number = list->alike[lid];
		if (same ? take_next(b, lid) : take_lid(b, lid))
			follow_lid(b, lid, same, like, usage, &worker->result);
	}
}

int hd_choices_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_choices_result *result, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	const unsigned n_workers =
		hd_check_threads((uint64_t)fabric->top_lid * fabric->n_switches, PARALLEL_WORK);
	const uint32_t n_parts = network->fabric->n_switches + 1;
	struct lid_list list = { .lids = NULL };
	struct worker *workers;
	int ret;

	result_init(result);
	if (!network->tables->ar && !network->before)
		return 0;
	workers = calloc(n_workers, sizeof(*workers));
	ret = workers ? 0 : hd_error_nomem(err);
	for (unsigned i = 0; !ret && i < n_workers; i++)
		ret = worker_init(&workers[i], network, err);
	if (!ret)
		ret = list_lids(network, workers[0].branches.mapped, &list, err);
	if (!ret) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(n_workers)
#endif
		for (uint32_t part = 0; part < n_parts; part++)
			follow_part(&workers[hd_destinations_thread()], &list, part, usage);
	}
	for (unsigned i = 0; workers && i < n_workers; i++)
		worker_finish(&workers[i], ret ? NULL : usage, result);
	free(workers);
	free(list.lids);
	free(list.alike);
	free(list.first);
	return ret;
}

/* What is asked of flows to a LID: whether they fail, or take both channels. */
struct question {
	enum hd_check_failure failure; /* HD_CHECK_SOUND: the channels are meant */
	uint32_t from, to;             /* ports; HD_NONE for `from`: any */
	unsigned from_vl, to_vl;
};

static uint32_t bad_port(const struct hd_branches *b, enum hd_check_failure failure)
{
	switch (failure) {
	case HD_CHECK_NO_PATH:
		return b->hole;
	case HD_CHECK_FORWARD_LOOP:
		return b->circle;
	case HD_CHECK_DROPPED:
		return b->drop;
	default:
		return HD_NONE;
	}
}

/* The answer for the sources from port @first to @last, on @sls (places). */
static bool ask(struct hd_branches *b, const struct question *question, uint32_t first,
		uint32_t last, unsigned sls)
{
	b->first = first;
	b->last = last;
	b->allowed = (uint16_t)sls;
	hd_branches_follow(b, NULL);
	if (question->failure == HD_CHECK_SOUND)
		return hd_branches_pass(b, question->from, question->from_vl, question->to,
					question->to_vl);
	if (b->root != HD_NONE && b->drop == HD_NONE &&
	    !hd_branches_deliver(b, b->root_port, 0xFFFF, NULL))
		b->drop = hd_port_index(b->network->fabric, b->root, b->root_port);
	return bad_port(b, question->failure) != HD_NONE;
}

/*
 * The lowest source to @lid, and its lowest SL, for which the answer is yes; false: there is none.
 * What many sources do together is what each does alone, so the lowest is searched by halves.
 */
static bool find_flow(struct hd_branches *b, uint32_t lid, const struct question *question,
		      struct hd_flow *flow)
{
	const struct hd_check_network *network = b->network;
	uint32_t low = 0, high = network->fabric->n_ports;

	take_all_sls(b, lid);
	/* a failure may be one of packets that never leave the root */
	b->with_local = true;
	if (!ask(b, question, 0, high, 0xFFFF))
		return false;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (ask(b, question, 0, middle, 0xFFFF))
			high = middle;
		else
			low = middle + 1;
	}
	for (unsigned sls = hd_flow_sls(network, low, lid); sls; sls &= sls - 1) {
		if (!ask(b, question, low, low, sls & -sls))
			continue;
		*flow = (struct hd_flow){
			.source = low,
			.lid = (uint16_t)lid,
			.sl = network->sls[__builtin_ctz(sls)],
		};
		return true;
	}
	return false;
}

/*
 * The same by the entries of the new or the old tables alone, which lead to the LID where all
 * mixtures together have a circle.
 */
static bool find_flow_alone(struct hd_branches *b, uint32_t lid, const struct question *question,
			    struct hd_flow *flow)
{
	const struct hd_check_network *network = b->network;
	const struct hd_tables *tables[] = { network->tables, network->before };

	const bool has_circle = b->n_circling;

	for (unsigned i = 0; network->before && !network->is_private && has_circle && i < 2; i++) {
		hd_branches_take_entries(b, tables[i], lid);
		if (find_flow(b, lid, question, flow))
			return true;
	}
	return false;
}

int hd_choices_find_bad_flow(const struct hd_check_network *network, enum hd_check_failure failure,
			     uint32_t lid, struct hd_check_finding *found, struct hd_hop **loop,
			     size_t *n_loop, struct hd_error *err)
{
	const struct question question = { .failure = failure };
	struct hd_branches b;
	int ret = hd_branches_init(&b, network, false, err);

	if (!ret && take_lid(&b, lid) && find_flow(&b, lid, &question, &found->flow)) {
		found->port = bad_port(&b, failure);
		if (failure == HD_CHECK_FORWARD_LOOP)
			ret = hd_branches_find_circle(&b, loop, n_loop, err);
	}
	hd_branches_clear(&b);
	return ret;
}

/* Whether packets to @lid may leave switch @s by @number. */
static bool may_leave_by(const struct hd_check_network *network, uint32_t s, uint32_t lid,
			 unsigned number)
{
	for (unsigned plft = 0; plft < network->n_plfts; plft++) {
		const struct hd_port_set choices = hd_network_choices(network, s, plft, lid);

		if (hd_port_set_has(&choices, number))
			return true;
	}
	return false;
}

/* Whether packets to @lid may leave by @port, as far as its own switch tells. */
static bool may_leave(const struct hd_check_network *network, uint32_t lid, uint32_t port)
{
	const struct hd_port *out = &network->fabric->ports[port];
	const struct hd_lid *place = &network->fabric->lids[lid];

	if (!hd_is_switch(network->fabric, out->node))
		return true;
	if (place->via_switch == out->node && place->via_port == out->number)
		return true;
	return may_leave_by(network, out->node, lid, out->number);
}

int hd_choices_find_flow(const struct hd_check_network *network, uint32_t from, unsigned from_vl,
			 uint32_t to, unsigned to_vl, struct hd_flow *flow, struct hd_error *err)
{
	const struct question question = {
		.from = from, .from_vl = from_vl, .to = to, .to_vl = to_vl
	};
	struct hd_branches b;
	bool done = false;
	int ret;

	flow->source = HD_NONE;
	if (!network->tables->ar && !network->before)
		return 0;
	ret = hd_branches_init(&b, network, false, err);
	for (uint32_t lid = 1; !ret && !done && lid <= network->fabric->top_lid; lid++)
		done = hd_network_follows_lid(network, lid) && may_leave(network, lid, to) &&
		       (from == HD_NONE || may_leave(network, lid, from)) && take_lid(&b, lid) &&
		       (find_flow(&b, lid, &question, flow) ||
			find_flow_alone(&b, lid, &question, flow));
	hd_branches_clear(&b);
	return ret;
}
