// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/starved.h"

#include <stdlib.h>
#include <string.h>

#include "check/multicast.h"
#include "check/walk.h"
#include "support/error.h"

void hd_find_starved(const struct hd_check_network *network,
		     const struct hd_dependencies *dependencies, struct hd_starved *starved)
{
	const struct hd_tables *tables = network->tables;

	*starved = (struct hd_starved){ 0 };
	hd_for_each_port(p, network->fabric) {
		uint32_t known = tables->vlarb_of_port[p];
		unsigned vls = dependencies->vls[p];

		/* a link with one data VL has nothing to arbitrate */
		if (!vls || hd_link_vls(network->fabric, p) < 2)
			continue;
		if (known == HD_NONE) {
			/* what subnet managers and hardware start with serves VL 0 */
			if (vls & ~1u)
				hd_gap_add(&starved->unknown, p);
			continue;
		}
		vls &= ~(unsigned)hd_vlarb_serves(&tables->vlarbs[known]);
		if (vls && !starved->n) {
			starved->port = p;
			starved->vl = (unsigned)__builtin_ctz(vls);
		}
		starved->n += (unsigned)__builtin_popcount(vls);
	}
}

/* A port and one VL of its link. */
struct search {
	const struct hd_check_network *network;
	const struct hd_destinations *destinations;
	struct hd_walk_options options;
	uint32_t port;
	unsigned vl;
	struct hd_states states;
	struct hd_hop *hops;
	struct hd_check_finding *found;
};

/* Whether packets to some LID of @destination may pass the channel, by the states. */
static bool may_pass(struct search *search, const struct hd_destination *destination)
{
	const struct hd_check_network *network = search->network;
	const struct hd_port *port = &network->fabric->ports[search->port];
	const uint8_t *next = hd_destination_next(network, search->destinations, destination);

	if (!hd_is_switch(network->fabric, port->node) || destination->root == port->node)
		return true;
	if (destination->root == HD_NONE || next[port->node] != port->number)
		return false;
	hd_states_build(&search->states, network, search->destinations, destination, NULL);
	return search->states.tree.arrives[port->node] &&
	       hd_state_sls(network, search->states.links + port->node * (size_t)network->n_words,
			    search->vl);
}

/* Whether the flow of the finding passes the channel. */
static bool walk_passes(struct search *search)
{
	const struct hd_fabric *fabric = search->network->fabric;
	const struct hd_port *port = &fabric->ports[search->port];
	size_t n_hops;

	hd_walk_with(search->network->tables, &search->found->flow, &search->options, search->hops,
		     fabric->n_switches + 2, &n_hops);
	for (size_t i = 0; i + 1 < n_hops; i++)
		if (search->hops[i].node == port->node && search->hops[i].out == port->number &&
		    search->hops[i].vl == search->vl)
			return true;
	return false;
}

static bool try_source(struct search *search, uint32_t source, uint16_t lid)
{
	const struct hd_check_network *network = search->network;

	for (unsigned sls = hd_flow_sls(network, source, lid); sls; sls &= sls - 1) {
		search->found->flow = (struct hd_flow){
			.source = source,
			.lid = lid,
			.sl = network->sls[__builtin_ctz(sls)],
		};
		if (walk_passes(search))
			return true;
	}
	return false;
}

static bool find_unicast(struct search *search, uint16_t lid)
{
	const struct hd_check_network *network = search->network;
	const struct hd_fabric *fabric = network->fabric;

	if (!hd_is_switch(fabric, fabric->ports[search->port].node))
		return try_source(search, search->port, lid);
	hd_for_each_port(p, fabric)
		if (hd_network_is_end(network, p) && try_source(search, p, lid))
			return true;
	return false;
}

