// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vlarb/bound_pairs.h"
#include "check/dependencies.h"
#include "check/load.h"
#include "fabric/link_rate.h"
#include "vlarb/guarantee.h"
#include "support/error.h"

/* The guarantees of ports that have the same arbitration and the same VLs in use. */
struct kind {
	uint32_t vlarb;
	uint16_t vls;
	struct hd_guarantee guarantee;
};

struct bounding {
	const struct hd_tables *tables;
	const struct hd_bound_traffic *traffic;
	struct hd_bound *bound;
	struct hd_check_network network;
	struct hd_destinations destinations;
	struct hd_usage usage;
	struct hd_dependencies dependencies;
	struct hd_load load;

	/* of VLs: classes on them, their packets, what they send */
	unsigned n_classes[HD_MAX_VLS];
	uint8_t packet[HD_MAX_VLS]; /* the largest */
	double burst[HD_MAX_VLS];   /* bytes, of one host */
	double need[HD_MAX_VLS];    /* bytes per ns, of a pair of hosts */
	uint16_t class_vls[HD_MAX_CLASSES];

	struct kind *kinds;
	size_t n_kinds;
	struct hd_wait_channel *channels; /* [port * network.n_vls + VL] */
	struct hd_digraph graph;
	size_t capacity; /* of its edges */
};

/* Bytes per ns; 0: not known. */
static double link_rate(const struct hd_fabric *fabric, uint32_t port)
{
	return hd_link_mbps(fabric->ports[port].width, fabric->ports[port].speed) / 8000.;
}

static uint32_t count_flows(const struct bounding *b, uint32_t port, unsigned vl)
{
	if (vl >= b->load.n_vls)
		return 0;
	return b->load.flows[port * (size_t)b->load.n_vls + vl];
}

/* The VLs that flows take out of @port. */
static uint16_t vls_in_use(const struct bounding *b, uint32_t port)
{
	uint16_t vls = 0;

	for (unsigned vl = 0; vl < b->load.n_vls; vl++)
		if (count_flows(b, port, vl))
			vls |= (uint16_t)(1u << vl);
	return vls;
}

/* The rate of the slowest host's link; @n gets the number of hosts' ports. */
static double slowest_host(const struct bounding *b, uint32_t *n)
{
	const struct hd_fabric *fabric = b->tables->fabric;
	double slowest = INFINITY;

	*n = 0;
	hd_for_each_port(p, fabric) {
		if (!hd_network_is_end(&b->network, p))
			continue;
		++*n;
		slowest = fmin(slowest, link_rate(fabric, p));
	}
	return slowest;
}

/* Sets what a VL gets of each class. */
static void set_traffic(struct bounding *b)
{
	const struct hd_classes *classes = b->tables->classes;
	uint32_t n_hosts;
	const double slowest = slowest_host(b, &n_hosts);

	memset(b->packet, HD_CLASS_PACKET_MAX, sizeof(b->packet));
	for (unsigned c = 0; c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];
		const double rate = b->traffic->load * class->share / class->of * slowest;

		b->class_vls[c] = (uint16_t)hd_class_vls(b->tables, c);
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
			if (!(b->class_vls[c] >> vl & 1))
				continue;
			if (!b->n_classes[vl]++ || class->packet > b->packet[vl])
				b->packet[vl] = class->packet;
			b->burst[vl] +=
				b->traffic->burst ? (double)b->traffic->burst : class->packet * 64.;
			b->need[vl] += n_hosts > 1 ? rate / (n_hosts - 1) : 0;
		}
	}
}

