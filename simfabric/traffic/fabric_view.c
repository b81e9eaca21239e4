// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/traffic/fabric_view.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "simfabric/emulator/link_state.h"
#include "support/error.h"

static bool is_active(const struct hd_emulator *emulator, uint32_t port)
{
	return hd_link_is_up(emulator, port) && emulator->ports[port].state == HD_PORT_ACTIVE;
}

static void take_port(const struct hd_emulator *emulator, uint32_t p, struct hd_fabric *fabric)
{
	const struct hd_emulator_port *state = &emulator->ports[p];
	struct hd_port *port = &fabric->ports[p];
	unsigned vls = hd_vlcap_vls(state->operational_vls);
	unsigned last = state->lid + (1u << (state->lmc & HD_MAX_LMC)) - 1;

	port->peer = HD_NONE;
	if (is_active(emulator, p) && is_active(emulator, state->peer)) {
		port->peer = state->peer;
		fabric->n_links += state->peer < p;
	}
	port->vls = vls ? (uint8_t)vls : 1;
	port->lid = state->lid;
	port->lmc = state->lmc & HD_MAX_LMC;
	if ((port->number == 0) != hd_is_switch(fabric, port->node) || last > HD_MAX_LID)
		port->lid = port->lmc = 0;
	if (port->lid && last > fabric->top_lid)
		fabric->top_lid = last;
}

/*
 * Gives LIDs to their owners. Where several ports have one LID, which no subnet manager leaves so,
 * the first port owns it.
 */
static void place_lids(struct hd_fabric *fabric)
{
	for (uint32_t lid = 0; lid <= fabric->top_lid; lid++)
		fabric->lids[lid] = (struct hd_lid){ .port = HD_NONE, .via_switch = HD_NONE };
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];
		struct hd_lid place = { .port = fabric->endports[i], .via_switch = HD_NONE };

		if (hd_is_switch(fabric, port->node)) {
			place.via_switch = port->node;
		} else if (port->peer != HD_NONE &&
			   hd_is_switch(fabric, fabric->ports[port->peer].node)) {
			place.via_switch = fabric->ports[port->peer].node;
			place.via_port = fabric->ports[port->peer].number;
		}
		for (uint32_t lid = port->lid; port->lid && lid < port->lid + (1u << port->lmc);
		     lid++)
			if (fabric->lids[lid].port == HD_NONE)
				fabric->lids[lid] = place;
	}
}

static int take_fabric(const struct hd_emulator *emulator, struct hd_fabric *fabric,
		       struct hd_error *err)
{
	*fabric = *emulator->fabric;
	fabric->n_links = 0;
	fabric->top_lid = 0;
	fabric->lids = NULL;
	fabric->ports = malloc((fabric->n_ports + (size_t)1) * sizeof(*fabric->ports));
	if (!fabric->ports)
		return hd_error_nomem(err);
	memcpy(fabric->ports, emulator->fabric->ports, fabric->n_ports * sizeof(*fabric->ports));
	hd_for_each_port(p, fabric)
		take_port(emulator, p, fabric);
	fabric->lids = malloc((fabric->top_lid + (size_t)1) * sizeof(*fabric->lids));
	if (!fabric->lids)
		return hd_error_nomem(err);
	place_lids(fabric);
	return 0;
}

static void take_lfts(const struct hd_emulator *emulator, struct hd_tables *tables)
{
	hd_for_each_switch(s, emulator->fabric) {
		const struct hd_emulator_switch *state = &emulator->switches[s];
		size_t n = state->linear_fdb_top + (size_t)1;

		if (n > state->lft_size)
			n = state->lft_size;
		if (n > tables->lft_stride)
			n = tables->lft_stride;
		if (n)
			memcpy(hd_lft(tables, s), state->lft, n);
	}
}

/* @row, with VL 15 in place of VLs that a link of @vls does not have. */
static hd_sl2vl_row operated(hd_sl2vl_row row, unsigned vls)
{
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (hd_row_vl(row, sl) >= vls)
			row = hd_row_set(row, sl, HD_VL_DROP);
	return row;
}

static void take_rows(const struct hd_emulator *emulator, struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	const hd_sl2vl_row *from = emulator->sl2vl;
	hd_sl2vl_row *row = tables->sl2vl, last = 0, last_operated = operated(0, 1);
	unsigned last_vls = 1;

	/* most rows are equal to the one before */
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		unsigned vls = port->peer != HD_NONE ? hd_link_vls(fabric, p) : port->vls;
		unsigned n = hd_is_switch(fabric, port->node)
				     ? fabric->nodes[port->node].n_ports + 1u
				     : 1;

		for (unsigned in = 0; in < n; in++, from++, row++) {
			if (*from != last || vls != last_vls) {
				last = *from;
				last_vls = vls;
				last_operated = operated(last, vls);
			}
			*row = last_operated;
		}
	}
}

static int take_vlarbs(const struct hd_emulator *emulator, struct hd_tables *tables,
		       struct hd_error *err)
{
	int ret = 0;

