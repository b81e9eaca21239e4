// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/branches.h"

#include <stdlib.h>
#include <string.h>

#include "check/branch_states.h"
#include "support/error.h"

/* Above so many states of an in-port, out-ports are not collected: they would take much memory. */
#define MOST_COLLECTED 32

/* The pattern of all rows of @s to @out; HD_NONE: they are not alike. */
static uint32_t find_even(const struct hd_check_network *network, uint32_t s, unsigned out)
{
	const struct hd_fabric *fabric = network->fabric;
	const size_t row = hd_sl2vl_index(network->tables, s, 0, out);

	for (unsigned in = 1; in <= fabric->nodes[s].n_ports; in++)
		if (network->limit[hd_port_index(fabric, s, in)] &&
		    network->pattern[row + in] != network->pattern[row])
			return HD_NONE;
	return network->pattern[row];
}

static void find_even_rows(struct hd_branches *b)
{
	const struct hd_fabric *fabric = b->network->fabric;

	hd_for_each_switch(s, fabric)
		for (unsigned out = 0; out <= fabric->nodes[s].n_ports; out++)
			b->even[hd_port_index(fabric, s, out)] = find_even(b->network, s, out);
}

/* Whether packets at some in-port of @s have @plft: no other pLFT matters. */
static bool is_mapped(const struct hd_check_network *network, uint32_t s, unsigned plft)
{
	const size_t n_words = network->n_words;

	if (network->n_plfts == 1)
		return true;
	for (unsigned in = 0; in <= network->fabric->nodes[s].n_ports; in++) {
		const size_t port = hd_port_index(network->fabric, s, in);

		for (size_t w = 0; w < n_words; w++)
			if (network->plft_bits[(port * network->n_plfts + plft) * n_words + w])
				return true;
	}
	return false;
}

/* Whether the rows of in-ports @a and @b of @s to all linked out-ports are alike. */
static bool are_alike(const struct hd_check_network *network, uint32_t s, unsigned a, unsigned b)
{
	hd_for_each_number(out, network->fabric, s) {
		const size_t row = hd_sl2vl_index(network->tables, s, 0, out);

		if (network->limit[hd_port_index(network->fabric, s, out)] &&
		    network->pattern[row + a] != network->pattern[row + b])
			return false;
	}
	return true;
}

/* Finds the in-ports with the same rows: packets of these go on together. */
static void find_classes(struct hd_branches *b)
{
	const struct hd_fabric *fabric = b->network->fabric;

	hd_for_each_switch(s, fabric) {
		uint8_t *class = b->class + hd_port_index(fabric, s, 0);

		for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++) {
			unsigned first = 0;

			while (first < in &&
			       (class[first] != first || !are_alike(b->network, s, first, in)))
				first++;
			class[in] = (uint8_t)first;
		}
	}
}

static bool make_collection(struct hd_branches *b)
{
	const struct hd_check_network *network = b->network;
	const size_t n_bits = network->n_vls * (size_t)network->n_sls;
	unsigned most = 0;

	if (n_bits > MOST_COLLECTED)
		return true;
	hd_for_each_switch(s, network->fabric)
		if (network->fabric->nodes[s].n_ports > most)
			most = network->fabric->nodes[s].n_ports;
	b->n_set_words = most / 64 + 1;
	b->outs = calloc((network->fabric->n_ports + (size_t)1) * n_bits * b->n_set_words,
			 sizeof(*b->outs));
	return b->outs;
}