/* What the arbitration @vlarb guarantees @vls; NULL: out of memory. */
static const struct hd_guarantee *find_guarantee(struct bounding *b, uint32_t vlarb, uint16_t vls)
{
	struct hd_vlarb cut = b->tables->vlarbs[vlarb];
	struct kind *grown;

	for (size_t i = 0; i < b->n_kinds; i++)
		if (b->kinds[i].vlarb == vlarb && b->kinds[i].vls == vls)
			return &b->kinds[i].guarantee;
	grown = realloc(b->kinds, (b->n_kinds + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	b->kinds = grown;
	if (b->traffic->cap && cut.n_low > b->traffic->cap)
		cut.n_low = (uint8_t)b->traffic->cap;
	if (b->traffic->cap && cut.n_high > b->traffic->cap)
		cut.n_high = (uint8_t)b->traffic->cap;
	grown = &b->kinds[b->n_kinds++];
	grown->vlarb = vlarb;
	grown->vls = vls;
	hd_vlarb_guarantee(&cut, vls, b->packet, &grown->guarantee);
	return &grown->guarantee;
}

/* Sets the channels of @port. */
static int set_channels(struct bounding *b, uint32_t port, struct hd_error *err)
{
	static const struct hd_guarantee alone = { .rate = { 1 } };
	const struct hd_fabric *fabric = b->tables->fabric;
	const uint32_t vlarb = b->tables->vlarb_of_port[port];
	const double rate = link_rate(fabric, port);
	const uint16_t vls = vls_in_use(b, port);
	const struct hd_guarantee *guarantee = &alone;
	const bool is_single = !(vls & (vls - 1));

	if (!vls)
		return 0;
	if (rate <= 0 || (!is_single && vlarb == HD_NONE)) {
		if (b->bound->unknown == HD_NONE)
			b->bound->unknown = port;
		return 0;
	}
	if (!is_single) {
		guarantee = find_guarantee(b, vlarb, vls);
		if (!guarantee)
			return hd_error_nomem(err);
	}
	for (unsigned vl = 0; vl < b->network.n_vls; vl++) {
		struct hd_wait_channel *channel =
			&b->channels[port * (size_t)b->network.n_vls + vl];
		const unsigned n = b->n_classes[vl] ? b->n_classes[vl] : 1;
		const unsigned of = is_single ? 0 : vl;

		/* each pair of hosts is a flow of each class */
		channel->n_flows = (count_flows(b, port, vl) + n - 1) / n;
		channel->need = channel->n_flows * b->need[vl];
		channel->burst = b->burst[vl];
		channel->rate = guarantee->rate[of] * rate;
		channel->latency = guarantee->latency[of] * 64 / rate;
		channel->n_senders = !hd_is_switch(fabric, fabric->ports[port].node);
	}
	return 0;
}

static bool add_edge(struct bounding *b, uint32_t target)
{
	struct hd_digraph *graph = &b->graph;

	if (graph->n_edges == b->capacity) {
		const size_t capacity = 2 * b->capacity + 1024;
		uint32_t *grown = realloc(graph->targets, capacity * sizeof(*grown));

		if (!grown)
			return false;
		graph->targets = grown;
		b->capacity = capacity;
	}
	graph->targets[graph->n_edges++] = target;
	return true;
}

/* Adds the channels that packets on @vl take behind @port. */
static bool add_successors(struct bounding *b, uint32_t port, unsigned vl)
{
	const struct hd_check_network *network = &b->network;
	const uint32_t node = network->far_end[port].node;
	const unsigned in = network->far_end[port].in;

	if (node == HD_NONE)
		return true;
	hd_for_each_number(out, network->fabric, node) {
		const size_t row = hd_sl2vl_index(b->tables, node, in, out);
		const uint16_t *masks = hd_pattern_masks(network, network->pattern[row]);
		uint64_t state[HD_STATE_WORDS];
		unsigned sls;

		hd_usage_read(&b->usage, row, state);
		sls = hd_state_sls(network, state, vl);
		for (unsigned next = 0; sls && next < network->n_vls; next++)
			if (sls & masks[next] &&
			    !add_edge(b,
				      hd_port_index(network->fabric, node, out) * network->n_vls +
					      next))
				return false;
	}
	return true;
}

static int build_graph(struct bounding *b, struct hd_error *err)
{
	const struct hd_fabric *fabric = b->tables->fabric;
	const uint32_t n = fabric->n_ports * b->network.n_vls;
	int ret = 0;

	b->channels = calloc(n + (size_t)1, sizeof(*b->channels));
	b->graph.n = n;
	b->graph.first = calloc(n + (size_t)1, sizeof(*b->graph.first));
	if (!b->channels || !b->graph.first)
		return hd_error_nomem(err);
	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++) {
		ret = set_channels(b, p, err);
		for (unsigned vl = 0; !ret && vl < b->network.n_vls; vl++) {
			const uint32_t v = p * b->network.n_vls + vl;

			b->graph.first[v] = b->graph.n_edges;
			if (count_flows(b, p, vl) && !add_successors(b, p, vl))
				ret = hd_error_nomem(err);
		}
	}
	b->graph.first[n] = b->graph.n_edges;
	return ret;
}

/* Follows all flows, for the channels that they take one after another. */
static int follow(struct bounding *b, struct hd_error *err)
{
	struct hd_states states;
	int ret = hd_states_init(&states, &b->network, err);

	for (uint32_t d = 0; !ret && d < b->destinations.n; d++)
		hd_states_build(&states, &b->network, &b->destinations, &b->destinations.list[d],
				&b->usage);
	hd_states_clear(&states);
	return ret ? ret : hd_dependencies_init(&b->dependencies, &b->network, &b->usage, err);
}

/* Notes in each class what is most in want at the channel @v of @port. */
static void judge_channel(struct bounding *b, uint32_t port, unsigned vl)
{
	const uint32_t v = port * b->network.n_vls + vl;
	const struct hd_wait_channel *channel = &b->channels[v];
	double next = 0, need, bytes = 0;

	for (size_t e = b->graph.first[v]; e < b->graph.first[v + 1]; e++)
		next = fmax(next, b->channels[b->graph.targets[e]].wait);
	need = channel->rate > 0 ? channel->need / channel->rate : INFINITY;
	if (b->graph.first[v + 1] > b->graph.first[v])
		bytes = hd_waits_buffer(channel, next, link_rate(b->tables->fabric, port));
	for (unsigned c = 0; c < b->tables->classes->n; c++) {
		struct hd_bound_class *class = &b->bound->list[c];

		if (!(b->class_vls[c] >> vl & 1))
			continue;
		if (need > class->need) {
			class->need = need;
			class->needed = (struct hd_bound_channel){ port, vl };
		}
		if (bytes > class->bytes) {
			class->bytes = bytes;
			class->full = (struct hd_bound_channel){ port, vl };
		}
	}
}

static int run(struct bounding *b, struct hd_error *err)
{
	const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
	int ret = hd_network_init(&b->network, b->tables, &hosts, err);

	if (!ret)
		ret = hd_destinations_init(&b->destinations, &b->network, true, err);
	if (!ret)
		ret = hd_destinations_add_next(&b->destinations, &b->network, err);
	if (!ret)
		ret = hd_usage_init(&b->usage, &b->network, err);
	if (!ret)
		ret = follow(b, err);
	if (!ret)
		ret = hd_load_compute_classes(b->tables, &b->load, err);
	if (ret)
		return ret;
	set_traffic(b);
	ret = build_graph(b, err);
	if (ret || b->bound->unknown != HD_NONE)
		return ret;
	ret = hd_waits_find(&b->graph, b->traffic->any_order, b->channels, err);
	if (ret)
		return ret;
	hd_for_each_port(p, b->tables->fabric)
		for (unsigned vl = 0; vl < b->network.n_vls; vl++)
			if (b->channels[p * (size_t)b->network.n_vls + vl].n_flows)
				judge_channel(b, p, vl);
	return hd_bound_find_pairs(&b->network, &b->destinations, b->channels, b->bound, err);
}

int hd_bound_find(const struct hd_tables *tables, const struct hd_bound_traffic *traffic,
		  struct hd_bound *bound, struct hd_error *err)
{
	struct bounding b = { .tables = tables, .traffic = traffic, .bound = bound };
	int ret;

	*bound = (struct hd_bound){ .unknown = HD_NONE };
	for (unsigned c = 0; c < HD_MAX_CLASSES; c++)
		bound->list[c] = (struct hd_bound_class){ .source = HD_NONE,
							  .needed.port = HD_NONE,
							  .full.port = HD_NONE };
	ret = run(&b, err);
	free(b.graph.targets);
	free(b.graph.first);
	free(b.channels);
	free(b.kinds);
	hd_load_clear(&b.load);
	hd_dependencies_clear(&b.dependencies);
	hd_usage_clear(&b.usage);
	hd_destinations_clear(&b.destinations);
	hd_network_clear(&b.network);
	return ret;
}
