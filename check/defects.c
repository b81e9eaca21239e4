// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/defects.h"

#include <stdlib.h>
#include <string.h>

#include "check/walk.h"
#include "support/error.h"

void hd_count_direct_failures(const struct hd_check_network *network,
			      struct hd_failure_count *no_path)
{
	const struct hd_fabric *fabric = network->fabric;

	for (uint32_t i = 0; i < network->n_direct; i++) {
		uint32_t source = network->direct[i];

		hd_for_each_lid(lid, fabric) {
			uint32_t owner = fabric->lids[lid].port;

			if (hd_network_has_lid(network, lid) && owner != source &&
			    owner != fabric->ports[source].peer)
				hd_failure_add(no_path, 1, lid);
		}
	}
}

/*
 * Propagation of sets of SLs: what is dropped does not depend on VLs. LIDs of a destination that
 * are reached on the same SLs share the search up to the root.
 */
struct drop_search {
	const struct hd_check_network *network;
	const struct hd_destinations *destinations;
	const struct hd_destination *destination;
	struct hd_tree tree;
	uint16_t *sls; /* [switch] SLs on the link that the switch forwards to */
	bool *drops;   /* [switch] */
	uint16_t lid;  /* one of the LIDs that share the search */
};

/* How many adapters of @group drop packets with @sls themselves. */
static uint64_t count_dropping(const struct hd_check_network *network,
			       const struct hd_source_group *group, unsigned sls)
{
	uint64_t n = 0;

	for (uint32_t i = group->first; (sls & group->lost) && i < group->end; i++)
		n += (sls & hd_source_masks(network, network->sources[i])[network->n_vls]) != 0;
	return n;
}

/* What the sources of @node, which is not the root, send by @out. */
static uint64_t send_from(struct drop_search *search, uint32_t node, unsigned out)
{
	const struct hd_check_network *network = search->network;
	uint64_t n_dropping = 0;

	search->sls[node] = 0;
	search->drops[node] = false;
	for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1]; g++) {
		const struct hd_source_group *group = &network->groups[g];
		const uint16_t *masks =
			hd_pattern_masks(network, network->inject[group->outs + out]);
		unsigned sls = hd_destination_lid_sls(network, search->destinations,
						      search->destination, group, search->lid);

		n_dropping += count_dropping(network, group, sls);
		search->drops[node] |= (sls & masks[network->n_vls]) != 0;
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			search->sls[node] |= (uint16_t)(sls & masks[vl]);
	}
	return n_dropping;
}

/* Nodes that drop packets on the way to the root. */
static uint64_t count_drops_on_way(struct drop_search *search)
{
	const struct hd_check_network *network = search->network;
	const struct hd_tree *tree = &search->tree;
	const uint8_t *next =
		hd_destination_next(network, search->destinations, search->destination);
	uint64_t n = 0;

	for (uint32_t i = 0; i < tree->n_order; i++)
		n += send_from(search, tree->order[i], next[tree->order[i]]);
	for (uint32_t i = 0; i < tree->n_order; i++) {
		uint32_t s = tree->order[i], target = tree->target[s];
		const uint16_t *masks;

		n += search->drops[s];
		if (target == tree->root)
			continue;
		masks = hd_pattern_masks(
			network, network->pattern[hd_sl2vl_index(network->tables, target,
								 tree->in[s], next[target])]);
		search->drops[target] |= (search->sls[s] & masks[network->n_vls]) != 0;
		search->sls[target] |= search->sls[s] & ~masks[network->n_vls];
	}
	return n;
}

/* Nodes that drop packets to @lid at the root: its adapters, and the root itself. */
static uint64_t count_drops_at_root(const struct drop_search *search, uint16_t lid)
{
	const struct hd_check_network *network = search->network;
	const struct hd_tree *tree = &search->tree;
	unsigned out = network->fabric->lids[lid].via_port;
	const uint32_t *pattern =
		network->pattern + hd_sl2vl_index(network->tables, tree->root, 0, out);
	bool drops = false;
	uint64_t n = 0;

	for (uint32_t i = network->first_source[tree->root];
	     i < network->first_source[tree->root + 1]; i++) {
		uint32_t source = network->sources[i];
		unsigned lost = hd_source_masks(network, source)[network->n_vls];
		unsigned in = hd_source_in(network->fabric, source);
		unsigned sls = hd_flow_sls(network, source, lid);

		n += (sls & lost) != 0;
		drops |= sls & ~lost & hd_pattern_masks(network, pattern[in])[network->n_vls];
	}
	/* those that forward to the root are mostly the last in order, but not always */
	for (uint32_t i = tree->n_order; !drops && i-- > 0;) {
		uint32_t s = tree->order[i];

		if (tree->target[s] == tree->root)
			drops = search->sls[s] &
				hd_pattern_masks(network, pattern[tree->in[s]])[network->n_vls];
	}
	return n + drops;
}

/*
 * Counts drops on the way to the LIDs of the destination; LIDs that are alike are searched for
 * once.
 */
