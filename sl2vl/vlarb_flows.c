// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How many flows each (port, VL) carries, counted switch by switch and LID by LID. End nodes of a
 * switch go the same way on the same lanes, so one of them stands for all.
 */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/steps.h"
#include "sl2vl/vlarb.h"
#include "support/error.h"
#include "tables/classes.h"

struct count {
	struct hd_tables *tables;
	uint64_t *flows; /* [port * HD_MAX_VLS + vl] */
};

static void add(const struct count *count, uint32_t port, hd_sl2vl_row row, unsigned sl,
		uint32_t weight)
{
	unsigned vl = hd_row_vl(row, sl);

	if (vl < HD_MAX_VLS)
		count->flows[port * (size_t)HD_MAX_VLS + vl] += weight;
}

/* The port of the first end node at @s; HD_NONE: there is none. @n gets the number of end nodes. */
static uint32_t find_end_nodes(const struct hd_fabric *fabric, uint32_t s, uint32_t *n)
{
	uint32_t first = HD_NONE;

	*n = 0;
	hd_for_each_number(port, fabric, s) {
		uint32_t peer = fabric->ports[hd_port_index(fabric, s, port)].peer;

		if (peer == HD_NONE || hd_is_switch(fabric, fabric->ports[peer].node))
			continue;
		if (first == HD_NONE)
			first = peer;
		++*n;
	}
	return first;
}

/* Counts the flows from the end nodes of @s; on the links from them, only those of @source. */
static void count_switch(const struct count *count, uint32_t s, uint32_t source, uint32_t weight)
{
	const struct hd_tables *tables = count->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const struct hd_port *port = &fabric->ports[source];
	const hd_sl2vl_row row =
		tables->sl2vl[hd_sl2vl_host_index(tables, port->node, port->number)];
	const unsigned in = fabric->ports[port->peer].number;

	hd_for_each_lid(lid, fabric) {
		uint32_t owner = fabric->lids[lid].port, others;
		struct hd_step step;
		unsigned sl;

		if (owner == HD_NONE || hd_is_switch(fabric, fabric->ports[owner].node))
			continue;
		sl = hd_path_sl(tables, source, lid);
		if (sl == HD_NO_SL)
			continue;
		if (owner != source)
			add(count, source, row, sl, 1);
		others = weight - (fabric->lids[lid].via_switch == s);
		for (hd_steps_begin(&step, s, in); hd_steps_next(tables, lid, &step);)
			add(count, step.port, tables->sl2vl[step.row], sl, others);
	}
}

/* Flows of all service classes, which are those of the one whose SLs paths have. */
static void repeat_by_lanes(const struct count *count, uint32_t port)
{
	const struct hd_classes *classes = count->tables->classes;
	const unsigned n = classes->n_vls;
	uint64_t *flows = &count->flows[port * (size_t)HD_MAX_VLS], own[HD_MAX_VLS];

	memcpy(own, flows + classes->list[classes->fallback].lanes * n, n * sizeof(*own));
	for (unsigned vl = 0; vl < classes->n_lanes * n; vl++)
		flows[vl] = own[vl % n];
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
	struct count count = { .tables = tables };
	int ret = 0;

	count.flows = calloc((fabric->n_ports + (size_t)1) * HD_MAX_VLS, sizeof(*count.flows));
	if (!count.flows)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric) {
		uint32_t n, source = find_end_nodes(fabric, s, &n);

		if (source != HD_NONE)
			count_switch(&count, s, source, n);
	}
	for (uint32_t p = 0; tables->classes && p < fabric->n_ports; p++)
		repeat_by_lanes(&count, p);
	for (uint32_t p = 0; p < fabric->n_ports && !ret; p++) {
		uint32_t peer = fabric->ports[p].peer, like = p, n;

		if (peer == HD_NONE)
			continue;
		if (!hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node))
			like = find_end_nodes(fabric, fabric->ports[peer].node, &n);
		ret = share_port(&count, p, like, err);
	}
	free(count.flows);
	return ret;
}