/* SLs (as places) that @usage has on the channel. */
static unsigned sls_on(const struct search *search, const struct hd_usage *usage)
{
	const struct hd_check_network *network = search->network;
	const struct hd_fabric *fabric = network->fabric;
	const struct hd_port *port = &fabric->ports[search->port];
	bool from_adapter = !hd_is_switch(fabric, port->node);
	const struct hd_port *at = from_adapter ? &fabric->ports[port->peer] : port;
	unsigned sls = 0;

	for (unsigned other = 0; other <= fabric->nodes[at->node].n_ports; other++) {
		size_t row = from_adapter
				     ? hd_sl2vl_index(network->tables, at->node, at->number, other)
				     : hd_sl2vl_index(network->tables, at->node, other, at->number);
		uint64_t state[HD_STATE_WORDS];

		hd_usage_read(usage, row, state);
		for (unsigned vl = 0; vl < network->n_vls; vl++) {
			if (!from_adapter)
				sls |= hd_state_sls(network, state, vl) &
				       hd_row_masks(network, row, vl)[search->vl];
			else if (vl == search->vl)
				sls |= hd_state_sls(network, state, vl);
		}
	}
	return sls;
}

/* The SLs on the channel of the MLID whose entries begin at @first, from @only or all sources. */
static unsigned follow_multicast(const struct search *search, struct hd_multicast *multicast,
				 struct hd_usage *usage, size_t first, uint32_t only)
{
	const struct hd_check_network *network = search->network;
	const struct hd_tables *tables = network->tables;

	hd_usage_empty(usage, network);
	hd_multicast_build(multicast, network, first, hd_multicast_end(tables, first), only, usage);
	return sls_on(search, usage);
}

static int find_multicast(struct search *search, struct hd_error *err)
{
	const struct hd_check_network *network = search->network;
	const struct hd_tables *tables = network->tables;
	struct hd_multicast multicast;
	struct hd_usage usage = { 0 };
	bool done = false;
	int ret = hd_multicast_init(&multicast, network, err);

	if (!ret)
		ret = hd_usage_init(&usage, network, err);
	for (size_t first = 0; !ret && !done && first < tables->n_mft;
	     first = hd_multicast_end(tables, first)) {
		if (!follow_multicast(search, &multicast, &usage, first, HD_NONE))
			continue;
		for (uint32_t p = 0; !done && p < network->fabric->n_ports; p++) {
			unsigned sls;

			if (!hd_network_is_end(network, p) ||
			    !hd_multicast_has_source(&multicast, network, p))
				continue;
			sls = follow_multicast(search, &multicast, &usage, first, p);
			done = sls != 0;
			if (done)
				search->found->flow = (struct hd_flow){
					.source = p,
					.lid = tables->mft[first].mlid,
					.sl = network->sls[__builtin_ctz(sls)],
				};
		}
	}
	hd_usage_clear(&usage);
	hd_multicast_clear(&multicast);
	return ret;
}

int hd_find_starved_flow(const struct hd_check_network *network,
			 const struct hd_destinations *destinations, unsigned max_vls,
			 uint32_t port, unsigned vl, struct hd_check_finding *found,
			 struct hd_error *err)
{
	struct search search = { .network = network,
				 .destinations = destinations,
				 .options.max_vls = max_vls,
				 .port = port,
				 .vl = vl,
				 .found = found };
	bool done = false;
	int ret = hd_states_init(&search.states, network, err);

	found->port = port;
	found->vl = (uint8_t)vl;
	found->flow.source = HD_NONE;
	search.hops = malloc((network->fabric->n_switches + (size_t)2) * sizeof(*search.hops));
	if (!ret && !search.hops)
		ret = hd_error_nomem(err);
	for (uint32_t d = 0; !ret && !done && d < destinations->n; d++) {
		const struct hd_destination *destination = &destinations->list[d];

		if (!may_pass(&search, destination))
			continue;
		for (uint32_t i = destination->first; !done && i < destination->end; i++)
			done = find_unicast(&search, destinations->lids[i]);
	}
	if (!ret && !done)
		ret = find_multicast(&search, err);
	hd_states_clear(&search.states);
	free(search.hops);
	return ret;
}
