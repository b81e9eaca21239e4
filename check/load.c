// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/load.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/tree.h"
#include "support/error.h"

/* Destinations times switches below which threads are not worth their start. */
#define PARALLEL_WORK 200000

/* Flows of one SL on the link that a switch forwards to, to one LID. */
struct stream {
	uint32_t flows;
	unsigned max_hops;
	uint64_t hops;      /* of all of them together */
};

/* What one thread counts. */
struct counter {
	const struct hd_network *network;
	const struct hd_destinations *destinations;
	const struct hd_destination *destination;
	struct hd_tree tree;
	struct stream *streams;        /* [switch * n_sls + SL's place] */
	uint32_t n_lids[HD_MAX_SLS];   /* LIDs of the destination, by place of the SL */
	struct hd_load load;
};

/* The VL that packets on the SL at @place take at @row, towards @port; HD_VL_DROP: none. */
static unsigned lane(const struct hd_network *network, size_t row, uint32_t port, unsigned place)
{
	unsigned vl = hd_row_vl(network->tables->sl2vl[row], network->sls[place]);

	return vl < network->limit[port] ? vl : HD_VL_DROP;
}

/* Adds @flows for each of @n_lids LIDs to the link that leaves @port; false when they drop. */
static bool add_flows(struct counter *counter, size_t row, uint32_t port, unsigned place,
		      uint32_t flows, uint32_t n_lids)
{
	unsigned vl = lane(counter->network, row, port, place);

	if (vl == HD_VL_DROP)
		return false;
	counter->load.flows[(size_t)port * counter->load.n_vls + vl] += flows * n_lids;
	return true;
}

/* One flow of @source to each of @n_lids LIDs, by its own link and then out-port @out. */
static bool send(struct counter *counter, uint32_t source, unsigned place, uint32_t node,
		 unsigned out, uint32_t n_lids)
{
	const struct hd_network *network = counter->network;
	const struct hd_port *port = &network->fabric->ports[source];
	unsigned in = hd_source_in(network->fabric, source);

	return add_flows(counter, hd_sl2vl_host_index(network->tables, port->node, port->number),
			 source, place, 1, n_lids) &&
	       add_flows(counter, hd_sl2vl_index(network->tables, node, in, out),
			 hd_port_index(network->fabric, node, out), place, 1, n_lids);
}

static void arrive(struct counter *counter, const struct stream *stream)
{
	counter->load.n_flows += stream->flows;
	counter->load.total_hops += stream->hops;
	if (stream->flows && stream->max_hops > counter->load.max_hops)
		counter->load.max_hops = stream->max_hops;
}

/* The sources of a switch that is not the root. Only adapters are counted. */
static void send_from(struct counter *counter, uint32_t node, unsigned out)
{
	const struct hd_network *network = counter->network;
	struct stream *streams = counter->streams + node * (size_t)network->n_sls;

	memset(streams, 0, network->n_sls * sizeof(*streams));
	for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1]; g++) {
		const struct hd_source_group *group = &network->groups[g];
		unsigned sls = hd_destination_sls(network, counter->destinations,
						  counter->destination, group);

		for (uint32_t i = group->first; i < group->end; i++) {
			if (hd_is_switch(network->fabric,
					 network->fabric->ports[network->sources[i]].node))
				continue;
			for (unsigned left = sls; left; left &= left - 1) {
				unsigned place = (unsigned)__builtin_ctz(left);

				if (!send(counter, network->sources[i], place, node, out,
					  counter->n_lids[place]))
					continue;
				streams[place].flows++;
			}
		}
	}
}

/* The streams of switch @s come to the root, and on to each LID whose SL they have. */
static void deliver(struct counter *counter, const struct stream *streams, unsigned in)
{
	const struct hd_network *network = counter->network;
	const struct hd_destination *d = counter->destination;

	for (uint32_t i = d->first; i < d->end; i++) {
		uint16_t lid = counter->destinations->lids[i];
		unsigned out = network->fabric->lids[lid].via_port;
		size_t row = hd_sl2vl_index(network->tables, d->root, in, out);
		uint32_t port = hd_port_index(network->fabric, d->root, out);
		unsigned sls = d->any_source ? network->places[counter->destinations->sl[lid]] :
					       (1u << network->n_sls) - 1;

		for (; sls; sls &= sls - 1) {
			struct stream stream = streams[__builtin_ctz(sls)];

			if (!stream.flows || !add_flows(counter, row, port,
							(unsigned)__builtin_ctz(sls), stream.flows, 1))
				continue;
			/* the hop to the root */
			stream.hops += stream.flows;
			stream.max_hops++;
			arrive(counter, &stream);
		}
	}
}