int hd_branches_init(struct hd_branches *b, const struct hd_check_network *network, bool collects,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	const size_t n = (fabric->n_switches + (size_t)1) * network->n_plfts;

	*b = (struct hd_branches){ .network = network,
				   .root = HD_NONE,
				   .last = HD_NONE,
				   .allowed = 0xFFFF,
				   .delivers = 1 };
	b->mapped = calloc(n, sizeof(*b->mapped));
	b->sets = calloc(n, sizeof(*b->sets));
	b->sls = calloc(network->n_sources + (size_t)1, sizeof(*b->sls));
	b->reached = malloc(n * sizeof(*b->reached));
	b->waiting = malloc(n * sizeof(*b->waiting));
	b->order = malloc(n * sizeof(*b->order));
	b->depth = malloc(n * sizeof(*b->depth));
	b->states = malloc((fabric->n_ports + (size_t)1) * network->n_words * sizeof(*b->states));
	b->even = malloc((fabric->n_ports + (size_t)1) * sizeof(*b->even));
	b->class = malloc((fabric->n_ports + (size_t)1) * sizeof(*b->class));
	b->ins = malloc((UINT8_MAX + (size_t)1) * sizeof(*b->ins));
	b->classes = malloc((UINT8_MAX + (size_t)1) * sizeof(*b->classes));
	b->of_class = calloc((UINT8_MAX + (size_t)1) * network->n_words, sizeof(*b->of_class));
	if (!b->mapped || !b->sets || !b->sls || !b->reached || !b->waiting || !b->order ||
	    !b->depth || !b->states || !b->even || !b->class || !b->ins || !b->classes ||
	    !b->of_class || (collects && !make_collection(b)))
		return hd_error_nomem(err);
	find_even_rows(b);
	find_classes(b);
	hd_for_each_switch(s, fabric)
		for (unsigned plft = 0; plft < network->n_plfts; plft++)
			b->mapped[s * network->n_plfts + plft] = is_mapped(network, s, plft);
	return network->n_plfts > 1 ? hd_branch_states_new(b, err) : 0;
}

void hd_branches_clear(struct hd_branches *b)
{
	free(b->mapped);
	free(b->sets);
	free(b->sls);
	free(b->reached);
	free(b->waiting);
	free(b->order);
	free(b->depth);
	free(b->states);
	free(b->even);
	free(b->class);
	free(b->ins);
	free(b->classes);
	free(b->of_class);
	free(b->outs);
	hd_branch_states_free(b->by_states);
	*b = (struct hd_branches){ .network = NULL };
}

void hd_branches_take_entries(struct hd_branches *b, const struct hd_tables *tables, uint32_t lid)
{
	hd_for_each_switch(s, b->network->fabric) {
		const struct hd_ar_entry entry = hd_ar_entry(tables, s, 0, lid);

		b->sets[s] = hd_ar_choices(tables, s, &entry, b->network->n_down);
	}
	if (b->root != HD_NONE)
		hd_port_set_remove(&b->sets[b->root], b->root_port);
}

/*
 * The first of the pairs of the switch at the other end of @port of @pair's switch; HD_NONE: none.
 */
static uint32_t first_pair(const struct hd_branches *b, uint32_t pair, unsigned port)
{
	const struct hd_far_end end = hd_branches_far_end(b, hd_branches_switch(b, pair), port);

	return end.node == HD_NONE ? HD_NONE : end.node << b->network->plft_shift;
}

/* Bits: those of them that packets of @pair may have there. */
static inline unsigned next_plfts(const struct hd_branches *b, uint32_t pair, unsigned port)
{
	const struct hd_check_network *network = b->network;
	const uint32_t s = hd_branches_switch(b, pair);

	if (network->n_plfts == 1)
		return 1;
	return network
		->next_plfts[(hd_port_index(network->fabric, s, port) << network->plft_shift) +
			     hd_branches_plft(b, pair)];
}

/* A port of @pair leads nowhere; of one that the switch does not have, port 0 is told. */
static void add_hole(struct hd_branches *b, uint32_t pair)
{
	const struct hd_fabric *fabric = b->network->fabric;
	const uint32_t s = hd_branches_switch(b, pair);

	b->n_holes++;
	if (b->hole != HD_NONE)
		return;
	hd_for_each_in_set(port, &b->sets[pair])
		if (first_pair(b, pair, port) == HD_NONE) {
			b->hole = hd_port_index(fabric, s,
						port > fabric->nodes[s].n_ports ? 0 : port);
			return;
		}
	/* the loop above ends before HD_NO_PATH */
	b->hole = hd_port_index(fabric, s, 0);
}

