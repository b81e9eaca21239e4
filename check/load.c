// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/load.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/coverage.h"
#include "check/route_tree.h"
#include "fabric/link_rate.h"
#include "support/error.h"
#include "tables/classes.h"

/* Flows of one SL, to one LID, on the link that a switch forwards to. */
struct stream {
	uint32_t flows;
	unsigned max_hops;
	uint64_t hops; /* hops of all these flows together */
};

/*
 * What one thread counts. Adapters of one group send alike: the number of LIDs that they sent to by
 * an out-port is kept for the group, and added to each adapter at the end.
 */
struct counter {
	const struct hd_check_network *network;
	const struct hd_destinations *destinations;
	const uint8_t *senders; /* [(group's outs + out) * n_sls + SL's place] adapters
				   whose packets come into that port */
	const struct hd_destination *destination;
	struct hd_tree tree;
	struct stream *streams;      /* [switch * n_sls + SL's place] */
	uint32_t n_lids[HD_MAX_SLS]; /* LIDs of the destination, by place of the SL */
	uint32_t *sent;              /* LIDs that were sent to, indexed as senders */
	struct hd_load load;
};

static bool is_adapter(const struct hd_check_network *network, uint32_t port)
{
	return !hd_is_switch(network->fabric, network->fabric->ports[port].node);
}

/* The VL that packets on the SL at @place take at @row, towards @port; HD_VL_DROP: none. */
static unsigned lane(const struct hd_check_network *network, size_t row, uint32_t port,
		     unsigned place)
{
	unsigned vl = hd_row_vl(network->tables->sl2vl[row], network->sls[place]);

	return vl < network->limit[port] ? vl : HD_VL_DROP;
}

static unsigned adapter_lane(const struct hd_check_network *network, uint32_t source,
			     unsigned place)
{
	const struct hd_port *port = &network->fabric->ports[source];

	return lane(network, hd_sl2vl_host_index(network->tables, port->node, port->number), source,
		    place);
}

/* Adds @flows to the link that leaves @port; false when they are dropped there. */
static bool add_flows(struct hd_load *load, unsigned vl, uint32_t port, uint32_t flows)
{
	if (vl == HD_VL_DROP)
		return false;
	load->flows[(size_t)port * load->n_vls + vl] += flows;
	return true;
}

static void arrive(struct counter *counter, const struct stream *stream)
{
	counter->load.n_flows += stream->flows;
	counter->load.total_hops += stream->hops;
	if (stream->flows && stream->max_hops > counter->load.max_hops)
		counter->load.max_hops = stream->max_hops;
}

/* Adds what the sources of a switch other than the root send. Only adapters are counted. */
static void send_from(struct counter *counter, uint32_t node, unsigned out)
{
	const struct hd_check_network *network = counter->network;
	struct stream *streams = counter->streams + node * (size_t)network->n_sls;

	memset(streams, 0, network->n_sls * sizeof(*streams));
	for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1]; g++) {
		const struct hd_source_group *group = &network->groups[g];
		unsigned sls = hd_destination_sls(network, counter->destinations,
						  counter->destination, group);
		size_t entry = (group->outs + out) * network->n_sls;

		for (; sls; sls &= sls - 1) {
			unsigned place = (unsigned)__builtin_ctz(sls);

			counter->sent[entry + place] += counter->n_lids[place];
			streams[place].flows += counter->senders[entry + place];
		}
	}
}

