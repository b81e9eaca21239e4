// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/branches.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

int hd_branches_init(struct hd_branches *b, const struct hd_check_network *network,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	const size_t n = fabric->n_switches + (size_t)1;

	*b = (struct hd_branches){
		.network = network, .root = HD_NONE, .last = HD_NONE, .allowed = 0xFFFF
	};
	b->sets = calloc(n, sizeof(*b->sets));
	b->sls = calloc(network->n_sources + (size_t)1, sizeof(*b->sls));
	b->reached = malloc(n * sizeof(*b->reached));
	b->waiting = malloc(n * sizeof(*b->waiting));
	b->order = malloc(n * sizeof(*b->order));
	b->depth = malloc(n * sizeof(*b->depth));
	b->states = malloc((fabric->n_ports + (size_t)1) * network->n_words * sizeof(*b->states));
	return b->sets && b->sls && b->reached && b->waiting && b->order && b->depth && b->states
		       ? 0
		       : hd_error_nomem(err);
}

void hd_branches_clear(struct hd_branches *b)
{
	free(b->sets);
	free(b->sls);
	free(b->reached);
	free(b->waiting);
	free(b->order);
	free(b->depth);
	free(b->states);
	*b = (struct hd_branches){ .network = NULL };
}

void hd_branches_take_entries(struct hd_branches *b, const struct hd_tables *tables, uint32_t lid)
{
	hd_for_each_switch(s, b->network->fabric) {
		b->sets[s] = (struct hd_port_set){ { 0 } };
		hd_port_set_add(&b->sets[s], hd_lft(tables, s)[lid]);
	}
	if (b->root != HD_NONE)
		hd_port_set_remove(&b->sets[b->root], b->root_port);
}

static inline struct hd_far_end far_end(const struct hd_branches *b, uint32_t s, unsigned port)
{
	if (port > b->network->fabric->nodes[s].n_ports)
		return (struct hd_far_end){ .node = HD_NONE };
	return b->network->far_end[hd_port_index(b->network->fabric, s, port)];
}

/* A port of @s leads nowhere; of one that it does not have, port 0 is told. */
static void add_hole(struct hd_branches *b, uint32_t s, unsigned port)
{
	const struct hd_fabric *fabric = b->network->fabric;

	if (b->hole == HD_NONE)
		b->hole = hd_port_index(fabric, s, port > fabric->nodes[s].n_ports ? 0 : port);
}

/* Finds the switches that packets from those that are marked as reached get to. */
static void find_reached(struct hd_branches *b)
{
	b->n_reached = 0;
	hd_for_each_switch(s, b->network->fabric) {
		b->waiting[s] = 0;
		b->depth[s] = 0;
		if (b->reached[s])
			b->order[b->n_reached++] = s;
	}
	for (uint32_t i = 0; i < b->n_reached; i++) {
		const uint32_t s = b->order[i];
		bool is_hole = hd_port_set_has(&b->sets[s], HD_NO_PATH);

		hd_for_each_in_set(port, &b->sets[s]) {
			const struct hd_far_end end = far_end(b, s, port);

			if (end.node == HD_NONE) {
				add_hole(b, s, port);
				is_hole = true;
				continue;
			}
			b->waiting[end.node]++;
			if (b->reached[end.node])
				continue;
			b->reached[end.node] = true;
			b->order[b->n_reached++] = end.node;
		}
		/* the loop above ends before HD_NO_PATH */
		if (is_hole)
			add_hole(b, s, 0);
		b->n_holes += is_hole;
	}
}

/* Counts the switches that are on circles, or between two of them. */
static void count_circling(struct hd_branches *b)
{
	bool changed = true;

	/* what is left waits for itself; a switch whose ways all leave that is on no circle */
	while (changed) {
		changed = false;
		hd_for_each_switch(s, b->network->fabric) {
			bool leads_on = false;

			if (!b->reached[s] || !b->waiting[s])
				continue;
			hd_for_each_in_set(port, &b->sets[s]) {
				const struct hd_far_end end = far_end(b, s, port);

				leads_on |= end.node != HD_NONE && b->waiting[end.node];
			}
			if (leads_on)
				continue;
			b->waiting[s] = 0;
			changed = true;
		}
	}
	hd_for_each_switch(s, b->network->fabric) {
		if (!b->waiting[s])
			continue;
		b->n_circling++;
		hd_for_each_in_set(port, &b->sets[s]) {
			const struct hd_far_end end = far_end(b, s, port);

			if (b->circle == HD_NONE && end.node != HD_NONE && b->waiting[end.node])
				b->circle = hd_port_index(b->network->fabric, s, port);
		}
	}
}

