// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/dependencies.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Whether packets that come in by @in and leave by @out go back to the adapter that sent them. */
static bool is_return(const struct hd_check_network *network, uint32_t node, unsigned in,
		      unsigned out)
{
	return in == out &&
	       (in == 0 ||
		network->far_end[hd_port_index(network->fabric, node, in)].node == HD_NONE);
}

/* Turns what groups of sources sent into states of the links from their adapters. */
static void expand_injected(struct hd_dependencies *dependencies,
			    const struct hd_check_network *network, struct hd_usage *usage,
			    uint32_t node)
{
	uint16_t from_switch[HD_MAX_VLS + 1] = { (uint16_t)((1u << network->n_sls) - 1) };

	for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1]; g++) {
		const struct hd_source_group *group = &network->groups[g];

		for (uint32_t i = group->first; i < group->end; i++) {
			uint32_t source = network->sources[i];
			unsigned in = hd_source_in(network->fabric, source);
			const uint16_t *masks = in ? hd_source_masks(network, source) : from_switch;

			for (unsigned out = 0; out <= network->fabric->nodes[node].n_ports; out++) {
				unsigned sls = usage->injected[group->outs + out];
				uint64_t sent[HD_STATE_WORDS] = { 0 };

				if (!sls || is_return(network, node, in, out))
					continue;
				dependencies->drops |= (sls & masks[network->n_vls]) != 0;
				hd_state_forward(network, masks, sls, sent);
				hd_usage_add(usage, hd_sl2vl_index(network->tables, node, in, out),
					     sent, UINT64_MAX);
			}
		}
	}
}

/* Flows between adapters that are linked to each other. */
static void add_direct(struct hd_dependencies *dependencies, const struct hd_check_network *network)
{
	for (uint32_t i = 0; i < network->n_direct; i++) {
		uint32_t source = network->direct[i];
		const struct hd_port *peer =
			&network->fabric->ports[network->fabric->ports[source].peer];
		const uint16_t *masks = hd_source_masks(network, source);
		unsigned sls = 0;

		for (unsigned offset = 0; peer->lid && offset < 1u << peer->lmc; offset++)
			sls |= hd_flow_sls(network, source, peer->lid + offset);
		dependencies->drops |= (sls & masks[network->n_vls]) != 0;
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			if (sls & masks[vl])
				dependencies->vls[source] |= (uint16_t)(1u << vl);
	}
}

static bool add_edge(struct hd_digraph *graph, size_t *capacity, uint32_t target)
{
	if (graph->n_edges == *capacity) {
		size_t grown = *capacity * 2 + 1024;
		void *targets = realloc(graph->targets, grown * sizeof(*graph->targets));

		if (!targets)
			return false;
		graph->targets = targets;
		*capacity = grown;
	}
	graph->targets[graph->n_edges++] = target;
	return true;
}

/* Packets that come in by one port of a switch and leave by another. */
struct crossing {
	uint32_t port;    /* that they leave by */
	uint32_t pattern; /* of their row */
	uint64_t state[HD_STATE_WORDS];
};

/* What is collected about one in-port of a switch at a time. */
struct collection {
	struct hd_dependencies *dependencies;
	const struct hd_check_network *network;
	struct hd_usage *usage;
	uint32_t *link_of_port; /* [port] HD_NONE: the port's link does not lead to a switch */
	size_t capacity;        /* of the edges */
	struct crossing crossings[HD_MAX_PORTS + 1]; /* those of the in-port */
	uint32_t n_crossings;
	/* the answer of vls_behind() for the crossing before, which mostly is that for the next */
	const uint16_t *last_masks;
	unsigned last_sls, last_vls;
};

/* The VLs that packets with @sls take behind @masks. */
static unsigned vls_behind(struct collection *c, unsigned sls, const uint16_t *masks)
{
	const unsigned n_vls = c->network->n_vls;
	unsigned vls = 0;

	if (masks == c->last_masks && sls == c->last_sls)
		return c->last_vls;
	c->dependencies->drops |= (sls & masks[n_vls]) != 0;
	for (unsigned next = 0; next < n_vls; next++)
		vls |= (unsigned)((sls & masks[next]) != 0) << next;
	c->last_masks = masks;
	c->last_sls = sls;
	c->last_vls = vls;
	return vls;
}

/*
 * Mostly one bit is set. Without an instruction for it, counting bits takes longer than all else
 * here.
 */
static unsigned count_vls(unsigned vls)
{
	return vls & (vls - 1) ? (unsigned)__builtin_popcount(vls) : vls != 0;
}

/* Lists the crossings of packets that come in by @in. */
static void list_crossings(struct collection *c, uint32_t node, unsigned in)
{
	const struct hd_fabric *fabric = c->network->fabric;
	const size_t n_ins = fabric->nodes[node].n_ports + (size_t)1;
	size_t row = hd_sl2vl_index(c->network->tables, node, in, 0);
	uint32_t port = hd_port_index(fabric, node, 0);

	c->n_crossings = 0;
	for (const uint32_t end = port + (uint32_t)n_ins; port < end; port++, row += n_ins) {
		struct crossing *crossing = &c->crossings[c->n_crossings];

		if (!hd_usage_read(c->usage, row, crossing->state))
			continue;
		crossing->port = port;
		crossing->pattern = c->network->pattern[row];
		c->n_crossings++;
	}
}

