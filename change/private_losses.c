// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/private_losses.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"

/* A place is a packet in the buffer of a switch's in-port, on a VL: port * HD_MAX_SLS + VL. */
struct search {
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	uint32_t lid;
	unsigned sl;
	uint8_t *mark; /* [place] */
	uint32_t *list;
	uint32_t n_list; /* places that are marked */
};

enum { NOT_REACHED, REACHED, LOSES };

static int search_init(struct search *search, const struct hd_tables *tables, struct hd_error *err)
{
	const size_t n = (tables->fabric->n_ports + (size_t)1) * HD_MAX_SLS;

	*search = (struct search){ .tables = tables, .fabric = tables->fabric };
	search->mark = calloc(n, sizeof(*search->mark));
	search->list = malloc(n * sizeof(*search->list));
	return search->mark && search->list ? 0 : hd_error_nomem(err);
}

static void search_clear(struct search *search)
{
	free(search->mark);
	free(search->list);
}

/* The place behind @out of switch @s, for packets from @in on @vl; HD_NONE: there they are lost. */
static uint32_t place_behind(const struct search *search, uint32_t s, unsigned in, unsigned vl,
			     unsigned out)
{
	const struct hd_fabric *fabric = search->fabric;
	const struct hd_tables *tables = search->tables;
	const hd_sl2vl_row *vl2vl = hd_ar_vl2vl(tables, s);
	const size_t row = hd_sl2vl_index(tables, s, in, out);
	const unsigned next = vl2vl ? hd_row_vl(vl2vl[row - hd_sl2vl_index(tables, s, 0, 0)], vl)
				    : hd_row_vl(tables->sl2vl[row], search->sl);
	const uint32_t port = hd_port_index(fabric, s, out);
	const uint32_t peer = fabric->ports[port].peer;

	if (peer == HD_NONE || next >= hd_link_vls(fabric, port))
		return HD_NONE;
	return peer * HD_MAX_SLS + next;
}

static void reach(struct search *search, uint32_t place)
{
	if (search->mark[place] != NOT_REACHED)
		return;
	search->mark[place] = REACHED;
	search->list[search->n_list++] = place;
}

/*
 * Marks the places behind @place; true: packets of it may be lost, at once or at a place so marked.
 */
static bool go_on(struct search *search, uint32_t place)
{
	const struct hd_fabric *fabric = search->fabric;
	const struct hd_port *in = &fabric->ports[place / HD_MAX_SLS];
	const struct hd_lid *owner = &fabric->lids[search->lid];
	const unsigned vl = place % HD_MAX_SLS;
	const unsigned plft = hd_ar_plft(search->tables, in->node, in->number, search->sl, vl);
	const struct hd_ar_entry entry = hd_ar_entry(search->tables, in->node, plft, search->lid);
	const struct hd_port_set choices = hd_ar_choices(search->tables, in->node, &entry, 0);
	bool loses = false;

	hd_for_each_in_set(out, &choices) {
		uint32_t next;

		if (out > fabric->nodes[in->node].n_ports)
			return true;
		if (in->node == owner->via_switch && out == 0)
			continue;
		next = place_behind(search, in->node, in->number, vl, out);
		if (next == HD_NONE)
			loses = true;
		else if (in->node == owner->via_switch && out == owner->via_port)
			continue;
		else if (!hd_is_switch(fabric, fabric->ports[next / HD_MAX_SLS].node))
			loses = true;
		else
			reach(search, next);
		loses |= next != HD_NONE && search->mark[next] == LOSES;
	}
	return loses || hd_port_set_has(&choices, HD_NO_PATH);
}

/* The first place of packets from @source; HD_NONE: they are lost before. */
static uint32_t first_place(const struct search *search, uint32_t source)
{
	const struct hd_port *port = &search->fabric->ports[source];
	const size_t row = hd_sl2vl_host_index(search->tables, port->node, port->number);
	const unsigned vl = hd_row_vl(search->tables->sl2vl[row], search->sl);

	if (search->sl >= HD_MAX_SLS || vl >= hd_link_vls(search->fabric, source))
		return HD_NONE;
	return port->peer * HD_MAX_SLS + vl;
}