	for (uint32_t p = 0; p < tables->fabric->n_ports && !ret; p++) {
		struct hd_vlarb vlarb;

		if (tables->fabric->ports[p].peer == HD_NONE)
			continue;
		hd_emulator_vlarb(emulator, p, &vlarb);
		/* a port of one VL needs none */
		if (!vlarb.n_low && !vlarb.n_high)
			continue;
		ret = hd_tables_set_vlarb(tables, p, &vlarb, err);
	}
	tables->has_vlarb = true;
	return ret;
}

int hd_carried_view_new(const struct hd_emulator *emulator, struct hd_carried_view **result,
			struct hd_error *err)
{
	struct hd_carried_view *view = calloc(1, sizeof(*view));
	int ret;

	*result = NULL;
	if (!view)
		return hd_error_nomem(err);
	ret = take_fabric(emulator, &view->fabric, err);
	if (!ret)
		ret = hd_tables_new(&view->fabric, &view->tables, err);
	if (!ret) {
		take_lfts(emulator, view->tables);
		take_rows(emulator, view->tables);
		ret = take_vlarbs(emulator, view->tables, err);
	}
	if (ret) {
		hd_carried_view_free(view);
		return ret;
	}
	view->tables->has_sl2vl = true;
	*result = view;
	return 0;
}

int hd_carried_view_wire(struct hd_carried_view *view, const struct hd_emulator *emulator,
			 struct hd_error *err)
{
	struct hd_fabric *fabric = &view->fabric;

	view->active = malloc(fabric->n_ports + (size_t)1);
	if (!view->active)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric) {
		uint32_t wired = emulator->fabric->ports[p].peer;

		view->active[p] = fabric->ports[p].peer != HD_NONE;
		if (view->active[p])
			continue;
		fabric->ports[p].peer = emulator->ports[p].peer;
		if (fabric->ports[p].peer == HD_NONE && wired != HD_NONE &&
		    emulator->ports[wired].peer == HD_NONE)
			fabric->ports[p].peer = wired;
	}
	/* rows are of the VLs that a link has, once it is active */
	take_rows(emulator, view->tables);
	place_lids(fabric);
	return 0;
}

void hd_carried_view_free(struct hd_carried_view *view)
{
	if (!view)
		return;
	free(view->active);
	hd_tables_free(view->tables);
	free(view->fabric.lids);
	free(view->fabric.ports);
	free(view);
}

static bool same_ports(const struct hd_fabric *a, const struct hd_fabric *b)
{
	hd_for_each_port(p, a) {
		const struct hd_port *one = &a->ports[p], *other = &b->ports[p];

		if (one->peer != other->peer || one->lid != other->lid || one->lmc != other->lmc ||
		    one->vls != other->vls)
			return false;
	}
	return true;
}

bool hd_carried_view_same_vlarbs(const struct hd_carried_view *one,
				 const struct hd_carried_view *other)
{
	const struct hd_tables *a = one->tables, *b = other->tables;

	/* equal tables are shared in the order of ports, so that they have equal numbers */
	return a->n_vlarbs == b->n_vlarbs &&
	       memcmp(a->vlarb_of_port, b->vlarb_of_port,
		      a->fabric->n_ports * sizeof(*a->vlarb_of_port)) == 0 &&
	       (!a->n_vlarbs ||
		memcmp(a->vlarbs, b->vlarbs, a->n_vlarbs * sizeof(*a->vlarbs)) == 0);
}

bool hd_carried_view_equal(const struct hd_carried_view *a, const struct hd_carried_view *b)
{
	const struct hd_fabric *fabric = &a->fabric;

	return fabric->top_lid == b->fabric.top_lid && same_ports(fabric, &b->fabric) &&
	       memcmp(a->tables->lft, b->tables->lft, fabric->n_switches * a->tables->lft_stride) ==
		       0 &&
	       memcmp(a->tables->sl2vl, b->tables->sl2vl,
		      a->tables->sl2vl_first[fabric->n_nodes] * sizeof(*a->tables->sl2vl)) == 0 &&
	       hd_carried_view_same_vlarbs(a, b) && hd_carried_view_same_sets(a, b) &&
	       (!a->active || memcmp(a->active, b->active, fabric->n_ports) == 0);
}

void hd_carried_view_set_sl(struct hd_carried_view *view, unsigned sl)
{
	memset(view->tables->sl_rows, (int)sl, view->tables->n_sl_rows * view->tables->lft_stride);
}

int hd_carried_view_copy_sls(struct hd_carried_view *view, const struct hd_carried_view *from,
			     struct hd_error *err)
{
	struct hd_tables *to = view->tables;
	const struct hd_tables *sls = from->tables;
	size_t n = to->lft_stride < sls->lft_stride ? to->lft_stride : sls->lft_stride;
	int ret = hd_tables_set_sl_rows(to, sls->n_sl_rows, err);

	if (ret)
		return ret;
	for (uint32_t row = 0; row < sls->n_sl_rows; row++)
		memcpy(to->sl_rows + row * to->lft_stride, sls->sl_rows + row * sls->lft_stride, n);
	memcpy(to->sl_row_of_port, sls->sl_row_of_port,
	       view->fabric.n_ports * sizeof(*to->sl_row_of_port));
	return 0;
}
