// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/previous_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "vlarb/class_layout.h"
#include "vlarb/vlarb.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/classes.h"
#include "tables/onto.h"

/* The fabric of @previous has a link between the same ports. */
static bool was_there(const struct hd_fabric *before, const struct hd_fabric *fabric, uint32_t port)
{
	const struct hd_port *here = &fabric->ports[port], *there = &fabric->ports[here->peer];
	const uint32_t a = hd_fabric_find_node(before, fabric->nodes[here->node].guid);
	const uint32_t b = hd_fabric_find_node(before, fabric->nodes[there->node].guid);

	return a != HD_NONE && b != HD_NONE && here->number <= before->nodes[a].n_ports &&
	       there->number <= before->nodes[b].n_ports &&
	       before->ports[hd_port_index(before, a, here->number)].peer ==
		       hd_port_index(before, b, there->number);
}

static void find_new_links(struct hd_previous_lanes *lanes)
{
	hd_for_each_port(p, lanes->fabric)
		lanes->is_new[p] = lanes->fabric->ports[p].peer != HD_NONE &&
				   !was_there(lanes->previous->fabric, lanes->fabric, p);
}

/* Whether no packet has used a row with port @number of @node yet. */
static bool is_idle(const struct hd_previous_lanes *lanes, uint32_t node, unsigned number)
{
	const uint32_t port = hd_port_index(lanes->fabric, node, number);

	return lanes->is_new[port] || (number && lanes->fabric->ports[port].peer == HD_NONE);
}

/* Rows of links that are new, or not there, are those of the fresh tables. */
static void take_new_rows(struct hd_previous_lanes *lanes)
{
	const struct hd_fabric *fabric = lanes->fabric;
	struct hd_tables *tables = lanes->tables;
	const struct hd_tables *fresh = lanes->fresh;

	hd_for_each_switch(s, fabric)
		for (unsigned one = 0; one <= fabric->nodes[s].n_ports; one++)
			for (unsigned other = 0;
			     other <= fabric->nodes[s].n_ports && is_idle(lanes, s, one); other++) {
				const size_t from = hd_sl2vl_index(tables, s, one, other);
				const size_t to = hd_sl2vl_index(tables, s, other, one);

				tables->sl2vl[from] = fresh->sl2vl[from];
				tables->sl2vl[to] = fresh->sl2vl[to];
			}
	hd_for_each_end_node(n, fabric)
		for (unsigned number = 0; number <= fabric->nodes[n].n_ports; number++)
			if (!number || is_idle(lanes, n, number)) {
				const size_t row = hd_sl2vl_host_index(tables, n, number);

				tables->sl2vl[row] = fresh->sl2vl[row];
			}
}

/* Pairs that have no path SL yet get that which they had before, or that of the fresh tables. */
static int take_new_sls(struct hd_previous_lanes *lanes, struct hd_error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < lanes->n_older; i++)
		ret = hd_tables_fill_path_sls(lanes->tables, lanes->older[i], err);
	return ret ? ret : hd_tables_fill_path_sls(lanes->tables, lanes->fresh, err);
}

/* Those of @earlier that go with the fabric, and whose SLs are of the same classes. */
static int take_older(struct hd_previous_lanes *lanes, const struct hd_earlier *earlier,
		      struct hd_error *err)
{
	for (size_t i = 0; i < earlier->n_older && lanes->n_older < HD_MOST_OLDER; i++) {
		int ret;

		if (hd_ar_is_private(earlier->older[i]) ||
		    !hd_classes_have_same_sls(earlier->older[i]->classes,
					      earlier->previous->classes))
			continue;
		ret = hd_tables_onto_sls(earlier->older[i], lanes->fabric,
					 &lanes->older[lanes->n_older], err);
		if (ret && ret != HD_EINVAL)
			return ret;
		lanes->n_older += !ret;
	}
	return 0;
}

int hd_previous_lanes_init(struct hd_previous_lanes *lanes, const struct hd_tables *fresh,
			   const struct hd_earlier *earlier, struct hd_error *err)
{
	int ret;

	*lanes = (struct hd_previous_lanes){
		.fabric = fresh->fabric,
		.fresh = fresh,
		.previous = earlier->previous,
		.is_new = calloc(fresh->fabric->n_ports + (size_t)1, sizeof(*lanes->is_new)),
	};
	if (!lanes->is_new)
		return hd_error_nomem(err);
	ret = hd_ar_refuse_private(earlier->previous, "what keeps lanes", err);
	if (!ret)
		ret = hd_tables_onto(earlier->previous, fresh->fabric, &lanes->tables, NULL, err);
	if (!ret)
		ret = take_older(lanes, earlier, err);
	if (ret)
		return ret;
	find_new_links(lanes);
	take_new_rows(lanes);
	return take_new_sls(lanes, err);
}

void hd_previous_lanes_clear(struct hd_previous_lanes *lanes)
{
	hd_tables_free(lanes->tables);
	for (size_t i = 0; i < lanes->n_older; i++)
		hd_tables_free(lanes->older[i]);
	free(lanes->is_new);
	*lanes = (struct hd_previous_lanes){ 0 };
}

