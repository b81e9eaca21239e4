// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/branch_states.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

struct hd_branch_states {
	size_t n_bits;   /* states of an in-port: VL * n_sls + place of the SL */
	uint64_t *done;  /* [port * n_words] states that went on */
	bool *queued;    /* [port] */
	uint32_t *queue; /* in-ports with states that did not go on, a ring of n_ports + 1 */
	uint32_t
		*waiting; /* [port * n_bits + bit] states that lead to this one, not in the order */
	uint32_t *depth;  /* [port * n_bits + bit] most links from a source */
	size_t *order;
	size_t n_order;
};

int hd_branch_states_new(struct hd_branches *b, struct hd_error *err)
{
	const struct hd_check_network *network = b->network;
	const size_t n_ports = network->fabric->n_ports + (size_t)1;
	struct hd_branch_states *own = calloc(1, sizeof(*own));
	size_t n;

	b->by_states = own;
	if (!own)
		return hd_error_nomem(err);
	own->n_bits = network->n_vls * (size_t)network->n_sls;
	n = n_ports * own->n_bits;
	own->done = malloc(n_ports * network->n_words * sizeof(*own->done));
	own->queued = malloc(n_ports * sizeof(*own->queued));
	own->queue = malloc(n_ports * sizeof(*own->queue));
	own->waiting = malloc(n * sizeof(*own->waiting));
	own->depth = malloc(n * sizeof(*own->depth));
	own->order = malloc(n * sizeof(*own->order));
	return own->done && own->queued && own->queue && own->waiting && own->depth && own->order
		       ? 0
		       : hd_error_nomem(err);
}

void hd_branch_states_free(struct hd_branch_states *own)
{
	if (!own)
		return;
	free(own->done);
	free(own->queued);
	free(own->queue);
	free(own->waiting);
	free(own->depth);
	free(own->order);
	free(own);
}

/* Goes on with all states until no in-port gets a new one. */
static void reach(struct hd_branches *b)
{
	const struct hd_check_network *network = b->network;
	const struct hd_fabric *fabric = network->fabric;
	struct hd_branch_states *own = b->by_states;
	const size_t n_words = network->n_words;
	uint32_t head = 0, tail = 0;

	memset(own->done, 0, fabric->n_ports * n_words * sizeof(*own->done));
	hd_for_each_port(p, fabric) {
		uint64_t any = 0;

		for (size_t w = 0; w < n_words; w++)
			any |= b->states[p * n_words + w];
		own->queued[p] = any;
		if (any)
			own->queue[tail++] = p;
	}
	while (head != tail) {
		const uint32_t port = own->queue[head];
		const uint32_t s = fabric->ports[port].node;
		uint64_t fresh[HD_STATE_WORDS];

		head = head == fabric->n_ports ? 0 : head + 1;
		own->queued[port] = false;
		for (size_t w = 0; w < n_words; w++) {
			fresh[w] = b->states[port * n_words + w] & ~own->done[port * n_words + w];
			own->done[port * n_words + w] |= fresh[w];
		}
		for (unsigned plft = 0; plft < network->n_plfts; plft++) {
			const uint32_t pair = s * network->n_plfts + plft;
			uint64_t part[HD_STATE_WORDS], any = 0;

			hd_branches_part(b, port, plft, part);
			for (size_t w = 0; w < n_words; w++) {
				part[w] &= fresh[w];
				any |= part[w];
			}
			if (!any)
				continue;
			hd_for_each_in_set(out, &b->sets[pair]) {
				const struct hd_far_end end = hd_branches_far_end(b, s, out);
				uint64_t next[HD_STATE_WORDS] = { 0 };
				bool drops = false, grows = false;
				uint32_t to;

				if (end.node == HD_NONE)
					continue;
				to = hd_port_index(fabric, end.node, end.in);
				hd_row_forward(network,
					       hd_sl2vl_index(network->tables, s,
							      fabric->ports[port].number, out),
					       part, hd_branches_sls(network, part), next, &drops);
				for (size_t w = 0; w < n_words; w++) {
					grows |= (next[w] & ~b->states[to * n_words + w]) != 0;
					b->states[to * n_words + w] |= next[w];
				}
				if (!grows || own->queued[to])
					continue;
				own->queued[to] = true;
				own->queue[tail] = to;
				tail = tail == fabric->n_ports ? 0 : tail + 1;
			}
		}
	}
}