/* The streams of switch @s come to the root, and on to each LID whose SL they have. */
static void deliver(struct counter *counter, const struct stream *streams, unsigned in)
{
	const struct hd_check_network *network = counter->network;
	const struct hd_destination *d = counter->destination;

	for (uint32_t i = d->first; i < d->end; i++) {
		uint16_t lid = counter->destinations->lids[i];
		unsigned out = network->fabric->lids[lid].via_port;
		size_t row = hd_sl2vl_index(network->tables, d->root, in, out);
		uint32_t port = hd_port_index(network->fabric, d->root, out);
		unsigned sls = d->any_source ? network->places[counter->destinations->sl[lid]]
					     : (1u << network->n_sls) - 1;

		for (; sls; sls &= sls - 1) {
			unsigned place = (unsigned)__builtin_ctz(sls);
			struct stream stream = streams[place];

			if (!stream.flows ||
			    !add_flows(&counter->load, lane(network, row, port, place), port,
				       stream.flows))
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
	const struct hd_check_network *network = counter->network;
	const struct hd_destination *d = counter->destination;

	for (uint32_t g = network->first_group[d->root]; g < network->first_group[d->root + 1]; g++)
		for (uint32_t i = d->first; i < d->end; i++) {
			const struct hd_source_group *group = &network->groups[g];
			uint16_t lid = counter->destinations->lids[i];
			unsigned sls = hd_destination_lid_sls(network, counter->destinations, d,
							      group, lid);
			size_t entry = (group->outs + network->fabric->lids[lid].via_port) *
				       network->n_sls;

			for (; sls; sls &= sls - 1) {
				size_t place = (size_t)__builtin_ctz(sls);
				struct stream stream = {
					.flows = counter->senders[entry + place],
				};

				counter->sent[entry + place]++;
				arrive(counter, &stream);
			}
		}
}

static void forward(struct counter *counter, const uint8_t *next)
{
	const struct hd_check_network *network = counter->network;
	const struct hd_tree *tree = &counter->tree;
	unsigned n_sls = network->n_sls;

	for (uint32_t i = 0; i < tree->n_order; i++) {
		uint32_t s = tree->order[i], target = tree->target[s];
		const struct stream *streams = counter->streams + s * (size_t)n_sls;
		struct stream *sum = counter->streams + target * (size_t)n_sls;
		uint32_t port;
		size_t row;

		if (target == tree->root) {
			deliver(counter, streams, tree->in[s]);
			continue;
		}
		row = hd_sl2vl_index(network->tables, target, tree->in[s], next[target]);
		port = hd_port_index(network->fabric, target, next[target]);
		for (unsigned place = 0; place < n_sls; place++) {
			if (!streams[place].flows ||
			    !add_flows(&counter->load, lane(network, row, port, place), port,
				       streams[place].flows * counter->n_lids[place]))
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
	const struct hd_check_network *network = counter->network;
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

static int counter_init(struct counter *counter, const struct hd_check_network *network,
			const struct hd_destinations *destinations, const uint8_t *senders,
			struct hd_error *err)
{
	size_t n_switches = network->fabric->n_switches;

	counter->network = network;
	counter->destinations = destinations;
	counter->senders = senders;
	counter->load.n_vls = network->n_vls;
	counter->load.flows = calloc(network->fabric->n_ports * (size_t)network->n_vls + 1,
				     sizeof(*counter->load.flows));
	counter->streams = malloc((n_switches + 1) * network->n_sls * sizeof(*counter->streams));
	counter->sent = calloc(network->n_outs * network->n_sls + 1, sizeof(*counter->sent));
	if (!counter->load.flows || !counter->streams || !counter->sent)
		return hd_error_nomem(err);
	return hd_tree_init(&counter->tree, network->fabric->n_switches, err);
}

static void counter_clear(struct counter *counter)
{
	hd_tree_clear(&counter->tree);
	free(counter->streams);
	free(counter->sent);
	free(counter->load.flows);
}

/* Whether packets on the SL at @place from @source (of @node) come into port @out there. */
static bool comes_into(const struct hd_check_network *network, uint32_t source, uint32_t node,
		       unsigned out, unsigned place)
{
	unsigned in = hd_source_in(network->fabric, source);

	return in != out && adapter_lane(network, source, place) != HD_VL_DROP &&
	       lane(network, hd_sl2vl_index(network->tables, node, in, out),
		    hd_port_index(network->fabric, node, out), place) != HD_VL_DROP;
}

/* Counts senders by group, out-port and SL. NULL when out of memory. */
static uint8_t *count_senders(const struct hd_check_network *network)
{
	uint8_t *senders = calloc(network->n_outs * network->n_sls + 1, 1);

	for (uint32_t node = 0; senders && node < network->fabric->n_switches; node++)
		for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1];
		     g++) {
			const struct hd_source_group *group = &network->groups[g];
			size_t n =
				(network->fabric->nodes[node].n_ports + (size_t)1) * network->n_sls;

			for (uint32_t i = group->first; i < group->end; i++)
				for (size_t e = 0;
				     is_adapter(network, network->sources[i]) && e < n; e++)
					senders[group->outs * network->n_sls + e] +=
						comes_into(network, network->sources[i], node,
							   (unsigned)(e / network->n_sls),
							   (unsigned)(e % network->n_sls));
		}
	return senders;
}

/* Adds what the groups of @node sent to the load of their adapters' links and of the out-ports. */
static void add_sent(struct counter *counter, uint32_t node)
{
	const struct hd_check_network *network = counter->network;

	for (uint32_t g = network->first_group[node]; g < network->first_group[node + 1]; g++) {
		const struct hd_source_group *group = &network->groups[g];

		for (uint32_t i = group->first; i < group->end; i++) {
			uint32_t source = network->sources[i];
			unsigned in = hd_source_in(network->fabric, source);

			for (unsigned out = 1; is_adapter(network, source) &&
					       out <= network->fabric->nodes[node].n_ports;
			     out++) {
				uint32_t port = hd_port_index(network->fabric, node, out);
				size_t row = hd_sl2vl_index(network->tables, node, in, out);

				for (unsigned k = 0; in != out && k < network->n_sls; k++) {
					uint32_t sent =
						counter->sent[(group->outs + out) * network->n_sls +
							      k];

					if (sent && add_flows(&counter->load,
							      adapter_lane(network, source, k),
							      source, sent))
						add_flows(&counter->load,
							  lane(network, row, port, k), port, sent);
				}
			}
		}
	}
}

/* Adds what @counter counted to @load, which takes over the array if it has none. */
static void merge(struct hd_load *load, struct counter *counter)
{
	size_t n = counter->network->fabric->n_ports * (size_t)counter->load.n_vls;

	hd_for_each_switch(node, counter->network->fabric)
		add_sent(counter, node);
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
static void count_direct(const struct hd_check_network *network, struct counter *counter)
{
	for (uint32_t i = 0; i < network->n_direct; i++) {
		uint32_t source = network->direct[i];
		const struct stream one = { .flows = 1 };
		uint32_t lid = network->fabric->ports[network->fabric->ports[source].peer].lid;
		unsigned sls = lid ? hd_flow_sls(network, source, lid) : 0;

		if (sls && add_flows(&counter->load,
				     adapter_lane(network, source, (unsigned)__builtin_ctz(sls)),
				     source, 1))
			arrive(counter, &one);
	}
}

static int count_all(const struct hd_check_network *network,
		     const struct hd_destinations *destinations, struct hd_load *load,
		     struct hd_error *err)
{
	uint8_t *senders = count_senders(network);
	struct counter *counters;
	unsigned n_threads = hd_destinations_threads(destinations, network);
	int ret = senders ? 0 : hd_error_nomem(err);

	counters = calloc(n_threads, sizeof(*counters));
	if (!counters)
		ret = hd_error_nomem(err);
	for (unsigned i = 0; !ret && i < n_threads; i++)
		ret = counter_init(&counters[i], network, destinations, senders, err);
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
	for (unsigned i = 0; counters && i < n_threads; i++) {
		if (!ret)
			merge(load, &counters[i]);
		counter_clear(&counters[i]);
	}
	free(counters);
	free(senders);
	return ret;
}

/* Flows between hosts that pass switches whose LFTs are not known. */
static int count_uncovered(const struct hd_tables *tables, uint64_t *n, struct hd_error *err)
{
	const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
	struct hd_check_network network;
	uint64_t n_flows;
	int ret;

	*n = 0;
	if (!tables->n_lft_unknown)
		return 0;
	ret = hd_network_init(&network, tables, &hosts, err);
	if (!ret)
		ret = hd_coverage_count(&network, true, n, &n_flows, err);
	hd_network_clear(&network);
	return ret;
}

static int compute(const struct hd_tables *tables, bool one_class, struct hd_load *load,
		   struct hd_error *err)
{
	const unsigned n_classes = one_class || !tables->classes ? 1 : tables->classes->n;
	const struct hd_check_options options = { .one_class = one_class };
	struct hd_destinations destinations = { 0 };
	struct hd_check_network network;
	uint64_t n_hosts = 0;
	int ret;

	memset(load, 0, sizeof(*load));
	ret = hd_network_init(&network, tables, &options, err);
	if (!ret)
		ret = hd_destinations_init(&destinations, &network, true, err);
	if (!ret)
		ret = hd_destinations_add_next(&destinations, &network, err);
	if (!ret)
		ret = count_all(&network, &destinations, load, err);
	for (uint32_t p = 0; !ret && p < tables->fabric->n_ports; p++)
		n_hosts += !hd_is_switch(tables->fabric, tables->fabric->ports[p].node) &&
			   hd_network_is_end(&network, p);
	if (!ret)
		ret = count_uncovered(tables, &load->n_uncovered, err);
	if (n_hosts)
		load->n_lost =
			(n_hosts * (n_hosts - 1) - load->n_uncovered) * n_classes - load->n_flows;
	hd_destinations_clear(&destinations);
	hd_network_clear(&network);
	return ret;
}

int hd_load_compute(const struct hd_tables *tables, struct hd_load *load, struct hd_error *err)
{
	return compute(tables, true, load, err);
}

int hd_load_compute_classes(const struct hd_tables *tables, struct hd_load *load,
			    struct hd_error *err)
{
	return compute(tables, false, load, err);
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

uint64_t hd_load_by_rate(const struct hd_load *load, const struct hd_fabric *fabric,
			 uint32_t fastest, uint32_t port)
{
	return hd_flows_by_rate(hd_load_port(load, port), fastest,
				hd_port_mbps(fabric, port, fastest));
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