bool hd_previous_lanes_are_fresh(const struct hd_previous_lanes *lanes)
{
	const struct hd_fabric *fabric = lanes->fabric;
	const struct hd_tables *tables = lanes->tables, *fresh = lanes->fresh;
	uint32_t last = HD_NONE;

	if (memcmp(tables->sl2vl, fresh->sl2vl,
		   tables->sl2vl_first[fabric->n_nodes] * sizeof(*tables->sl2vl)) != 0)
		return false;
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const uint32_t p = fabric->endports[i];
		const uint32_t old = tables->sl_row_of_port[p], new = fresh->sl_row_of_port[p];

		if (last != HD_NONE && tables->sl_row_of_port[last] == old &&
		    fresh->sl_row_of_port[last] == new)
			continue;
		last = p;
		hd_for_each_lid(lid, fabric)
			if (fabric->lids[lid].port != HD_NONE &&
			    tables->sl_rows[old * tables->lft_stride + lid] !=
				    fresh->sl_rows[new * tables->lft_stride + lid])
				return false;
	}
	return true;
}

/* The arbitration of a port before; NULL: it had none. */
static const struct hd_vlarb *vlarb_before(const struct hd_tables *previous,
					   const struct hd_fabric *fabric, uint32_t port)
{
	const struct hd_port *here = &fabric->ports[port];
	const uint32_t node = hd_fabric_find_node(previous->fabric, fabric->nodes[here->node].guid);
	uint32_t number;

	if (node == HD_NONE || here->number > previous->fabric->nodes[node].n_ports)
		return NULL;
	number = previous->vlarb_of_port[hd_port_index(previous->fabric, node, here->number)];
	return number == HD_NONE ? NULL : &previous->vlarbs[number];
}

/* VLs that packets of @sls leave @port on. */
static uint16_t vls_of(const struct hd_previous_lanes *lanes, const struct hd_tables *tables,
		       uint32_t port, unsigned sls)
{
	const struct hd_fabric *fabric = lanes->fabric;
	const uint32_t node = fabric->ports[port].node;
	const unsigned out = fabric->ports[port].number;
	const unsigned n_rows = hd_is_switch(fabric, node) ? fabric->nodes[node].n_ports + 1u : 1;
	uint16_t vls = 0;

	for (unsigned in = 0; in < n_rows; in++) {
		const size_t row = hd_is_switch(fabric, node)
					   ? hd_sl2vl_index(tables, node, in, out)
					   : hd_sl2vl_host_index(tables, node, out);

		for (unsigned bits = sls; bits; bits &= bits - 1)
			vls |= (uint16_t)(1u << hd_row_vl(tables->sl2vl[row],
							  (unsigned)__builtin_ctz(bits)));
	}
	return vls & (uint16_t) ~(1u << HD_VL_DROP);
}

unsigned hd_previous_lanes_vls(const struct hd_previous_lanes *lanes,
			       const struct hd_tables *tables)
{
	const unsigned sls = hd_tables_sls_used(lanes->tables) | hd_tables_sls_used(lanes->fresh);
	uint16_t vls = 1;

	hd_for_each_port(p, lanes->fabric)
		if (lanes->fabric->ports[p].peer != HD_NONE &&
		    hd_is_switch(lanes->fabric, lanes->fabric->ports[p].node))
			vls |= vls_of(lanes, tables, p, sls);
	return 32 - (unsigned)__builtin_clz(vls);
}

/* The port of @fabric that was @was in @before; HD_NONE: it is gone, or its link is. */
static uint32_t port_now(const struct hd_fabric *before, uint32_t was,
			 const struct hd_fabric *fabric)
{
	const struct hd_port *port = &before->ports[was];
	const uint32_t node = hd_fabric_find_node(fabric, before->nodes[port->node].guid);

	if (node == HD_NONE || port->number > fabric->nodes[node].n_ports ||
	    hd_peer_node(fabric, node, port->number) == HD_NONE)
		return HD_NONE;
	return hd_port_index(fabric, node, port->number);
}

/*
 * How far shares of classes are off: as far as before, or, where that port is gone, as in the fresh
 * tables.
 */
static void note_error(struct hd_previous_lanes *lanes)
{
	const struct hd_classes *before = lanes->previous->classes, *fresh = lanes->fresh->classes;
	struct hd_classes *classes = lanes->tables->classes;
	uint32_t port = HD_NONE;

	if (!classes)
		return;
	memcpy(classes->first_vl, fresh->first_vl, sizeof(classes->first_vl));
	if (before->error > 0)
		port = port_now(lanes->previous->fabric, before->error_port, lanes->fabric);
	if (port != HD_NONE && before->error >= fresh->error) {
		classes->error = before->error;
		classes->error_port = port;
		return;
	}
	classes->error = fresh->error;
	classes->error_port = fresh->error_port;
}

int hd_previous_lanes_arbitrate(struct hd_previous_lanes *lanes, bool *serves, bool *any_new,
				struct hd_error *err)
{
	const unsigned sls = hd_tables_sls_used(lanes->tables);

	*serves = true;
	*any_new = false;
	note_error(lanes);
	hd_for_each_port(p, lanes->fabric) {
		const uint32_t now = lanes->fresh->vlarb_of_port[p];
		const struct hd_vlarb *vlarb = vlarb_before(lanes->previous, lanes->fabric, p);
		struct hd_vlarb turns;
		uint16_t vls;
		int ret;

		if (now == HD_NONE)
			continue;
		vls = vls_of(lanes, lanes->tables, p, sls);
		if (lanes->is_new[p] || !vlarb || vls & ~hd_vlarb_serves(vlarb))
			vlarb = &lanes->fresh->vlarbs[now];
		if (vls & ~hd_vlarb_serves(vlarb)) {
			*serves = !lanes->fresh->classes;
			if (!*serves)
				return 0;
			hd_vlarb_turns(vls, NULL, &turns);
			vlarb = &turns;
			*any_new = true;
		}
		ret = hd_tables_set_vlarb(lanes->tables, p, vlarb, err);
		if (ret)
			return ret;
	}
	return 0;
}