/*
 * Collects the channel (port at the other end of the in-port, @vl) from the crossings; at in-port 0
 * packets of the switch itself.
 */
static bool collect_channel(struct collection *c, unsigned vl, uint32_t from)
{
	const struct hd_check_network *network = c->network;
	const struct hd_fabric *fabric = network->fabric;
	struct hd_dependencies *dependencies = c->dependencies;
	const bool from_switch = from != HD_NONE && hd_is_switch(fabric, fabric->ports[from].node);
	const unsigned word = network->word[vl], shift = network->shift[vl];
	const unsigned all = (1u << network->n_sls) - 1;

	for (uint32_t i = 0; i < c->n_crossings; i++) {
		const struct crossing *crossing = &c->crossings[i];
		const unsigned sls = (unsigned)(crossing->state[word] >> shift) & all;
		const uint32_t link = c->link_of_port[crossing->port];
		unsigned vls;

		if (!sls)
			continue;
		vls = vls_behind(c, sls, hd_pattern_masks_on(network, crossing->pattern, vl));
		dependencies->vls[crossing->port] |= (uint16_t)vls;
		if (from == HD_NONE)
			continue;
		dependencies->vls[from] |= (uint16_t)(1u << vl);
		dependencies->n_dependencies += count_vls(vls);
		for (; from_switch && link != HD_NONE && vls; vls &= vls - 1)
			if (!add_edge(&dependencies->graph, &c->capacity,
				      link * network->n_vls + (unsigned)__builtin_ctz(vls)))
				return false;
	}
	return true;
}

static bool collect(struct collection *c)
{
	const struct hd_check_network *network = c->network;
	const struct hd_fabric *fabric = network->fabric;
	struct hd_digraph *graph = &c->dependencies->graph;
	uint32_t n_links = 0;

	hd_for_each_switch(node, fabric)
		for (unsigned in = 0; in <= fabric->nodes[node].n_ports; in++) {
			uint32_t port = hd_port_index(fabric, node, in);
			uint32_t from = fabric->ports[port].peer;
			bool is_vertex = network->far_end[port].node != HD_NONE;

			if (in > 0 && from == HD_NONE)
				continue;
			list_crossings(c, node, in);
			for (unsigned vl = 0; vl < network->n_vls; vl++) {
				if (is_vertex)
					graph->first[n_links * network->n_vls + vl] =
						graph->n_edges;
				if (!collect_channel(c, vl, from))
					return false;
			}
			n_links += is_vertex;
		}
	graph->first[graph->n] = graph->n_edges;
	return true;
}

/* Directed links in the order in which collect() meets them: by the port where they end. */
static int number_links(struct hd_dependencies *dependencies,
			const struct hd_check_network *network, uint32_t *link_of_port,
			struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;

	hd_for_each_port(p, fabric)
		link_of_port[p] = HD_NONE;
	hd_for_each_port(p, fabric)
		if (hd_is_switch(fabric, fabric->ports[p].node) &&
		    network->far_end[p].node != HD_NONE)
			link_of_port[fabric->ports[p].peer] = dependencies->n_links++;
	dependencies->port_of_link = malloc((dependencies->n_links + (size_t)1) * sizeof(uint32_t));
	dependencies->graph.n = dependencies->n_links * network->n_vls;
	dependencies->graph.first =
		malloc((dependencies->graph.n + (size_t)1) * sizeof(*dependencies->graph.first));
	if (!dependencies->port_of_link || !dependencies->graph.first)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric)
		if (link_of_port[p] != HD_NONE)
			dependencies->port_of_link[link_of_port[p]] = p;
	return 0;
}

static void count_channels(struct hd_dependencies *dependencies, const struct hd_fabric *fabric)
{
	hd_for_each_port(p, fabric) {
		unsigned vls = dependencies->vls[p];

		dependencies->n_channels += (unsigned)__builtin_popcount(vls);
		while (vls >> dependencies->n_vls)
			dependencies->n_vls++;
	}
}

int hd_dependencies_init(struct hd_dependencies *dependencies,
			 const struct hd_check_network *network, struct hd_usage *usage,
			 struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	struct collection collection = { .dependencies = dependencies,
					 .network = network,
					 .usage = usage };
	int ret;

	memset(dependencies, 0, sizeof(*dependencies));
	dependencies->vls = calloc(fabric->n_ports + (size_t)1, sizeof(*dependencies->vls));
	collection.link_of_port =
		malloc((fabric->n_ports + (size_t)1) * sizeof(*collection.link_of_port));
	if (!dependencies->vls || !collection.link_of_port)
		ret = hd_error_nomem(err);
	else
		ret = number_links(dependencies, network, collection.link_of_port, err);
	if (!ret) {
		hd_for_each_switch(node, fabric)
			expand_injected(dependencies, network, usage, node);
		add_direct(dependencies, network);
		if (!collect(&collection))
			ret = hd_error_nomem(err);
		count_channels(dependencies, fabric);
	}
	free(collection.link_of_port);
	return ret;
}

void hd_dependencies_clear(struct hd_dependencies *dependencies)
{
	free(dependencies->vls);
	free(dependencies->port_of_link);
	free(dependencies->graph.first);
	free(dependencies->graph.targets);
	memset(dependencies, 0, sizeof(*dependencies));
}
