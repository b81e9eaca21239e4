// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/choices.h"

#include <stdlib.h>
#include <string.h>

#include "check/branches.h"
#include "support/error.h"

/* Takes up @lid; false: no switch has a set for it, and its LFT entries are all that there is. */
static bool take_lid(struct hd_branches *b, uint32_t lid)
{
	const struct hd_check_network *network = b->network;
	const struct hd_tables *tables = network->tables;
	const struct hd_lid *place = &network->fabric->lids[lid];
	bool any = false;

	b->root = place->via_switch;
	b->root_port = place->via_port;
	hd_for_each_switch(s, network->fabric) {
		const struct hd_port_set *set = hd_ar_ports(tables, s, lid);

		b->sets[s] = set ? *set : (struct hd_port_set){ { 0 } };
		any |= set != NULL;
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
	return any && b->root != HD_NONE;
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
			       !hd_branches_deliver(&b, b.root_port, usage), lid);
	}
	free(like.sets);
	free(like.sls);
	hd_branches_clear(&b);
	return ret;
}

/* Follows the packets of one source on one of @sls (places, at least one) alone. */
static void follow_one(struct hd_branches *b, uint32_t source, unsigned sls)
{
	b->only = source;
	b->only_sls = sls & -sls;
	hd_branches_follow(b, NULL);
}

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

int hd_choices_find_bad_flow(const struct hd_check_network *network, enum hd_check_failure failure,
			     uint32_t lid, struct hd_check_finding *found, struct hd_hop **loop,
			     size_t *n_loop, struct hd_error *err)
{
	struct hd_branches b;
	int ret = hd_branches_init(&b, network, err);
	bool done = ret || !take_lid(&b, lid);

	for (uint32_t p = 0; !done && p < network->fabric->n_ports; p++) {
		unsigned sls = hd_network_is_end(network, p) ? hd_flow_sls(network, p, lid) : 0;

		for (; !done && sls; sls &= sls - 1) {
			follow_one(&b, p, sls);
			if (b.drop == HD_NONE && !hd_branches_deliver(&b, b.root_port, NULL))
				b.drop = hd_port_index(network->fabric, b.root, b.root_port);
			if (bad_port(&b, failure) == HD_NONE)
				continue;
			found->flow = (struct hd_flow){
				.source = p,
				.lid = (uint16_t)lid,
				.sl = network->sls[__builtin_ctz(sls)],
			};
			found->port = bad_port(&b, failure);
			if (failure == HD_CHECK_FORWARD_LOOP)
				ret = hd_branches_find_circle(&b, loop, n_loop, err);
			done = true;
		}
	}
	hd_branches_clear(&b);
	return ret;
}

/* Of the flows to @lid, the lowest that takes both channels. */
static bool find_source(struct hd_branches *b, uint32_t lid, uint32_t from, unsigned from_vl,
			uint32_t to, unsigned to_vl, struct hd_flow *flow)
{
	const struct hd_check_network *network = b->network;

	hd_for_each_port(p, network->fabric) {
		unsigned sls = hd_network_is_end(network, p) ? hd_flow_sls(network, p, lid) : 0;

		for (; sls; sls &= sls - 1) {
			follow_one(b, p, sls);
			if (!hd_branches_pass(b, from, from_vl, to, to_vl))
				continue;
			*flow = (struct hd_flow){
				.source = p,
				.lid = (uint16_t)lid,
				.sl = network->sls[__builtin_ctz(sls)],
			};
			return true;
		}
	}
	return false;
}

int hd_choices_find_flow(const struct hd_check_network *network, uint32_t from, unsigned from_vl,
			 uint32_t to, unsigned to_vl, struct hd_flow *flow, struct hd_error *err)
{
	struct hd_branches b;
	bool done = false;
	int ret;

	flow->source = HD_NONE;
	if (!network->tables->ar)
		return 0;
	ret = hd_branches_init(&b, network, err);
	for (uint32_t lid = 1; !ret && !done && lid <= network->fabric->top_lid; lid++) {
		if (!hd_network_has_lid(network, lid) || !take_lid(&b, lid))
			continue;
		take_sls(&b, lid);
		b.only = HD_NONE;
		hd_branches_follow(&b, NULL);
		done = hd_branches_pass(&b, from, from_vl, to, to_vl) &&
		       find_source(&b, lid, from, from_vl, to, to_vl, flow);
	}
	hd_branches_clear(&b);
	return ret;
}