static void count_drops_to(struct drop_search *search, struct hd_failure_count *dropped)
{
	const struct hd_check_network *network = search->network;
	const struct hd_destination *d = search->destination;
	const uint16_t *lids = search->destinations->lids;
	const uint8_t *sl = search->destinations->sl;
	bool alike = !d->any_source || network->all_sls || network->reversed_sl;
	unsigned left = alike ? 1 : (1u << network->n_sls) - 1;

	for (; left; left &= left - 1) {
		uint64_t n = 0;
		bool searched = false;

		for (uint32_t i = d->first; i < d->end; i++) {
			const unsigned places = network->places[sl[lids[i]]];

			if (!alike && (places & -places) != (left & -left))
				continue;
			search->lid = lids[i];
			if (!searched)
				n = count_drops_on_way(search);
			searched = true;
			hd_failure_add(dropped, n + count_drops_at_root(search, lids[i]), lids[i]);
		}
	}
}

/* Drops at adapters that are linked to another adapter. */
static void count_direct_drops(const struct hd_check_network *network,
			       struct hd_failure_count *dropped)
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

int hd_count_drops(const struct hd_check_network *network,
		   const struct hd_destinations *destinations, struct hd_failure_count *dropped,
		   struct hd_error *err)
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
		count_drops_to(&search, dropped);
	}
	if (!ret)
		count_direct_drops(network, dropped);
	hd_tree_clear(&search.tree);
	free(search.sls);
	free(search.drops);
	return ret;
}

/* The flow from @source to @lid, if it fails so; returns whether it does. */
static bool fails(const struct hd_check_network *network, enum hd_check_failure failure,
		  unsigned max_vls, struct hd_hop *hops, struct hd_flow *flow, uint32_t *port)
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

/* Where the entries of multicast LID @mlid begin, which has some. */
static size_t first_of_group(const struct hd_tables *tables, uint16_t mlid)
{
	size_t first = 0;

	while (tables->mft[first].mlid != mlid)
		first++;
	return first;
}

static int find_bad_multicast(const struct hd_check_network *network, enum hd_check_failure failure,
			      struct hd_flow *flow, uint32_t *port, struct hd_error *err)
{
	const struct hd_tables *tables = network->tables;
	struct hd_multicast multicast;
	size_t first = first_of_group(tables, flow->lid);
	int ret = hd_multicast_init(&multicast, network, err);

	if (!ret)
		hd_multicast_build(&multicast, network, first, hd_multicast_end(tables, first),
				   HD_NONE, NULL);
	for (uint32_t p = 0; !ret && p < network->fabric->n_ports; p++) {
		if (!hd_network_is_end(network, p) ||
		    !hd_multicast_has_source(&multicast, network, p))
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

int hd_find_bad_flow(const struct hd_check_network *network, enum hd_check_failure failure,
		     uint32_t lid, unsigned max_vls, struct hd_check_finding *found,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	struct hd_flow *flow = &found->flow;
	struct hd_hop *hops;

	*flow = (struct hd_flow){ .source = HD_NONE, .lid = (uint16_t)lid };
	found->port = HD_NONE;
	if (lid > HD_MAX_LID)
		return find_bad_multicast(network, failure, flow, &found->port, err);
	hops = malloc((fabric->n_switches + (size_t)2) * sizeof(*hops));
	if (!hops)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric) {
		if (!hd_network_is_end(network, p) || fabric->lids[lid].port == p)
			continue;
		flow->source = p;
		if (fails(network, failure, max_vls, hops, flow, &found->port))
			break;
	}
	free(hops);
	return 0;
}

static int find_multicast_loop(const struct hd_check_network *network, const struct hd_flow *flow,
			       struct hd_hop *loop, size_t *n, struct hd_error *err)
{
	const struct hd_tables *tables = network->tables;
	struct hd_multicast multicast;
	size_t first = first_of_group(tables, flow->lid);
	int ret = hd_multicast_init(&multicast, network, err);

	if (!ret) {
		hd_multicast_build(&multicast, network, first, hd_multicast_end(tables, first),
				   flow->source, NULL);
		*n = hd_multicast_loop(&multicast, network, loop);
	}
	hd_multicast_clear(&multicast);
	return ret;
}

/* Keeps only the circle of @hops, whose last switch was met before. */
static size_t keep_circle(struct hd_hop *hops, size_t n_hops)
{
	size_t last = n_hops - 1, first = last;

	do
		first--;
	while (hops[first].node != hops[last].node);
	/* packets may have come to the first hop another way than round the circle */
	hops[first] = hops[last];
	memmove(hops, hops + first, (last - first) * sizeof(*hops));
	return last - first;
}

int hd_find_loop(const struct hd_check_network *network, const struct hd_flow *flow,
		 struct hd_hop **loop, size_t *n, struct hd_error *err)
{
	const struct hd_walk_options options = { .routes_only = true };
	/* a unicast packet comes to each switch at most once, a multicast packet to each link */
	size_t capacity = network->fabric->n_ports + (size_t)2, n_hops;
	struct hd_hop *hops = calloc(capacity, sizeof(*hops));
	int ret = 0;

	if (!hops)
		return hd_error_nomem(err);
	if (flow->lid > HD_MAX_LID) {
		ret = find_multicast_loop(network, flow, hops, n, err);
	} else {
		hd_walk_with(network->tables, flow, &options, hops, capacity, &n_hops);
		*n = keep_circle(hops, n_hops);
	}
	for (size_t i = 0; !ret && i < *n; i++)
		hops[i].vl = 0;
	if (ret)
		free(hops);
	else
		*loop = hops;
	return ret;
}