/* Flows between adapters of the root. */
static void deliver_local(struct counter *counter)
{
	const struct hd_network *network = counter->network;
	const struct hd_destination *d = counter->destination;
	const struct stream one = { .flows = 1 };

	for (uint32_t i = d->first; i < d->end; i++)
		for (uint32_t k = network->first_source[d->root];
		     k < network->first_source[d->root + 1]; k++) {
			uint16_t lid = counter->destinations->lids[i];
			uint32_t source = network->sources[k];
			unsigned sls = hd_flow_sls(network, source, lid);

			if (!sls || hd_is_switch(network->fabric,
						 network->fabric->ports[source].node))
				continue;
			if (send(counter, source, (unsigned)__builtin_ctz(sls), d->root,
				 network->fabric->lids[lid].via_port, 1))
				arrive(counter, &one);
		}
}

static void forward(struct counter *counter, const uint8_t *next)
{
	const struct hd_network *network = counter->network;
	const struct hd_tree *tree = &counter->tree;
	unsigned n_sls = network->n_sls;

	for (uint32_t i = 0; i < tree->n_order; i++) {
		uint32_t s = tree->order[i], target = tree->target[s];
		const struct stream *streams = counter->streams + s * (size_t)n_sls;
		struct stream *sum = counter->streams + target * (size_t)n_sls;

		if (target == tree->root) {
			deliver(counter, streams, tree->in[s]);
			continue;
		}
		for (unsigned place = 0; place < n_sls; place++) {
			size_t row = hd_sl2vl_index(network->tables, target, tree->in[s],
						    next[target]);
			uint32_t port = hd_port_index(network->fabric, target, next[target]);

			if (!streams[place].flows ||
			    !add_flows(counter, row, port, place, streams[place].flows,
				       counter->n_lids[place]))
				continue;
			sum[place].flows += streams[place].flows;
			sum[place].hops += streams[place].hops + streams[place].flows;
			if (sum[place].max_hops <= streams[place].max_hops)
				sum[place].max_hops = streams[place].max_hops + 1;
		}
	}
}

static void count_destination(struct counter *counter, const struct hd_destination *destination)
{
	const struct hd_network *network = counter->network;
	const struct hd_tree *tree = &counter->tree;
	const uint8_t *next = hd_destination_next(network, counter->destinations, destination);

	counter->destination = destination;
	if (destination->root == HD_NONE)
		return;
	memset(counter->n_lids, 0, sizeof(counter->n_lids));
	for (uint32_t i = destination->first; i < destination->end; i++) {
		uint16_t lid = counter->destinations->lids[i];

		for (unsigned place = 0; place < network->n_sls; place++)
			counter->n_lids[place] +=
				!destination->any_source ||
				network->places[counter->destinations->sl[lid]] >> place & 1;
	}
	hd_tree_build(&counter->tree, network, counter->destinations, destination);
	for (uint32_t i = 0; i < tree->n_order; i++)
		send_from(counter, tree->order[i], next[tree->order[i]]);
	forward(counter, next);
	deliver_local(counter);
}

static int counter_init(struct counter *counter, const struct hd_network *network,
			const struct hd_destinations *destinations, struct hd_error *err)
{
	size_t n_switches = network->fabric->n_switches;

	counter->network = network;
	counter->destinations = destinations;
	counter->load.n_vls = network->n_vls;
	counter->load.flows = calloc(network->fabric->n_ports * (size_t)network->n_vls + 1,
				     sizeof(*counter->load.flows));
	counter->streams = malloc((n_switches + 1) * network->n_sls * sizeof(*counter->streams));
	if (!counter->load.flows || !counter->streams)
		return hd_error_nomem(err);
	return hd_tree_init(&counter->tree, network->fabric->n_switches, err);
}

static void counter_clear(struct counter *counter)
{
	hd_tree_clear(&counter->tree);
	free(counter->streams);
	free(counter->load.flows);
}

/* Adds what @counter counted to @load, which takes its array if it has none. */
static void merge(struct hd_load *load, struct counter *counter)
{
	size_t n = counter->network->fabric->n_ports * (size_t)counter->load.n_vls;

	if (!load->flows) {
		*load = counter->load;
		counter->load.flows = NULL;
		return;
	}
	for (size_t i = 0; i < n; i++)
		load->flows[i] += counter->load.flows[i];
	load->n_flows += counter->load.n_flows;
	load->total_hops += counter->load.total_hops;
	if (counter->load.max_hops > load->max_hops)
		load->max_hops = counter->load.max_hops;
}