/* Finds the pairs that packets from those that are marked as reached get to. */
static void find_reached(struct hd_branches *b)
{
	const uint32_t n = b->network->fabric->n_switches * b->network->n_plfts;

	b->n_reached = 0;
	for (uint32_t pair = 0; pair < n; pair++) {
		b->waiting[pair] = 0;
		b->depth[pair] = 0;
		if (b->reached[pair])
			b->order[b->n_reached++] = pair;
	}
	for (uint32_t i = 0; i < b->n_reached; i++) {
		const uint32_t pair = b->order[i];
		bool is_hole = false;

		hd_for_each_in_set(port, &b->sets[pair]) {
			const uint32_t first = first_pair(b, pair, port);

			if (first == HD_NONE) {
				is_hole = true;
				continue;
			}
			for (unsigned plfts = next_plfts(b, pair, port); plfts;
			     plfts &= plfts - 1) {
				const uint32_t next = first + (uint32_t)__builtin_ctz(plfts);

				b->waiting[next]++;
				if (b->reached[next])
					continue;
				b->reached[next] = true;
				b->order[b->n_reached++] = next;
			}
		}
		/* a pair of a private LFT need not really be reached */
		if (b->network->n_plfts == 1 &&
		    (is_hole || hd_port_set_has(&b->sets[pair], HD_NO_PATH)))
			add_hole(b, pair);
	}
}

/* Without private LFTs: counts the switches that are on circles, or between two of them. */
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
				const struct hd_far_end end = hd_branches_far_end(b, s, port);

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
			const struct hd_far_end end = hd_branches_far_end(b, s, port);

			if (b->circle == HD_NONE && end.node != HD_NONE && b->waiting[end.node])
				b->circle = hd_port_index(b->network->fabric, s, port);
		}
	}
}

/* Puts pairs in order, each behind all that lead to it; false: there are circles. */
static bool order_pairs(struct hd_branches *b)
{
	const uint32_t n = b->network->fabric->n_switches * b->network->n_plfts;

	b->n_order = 0;
	for (uint32_t pair = 0; pair < n; pair++)
		if (b->reached[pair] && !b->waiting[pair])
			b->order[b->n_order++] = pair;
	for (uint32_t i = 0; i < b->n_order; i++) {
		const uint32_t pair = b->order[i];

		hd_for_each_in_set(port, &b->sets[pair]) {
			const uint32_t first = first_pair(b, pair, port);

			if (first == HD_NONE)
				continue;
			for (unsigned plfts = next_plfts(b, pair, port); plfts;
			     plfts &= plfts - 1) {
				const uint32_t next = first + (uint32_t)__builtin_ctz(plfts);

				if (b->depth[next] <= b->depth[pair])
					b->depth[next] = b->depth[pair] + 1;
				if (--b->waiting[next] == 0)
					b->order[b->n_order++] = next;
			}
		}
	}
	return b->n_order == b->n_reached;
}

/* What source @source sends into its switch on @sls, added to @state. */
static unsigned send(const struct hd_check_network *network, uint32_t source, unsigned sls,
		     uint64_t *state)
{
	static const uint16_t vl_0[HD_MAX_VLS + 1] = { 0xFFFF };
	const unsigned in = hd_source_in(network->fabric, source);

	return hd_state_forward(network, in ? hd_source_masks(network, source) : vl_0, sls, state);
}

/* Whether the root only delivers. */
static bool is_end(const struct hd_branches *b)
{
	bool any = false;

	for (unsigned plft = 0; plft < b->network->n_plfts; plft++)
		any |= hd_port_set_count(&b->sets[b->root * b->network->n_plfts + plft]) > 0;
	return !any;
}

static void mark_reached(struct hd_branches *b, uint32_t s, size_t port)
{
	uint64_t part[HD_STATE_WORDS];

	if (b->network->n_plfts == 1) {
		b->reached[s] = true;
		return;
	}
	for (unsigned plft = 0; plft < b->network->n_plfts; plft++)
		if (hd_branches_part(b, port, plft, part))
			b->reached[s * b->network->n_plfts + plft] = true;
}

/* What sources send into their switches. */
static void inject(struct hd_branches *b)
{
	const struct hd_check_network *network = b->network;

	hd_for_each_switch(s, network->fabric) {
		if (s == b->root && !b->with_local && is_end(b))
			continue;
		for (uint32_t i = network->first_source[s]; i < network->first_source[s + 1]; i++) {
			const uint32_t source = network->sources[i];
			const unsigned in = hd_source_in(network->fabric, source);
			const size_t port = hd_port_index(network->fabric, s, in);
			const unsigned sls = b->sls[i] & b->allowed;

			if (!sls || source < b->first || source > b->last)
				continue;
			send(network, source, sls, &b->states[port * network->n_words]);
			mark_reached(b, s, port);
		}
	}
}

