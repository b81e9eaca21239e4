// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How many flows each (port, VL) carries, counted switch by switch and LID by LID. End nodes of a
 * switch go the same way on the same lanes, so one of them stands for all. Where links have several
 * rates, a flow weighs what the slowest link of its way lets it bring.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "tables/lft_steps.h"
#include "vlarb/vlarb.h"
#include "support/error.h"
#include "tables/classes.h"

/* The unit of rates that flows weigh by. */
#define MBPS 500

struct count {
	struct hd_tables *tables;
	uint64_t *flows;  /* [port * HD_MAX_VLS + vl] */
	uint32_t fastest; /* rate of links; 1: all have the same */
};

/* Of service classes, one of each lanes: they share these by their shares. */
static void add(const struct count *count, uint32_t port, hd_sl2vl_row row, unsigned sl,
		uint64_t weight)
{
	const struct hd_classes *classes = count->tables->classes;
	uint64_t *flows = &count->flows[port * (size_t)HD_MAX_VLS];
	unsigned added = 0;

	for (unsigned c = 0; c < (classes ? classes->n : 1); c++) {
		const unsigned lanes = classes ? classes->list[c].lanes : 0;
		const unsigned vl = hd_row_vl(row, classes ? hd_class_sl(classes, c, sl) : sl);

		if (vl < HD_MAX_VLS && !(added >> lanes & 1))
			flows[vl] += weight;
		added |= 1u << lanes;
	}
}

static uint32_t mbps_of(const struct hd_port *port)
{
	return hd_link_mbps(port->width, port->speed);
}

/*
 * What a flow weighs that @port's link is the slowest of: 1, or its rate where links have several.
 * A link whose rate is not known slows nothing.
 */
static uint32_t rate_of(const struct count *count, uint32_t port)
{
	uint32_t mbps;

	if (count->fastest == 1)
		return 1;
	mbps = mbps_of(&count->tables->fabric->ports[port]);
	return mbps ? mbps / MBPS : count->fastest;
}

/* The rate of the fastest links; 1: links have one rate, or none that is known. */
static uint32_t find_fastest(const struct hd_fabric *fabric)
{
	uint32_t least = UINT32_MAX, most = 0;

	hd_for_each_port(port, fabric) {
		uint32_t mbps = mbps_of(&fabric->ports[port]);

		if (fabric->ports[port].peer == HD_NONE || !mbps)
			continue;
		least = mbps < least ? mbps : least;
		most = mbps > most ? mbps : most;
	}
	return least < most ? most / MBPS : 1;
}

/* End nodes of a switch, and how many there are of each rate. */
struct end_nodes {
	uint32_t first; /* a port; HD_NONE: there is none */
	unsigned n_rates;
	struct {
		uint32_t rate, n;
	} of[HD_MAX_PORTS];
};

static void find_end_nodes(const struct count *count, uint32_t s, struct end_nodes *ends)
{
	const struct hd_fabric *fabric = count->tables->fabric;

	ends->first = HD_NONE;
	ends->n_rates = 0;
	hd_for_each_number(port, fabric, s) {
		uint32_t peer = fabric->ports[hd_port_index(fabric, s, port)].peer;
		unsigned i = 0;

		if (peer == HD_NONE || hd_is_switch(fabric, fabric->ports[peer].node))
			continue;
		if (ends->first == HD_NONE)
			ends->first = peer;
		while (i < ends->n_rates && ends->of[i].rate != rate_of(count, peer))
			i++;
		if (i == ends->n_rates) {
			ends->n_rates++;
			ends->of[i].rate = rate_of(count, peer);
			ends->of[i].n = 0;
		}
		ends->of[i].n++;
	}
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The rate of the slowest link from @s to @lid. */
static uint32_t slowest(const struct count *count, uint32_t s, unsigned in, uint32_t lid)
{
	uint32_t rate = count->fastest;
	struct hd_step step;

	for (hd_steps_begin(&step, s, in); hd_steps_next(count->tables, lid, &step);)
		rate = least(rate, rate_of(count, step.port));
	return rate;
}

/* What the flows of the end nodes @ends to @lid, all but that of its owner, weigh together. */
static uint64_t weigh(const struct count *count, const struct end_nodes *ends, uint32_t slowest_on,
		      uint32_t owner, bool is_here)
{
	uint64_t weight = 0;

	for (unsigned i = 0; i < ends->n_rates; i++)
		weight += (uint64_t)least(ends->of[i].rate, slowest_on) * ends->of[i].n;
	return is_here ? weight - least(rate_of(count, owner), slowest_on) : weight;
}

/* Counts the flows from the end nodes of @s; on the links from them, only those of the first. */
static void count_switch(const struct count *count, uint32_t s, const struct end_nodes *ends)
{
	const struct hd_tables *tables = count->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t source = ends->first;
	const struct hd_port *port = &fabric->ports[source];
	const hd_sl2vl_row row =
		tables->sl2vl[hd_sl2vl_host_index(tables, port->node, port->number)];
	const unsigned in = fabric->ports[port->peer].number;

	hd_for_each_lid(lid, fabric) {
		uint32_t owner = fabric->lids[lid].port, rate;
		struct hd_step step;
		uint64_t others;
		unsigned sl;

		if (owner == HD_NONE || hd_is_switch(fabric, fabric->ports[owner].node))
			continue;
		sl = hd_path_sl(tables, source, lid);
		if (sl == HD_NO_SL)
			continue;
		rate = count->fastest == 1 ? 1 : slowest(count, s, in, lid);
		if (owner != source)
			add(count, source, row, sl, least(rate, rate_of(count, source)));
		others = weigh(count, ends, rate, owner, fabric->lids[lid].via_switch == s);
		for (hd_steps_begin(&step, s, in); hd_steps_next(tables, lid, &step);)
			add(count, step.port, tables->sl2vl[step.row], sl, others);
	}
}

static int share_port(const struct count *count, uint32_t port, uint32_t like, struct hd_error *err)
{
	struct hd_tables *tables = count->tables;
	struct hd_vlarb vlarb;

	if (tables->vlarb_of_port[port] == HD_NONE)
		return 0;
	hd_vlarb_weighted(hd_vlarb_serves(&tables->vlarbs[tables->vlarb_of_port[port]]),
			  &count->flows[like * (size_t)HD_MAX_VLS], &vlarb);
	return hd_tables_set_vlarb(tables, port, &vlarb, err);
}

int hd_vlarb_share_by_flows(struct hd_tables *tables, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct count count = { .tables = tables, .fastest = find_fastest(fabric) };
	struct end_nodes ends;
	int ret = 0;

	count.flows = calloc((fabric->n_ports + (size_t)1) * HD_MAX_VLS, sizeof(*count.flows));
	if (!count.flows)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric) {
		find_end_nodes(&count, s, &ends);
		if (ends.first != HD_NONE)
			count_switch(&count, s, &ends);
	}
	for (uint32_t p = 0; p < fabric->n_ports && !ret; p++) {
		uint32_t peer = fabric->ports[p].peer, like = p;

		if (peer == HD_NONE)
			continue;
		if (!hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node)) {
			find_end_nodes(&count, fabric->ports[peer].node, &ends);
			like = ends.first;
		}
		ret = share_port(&count, p, like, err);
	}
	free(count.flows);
	return ret;
}
