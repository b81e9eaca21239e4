// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/multicast.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define LINKS_PER_ENTRY 256

size_t hd_multicast_end(const struct hd_tables *tables, size_t first)
{
	size_t end = first;

	while (end < tables->n_mft && tables->mft[end].mlid == tables->mft[first].mlid)
		end++;
	return end;
}

int hd_multicast_init(struct hd_multicast *multicast, const struct hd_check_network *network,
		      struct hd_error *err)
{
	const struct hd_tables *tables = network->tables;
	size_t n = 1, n_links;

	memset(multicast, 0, sizeof(*multicast));
	for (size_t first = 0, end; first < tables->n_mft; first = end) {
		end = hd_multicast_end(tables, first);
		if (end - first > n)
			n = end - first;
	}
	n_links = n * LINKS_PER_ENTRY;
	multicast->entry_of_switch =
		malloc((network->fabric->n_switches + (size_t)1) * sizeof(uint32_t));
	multicast->came = malloc(n * sizeof(*multicast->came));
	multicast->taken = malloc(n_links * sizeof(*multicast->taken));
	multicast->waiting = malloc(n_links * sizeof(*multicast->waiting));
	multicast->sls = malloc(n_links * sizeof(*multicast->sls));
	multicast->states = malloc(n_links * network->n_words * sizeof(*multicast->states));
	multicast->queue = malloc(n_links * sizeof(*multicast->queue));
	multicast->dropping = malloc(n * sizeof(*multicast->dropping));
	if (!multicast->entry_of_switch || !multicast->came || !multicast->taken ||
	    !multicast->waiting || !multicast->sls || !multicast->states || !multicast->queue ||
	    !multicast->dropping)
		return hd_error_nomem(err);
	memset(multicast->entry_of_switch, 0xFF, network->fabric->n_switches * sizeof(uint32_t));
	return 0;
}

void hd_multicast_clear(struct hd_multicast *multicast)
{
	free(multicast->entry_of_switch);
	free(multicast->came);
	free(multicast->taken);
	free(multicast->waiting);
	free(multicast->sls);
	free(multicast->states);
	free(multicast->queue);
	free(multicast->dropping);
	memset(multicast, 0, sizeof(*multicast));
}

static inline bool has_port(const uint64_t ports[4], unsigned number)
{
	return ports[number / 64] >> (number % 64) & 1;
}

static unsigned count_ports(const uint64_t ports[4])
{
	unsigned n = 0;

	for (int word = 0; word < 4; word++)
		n += (unsigned)__builtin_popcountll(ports[word]);
	return n;
}

/* The source that sends to the MLID into @entry by port @in, or HD_NONE. */
static uint32_t source_at(const struct hd_check_network *network, const struct hd_mft_entry *entry,
			  unsigned in, uint32_t only)
{
	uint32_t port = hd_port_index(network->fabric, entry->switch_index, in);
	uint32_t source = in == 0 ? port : network->fabric->ports[port].peer;

	if (!has_port(entry->ports, in) || source == HD_NONE ||
	    network->far_end[port].node != HD_NONE || !hd_network_is_end(network, source))
		return HD_NONE;
	return only == HD_NONE || only == source ? source : HD_NONE;
}

/* The entry at the far end of the link that leaves @entry by @out, or HD_NONE; and its in-port. */
static uint32_t far_entry(const struct hd_multicast *multicast,
			  const struct hd_check_network *network, uint32_t entry, unsigned out,
			  unsigned *in)
{
	uint32_t node = multicast->entries[entry].switch_index;
	struct hd_far_end end;

	if (out == 0)
		return HD_NONE;
	end = network->far_end[hd_port_index(network->fabric, node, out)];
	*in = end.in;
	return end.node == HD_NONE ? HD_NONE : multicast->entry_of_switch[end.node];
}

/* Marks the links that packets which came into @entry by @in take next, appending them. */
static uint32_t take_links(struct hd_multicast *multicast, const struct hd_check_network *network,
			   uint32_t entry, unsigned in, uint32_t n_queue)
{
	const struct hd_mft_entry *e = &multicast->entries[entry];
	unsigned n_ports = network->fabric->nodes[e->switch_index].n_ports;

	for (unsigned out = 1; out <= n_ports; out++) {
		uint32_t link = entry * LINKS_PER_ENTRY + out;
		uint32_t port = hd_port_index(network->fabric, e->switch_index, out);

		if (out == in || !has_port(e->ports, out) || multicast->taken[link] ||
		    network->far_end[port].node == HD_NONE)
			continue;
		multicast->taken[link] = true;
		multicast->queue[n_queue++] = link;
	}
	return n_queue;
}

