// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/failures.h"

#include <stdlib.h>
#include <string.h>

#include "check/walk.h"
#include "support/error.h"

void hd_count_direct_failures(const struct hd_network *network, struct hd_failure_count *no_path)
{
	const struct hd_fabric *fabric = network->fabric;

	for (uint32_t i = 0; i < network->n_direct; i++) {
		uint32_t source = network->direct[i];

		for (uint32_t lid = 1; lid <= fabric->top_lid; lid++) {
			uint32_t owner = fabric->lids[lid].port;

			if (hd_network_has_lid(network, lid) && owner != source &&
			    owner != fabric->ports[source].peer)
				hd_failure_add(no_path, 1, lid);
		}
	}
}

/* Propagation of sets of SLs to one LID: what is dropped does not depend on VLs. */
struct drop_search {
	const struct hd_network *network;
	const struct hd_destinations *destinations;
	const struct hd_destination *destination;
	struct hd_tree tree;
	uint16_t *sls; /* [switch] on the link that it forwards to */
	bool *drops;   /* [switch] */
	uint16_t lid;
};

/* What the sources of @node send through @out; counts adapters that drop packets themselves. */
static uint64_t send_local(struct drop_search *search, uint32_t node, unsigned out)
{
	const struct hd_network *network = search->network;
	uint64_t n_dropping = 0;

	search->sls[node] = 0;
	search->drops[node] = false;
	for (uint32_t i = network->first_source[node]; i < network->first_source[node + 1]; i++) {
		uint32_t source = network->sources[i];
		unsigned sls = hd_flow_sls(network, source, search->lid);
		unsigned lost = hd_source_masks(network, source)[network->n_vls];
		unsigned in = hd_source_in(network->fabric, source);
		const uint16_t *masks = hd_pattern_masks(
			network, network->pattern[hd_sl2vl_index(network->tables, node, in, out)]);

		n_dropping += (sls & lost) != 0;
		sls &= ~lost;
		search->drops[node] |= (sls & masks[network->n_vls]) != 0;
		search->sls[node] |= sls & ~masks[network->n_vls];
	}
	return n_dropping;
}

static uint64_t count_drops_to(struct drop_search *search)
{
	const struct hd_network *network = search->network;
	const struct hd_tree *tree = &search->tree;
	const uint8_t *next =
		hd_destination_next(network, search->destinations, search->destination);
	unsigned last = network->fabric->lids[search->lid].via_port;
	uint64_t n = send_local(search, tree->root, last);

	for (uint32_t i = 0; i < tree->n_order; i++)
		n += send_local(search, tree->order[i], next[tree->order[i]]);
	for (uint32_t i = 0; i < tree->n_order; i++) {
		uint32_t s = tree->order[i], target = tree->target[s];
		unsigned out = target == tree->root ? last : next[target];
		const uint16_t *masks = hd_pattern_masks(
			network, network->pattern[hd_sl2vl_index(network->tables, target,
								 tree->in[s], out)]);

		search->drops[target] |= (search->sls[s] & masks[network->n_vls]) != 0;
		search->sls[target] |= search->sls[s] & ~masks[network->n_vls];
		n += search->drops[s];
	}
	return n + search->drops[tree->root];
}

/* Drops at adapters that are linked to another adapter. */
static void count_direct_drops(const struct hd_network *network, struct hd_failure_count *dropped)
{
	for (uint32_t i = 0; i < network->n_direct; i++) {
		uint32_t source = network->direct[i];
		const struct hd_port *peer =
			&network->fabric->ports[network->fabric->ports[source].peer];
		unsigned lost = hd_source_masks(network, source)[network->n_vls];

		for (unsigned offset = 0; peer->lid && offset < 1u << peer->lmc; offset++)
			hd_failure_add(dropped,
				       (hd_flow_sls(network, source, peer->lid + offset) & lost) !=
					       0,
				       peer->lid + offset);
	}
}

int hd_count_drops(const struct hd_network *network, const struct hd_destinations *destinations,
		   struct hd_failure_count *dropped, struct hd_error *err)
{
	size_t n = network->fabric->n_switches + (size_t)1;
	struct drop_search search = { .network = network, .destinations = destinations };
	int ret = hd_tree_init(&search.tree, network->fabric->n_switches, err);