/* Notes that packets in @part of in-port @port leave by @set. */
static inline void collect(struct hd_branches *b, size_t port, const uint64_t *part,
			   const struct hd_port_set *set)
{
	const struct hd_check_network *network = b->network;
	const size_t n_bits = network->n_vls * (size_t)network->n_sls;

	for (unsigned vl = 0; vl < network->n_vls; vl++)
		for (unsigned sls = hd_state_sls(network, part, vl); sls; sls &= sls - 1) {
			const size_t bit = vl * network->n_sls + (unsigned)__builtin_ctz(sls);
			uint64_t *outs = &b->outs[(port * n_bits + bit) * b->n_set_words];

			for (unsigned w = 0; w < b->n_set_words; w++)
				outs[w] |= set->words[w];
		}
}

void hd_branches_add_usage(struct hd_branches *b, struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	const struct hd_fabric *fabric = network->fabric;
	const size_t n_bits = network->n_vls * (size_t)network->n_sls;

	if (!b->outs)
		return;
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		for (size_t bit = 0; bit < n_bits; bit++) {
			const unsigned vl = (unsigned)(bit / network->n_sls);
			uint64_t state[HD_STATE_WORDS] = { 0 };
			struct hd_port_set set = { { 0 } };

			memcpy(set.words, &b->outs[(p * n_bits + bit) * b->n_set_words],
			       b->n_set_words * sizeof(*set.words));
			state[network->word[vl]] = UINT64_C(1)
						   << (network->shift[vl] + bit % network->n_sls);
			hd_for_each_in_set(out, &set) {
				if (out > fabric->nodes[port->node].n_ports)
					break;
				if (network->far_end[hd_port_index(fabric, port->node, out)].node ==
				    HD_NONE)
					continue;
				hd_usage_add(usage,
					     hd_sl2vl_index(network->tables, port->node,
							    port->number, out),
					     state, UINT64_MAX);
			}
		}
	}
}

/* How packets of a pair came: by the first n_ins of ins, which are of the first n_classes. */
struct arrivals {
	unsigned n_ins, n_classes;
	uint64_t together[HD_STATE_WORDS];
	unsigned sls; /* of all of them */
};

/* Packets of @pair leave by @out; true: some are dropped. */
static bool leave_by(struct hd_branches *b, uint32_t pair, unsigned out,
		     const struct arrivals *came, struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	const struct hd_fabric *fabric = network->fabric;
	const uint32_t s = hd_branches_switch(b, pair);
	const struct hd_far_end end = hd_branches_far_end(b, s, out);
	uint64_t *next;
	uint32_t even;
	bool drops = false;

	if (end.node == HD_NONE) /* entries of others may name ports that the switch lacks */
		return false;
	even = b->even[hd_port_index(fabric, s, out)];
	next = &b->states[hd_port_index(fabric, end.node, end.in) * (size_t)network->n_words];
	if (even != HD_NONE)
		hd_pattern_forward(network, even, came->together, came->sls, next, &drops);
	for (unsigned i = 0; even == HD_NONE && i < came->n_classes; i++) {
		const unsigned class = b->classes[i];
		const uint64_t *part = &b->of_class[class * (size_t)network->n_words];

		hd_row_forward(network, hd_sl2vl_index(network->tables, s, class, out), part,
			       hd_branches_sls(network, part), next, &drops);
	}
	for (unsigned i = 0; usage && i < came->n_ins; i++) {
		uint64_t part[HD_STATE_WORDS];

		hd_branches_part(b, hd_port_index(fabric, s, b->ins[i]), hd_branches_plft(b, pair),
				 part);
		hd_usage_add(usage, hd_sl2vl_index(network->tables, s, b->ins[i], out), part,
			     UINT64_MAX);
	}
	return drops;
}

/* Adds packets in @part of @in, whose class is @class. */
static inline void add_arrival(struct hd_branches *b, struct arrivals *came, unsigned in,
			       unsigned class, const uint64_t *part, size_t n_words)
{
	uint64_t *of_class = &b->of_class[class * n_words], before = 0;

	b->ins[came->n_ins++] = (uint16_t)in;
	for (size_t w = 0; w < n_words; w++) {
		before |= of_class[w];
		of_class[w] |= part[w];
		came->together[w] |= part[w];
	}
	if (!before)
		b->classes[came->n_classes++] = (uint16_t) class;
}