/* Finds the links that packets reach; returns how many. */
static uint32_t reach(struct hd_multicast *multicast, const struct hd_check_network *network,
		      uint32_t only)
{
	uint32_t n_queue = 0;

	multicast->has_flows = false;
	for (uint32_t e = 0; e < multicast->n_entries; e++) {
		const struct hd_mft_entry *entry = &multicast->entries[e];
		unsigned n_ports = network->fabric->nodes[entry->switch_index].n_ports;

		for (unsigned in = 0; in <= n_ports; in++)
			if (source_at(network, entry, in, only) != HD_NONE) {
				multicast->has_flows = true;
				n_queue = take_links(multicast, network, e, in, n_queue);
			}
	}
	for (uint32_t i = 0; i < n_queue; i++) {
		unsigned in;
		uint32_t far = far_entry(multicast, network, multicast->queue[i] / LINKS_PER_ENTRY,
					 multicast->queue[i] % LINKS_PER_ENTRY, &in);

		if (far == HD_NONE)
			continue;
		multicast->came[far][in / 64] |= UINT64_C(1) << (in % 64);
		n_queue = take_links(multicast, network, far, in, n_queue);
	}
	return n_queue;
}

/* The links in such an order that each comes after those that feed it; returns how many. */
static uint32_t order_links(struct hd_multicast *multicast, const struct hd_check_network *network,
			    uint32_t n_taken)
{
	uint32_t n_order = 0;

	for (uint32_t i = 0; i < n_taken; i++) {
		uint32_t link = multicast->queue[i];
		const uint64_t *came = multicast->came[link / LINKS_PER_ENTRY];

		multicast->waiting[link] =
			(uint16_t)(count_ports(came) - has_port(came, link % LINKS_PER_ENTRY));
	}
	/* links that nothing feeds move to the front, then the others as they follow */
	for (uint32_t i = 0; i < n_taken; i++)
		if (multicast->waiting[multicast->queue[i]] == 0) {
			uint32_t link = multicast->queue[i];

			multicast->queue[i] = multicast->queue[n_order];
			multicast->queue[n_order++] = link;
		}
	for (uint32_t i = 0; i < n_order; i++) {
		unsigned in;
		uint32_t far = far_entry(multicast, network, multicast->queue[i] / LINKS_PER_ENTRY,
					 multicast->queue[i] % LINKS_PER_ENTRY, &in);

		for (unsigned out = 1; far != HD_NONE && out < LINKS_PER_ENTRY; out++) {
			uint32_t link = far * LINKS_PER_ENTRY + out;

			if (out != in && multicast->taken[link] && --multicast->waiting[link] == 0)
				multicast->queue[n_order++] = link;
		}
	}
	return n_order;
}

/*
 * Copies packets with @state. They are on the link that ends in port @in of @entry; without such a
 * link they are the switch's own.
 */
static bool copy(struct hd_multicast *multicast, const struct hd_check_network *network,
		 uint32_t entry, unsigned in, const uint64_t *state, unsigned sls,
		 struct hd_usage *usage)
{
	const struct hd_mft_entry *e = &multicast->entries[entry];
	unsigned n_ports = network->fabric->nodes[e->switch_index].n_ports;
	uint64_t ignored[HD_STATE_WORDS] = { 0 };
	bool drops = false;

	for (unsigned out = 0; out <= n_ports; out++) {
		uint32_t port = hd_port_index(network->fabric, e->switch_index, out);
		size_t row = hd_sl2vl_index(network->tables, e->switch_index, in, out);
		size_t link = (size_t)entry * LINKS_PER_ENTRY + out;
		bool goes_on;
		unsigned kept;

		if (out == in || !has_port(e->ports, out))
			continue;
		if (out > 0 && network->fabric->ports[port].peer == HD_NONE)
			continue;
		if (usage)
			hd_usage_add(usage, row, state, UINT64_MAX);
		goes_on = out > 0 && multicast->taken[link];
		kept = hd_row_forward(
			network, row, state, sls,
			goes_on ? multicast->states + link * network->n_words : ignored, &drops);
		if (goes_on)
			multicast->sls[link] |= (uint16_t)kept;
	}
	return drops;
}

