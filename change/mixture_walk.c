// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/mixture_walk.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"

const char *hd_fabric_state_name(enum hd_fabric_state held)
{
	static const char *const names[] = {
		[HD_STATE_EITHER] = "-",
		[HD_STATE_BEFORE] = "old",
		[HD_STATE_NOW] = "new",
		[HD_STATE_MIXED] = "mixed",
	};

	return names[held];
}

static enum hd_fabric_state held(bool now, bool before)
{
	if (now == before)
		return HD_STATE_EITHER;
	return now ? HD_STATE_NOW : HD_STATE_BEFORE;
}

enum hd_fabric_state hd_fabric_state_entry(const struct hd_tables *now,
					   const struct hd_tables *before,
					   const struct hd_flow *flow, const struct hd_hop *hop,
					   unsigned vl, unsigned n_down)
{
	const struct hd_tables *tables[] = { now, before };
	bool has[2];

	for (unsigned i = 0; i < 2; i++) {
		const unsigned plft = hd_ar_plft(tables[i], hop->node, hop->in, flow->sl, vl);
		const struct hd_ar_entry entry = hd_ar_entry(tables[i], hop->node, plft, flow->lid);
		const struct hd_port_set choices =
			hd_ar_choices(tables[i], hop->node, &entry, n_down);

		has[i] = hd_port_set_has(&choices, hop->out);
	}
	return has[0] || has[1] ? held(has[0], has[1]) : HD_STATE_MIXED;
}

enum hd_fabric_state hd_fabric_state_sl(const struct hd_tables *now, const struct hd_tables *before,
					const struct hd_flow *flow)
{
	return held(hd_path_sl(now, flow->source, flow->lid) == flow->sl,
		    hd_path_sl(before, flow->source, flow->lid) == flow->sl);
}

/*
 * A place of the search is a packet in the buffer of a switch's in-port, on a VL: the index of the
 * port * HD_MAX_SLS + VL. Packets of a switch's own are at port 0, on VL 0.
 */
struct search {
	const struct hd_tables *tables[2]; /* now, before */
	const struct hd_fabric *fabric;
	const struct hd_flow *flow;
	unsigned n_down;
	uint32_t *from; /* [place] the place before, HD_NONE: not reached; the first one itself */
	uint32_t *queue;
	uint32_t n_queue;
};

static uint32_t place_of(uint32_t port, unsigned vl)
{
	return port * HD_MAX_SLS + vl;
}

static void reach(struct search *search, uint32_t place, uint32_t from)
{
	if (search->from[place] != HD_NONE)
		return;
	search->from[place] = from;
	search->queue[search->n_queue++] = place;
}

/*
 * The VL of @which tables' row for packets on @vl, read by VL or by SL, whatever those tables do
 * with it; HD_VL_DROP: it drops them.
 */
static unsigned lane_by(const struct search *search, unsigned which, const struct hd_hop *hop,
			unsigned vl, bool by_vl)
{
	const struct hd_tables *tables = search->tables[which];
	const struct hd_fabric *fabric = search->fabric;
	const size_t row = hd_sl2vl_index(tables, hop->node, hop->in, hop->out);
	const hd_sl2vl_row *vl2vl = hd_ar_vl2vl(tables, hop->node);
	const hd_sl2vl_row vls =
		vl2vl ? vl2vl[row - hd_sl2vl_index(tables, hop->node, 0, 0)] : tables->sl2vl[row];
	const unsigned next = hd_row_vl(vls, by_vl ? vl : search->flow->sl);

	return next < hd_link_vls(fabric, hd_port_index(fabric, hop->node, hop->out)) ? next
										      : HD_VL_DROP;
}

/* The same by the row that @which tables alone have. */
static unsigned lane(const struct search *search, unsigned which, const struct hd_hop *hop,
		     unsigned vl)
{
	return lane_by(search, which, hop, vl, hd_ar_vl2vl(search->tables[which], hop->node));
}

/* The VL into the link of source @port by @which tables. */
static unsigned first_lane(const struct search *search, unsigned which, uint32_t source)
{
	const struct hd_port *port = &search->fabric->ports[source];
	const struct hd_tables *tables = search->tables[which];
	const unsigned vl =
		hd_row_vl(tables->sl2vl[hd_sl2vl_host_index(tables, port->node, port->number)],
			  search->flow->sl);

	return vl < hd_link_vls(search->fabric, source) ? vl : HD_VL_DROP;
}

/* Packets of @place go on by @out of its switch. */
static void go_on(struct search *search, uint32_t place, unsigned number)
{
	const struct hd_fabric *fabric = search->fabric;
	const struct hd_port *in = &fabric->ports[place / HD_MAX_SLS];
	struct hd_hop hop;
	uint32_t out, peer;

	if (number > fabric->nodes[in->node].n_ports)
		return;
	out = hd_port_index(fabric, in->node, number);
	peer = fabric->ports[out].peer;
	if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[peer].node))
		return;
	hop = (struct hd_hop){ .node = in->node, .in = in->number, .out = (uint8_t)number };
	/* the switch reads by VL or by SL, as either tables do, the row of either */
	for (unsigned side = 0; side < 2; side++)
		for (unsigned which = 0; which < 2; which++) {
			const unsigned vl = lane_by(search, which, &hop, place % HD_MAX_SLS,
						    hd_ar_vl2vl(search->tables[side], in->node));

			if (vl != HD_VL_DROP)
				reach(search, place_of(peer, vl), place);
		}
}