/* Finds the in-ports with packets of @pair. */
static inline void find_ins(struct hd_branches *b, uint32_t pair, struct arrivals *came,
			    bool collects, size_t n_words)
{
	const struct hd_check_network *network = b->network;
	const uint32_t s = hd_branches_switch(b, pair);
	const size_t port = hd_port_index(network->fabric, s, 0);

	for (unsigned in = 0; in <= network->fabric->nodes[s].n_ports; in++) {
		uint64_t part[HD_STATE_WORDS];

		if (!hd_branches_part_of(b, port + in, hd_branches_plft(b, pair), part, n_words))
			continue;
		add_arrival(b, came, in, b->class[port + in], part, n_words);
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			b->n_states += hd_state_sls(network, part, vl) != 0;
		if (collects)
			collect(b, port + in, part, &b->sets[pair]);
	}
}

/* Whether some port of @pair leads nowhere. */
static bool has_hole(const struct hd_branches *b, uint32_t pair)
{
	hd_for_each_in_set(port, &b->sets[pair])
		if (first_pair(b, pair, port) == HD_NONE)
			return true;
	return hd_port_set_has(&b->sets[pair], HD_NO_PATH);
}

/*
 * Packets of @pair go on to all ports of its set, from the in-ports that they came by; their states
 * are added to those of the next in-ports.
 */
static void leave(struct hd_branches *b, uint32_t pair, struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	const uint32_t s = hd_branches_switch(b, pair);
	const bool collects = usage && b->outs;
	struct arrivals came = { 0 };
	uint32_t drop = HD_NONE;

	if (network->n_words == 1)
		find_ins(b, pair, &came, collects, 1);
	else
		find_ins(b, pair, &came, collects, network->n_words);
	if (!came.n_ins)
		return;
	if (network->n_plfts > 1 && has_hole(b, pair))
		add_hole(b, pair);
	came.sls = hd_branches_sls(network, came.together);
	hd_for_each_in_set(out, &b->sets[pair])
		if (leave_by(b, pair, out, &came, collects ? NULL : usage) && drop == HD_NONE)
			drop = hd_port_index(network->fabric, s, out);
	for (unsigned i = 0; i < came.n_classes; i++)
		memset(&b->of_class[b->classes[i] * (size_t)network->n_words], 0,
		       network->n_words * sizeof(*b->of_class));
	b->n_drops += drop != HD_NONE;
	if (b->drop == HD_NONE)
		b->drop = drop;
}

void hd_branches_follow(struct hd_branches *b, struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	const size_t n_pairs = network->fabric->n_switches * (size_t)network->n_plfts;

	memset(b->reached, 0, n_pairs * sizeof(*b->reached));
	memset(b->states, 0,
	       network->fabric->n_ports * (size_t)network->n_words * sizeof(*b->states));
	b->hole = b->circle = b->drop = HD_NONE;
	b->n_holes = b->n_circling = b->n_drops = b->hops = 0;
	b->n_states = 0;
	b->is_by_states = false;
	inject(b);
	find_reached(b);
	if (!order_pairs(b)) {
		if (network->n_plfts > 1) {
			b->is_by_states = true;
			hd_branch_states_follow(b);
			/* this adds the states to the usage, and finds holes and drops */
			for (uint32_t pair = 0; pair < n_pairs; pair++)
				leave(b, pair, usage);
			return;
		}
		count_circling(b);
	}
	for (uint32_t i = 0; i < b->n_order; i++)
		leave(b, b->order[i], usage);
	for (unsigned plft = 0; b->root != HD_NONE && plft < network->n_plfts; plft++)
		if (b->depth[b->root * network->n_plfts + plft] > b->hops)
			b->hops = b->depth[b->root * network->n_plfts + plft];
}

/* The packets at in-port @in of the root that have a pLFT which delivers; false: there are none. */
static bool find_delivered(const struct hd_branches *b, unsigned in, uint64_t *state)
{
	const size_t port = hd_port_index(b->network->fabric, b->root, in);
	bool any = false;

	memset(state, 0, HD_STATE_WORDS * sizeof(*state));
	for (unsigned plft = 0; plft < b->network->n_plfts; plft++) {
		uint64_t part[HD_STATE_WORDS];

		if (!(b->delivers >> plft & 1) || !hd_branches_part(b, port, plft, part))
			continue;
		any = true;
		for (unsigned w = 0; w < b->network->n_words; w++)
			state[w] |= part[w];
	}
	return any;
}

