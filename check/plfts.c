// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which states have which private LFT, and what follows from it without looking at a destination:
 * a switch and a pLFT lead to few pLFTs of the next switch, because few VLs are in use there. So
 * the paths to a destination mostly have an order of pairs of switch and pLFT
 * (check/branches.c), which is far quicker than an order of states.
 */
#include <stdlib.h>
#include <string.h>

#include "check/states.h"
#include "support/error.h"
#include "tables/ar.h"

/* What packets may do, of all destinations together. */
struct closure {
	const struct hd_check_network *network;
	struct hd_port_set *outs; /* [switch * n_plfts + pLFT] */
	uint64_t *states;         /* [port * n_words] that packets may have on the in-port */
	uint32_t *queue;          /* in-ports that got new ones */
	bool *queued;             /* [port] */
	uint32_t head, tail;      /* of the queue, a ring of n_ports + 1 */
};

unsigned hd_network_plfts(const struct hd_check_network *network, uint32_t s, unsigned in,
			  unsigned sl, unsigned vl)
{
	if (network->before)
		return hd_ar_mixed_plfts(network->tables, network->before, s, in, sl, vl);
	return 1u << hd_ar_plft(network->tables, s, in, sl, vl);
}

struct hd_port_set hd_network_choices(const struct hd_check_network *network, uint32_t s,
				      unsigned plft, uint32_t lid)
{
	const struct hd_tables *now = network->tables, *before = network->before;
	struct hd_ar_entry entry;

	if (plft >= hd_ar_n_plfts(now, s) && !(before && plft < hd_ar_n_plfts(before, s)))
		return (struct hd_port_set){ { 0 } };
	if (before)
		return hd_ar_mixed_choices(now, before, s, plft, lid, network->n_down);
	entry = hd_ar_entry(now, s, plft, lid);
	return hd_ar_choices(now, s, &entry, network->n_down);
}

static void sort_states(struct hd_check_network *network, uint32_t s)
{
	const struct hd_fabric *fabric = network->fabric;
	const size_t n_words = network->n_words;

	for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++)
		for (unsigned vl = 0; vl < network->n_vls; vl++)
			for (unsigned place = 0; place < network->n_sls; place++) {
				const size_t port = hd_port_index(fabric, s, in);
				unsigned plfts =
					hd_network_plfts(network, s, in, network->sls[place], vl);

				for (; plfts; plfts &= plfts - 1)
					network->plft_bits[(port * network->n_plfts +
							    (unsigned)__builtin_ctz(plfts)) *
								   n_words +
							   network->word[vl]] |=
						UINT64_C(1) << (network->shift[vl] + place);
			}
}

/* All ports by which pLFT @plft of switch @s sends packets to any LID. */
static struct hd_port_set find_outs(const struct hd_check_network *network, uint32_t s,
				    unsigned plft)
{
	const struct hd_tables *tables = network->tables;
	struct hd_port_set outs = { { 0 } };
	struct hd_ar_lft lft;

	if (network->before) {
		hd_for_each_lid(lid, network->fabric) {
			const struct hd_port_set choices =
				hd_network_choices(network, s, plft, lid);

			hd_port_set_merge(&outs, &choices);
		}
		return outs;
	}
	if (plft >= hd_ar_n_plfts(tables, s))
		return outs;
	lft = hd_ar_lft_of(tables, s, plft);
	hd_for_each_lid(lid, network->fabric) {
		hd_port_set_add(&outs, lft.port[lid]);
		/* LIDs in a row mostly share a group */
		if (lft.group && lft.group[lid] != HD_AR_NO_GROUP &&
		    (lid == 1 || lft.group[lid] != lft.group[lid - 1]))
			hd_port_set_merge(&outs, &tables->ar->groups[s].sets[lft.group[lid]]);
	}
	return outs;
}

static void add_to_queue(struct closure *c, uint32_t port)
{
	if (c->queued[port])
		return;
	c->queued[port] = true;
	c->queue[c->tail] = port;
	c->tail = c->tail == c->network->fabric->n_ports ? 0 : c->tail + 1;
}