/* One state, and where packets in it may go. */
struct place {
	uint32_t s;
	unsigned in, vl, sl; /* the SL's place */
	struct hd_port_set set;
};

static struct place place_of(const struct hd_branches *b, size_t state)
{
	const struct hd_check_network *network = b->network;
	const size_t n_bits = b->by_states->n_bits;
	const struct hd_port *port = &network->fabric->ports[state / n_bits];
	struct place place = { .s = port->node,
			       .in = port->number,
			       .vl = (unsigned)(state % n_bits / network->n_sls),
			       .sl = (unsigned)(state % n_bits % network->n_sls) };
	unsigned plfts;

	plfts = hd_network_plfts(network, place.s, place.in, network->sls[place.sl], place.vl);
	for (; plfts; plfts &= plfts - 1)
		hd_port_set_merge(
			&place.set,
			&b->sets[place.s * network->n_plfts + (unsigned)__builtin_ctz(plfts)]);
	return place;
}

/*
 * The state of packets of @place behind @out, of those on VLs from *@vl on, which it sets; false:
 * there is none. Mixtures of tables may have several.
 */
static bool find_next(const struct hd_branches *b, const struct place *place, unsigned out,
		      unsigned *vl, size_t *next)
{
	const struct hd_check_network *network = b->network;
	const struct hd_far_end end = hd_branches_far_end(b, place->s, out);
	const uint16_t *masks;

	if (end.node == HD_NONE)
		return false;
	masks = hd_row_masks(network, hd_sl2vl_index(network->tables, place->s, place->in, out),
			     place->vl);
	for (; *vl < network->n_vls; ++*vl) {
		if (!(masks[*vl] >> place->sl & 1))
			continue;
		*next = hd_port_index(network->fabric, end.node, end.in) * b->by_states->n_bits +
			*vl * network->n_sls + place->sl;
		return true;
	}
	return false;
}

/* The loop over the states @next of packets of @place behind @out. */
#define for_each_next(b, place, out, next) \
	for (unsigned next_vl = 0; find_next(b, place, out, &next_vl, &(next)); next_vl++)

static bool is_reached(const struct hd_branches *b, uint32_t port, unsigned vl, unsigned sl)
{
	const struct hd_check_network *network = b->network;

	return hd_state_sls(network, &b->states[port * (size_t)network->n_words], vl) >> sl & 1;
}

/* Counts the states that lead to each, and begins the order with those to which none leads. */
static size_t count_waiting(struct hd_branches *b)
{
	const struct hd_check_network *network = b->network;
	struct hd_branch_states *own = b->by_states;
	const size_t n = network->fabric->n_ports * own->n_bits;
	size_t n_reached = 0, next;

	memset(own->waiting, 0, n * sizeof(*own->waiting));
	memset(own->depth, 0, n * sizeof(*own->depth));
	own->n_order = 0;
	for (unsigned pass = 0; pass < 2; pass++)
		hd_for_each_port(p, network->fabric)
			for (size_t bit = 0; bit < own->n_bits; bit++) {
				const size_t state = p * own->n_bits + bit;
				struct place place;

				if (!is_reached(b, p, (unsigned)(bit / network->n_sls),
						(unsigned)(bit % network->n_sls)))
					continue;
				if (pass) {
					n_reached++;
					if (!own->waiting[state])
						own->order[own->n_order++] = state;
					continue;
				}
				place = place_of(b, state);
				hd_for_each_in_set(out, &place.set)
					for_each_next(b, &place, out, next) own->waiting[next]++;
			}
	return n_reached;
}