/* Flows between adapters that are linked to each other. */
static void count_direct(const struct hd_network *network, struct counter *counter)
{
	for (uint32_t i = 0; i < network->n_direct; i++) {
		const struct hd_port *port = &network->fabric->ports[network->direct[i]];
		const struct stream one = { .flows = 1 };
		uint32_t lid = network->fabric->ports[port->peer].lid;
		unsigned sls = lid ? hd_flow_sls(network, network->direct[i], lid) : 0;

		if (sls && add_flows(counter,
				     hd_sl2vl_host_index(network->tables, port->node, port->number),
				     network->direct[i], (unsigned)__builtin_ctz(sls), 1, 1))
			arrive(counter, &one);
	}
}

static int count_all(const struct hd_network *network, const struct hd_destinations *destinations,
		     struct hd_load *load, struct hd_error *err)
{
	struct counter *counters;
	unsigned n_threads = 1;
	int ret = 0;

#ifdef _OPENMP
	if ((uint64_t)destinations->n * network->fabric->n_switches > PARALLEL_WORK)
		n_threads = (unsigned)omp_get_max_threads();
#endif
	counters = calloc(n_threads, sizeof(*counters));
	if (!counters)
		return hd_error_nomem(err);
	for (unsigned i = 0; !ret && i < n_threads; i++)
		ret = counter_init(&counters[i], network, destinations, err);
	if (!ret) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_threads)
#endif
		for (uint32_t d = 0; d < destinations->n; d++) {
#ifdef _OPENMP
			struct counter *counter = &counters[omp_get_thread_num()];
#else
			struct counter *counter = counters;
#endif
			count_destination(counter, &destinations->list[d]);
		}
		count_direct(network, &counters[0]);
	}
	for (unsigned i = 0; i < n_threads; i++) {
		if (!ret)
			merge(load, &counters[i]);
		counter_clear(&counters[i]);
	}
	free(counters);
	return ret;
}

int hd_load_compute(const struct hd_tables *tables, struct hd_load *load, struct hd_error *err)
{
	const struct hd_check_options options = { 0 };
	struct hd_destinations destinations = { 0 };
	struct hd_network network;
	uint64_t n_hosts = 0;
	int ret;

	memset(load, 0, sizeof(*load));
	ret = hd_network_init(&network, tables, &options, err);
	if (!ret)
		ret = hd_destinations_init(&destinations, &network, true, err);
	if (!ret)
		ret = count_all(&network, &destinations, load, err);
	for (uint32_t p = 0; !ret && p < tables->fabric->n_ports; p++)
		n_hosts += !hd_is_switch(tables->fabric, tables->fabric->ports[p].node) &&
			   hd_network_is_end(&network, p);
	if (n_hosts)
		load->n_lost = n_hosts * (n_hosts - 1) - load->n_flows;
	hd_destinations_clear(&destinations);
	hd_network_clear(&network);
	return ret;
}

void hd_load_clear(struct hd_load *load)
{
	free(load->flows);
	memset(load, 0, sizeof(*load));
}

uint32_t hd_load_port(const struct hd_load *load, uint32_t port)
{
	uint32_t flows = 0;

	for (unsigned vl = 0; vl < load->n_vls; vl++)
		flows += load->flows[(size_t)port * load->n_vls + vl];
	return flows;
}

static int compare_values(const void *a, const void *b)
{
	const struct hd_load_value *x = a, *y = b;

	return x->flows < y->flows ? -1 : x->flows > y->flows;
}

int hd_load_spread(const struct hd_load *load, const uint32_t *ports, uint32_t n_ports,
		   struct hd_load_spread *spread, struct hd_error *err)
{
	uint64_t sum = 0;

	memset(spread, 0, sizeof(*spread));
	if (!n_ports)
		return 0;
	spread->values = malloc(n_ports * sizeof(*spread->values));
	if (!spread->values)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n_ports; i++) {
		spread->values[i] = (struct hd_load_value){ hd_load_port(load, ports[i]), 1 };
		sum += spread->values[i].flows;
	}
	qsort(spread->values, n_ports, sizeof(*spread->values), compare_values);
	spread->n_ports = n_ports;
	spread->min = spread->values[0].flows;
	spread->max = spread->values[n_ports - 1].flows;
	spread->mean = (double)sum / n_ports;
	for (uint32_t i = 0; i < n_ports; i++) {
		if (spread->n_values &&
		    spread->values[spread->n_values - 1].flows == spread->values[i].flows)
			spread->values[spread->n_values - 1].n_ports++;
		else
			spread->values[spread->n_values++] = spread->values[i];
	}
	return 0;
}

void hd_load_spread_clear(struct hd_load_spread *spread)
{
	free(spread->values);
	memset(spread, 0, sizeof(*spread));
}