/* Puts switches in order, each behind all that lead to it; false: there are circles. */
static bool order_switches(struct hd_branches *b)
{
	b->n_order = 0;
	hd_for_each_switch(s, b->network->fabric)
		if (b->reached[s] && !b->waiting[s])
			b->order[b->n_order++] = s;
	for (uint32_t i = 0; i < b->n_order; i++) {
		const uint32_t s = b->order[i];

		hd_for_each_in_set(port, &b->sets[s]) {
			const uint32_t next = far_end(b, s, port).node;

			if (next == HD_NONE)
				continue;
			if (b->depth[next] <= b->depth[s])
				b->depth[next] = b->depth[s] + 1;
			if (--b->waiting[next] == 0)
				b->order[b->n_order++] = next;
		}
	}
	return b->n_order == b->n_reached;
}

/* What sources send into their switches. */
static void inject(struct hd_branches *b)
{
	static const uint16_t vl_0[HD_MAX_VLS + 1] = { 0xFFFF };
	const struct hd_check_network *network = b->network;

	hd_for_each_switch(s, network->fabric) {
		if (s == b->root && !b->with_local && !hd_port_set_count(&b->sets[s]))
			continue;
		for (uint32_t i = network->first_source[s]; i < network->first_source[s + 1]; i++) {
			const uint32_t source = network->sources[i];
			const unsigned in = hd_source_in(network->fabric, source);
			const size_t port = hd_port_index(network->fabric, s, in);
			const unsigned sls = b->sls[i] & b->allowed;

			if (!sls || source < b->first || source > b->last)
				continue;
			b->reached[s] = true;
			hd_state_forward(network, in ? hd_source_masks(network, source) : vl_0, sls,
					 &b->states[port * network->n_words]);
		}
	}
}

/* Packets that came in by @in of @s go on by @out. */
static void forward(struct hd_branches *b, uint32_t s, unsigned in, unsigned out,
		    struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	const size_t n_words = network->n_words;
	const uint64_t *state = &b->states[hd_port_index(network->fabric, s, in) * n_words];
	const struct hd_far_end end = far_end(b, s, out);
	size_t row;
	const uint16_t *masks;
	uint64_t *next;

	if (end.node == HD_NONE)
		return;
	row = hd_sl2vl_index(network->tables, s, in, out);
	next = &b->states[hd_port_index(network->fabric, end.node, end.in) * n_words];
	masks = hd_pattern_masks(network, network->pattern[row]);
	if (usage)
		hd_usage_add(usage, row, state, UINT64_MAX);
	for (unsigned vl = 0; vl < network->n_vls; vl++) {
		const unsigned sls = hd_state_sls(network, state, vl);

		hd_state_forward(network, masks, sls, next);
		if (sls & masks[network->n_vls] && b->drop == HD_NONE)
			b->drop = hd_port_index(network->fabric, s, out);
	}
}

static bool is_empty(const struct hd_branches *b, size_t port)
{
	const size_t n_words = b->network->n_words;
	uint64_t any = 0;

	for (unsigned w = 0; w < n_words; w++)
		any |= b->states[port * n_words + w];
	return !any;
}

static void propagate(struct hd_branches *b, struct hd_usage *usage)
{
	const struct hd_fabric *fabric = b->network->fabric;

	for (uint32_t i = 0; i < b->n_order; i++) {
		const uint32_t s = b->order[i], before = b->drop;

		b->drop = HD_NONE;
		for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++) {
			if (is_empty(b, hd_port_index(fabric, s, in)))
				continue;
			hd_for_each_in_set(out, &b->sets[s])
				forward(b, s, in, out, usage);
		}
		b->n_drops += b->drop != HD_NONE;
		if (before != HD_NONE)
			b->drop = before;
	}
}