	search.sls = malloc(n * sizeof(*search.sls));
	search.drops = malloc(n * sizeof(*search.drops));
	if (!ret && (!search.sls || !search.drops))
		ret = hd_error_nomem(err);
	for (uint32_t d = 0; !ret && d < destinations->n; d++) {
		search.destination = &destinations->list[d];
		if (search.destination->root == HD_NONE)
			continue;
		hd_tree_build(&search.tree, network, destinations, search.destination);
		for (uint32_t i = search.destination->first; i < search.destination->end; i++) {
			search.lid = destinations->lids[i];
			hd_failure_add(dropped, count_drops_to(&search), search.lid);
		}
	}
	if (!ret)
		count_direct_drops(network, dropped);
	hd_tree_clear(&search.tree);
	free(search.sls);
	free(search.drops);
	return ret;
}

/* The flow from @source to @lid, if it fails so; returns whether it does. */
static bool fails(const struct hd_network *network, enum hd_check_failure failure, unsigned max_vls,
		  struct hd_hop *hops, struct hd_flow *flow, uint32_t *port)
{
	const struct hd_fabric *fabric = network->fabric;
	const struct hd_walk_options options = { .routes_only = failure != HD_CHECK_DROPPED,
						 .max_vls = max_vls };
	unsigned sls = hd_flow_sls(network, flow->source, flow->lid);

	/* routes do not depend on the SL, and matter even where a path record gives none */
	if (options.routes_only)
		sls = sls ? sls & -sls : 1;
	for (unsigned place = 0; place < network->n_sls; place++) {
		const struct hd_hop *last;
		size_t n_hops;

		if (!(sls >> place & 1))
			continue;
		flow->sl = network->sls[place];
		if (hd_walk_with(network->tables, flow, &options, hops, fabric->n_switches + 2,
				 &n_hops) != failure)
			continue;
		last = &hops[n_hops - 1];
		*port = hd_port_index(fabric, last->node,
				      last->out <= fabric->nodes[last->node].n_ports ? last->out
										     : 0);
		return true;
	}
	return false;
}

static int find_bad_multicast(const struct hd_network *network, enum hd_check_failure failure,
			      struct hd_flow *flow, uint32_t *port, struct hd_error *err)
{
	const struct hd_tables *tables = network->tables;
	struct hd_multicast multicast;
	size_t first = 0;
	int ret = hd_multicast_init(&multicast, network, err);

	while (!ret && tables->mft[first].mlid != flow->lid)
		first++;
	for (uint32_t p = 0; !ret && p < network->fabric->n_ports; p++) {
		if (!hd_network_is_end(network, p))
			continue;
		hd_multicast_build(&multicast, network, first, hd_multicast_end(tables, first), p,
				   NULL);
		if (failure == HD_CHECK_DROPPED ? multicast.n_dropping : multicast.n_circling) {
			flow->source = p;
			flow->sl = network->all_sls ? network->sls[0] : 0;
			*port = hd_multicast_bad_port(&multicast, network, p);
			break;
		}
	}
	hd_multicast_clear(&multicast);
	return ret;
}

int hd_find_bad_flow(const struct hd_network *network, enum hd_check_failure failure, uint32_t lid,
		     unsigned max_vls, struct hd_flow *flow, uint32_t *port, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	struct hd_hop *hops;

	*flow = (struct hd_flow){ .source = HD_NONE, .lid = (uint16_t)lid };
	*port = HD_NONE;
	if (lid > HD_MAX_LID)
		return find_bad_multicast(network, failure, flow, port, err);
	hops = malloc((fabric->n_switches + (size_t)2) * sizeof(*hops));
	if (!hops)
		return hd_error_nomem(err);
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		if (!hd_network_is_end(network, p) || fabric->lids[lid].port == p)
			continue;
		flow->source = p;
		if (fails(network, failure, max_vls, hops, flow, port))
			break;
	}
	free(hops);
	return 0;
}