static void inject(struct closure *c)
{
	const struct hd_check_network *network = c->network;
	const unsigned all = (1u << network->n_sls) - 1;

	hd_for_each_switch(s, network->fabric)
		for (uint32_t i = network->first_source[s]; i < network->first_source[s + 1]; i++) {
			const uint32_t source = network->sources[i];
			const unsigned in = hd_source_in(network->fabric, source);
			const uint32_t port = hd_port_index(network->fabric, s, in);
			uint64_t *state = &c->states[port * (size_t)network->n_words];

			if (in)
				hd_state_forward(network, hd_source_masks(network, source), all,
						 state);
			else
				state[0] |= all;
			add_to_queue(c, port);
		}
}

/* Packets in @part go on from @in of @s by @out; notes the pLFTs that they have there. */
static void go_on(struct closure *c, uint32_t s, unsigned in, unsigned out, const uint64_t *part,
		  uint8_t *next_plfts)
{
	const struct hd_check_network *network = c->network;
	const size_t n_words = network->n_words;
	const struct hd_far_end end = network->far_end[hd_port_index(network->fabric, s, out)];
	uint64_t next[HD_STATE_WORDS] = { 0 };
	unsigned sls = 0;
	bool grows = false, drops = false;
	uint32_t port;

	if (end.node == HD_NONE)
		return;
	port = hd_port_index(network->fabric, end.node, end.in);
	for (unsigned vl = 0; vl < network->n_vls; vl++)
		sls |= hd_state_sls(network, part, vl);
	hd_row_forward(network, hd_sl2vl_index(network->tables, s, in, out), part, sls, next,
		       &drops);
	for (size_t w = 0; w < n_words; w++) {
		uint64_t *state = &c->states[port * n_words + w];

		grows |= (next[w] & ~*state) != 0;
		*state |= next[w];
		for (unsigned plft = 0; plft < network->n_plfts; plft++)
			if (next[w] &
			    network->plft_bits[(port * network->n_plfts + plft) * n_words + w])
				*next_plfts |= (uint8_t)(1u << plft);
	}
	if (grows)
		add_to_queue(c, port);
}

static void follow(struct closure *c, uint8_t *next_plfts)
{
	const struct hd_check_network *network = c->network;
	const struct hd_fabric *fabric = network->fabric;
	const size_t n_words = network->n_words;

	while (c->head != c->tail) {
		const uint32_t port = c->queue[c->head];
		const uint32_t s = fabric->ports[port].node;

		c->head = c->head == fabric->n_ports ? 0 : c->head + 1;
		c->queued[port] = false;
		for (unsigned plft = 0; plft < network->n_plfts; plft++) {
			const size_t sorted = (port * (size_t)network->n_plfts + plft) * n_words;
			uint64_t part[HD_STATE_WORDS], any = 0;

			for (size_t w = 0; w < n_words; w++)
				any |= part[w] = c->states[port * n_words + w] &
						 network->plft_bits[sorted + w];
			if (!any)
				continue;
			hd_for_each_in_set(out, &c->outs[s * network->n_plfts + plft]) {
				if (out > fabric->nodes[s].n_ports)
					break;
				go_on(c, s, fabric->ports[port].number, out, part,
				      &next_plfts[hd_port_index(fabric, s, out) *
							  (size_t)network->n_plfts +
						  plft]);
			}
		}
	}
}

int hd_network_add_plfts(struct hd_check_network *network, struct hd_error *err)
{
	const struct hd_fabric *fabric = network->fabric;
	const size_t n_ports = fabric->n_ports + (size_t)1, n_plfts = network->n_plfts;
	struct closure c = { .network = network };
	int ret = 0;

	network->plft_bits =
		calloc(n_ports * n_plfts * network->n_words, sizeof(*network->plft_bits));
	network->next_plfts = calloc(n_ports * n_plfts, sizeof(*network->next_plfts));
	c.outs = calloc((fabric->n_switches + (size_t)1) * n_plfts, sizeof(*c.outs));
	c.states = calloc(n_ports * network->n_words, sizeof(*c.states));
	c.queue = malloc(n_ports * sizeof(*c.queue));
	c.queued = calloc(n_ports, sizeof(*c.queued));
	if (!network->plft_bits || !network->next_plfts || !c.outs || !c.states || !c.queue ||
	    !c.queued) {
		ret = hd_error_nomem(err);
	} else {
		hd_for_each_switch(s, fabric) {
			sort_states(network, s);
			for (unsigned i = 0; i < n_plfts; i++)
				c.outs[s * n_plfts + i] = find_outs(network, s, i);
		}
		inject(&c);
		follow(&c, network->next_plfts);
	}
	free(c.outs);
	free(c.states);
	free(c.queue);
	free(c.queued);
	return ret;
}
