// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/witness.h"

#include <stdlib.h>

#include "check/choices.h"
#include "check/multicast.h"
#include "check/walk.h"
#include "support/error.h"

/*
 * The dependency of a channel on the next one: of the link @from, into a switch, on the link @to
 * out of it.
 */
struct search {
	const struct hd_check_network *network;
	const struct hd_destinations *destinations;
	unsigned max_vls;
	struct hd_states states;
	struct hd_multicast multicast;
	struct hd_hop *hops;

	uint32_t from, to; /* ports */
	unsigned from_vl, to_vl;
	unsigned sls; /* SLs (as places) on which packets come from the first channel into the
		         second */
};

/* Whether packets to some LID of @destination pass both channels, by the states. */
static bool passes(struct search *search, const struct hd_destination *destination)
{
	const struct hd_check_network *network = search->network;
	const struct hd_port *from = &network->fabric->ports[search->from];
	const struct hd_port *to = &network->fabric->ports[search->to];
	const uint8_t *next = hd_destination_next(network, search->destinations, destination);

	if (destination->root == HD_NONE || destination->root == to->node ||
	    destination->root == from->node || next[from->node] != from->number ||
	    next[to->node] != to->number)
		return false;
	hd_states_build(&search->states, network, search->destinations, destination, NULL);
	return search->states.tree.arrives[from->node] &&
	       (hd_state_sls(network, search->states.links + from->node * (size_t)network->n_words,
			     search->from_vl) &
		search->sls);
}

/* Whether @flow takes the second channel right behind the first. */
static bool walk_passes(struct search *search, const struct hd_flow *flow)
{
	const struct hd_fabric *fabric = search->network->fabric;
	const struct hd_walk_options options = { .max_vls = search->max_vls };
	const struct hd_port *from = &fabric->ports[search->from];
	const struct hd_port *to = &fabric->ports[search->to];
	size_t n_hops;

	hd_walk_with(search->network->tables, flow, &options, search->hops, fabric->n_switches + 2,
		     &n_hops);
	for (size_t i = 0; i + 1 < n_hops; i++) {
		const struct hd_hop *hop = &search->hops[i];

		if (hop[0].node == from->node && hop[0].out == from->number &&
		    hop[0].vl == search->from_vl && hop[1].node == to->node &&
		    hop[1].out == to->number && hop[1].vl == search->to_vl)
			return true;
	}
	return false;
}

static bool find_unicast(struct search *search, const struct hd_destination *destination,
			 struct hd_flow *flow)
{
	const struct hd_check_network *network = search->network;

	for (uint32_t i = destination->first; i < destination->end; i++)
		hd_for_each_port(p, network->fabric) {
			uint16_t lid = search->destinations->lids[i];
			unsigned sls;

			if (!hd_network_is_end(network, p))
				continue;
			sls = hd_flow_sls(network, p, lid) & search->sls;
			for (; sls; sls &= sls - 1) {
				*flow = (struct hd_flow){
					.source = p,
					.lid = lid,
					.sl = network->sls[__builtin_ctz(sls)],
				};
				if (walk_passes(search, flow))
					return true;
			}
		}
	return false;
}

/* The SLs of the current MLID whose packets pass both channels. */
static unsigned multicast_sls(const struct search *search)
{
	const uint64_t *state =
		hd_multicast_link(&search->multicast, search->network, search->from);

	if (!state || !hd_multicast_link(&search->multicast, search->network, search->to))
		return 0;
	return hd_state_sls(search->network, state, search->from_vl) & search->sls;
}

static bool find_multicast(struct search *search, struct hd_flow *flow)
{
	const struct hd_check_network *network = search->network;
	const struct hd_tables *tables = network->tables;

	for (size_t first = 0, end; first < tables->n_mft; first = end) {
		end = hd_multicast_end(tables, first);
		hd_multicast_build(&search->multicast, network, first, end, HD_NONE, NULL);
		if (!multicast_sls(search))
			continue;
		hd_for_each_port(p, network->fabric) {
			unsigned sls;

			if (!hd_network_is_end(network, p) ||
			    !hd_multicast_has_source(&search->multicast, network, p))
				continue;
			hd_multicast_build(&search->multicast, network, first, end, p, NULL);
			sls = multicast_sls(search);
			if (!sls)
				continue;
			*flow = (struct hd_flow){
				.source = p,
				.lid = tables->mft[first].mlid,
				.sl = network->sls[__builtin_ctz(sls)],
			};
			return true;
		}
	}
	return false;
}