/* The ports by which packets of @place may go on. */
static struct hd_port_set find_choices(const struct search *search, uint32_t place)
{
	const struct hd_port *in = &search->fabric->ports[place / HD_MAX_SLS];
	const struct hd_tables *now = search->tables[0], *before = search->tables[1];
	struct hd_port_set choices = { { 0 } };

	for (unsigned plfts = hd_ar_mixed_plfts(now, before, in->node, in->number, search->flow->sl,
						place % HD_MAX_SLS);
	     plfts; plfts &= plfts - 1) {
		const struct hd_port_set more =
			hd_ar_mixed_choices(now, before, in->node, (unsigned)__builtin_ctz(plfts),
					    search->flow->lid, search->n_down);

		hd_port_set_merge(&choices, &more);
	}
	return choices;
}

/* Puts the places in order of their distance from the source. */
static void find_places(struct search *search)
{
	const struct hd_fabric *fabric = search->fabric;
	const uint32_t source = search->flow->source;
	const struct hd_port *port = &fabric->ports[source];

	if (hd_is_switch(fabric, port->node)) {
		reach(search, place_of(source, 0), place_of(source, 0));
	} else if (port->peer != HD_NONE && hd_is_switch(fabric, fabric->ports[port->peer].node)) {
		for (unsigned which = 0; which < 2; which++) {
			const unsigned vl = first_lane(search, which, source);
			const uint32_t first = place_of(port->peer, vl);

			if (vl != HD_VL_DROP)
				reach(search, first, first);
		}
	}
	for (uint32_t i = 0; i < search->n_queue; i++) {
		const uint32_t place = search->queue[i];
		const struct hd_port_set choices = find_choices(search, place);

		hd_for_each_in_set(out, &choices)
			go_on(search, place, out);
	}
}

/* The hop of the packets of @place to @out on @vl. */
static struct hd_mixture_hop make_hop(const struct search *search, uint32_t place, uint32_t out,
				      unsigned vl)
{
	const struct hd_fabric *fabric = search->fabric;
	const struct hd_port *in = &fabric->ports[place / HD_MAX_SLS];
	const unsigned before = place % HD_MAX_SLS;
	struct hd_mixture_hop hop = { .hop = { .node = in->node,
					       .in = in->number,
					       .out = fabric->ports[out].number,
					       .vl = (uint8_t)vl } };
	const bool has[] = { lane(search, 0, &hop.hop, before) == vl,
			     lane(search, 1, &hop.hop, before) == vl };

	hop.entry = hd_fabric_state_entry(search->tables[0], search->tables[1], search->flow,
					  &hop.hop, before, search->n_down);
	hop.row = has[0] || has[1] ? held(has[0], has[1]) : HD_STATE_MIXED;
	return hop;
}

/* The hops from the source on to that which leaves @place by @out on @vl. */
static int list_hops(const struct search *search, uint32_t place, uint32_t out, unsigned vl,
		     struct hd_mixture_hop **hops, size_t *n, struct hd_error *err)
{
	const struct hd_fabric *fabric = search->fabric;
	size_t i = 1;

	for (uint32_t p = place; search->from[p] != p; p = search->from[p])
		i++;
	*hops = calloc(i, sizeof(**hops));
	if (!*hops)
		return hd_error_nomem(err);
	*n = i;
	for (;;) {
		(*hops)[--i] = make_hop(search, place, out, vl);
		if (search->from[place] == place)
			return 0;
		out = fabric->ports[place / HD_MAX_SLS].peer;
		vl = place % HD_MAX_SLS;
		place = search->from[place];
	}
}

int hd_mixture_walk(const struct hd_tables *now, const struct hd_tables *before, unsigned n_down,
		    const struct hd_flow *flow, const struct hd_witness *first,
		    const struct hd_witness *second, struct hd_mixture_hop **hops, size_t *n,
		    struct hd_error *err)
{
	const struct hd_fabric *fabric = now->fabric;
	const uint32_t goal = place_of(fabric->ports[first->port].peer, first->vl);
	const size_t n_places = (fabric->n_ports + (size_t)1) * HD_MAX_SLS;
	struct search search = {
		.tables = { now, before }, .fabric = fabric, .flow = flow, .n_down = n_down
	};
	int ret = 0;

	*hops = NULL;
	*n = 0;
	search.from = malloc(n_places * sizeof(*search.from));
	search.queue = malloc(n_places * sizeof(*search.queue));
	if (!search.from || !search.queue) {
		ret = hd_error_nomem(err);
	} else {
		memset(search.from, 0xFF, n_places * sizeof(*search.from));
		find_places(&search);
		if (search.from[goal] != HD_NONE)
			ret = list_hops(&search, goal, second->port, second->vl, hops, n, err);
	}
	free(search.from);
	free(search.queue);
	return ret;
}