void hd_branches_follow(struct hd_branches *b, struct hd_usage *usage)
{
	const struct hd_fabric *fabric = b->network->fabric;

	memset(b->reached, 0, fabric->n_switches * sizeof(*b->reached));
	memset(b->states, 0, fabric->n_ports * (size_t)b->network->n_words * sizeof(*b->states));
	b->hole = b->circle = b->drop = HD_NONE;
	b->n_holes = b->n_circling = b->n_drops = 0;
	inject(b);
	find_reached(b);
	if (!order_switches(b))
		count_circling(b);
	propagate(b, usage);
}

bool hd_branches_deliver(const struct hd_branches *b, unsigned port, unsigned sls,
			 struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	const size_t n_words = network->n_words;
	const uint64_t lanes = (sls & ((1u << network->n_sls) - 1)) * network->every_vl;
	bool keeps = true;

	for (unsigned in = 0; in <= network->fabric->nodes[b->root].n_ports; in++) {
		const size_t row = hd_sl2vl_index(network->tables, b->root, in, port);
		const uint64_t *state =
			&b->states[hd_port_index(network->fabric, b->root, in) * n_words];
		const uint16_t *masks = hd_pattern_masks(network, network->pattern[row]);

		/* nothing goes back to who sent it */
		if (in == port && far_end(b, b->root, in).node == HD_NONE)
			continue;
		if (usage)
			hd_usage_add(usage, row, state, lanes);
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			keeps &= !(hd_state_sls(network, state, vl) & sls & masks[network->n_vls]);
	}
	return keeps;
}

bool hd_branches_pass(const struct hd_branches *b, uint32_t from, unsigned from_vl, uint32_t to,
		      unsigned to_vl)
{
	const struct hd_check_network *network = b->network;
	const struct hd_fabric *fabric = network->fabric;
	const struct hd_port *out = &fabric->ports[to];
	const unsigned first = from == HD_NONE ? 0 : fabric->ports[fabric->ports[from].peer].number;
	const unsigned last = from == HD_NONE ? fabric->nodes[out->node].n_ports : first;

	if (!hd_port_set_has(&b->sets[out->node], out->number) &&
	    (out->node != b->root || b->root_port != out->number))
		return false;
	for (unsigned in = first; in <= last; in++) {
		const size_t row = hd_sl2vl_index(network->tables, out->node, in, out->number);
		const uint64_t *state =
			&b->states[hd_port_index(fabric, out->node, in) * (size_t)network->n_words];
		const unsigned taken = hd_pattern_masks(network, network->pattern[row])[to_vl];

		for (unsigned vl = 0; vl < network->n_vls; vl++)
			if ((from == HD_NONE || vl == from_vl) &&
			    (hd_state_sls(network, state, vl) & taken))
				return true;
	}
	return false;
}

int hd_branches_find_circle(struct hd_branches *b, struct hd_hop **loop, size_t *n_loop,
			    struct hd_error *err)
{
	const struct hd_fabric *fabric = b->network->fabric;
	struct hd_hop *hops = calloc(fabric->n_switches + (size_t)1, sizeof(*hops));
	uint32_t s = fabric->ports[b->circle].node, begin = 0, n = 0;
	uint8_t in = 0;

	if (!hops)
		return hd_error_nomem(err);
	/* where each switch is in the walk, until one comes again */
	hd_for_each_switch(i, fabric)
		b->depth[i] = HD_NONE;
	while (b->depth[s] == HD_NONE) {
		b->depth[s] = n;
		hops[n] = (struct hd_hop){ .node = s, .in = in };
		hd_for_each_in_set(port, &b->sets[s]) {
			const struct hd_far_end end = far_end(b, s, port);

			if (end.node == HD_NONE || !b->waiting[end.node])
				continue;
			hops[n++].out = (uint8_t)port;
			in = (uint8_t)end.in;
			s = end.node;
			break;
		}
	}
	begin = b->depth[s];
	hops[begin].in = in;
	memmove(hops, hops + begin, (n - begin) * sizeof(*hops));
	*loop = hops;
	*n_loop = n - begin;
	return 0;
}
