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
					   const struct hd_tables *before, uint32_t node,
					   uint32_t lid, unsigned out)
{
	const struct hd_tables *tables[] = { now, before };
	bool has[2];

	for (unsigned i = 0; i < 2; i++) {
		const struct hd_ar_entry entry = hd_ar_entry(tables[i], node, 0, lid);
		const struct hd_port_set choices = hd_ar_choices(tables[i], node, &entry, 0);

		has[i] = hd_port_set_has(&choices, out);
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

/* The VL of the flow's packets by row @row of either tables; HD_VL_DROP: they are dropped. */
static unsigned lane(const struct search *search, unsigned which, size_t row, uint32_t out)
{
	const unsigned vl = hd_row_vl(search->tables[which]->sl2vl[row], search->flow->sl);

	return vl < hd_link_vls(search->fabric, out) ? vl : HD_VL_DROP;
}

/* Packets of @place go on by @out of its switch. */
static void go_on(struct search *search, uint32_t place, unsigned number)
{
	const struct hd_fabric *fabric = search->fabric;
	const struct hd_port *in = &fabric->ports[place / HD_MAX_SLS];
	uint32_t out, peer;

	if (number > fabric->nodes[in->node].n_ports)
		return;
	out = hd_port_index(fabric, in->node, number);
	peer = fabric->ports[out].peer;
	if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[peer].node))
		return;
	for (unsigned which = 0; which < 2; which++) {
		const size_t row = hd_sl2vl_index(search->tables[0], in->node, in->number, number);
		const unsigned vl = lane(search, which, row, out);

		if (vl != HD_VL_DROP)
			reach(search, place_of(peer, vl), place);
	}
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
		const size_t row = hd_sl2vl_host_index(search->tables[0], port->node, port->number);

		for (unsigned which = 0; which < 2; which++) {
			const unsigned vl = lane(search, which, row, source);
			const uint32_t first = place_of(port->peer, vl);

			if (vl != HD_VL_DROP)
				reach(search, first, first);
		}
	}
	for (uint32_t i = 0; i < search->n_queue; i++) {
		const uint32_t place = search->queue[i];
		const uint32_t s = fabric->ports[place / HD_MAX_SLS].node;

		const struct hd_port_set choices = hd_ar_mixed_choices(
			search->tables[0], search->tables[1], s, search->flow->lid);

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
	const unsigned number = fabric->ports[out].number;
	const size_t row = hd_sl2vl_index(search->tables[0], in->node, in->number, number);

	return (struct hd_mixture_hop){
		.hop = { .node = in->node,
			 .in = in->number,
			 .out = (uint8_t)number,
			 .vl = (uint8_t)vl },
		.entry = hd_fabric_state_entry(search->tables[0], search->tables[1], in->node,
					       search->flow->lid, number),
		.row = held(lane(search, 0, row, out) == vl, lane(search, 1, row, out) == vl),
	};
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

int hd_mixture_walk(const struct hd_tables *now, const struct hd_tables *before,
		    const struct hd_flow *flow, const struct hd_witness *first,
		    const struct hd_witness *second, struct hd_mixture_hop **hops, size_t *n,
		    struct hd_error *err)
{
	const struct hd_fabric *fabric = now->fabric;
	const uint32_t goal = place_of(fabric->ports[first->port].peer, first->vl);
	const size_t n_places = (fabric->n_ports + (size_t)1) * HD_MAX_SLS;
	struct search search = { .tables = { now, before }, .fabric = fabric, .flow = flow };
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