/* Puts states in order; false: there are circles, and what is left waits for itself. */
static bool order_states(struct hd_branches *b)
{
	struct hd_branch_states *own = b->by_states;
	const size_t n_reached = count_waiting(b);
	size_t next;

	for (size_t i = 0; i < own->n_order; i++) {
		const size_t state = own->order[i];
		const struct place place = place_of(b, state);

		if (place.s == b->root && own->depth[state] > b->hops)
			b->hops = own->depth[state];
		hd_for_each_in_set(out, &place.set)
			for_each_next(b, &place, out, next)
			{
				if (own->depth[next] <= own->depth[state])
					own->depth[next] = own->depth[state] + 1;
				if (--own->waiting[next] == 0)
					own->order[own->n_order++] = next;
			}
	}
	return own->n_order == n_reached;
}

/* A port @by and a state @next that waits; false: there is none. */
static bool leads_on(const struct hd_branches *b, const struct place *place, unsigned *by,
		     size_t *next)
{
	hd_for_each_in_set(out, &place->set)
		for_each_next(b, place, out, *next) if (b->by_states->waiting[*next])
		{
			*by = out;
			return true;
		}
	return false;
}

/* Counts the switches with states on circles, or between two of them. */
static void count_circling(struct hd_branches *b)
{
	const struct hd_fabric *fabric = b->network->fabric;
	struct hd_branch_states *own = b->by_states;
	const size_t n = fabric->n_ports * own->n_bits;
	bool changed = true;
	uint32_t last = HD_NONE;
	unsigned out = 0;
	size_t next;

	while (changed) {
		changed = false;
		for (size_t state = 0; state < n; state++) {
			struct place place;

			if (!own->waiting[state])
				continue;
			place = place_of(b, state);
			if (leads_on(b, &place, &out, &next))
				continue;
			own->waiting[state] = 0;
			changed = true;
		}
	}
	for (size_t state = 0; state < n; state++) {
		struct place place;

		if (!own->waiting[state])
			continue;
		place = place_of(b, state);
		b->n_circling += place.s != last;
		last = place.s;
		if (leads_on(b, &place, &out, &next) && b->circle == HD_NONE)
			b->circle = hd_port_index(fabric, place.s, out);
	}
}

void hd_branch_states_follow(struct hd_branches *b)
{
	reach(b);
	if (!order_states(b))
		count_circling(b);
}

int hd_branch_states_find_circle(struct hd_branches *b, struct hd_hop **loop, size_t *n_loop,
				 struct hd_error *err)
{
	const struct hd_fabric *fabric = b->network->fabric;
	struct hd_branch_states *own = b->by_states;
	const size_t n = fabric->n_ports * own->n_bits;
	size_t state = 0, n_hops = 0, begin, room = 0;
	struct hd_hop *hops = NULL;

	while (state < n && !own->waiting[state])
		state++;
	/* where each state is in the walk, until one comes again */
	for (size_t i = 0; i < n; i++)
		own->depth[i] = HD_NONE;
	do {
		const struct place place = place_of(b, state);
		unsigned out = 0;

		if (n_hops == room) {
			struct hd_hop *grown;

			room = 2 * room + 16;
			grown = realloc(hops, room * sizeof(*hops));
			if (!grown) {
				free(hops);
				return hd_error_nomem(err);
			}
			hops = grown;
		}
		own->depth[state] = (uint32_t)n_hops;
		leads_on(b, &place, &out, &state);
		hops[n_hops++] =
			(struct hd_hop){ .node = place.s,
					 .in = (uint8_t)place.in,
					 .out = (uint8_t)out,
					 .vl = (uint8_t)(state % own->n_bits / b->network->n_sls) };
	} while (own->depth[state] == HD_NONE);
	begin = own->depth[state];
	memmove(hops, hops + begin, (n_hops - begin) * sizeof(*hops));
	*loop = hops;
	*n_loop = n_hops - begin;
	return 0;
}