static int find_flow(struct search *search, const struct hd_witness *first,
		     const struct hd_witness *second, struct hd_flow *flow, struct hd_error *err)
{
	const struct hd_check_network *network = search->network;
	const struct hd_fabric *fabric = network->fabric;
	const struct hd_port *in = &fabric->ports[fabric->ports[first->port].peer];
	size_t row = hd_sl2vl_index(network->tables, in->node, in->number,
				    fabric->ports[second->port].number);

	search->from = first->port;
	search->from_vl = first->vl;
	search->to = second->port;
	search->to_vl = second->vl;
	search->sls = hd_row_masks(network, row, first->vl)[second->vl];
	/* the LFTs alone tell no path if there are private ones */
	for (uint32_t d = 0; !network->is_private && d < search->destinations->n; d++)
		if (passes(search, &search->destinations->list[d]) &&
		    find_unicast(search, &search->destinations->list[d], flow))
			return 0;
	if (!network->before && find_multicast(search, flow))
		return 0;
	return hd_choices_find_flow(network, first->port, first->vl, second->port, second->vl, flow,
				    err);
}

/* The entry of @plft of switch @s for @lid, for packets that leave by @out. */
static struct hd_witness_entry entry_by(const struct hd_tables *tables, uint32_t s, unsigned plft,
					uint32_t lid, unsigned out)
{
	const struct hd_ar_entry entry = hd_ar_entry(tables, s, plft, lid);
	/* by the default port, no group matters to a static entry */
	const bool is_default = entry.state == HD_AR_STATIC && entry.port == out;

	return (struct hd_witness_entry){
		.plft = (uint8_t)plft,
		.state = (uint8_t)entry.state,
		.group = is_default ? HD_AR_NO_GROUP : entry.group,
	};
}

/* The entries by which the flow of @first comes into its channel, and goes on to @second. */
static void find_entries(const struct hd_check_network *network, struct hd_witness *first,
			 const struct hd_witness *second)
{
	const struct hd_fabric *fabric = network->fabric;
	const struct hd_tables *tables = network->tables;
	const struct hd_port *out = &fabric->ports[first->port];
	const struct hd_port *in = &fabric->ports[out->peer];
	const struct hd_flow *flow = &first->flow;
	unsigned plft = 0;

	first->next = entry_by(tables, in->node,
			       hd_ar_plft(tables, in->node, in->number, flow->sl, first->vl),
			       flow->lid, fabric->ports[second->port].number);
	/* where it came from is not known: the first pLFT that may have sent it */
	while (plft + 1 < tables->ar->switches[out->node].n_plfts) {
		const struct hd_ar_entry entry = hd_ar_entry(tables, out->node, plft, flow->lid);
		const struct hd_port_set choices =
			hd_ar_choices(tables, out->node, &entry, network->n_down);

		if (hd_port_set_has(&choices, out->number))
			break;
		plft++;
	}
	first->by = entry_by(tables, out->node, plft, flow->lid, out->number);
}

int hd_witness_find_flows(const struct hd_check_network *network,
			  const struct hd_destinations *destinations, unsigned max_vls,
			  struct hd_witness *witness, size_t n_witness, struct hd_error *err)
{
	struct search search = { .network = network,
				 .destinations = destinations,
				 .max_vls = max_vls };
	int ret = hd_states_init(&search.states, network, err);

	if (!ret)
		ret = hd_multicast_init(&search.multicast, network, err);
	search.hops = malloc((network->fabric->n_switches + (size_t)2) * sizeof(*search.hops));
	if (!ret && !search.hops)
		ret = hd_error_nomem(err);
	for (size_t i = 0; !ret && i < n_witness; i++) {
		const struct hd_witness *next = &witness[(i + 1) % n_witness];

		ret = find_flow(&search, &witness[i], next, &witness[i].flow, err);
		witness[i].by.group = witness[i].next.group = HD_AR_NO_GROUP;
		if (!ret && network->tables->ar && !network->before &&
		    witness[i].flow.lid <= network->fabric->top_lid)
			find_entries(network, &witness[i], next);
	}
	hd_states_clear(&search.states);
	hd_multicast_clear(&search.multicast);
	free(search.hops);
	return ret;
}