static bool is_source(const struct hd_fabric *fabric, uint32_t port)
{
	const struct hd_port *p = &fabric->ports[port];

	return p->lid && !hd_is_switch(fabric, p->node) && p->peer != HD_NONE &&
	       hd_is_switch(fabric, fabric->ports[p->peer].node);
}

/*
 * Follows packets to search->lid on search->sl from all sources; marks the places that lose some.
 */
static void follow(struct search *search)
{
	bool changed = true;

	for (uint32_t i = 0; i < search->n_list; i++)
		search->mark[search->list[i]] = NOT_REACHED;
	search->n_list = 0;
	hd_for_each_port(p, search->fabric)
		if (is_source(search->fabric, p) &&
		    hd_path_sl(search->tables, p, search->lid) == search->sl &&
		    first_place(search, p) != HD_NONE)
			reach(search, first_place(search, p));
	for (uint32_t i = 0; i < search->n_list; i++)
		if (go_on(search, search->list[i]))
			search->mark[search->list[i]] = LOSES;
	/* places are mostly behind those that lead to them */
	while (changed) {
		changed = false;
		for (uint32_t i = search->n_list; i > 0; i--)
			if (search->mark[search->list[i - 1]] == REACHED &&
			    go_on(search, search->list[i - 1])) {
				search->mark[search->list[i - 1]] = LOSES;
				changed = true;
			}
	}
}

/* Sets bit @bit in @lost[port] of the sources that lose packets to @lid. */
static void find_losses(struct search *search, uint32_t lid, uint8_t *lost, unsigned bit)
{
	search->lid = lid;
	for (search->sl = 0; search->sl < HD_MAX_SLS; search->sl++) {
		bool any = false;

		hd_for_each_port(p, search->fabric)
			any |= is_source(search->fabric, p) &&
			       hd_path_sl(search->tables, p, lid) == search->sl;
		if (!any)
			continue;
		follow(search);
		hd_for_each_port(p, search->fabric) {
			uint32_t first;

			if (!is_source(search->fabric, p) ||
			    hd_path_sl(search->tables, p, lid) != search->sl)
				continue;
			first = first_place(search, p);
			if (first == HD_NONE || search->mark[first] == LOSES)
				lost[p] |= (uint8_t)(1u << bit);
		}
	}
	hd_for_each_port(p, search->fabric)
		if (is_source(search->fabric, p) &&
		    hd_path_sl(search->tables, p, lid) >= HD_MAX_SLS)
			lost[p] |= (uint8_t)(1u << bit);
}

int hd_private_losses(const struct hd_tables *at, const struct hd_tables *now,
		      const struct hd_tables *before, uint64_t *n, struct hd_error *err)
{
	const struct hd_tables *tables[] = { at, now, before };
	const struct hd_fabric *fabric = at->fabric;
	uint8_t *lost = malloc(fabric->n_ports + (size_t)1);
	struct search searches[3] = { { .n_list = 0 } };
	int ret = lost ? 0 : hd_error_nomem(err);

	*n = 0;
	for (unsigned i = 0; !ret && i < 3; i++)
		ret = search_init(&searches[i], tables[i], err);
	for (uint32_t lid = 1; !ret && lid <= fabric->top_lid; lid++) {
		const uint32_t owner = fabric->lids[lid].port;

		if (owner == HD_NONE || !is_source(fabric, owner) ||
		    fabric->ports[owner].lid != lid)
			continue;
		memset(lost, 0, fabric->n_ports);
		for (unsigned i = 0; i < 3; i++)
			find_losses(&searches[i], lid, lost, i);
		hd_for_each_port(p, fabric)
			*n += lost[p] == 1 && fabric->ports[p].node != fabric->ports[owner].node;
	}
	for (unsigned i = 0; i < 3; i++)
		search_clear(&searches[i]);
	free(lost);
	return ret;
}