/* Whether the row from @in to @port of the root keeps packets in @state with @sls. */
static bool hand_out(const struct hd_branches *b, unsigned in, unsigned port, const uint64_t *state,
		     unsigned sls, struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	const size_t row = hd_sl2vl_index(network->tables, b->root, in, port);
	const uint64_t lanes = (sls & ((1u << network->n_sls) - 1)) * network->every_vl;
	bool keeps = true;

	if (usage)
		hd_usage_add(usage, row, state, lanes);
	for (unsigned vl = 0; vl < network->n_vls; vl++)
		keeps &= !(hd_state_sls(network, state, vl) & sls &
			   hd_row_masks(network, row, vl)[network->n_vls]);
	return keeps;
}

bool hd_branches_deliver(const struct hd_branches *b, unsigned port, unsigned sls,
			 struct hd_usage *usage)
{
	bool keeps = true;

	for (unsigned in = 0; in <= b->network->fabric->nodes[b->root].n_ports; in++) {
		uint64_t state[HD_STATE_WORDS];

		/* nothing goes back to who sent it */
		if (in == port && hd_branches_far_end(b, b->root, in).node == HD_NONE)
			continue;
		if (find_delivered(b, in, state))
			keeps &= hand_out(b, in, port, state, sls, usage);
	}
	return keeps;
}

/* How many pLFTs packets with @sls on @vl have at in-port @in of the root. */
static unsigned count_plfts(const struct hd_branches *b, unsigned in, unsigned vl, unsigned sls)
{
	const struct hd_check_network *network = b->network;
	unsigned plfts = 0;

	if (network->n_plfts == 1)
		return sls != 0;
	for (; sls; sls &= sls - 1)
		plfts |= hd_network_plfts(network, b->root, in, network->sls[__builtin_ctz(sls)],
					  vl);
	return (unsigned)__builtin_popcount(plfts);
}

bool hd_branches_deliver_local(struct hd_branches *b, struct hd_usage *usage)
{
	const struct hd_check_network *network = b->network;
	bool keeps = true;

	if (b->with_local || !is_end(b))
		return true;
	for (uint32_t i = network->first_source[b->root]; i < network->first_source[b->root + 1];
	     i++) {
		const uint32_t source = network->sources[i];
		const unsigned in = hd_source_in(network->fabric, source);
		const unsigned sls = b->sls[i] & b->allowed;
		uint64_t state[HD_STATE_WORDS] = { 0 };

		if (!sls || source < b->first || source > b->last)
			continue;
		send(network, source, sls, state);
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			b->n_states += count_plfts(b, in, vl, hd_state_sls(network, state, vl));
		keeps &= hand_out(b, in, b->root_port, state, 0xFFFF, usage);
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

	for (unsigned plft = 0; plft < network->n_plfts; plft++) {
		if (!hd_port_set_has(&b->sets[out->node * network->n_plfts + plft], out->number) &&
		    (out->node != b->root || b->root_port != out->number ||
		     !(b->delivers >> plft & 1)))
			continue;
		for (unsigned in = first; in <= last; in++) {
			const size_t row =
				hd_sl2vl_index(network->tables, out->node, in, out->number);
			uint64_t part[HD_STATE_WORDS];

			if (!hd_branches_part(b, hd_port_index(fabric, out->node, in), plft, part))
				continue;
			for (unsigned vl = 0; vl < network->n_vls; vl++)
				if ((from == HD_NONE || vl == from_vl) &&
				    (hd_state_sls(network, part, vl) &
				     hd_row_masks(network, row, vl)[to_vl]))
					return true;
		}
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

	if (b->is_by_states) {
		free(hops);
		return hd_branch_states_find_circle(b, loop, n_loop, err);
	}
	if (!hops)
		return hd_error_nomem(err);
	/* where each switch is in the walk, until one comes again */
	hd_for_each_switch(i, fabric)
		b->depth[i] = HD_NONE;
	while (b->depth[s] == HD_NONE) {
		b->depth[s] = n;
		hops[n] = (struct hd_hop){ .node = s, .in = in };
		hd_for_each_in_set(port, &b->sets[s]) {
			const struct hd_far_end end = hd_branches_far_end(b, s, port);

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