/* Whether packets that come by @in find a port of @entry to go to. */
static bool leads_on(const struct hd_check_network *network, const struct hd_mft_entry *entry,
		     unsigned in)
{
	for (unsigned out = 0; out <= network->fabric->nodes[entry->switch_index].n_ports; out++)
		if (out != in && has_port(entry->ports, out) &&
		    (out == 0 || network->fabric->ports[hd_port_index(network->fabric,
								      entry->switch_index, out)]
						 .peer != HD_NONE))
			return true;
	return false;
}

static void send(struct hd_multicast *multicast, const struct hd_check_network *network,
		 uint32_t only, struct hd_usage *usage)
{
	unsigned sls = network->all_sls ? (1u << network->n_sls) - 1 : network->places[0];

	for (uint32_t e = 0; e < multicast->n_entries; e++) {
		const struct hd_mft_entry *entry = &multicast->entries[e];

		for (unsigned in = 0; in <= network->fabric->nodes[entry->switch_index].n_ports;
		     in++) {
			uint32_t source = source_at(network, entry, in, only);
			uint64_t state[HD_STATE_WORDS] = { 0 };
			unsigned kept = sls;

			if (source == HD_NONE || !leads_on(network, entry, in))
				continue;
			if (in == 0)
				state[0] = sls;
			else
				kept = hd_state_forward(network, hd_source_masks(network, source),
							sls, state);
			multicast->n_dropping += kept != sls;
			multicast->dropping[e] |=
				copy(multicast, network, e, in, state, kept, usage);
		}
	}
}

static void prepare(struct hd_multicast *multicast, const struct hd_check_network *network,
		    size_t first, size_t end)
{
	for (uint32_t e = 0; e < multicast->n_entries; e++)
		multicast->entry_of_switch[multicast->entries[e].switch_index] = HD_NONE;
	multicast->entries = network->tables->mft + first;
	multicast->n_entries = (uint32_t)(end - first);
	for (uint32_t e = 0; e < multicast->n_entries; e++)
		multicast->entry_of_switch[multicast->entries[e].switch_index] = e;
	memset(multicast->came, 0, multicast->n_entries * sizeof(*multicast->came));
	memset(multicast->taken, 0, multicast->n_entries * LINKS_PER_ENTRY * sizeof(bool));
	memset(multicast->sls, 0, multicast->n_entries * LINKS_PER_ENTRY * sizeof(uint16_t));
	memset(multicast->states, 0,
	       multicast->n_entries * LINKS_PER_ENTRY * network->n_words * sizeof(uint64_t));
	multicast->n_circling = 0;
	multicast->n_dropping = 0;
}

static uint32_t count_circling(const struct hd_multicast *multicast)
{
	uint32_t n = 0;

	for (uint32_t e = 0; e < multicast->n_entries; e++) {
		bool circles = false;

		for (uint32_t l = e * LINKS_PER_ENTRY; l < (e + 1) * LINKS_PER_ENTRY; l++)
			circles |= multicast->taken[l] && multicast->waiting[l];
		n += circles;
	}
	return n;
}

void hd_multicast_build(struct hd_multicast *multicast, const struct hd_check_network *network,
			size_t first, size_t end, uint32_t only, struct hd_usage *usage)
{
	uint32_t n_taken, n_order;

	prepare(multicast, network, first, end);
	n_taken = reach(multicast, network, only);
	n_order = order_links(multicast, network, n_taken);
	if (n_order < n_taken) {
		multicast->n_circling = count_circling(multicast);
		return;
	}
	memset(multicast->dropping, 0, multicast->n_entries * sizeof(bool));
	send(multicast, network, only, usage);
	for (uint32_t i = 0; i < n_order; i++) {
		uint32_t link = multicast->queue[i];
		unsigned in;
		uint32_t far = far_entry(multicast, network, link / LINKS_PER_ENTRY,
					 link % LINKS_PER_ENTRY, &in);

		if (far != HD_NONE && multicast->sls[link])
			multicast->dropping[far] |=
				copy(multicast, network, far, in,
				     multicast->states + (size_t)link * network->n_words,
				     multicast->sls[link], usage);
	}
	for (uint32_t e = 0; e < multicast->n_entries; e++)
		multicast->n_dropping += multicast->dropping[e];
}

