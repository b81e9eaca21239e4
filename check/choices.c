// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/choices.h"

#include <stdlib.h>
#include <string.h>

#include "check/branches.h"
#include "support/error.h"

/*
 * Takes up @lid; false: no switch has a set for it, nor tables of before, and its LFT entries are
 * all that there is.
 */
static bool take_lid(struct hd_branches *b, uint32_t lid)
{
	const struct hd_check_network *network = b->network;
	const struct hd_tables *tables = network->tables;
	const struct hd_lid *place = &network->fabric->lids[lid];
	bool any = network->before != NULL;

	b->root = place->via_switch;
	b->root_port = place->via_port;
	hd_for_each_switch(s, network->fabric) {
		const struct hd_port_set *set = hd_ar_ports(tables, s, lid);

		b->sets[s] = set ? *set : (struct hd_port_set){ { 0 } };
		any |= set != NULL;
		if (network->before) {
			hd_port_set_add(&b->sets[s], hd_lft(network->before, s)[lid]);
			hd_port_set_add(&b->sets[s], hd_lft(tables, s)[lid]);
		}
		/*
		 * The root delivers: where its LFT does not, that is wrong without any choice, and
		 * the check of LFTs says so. Only a set of its own, which makes no sense, has ports
		 * here.
		 */
		if (s != b->root)
			hd_port_set_add(&b->sets[s], hd_lft(tables, s)[lid]);
		else
			hd_port_set_remove(&b->sets[s], b->root_port);
	}
	/* without a root nothing arrives, but packets of a mixture may circle */
	return any && (b->root != HD_NONE || network->before);
}

static void take_sls(struct hd_branches *b, uint32_t lid)
{
	const struct hd_check_network *network = b->network;

	for (uint32_t i = 0; i < network->first_source[network->fabric->n_switches]; i++)
		b->sls[i] = (uint16_t)hd_flow_sls(network, network->sources[i], lid);
}

/* What tells whether two LIDs of a switch are alike to all others. */
struct likeness {
	struct hd_port_set *sets;
	uint16_t *sls; /* [source] */
	uint32_t root; /* HD_NONE: there was no LID yet */
};

/* Whether the LID is like the one before; notes it. */
static bool is_alike(const struct hd_branches *b, struct likeness *like)
{
	const struct hd_check_network *network = b->network;
	const size_t size = network->fabric->n_switches * sizeof(*b->sets);
	bool same = like->root == b->root;

	like->root = b->root;
	if (memcmp(like->sets, b->sets, size) != 0) {
		memcpy(like->sets, b->sets, size);
		same = false;
	}
	for (uint32_t i = 0; i < network->first_source[network->fabric->n_switches]; i++) {
		const bool here = i >= network->first_source[b->root] &&
				  i < network->first_source[b->root + 1];
		const uint16_t sls = here ? 0 : b->sls[i];

		same &= sls == like->sls[i];
		like->sls[i] = sls;
	}
	return same;
}

static void add_result(const struct hd_branches *b, uint32_t lid, struct hd_choices_result *result)
{
	hd_failure_add(&result->failures[HD_CHECK_NO_PATH], b->n_holes, lid);
	hd_failure_add(&result->failures[HD_CHECK_FORWARD_LOOP], b->n_circling, lid);
	hd_failure_add(&result->failures[HD_CHECK_DROPPED], b->n_drops, lid);
	if (b->depth[b->root] > result->max_hops)
		result->max_hops = b->depth[b->root];
}

int hd_choices_follow(const struct hd_check_network *network, struct hd_usage *usage,
		      struct hd_choices_result *result, struct hd_error *err)
{
	struct likeness like = { .root = HD_NONE };
	struct hd_branches b;
	int ret;

	*result = (struct hd_choices_result){ .max_hops = 0 };
	for (int failure = 0; failure < HD_CHECK_CREDIT_LOOP; failure++)
		result->failures[failure].first_lid = HD_NONE;
	if (!network->tables->ar)
		return 0;
	ret = hd_branches_init(&b, network, err);
	like.sets = calloc(network->fabric->n_switches + (size_t)1, sizeof(*like.sets));
	like.sls = calloc(network->n_sources + (size_t)1, sizeof(*like.sls));
	if (!ret && (!like.sets || !like.sls))
		ret = hd_error_nomem(err);
	for (uint32_t lid = 1; !ret && lid <= network->fabric->top_lid; lid++) {
		if (!hd_network_has_lid(network, lid) || !take_lid(&b, lid))
			continue;
		take_sls(&b, lid);
		if (!is_alike(&b, &like))
			hd_branches_follow(&b, usage);
		add_result(&b, lid, result);
		hd_failure_add(&result->failures[HD_CHECK_DROPPED],
			       !hd_branches_deliver(&b, b.root_port, 0xFFFF, usage), lid);
	}
	free(like.sets);
	free(like.sls);
	hd_branches_clear(&b);
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

	take_sls(b, lid);
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
 * The same by the entries of the new or the old tables alone, which lead to the LID where all mixtures
 * together have a circle.
 */
static bool find_flow_alone(struct hd_branches *b, uint32_t lid, const struct question *question,
			    struct hd_flow *flow)
{
	const struct hd_check_network *network = b->network;
	const struct hd_tables *tables[] = { network->tables, network->before };

	const bool has_circle = b->n_circling;

	for (unsigned i = 0; network->before && has_circle && i < 2; i++) {
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
	int ret = hd_branches_init(&b, network, err);

	if (!ret && take_lid(&b, lid) && find_flow(&b, lid, &question, &found->flow)) {
		found->port = bad_port(&b, failure);
		if (failure == HD_CHECK_FORWARD_LOOP)
			ret = hd_branches_find_circle(&b, loop, n_loop, err);
	}
	hd_branches_clear(&b);
	return ret;
}

/* Whether packets to @lid may leave by @port, as far as its own switch tells. */
static bool may_leave(const struct hd_check_network *network, uint32_t lid, uint32_t port)
{
	const struct hd_port *out = &network->fabric->ports[port];
	const struct hd_lid *place = &network->fabric->lids[lid];
	const struct hd_port_set *set;

	if (!hd_is_switch(network->fabric, out->node))
		return true;
	if (place->via_switch == out->node && place->via_port == out->number)
		return true;
	if (hd_lft(network->tables, out->node)[lid] == out->number ||
	    (network->before && hd_lft(network->before, out->node)[lid] == out->number))
		return true;
	set = hd_ar_ports(network->tables, out->node, lid);
	return set && hd_port_set_has(set, out->number);
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
	ret = hd_branches_init(&b, network, err);
	for (uint32_t lid = 1; !ret && !done && lid <= network->fabric->top_lid; lid++)
		done = hd_network_has_lid(network, lid) && may_leave(network, lid, to) &&
		       (from == HD_NONE || may_leave(network, lid, from)) && take_lid(&b, lid) &&
		       (find_flow(&b, lid, &question, flow) ||
			find_flow_alone(&b, lid, &question, flow));
	hd_branches_clear(&b);
	return ret;
}