bool hd_multicast_has_source(const struct hd_multicast *multicast,
			     const struct hd_check_network *network, uint32_t port)
{
	const struct hd_fabric *fabric = network->fabric;
	unsigned in = hd_source_in(fabric, port);
	uint32_t node = fabric->ports[in ? fabric->ports[port].peer : port].node;
	uint32_t entry = hd_is_switch(fabric, node) ? multicast->entry_of_switch[node] : HD_NONE;

	return entry != HD_NONE &&
	       source_at(network, &multicast->entries[entry], in, port) != HD_NONE;
}

uint32_t hd_multicast_bad_port(const struct hd_multicast *multicast,
			       const struct hd_check_network *network, uint32_t source)
{
	const struct hd_fabric *fabric = network->fabric;

	for (uint32_t e = 0; e < multicast->n_entries; e++) {
		uint32_t node = multicast->entries[e].switch_index;

		for (unsigned out = 1; multicast->n_circling && out <= fabric->nodes[node].n_ports;
		     out++) {
			size_t link = (size_t)e * LINKS_PER_ENTRY + out;

			if (multicast->taken[link] && multicast->waiting[link])
				return hd_port_index(fabric, node, out);
		}
		if (!multicast->n_circling && multicast->dropping[e])
			return hd_port_index(fabric, node, 0);
	}
	return source;
}

/* Whether packets that circle take the link that leaves @entry by @out. */
static bool is_stuck(const struct hd_multicast *multicast, uint32_t entry, unsigned out)
{
	size_t link = (size_t)entry * LINKS_PER_ENTRY + out;

	return multicast->taken[link] && multicast->waiting[link];
}

/* The in-port by which stuck packets come to @entry, where they leave by @out. */
static unsigned find_stuck_in(const struct hd_multicast *multicast,
			      const struct hd_check_network *network, uint32_t entry, unsigned out)
{
	uint32_t node = multicast->entries[entry].switch_index;

	hd_for_each_number(in, network->fabric, node) {
		struct hd_far_end end = network->far_end[hd_port_index(network->fabric, node, in)];

		if (in != out && end.node != HD_NONE &&
		    multicast->entry_of_switch[end.node] != HD_NONE &&
		    is_stuck(multicast, multicast->entry_of_switch[end.node], end.in))
			return in;
	}
	return 0;
}

size_t hd_multicast_loop(const struct hd_multicast *multicast,
			 const struct hd_check_network *network, struct hd_hop *hops)
{
	const struct hd_fabric *fabric = network->fabric;
	uint32_t n_links = multicast->n_entries * LINKS_PER_ENTRY, link = 0, end = HD_NONE;
	size_t n = 0, steps = 0;

	while (link < n_links &&
	       !is_stuck(multicast, link / LINKS_PER_ENTRY, link % LINKS_PER_ENTRY))
		link++;
	if (link == n_links)
		return 0;
	/* every stuck link is fed by a stuck one: going back ends on a circle */
	while (link != end) {
		uint32_t entry = link / LINKS_PER_ENTRY, node;
		unsigned out = link % LINKS_PER_ENTRY;
		struct hd_far_end before;
		struct hd_hop hop;

		node = multicast->entries[entry].switch_index;
		hop = (struct hd_hop){ .node = node,
				       .in = (uint8_t)find_stuck_in(multicast, network, entry, out),
				       .out = (uint8_t)out };
		before = network->far_end[hd_port_index(fabric, node, hop.in)];
		/* after as many steps as there are links, this one is on the circle */
		if (steps++ == n_links)
			end = link;
		if (end != HD_NONE)
			hops[n++] = hop;
		link = multicast->entry_of_switch[before.node] * LINKS_PER_ENTRY + before.in;
	}
	for (size_t i = 0; i < n / 2; i++) {
		struct hd_hop hop = hops[i];

		hops[i] = hops[n - 1 - i];
		hops[n - 1 - i] = hop;
	}
	return n;
}

const uint64_t *hd_multicast_link(const struct hd_multicast *multicast,
				  const struct hd_check_network *network, uint32_t port)
{
	const struct hd_port *p = &network->fabric->ports[port];
	uint32_t entry = multicast->entry_of_switch[p->node];
	size_t link = (size_t)entry * LINKS_PER_ENTRY + p->number;

	if (entry == HD_NONE || !multicast->taken[link] || multicast->n_circling)
		return NULL;
	return multicast->states + link * network->n_words;
}
