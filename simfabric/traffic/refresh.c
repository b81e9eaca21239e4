// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tables and links of now for the model that runs: what is under way keeps its place. */
#include <string.h>

#include "simfabric/traffic/carried_private.h"
#include "support/error.h"

/* Whether @p is a port of a host of the model, in view @view. */
static bool is_host(const struct hd_carried_view *view, uint32_t p)
{
	const struct hd_port *port = &view->fabric.ports[p];

	return !hd_is_switch(&view->fabric, port->node) && port->peer != HD_NONE && port->lid;
}

/*
 * Whether cables and hosts are those that the model has. A host that has lost its LID is still the
 * same one; it sends nothing meanwhile.
 */
static bool is_same_fabric(const struct hd_carried_view *view, const struct hd_carried_view *now)
{
	hd_for_each_port(p, &view->fabric) {
		const struct hd_port *a = &view->fabric.ports[p], *b = &now->fabric.ports[p];

		if (a->peer != b->peer)
			return false;
		if (hd_is_switch(&view->fabric, a->node) || !b->lid)
			continue;
		if (a->lid != b->lid || a->lmc != b->lmc)
			return false;
	}
	return true;
}

static void renew_entries(struct hd_carried *carried, const struct hd_carried_view *now)
{
	const struct hd_fabric *fabric = &carried->view->fabric;

	hd_for_each_switch(s, fabric) {
		uint8_t *old = hd_lft(carried->view->tables, s);
		const uint8_t *new = hd_lft(now->tables, s);

		hd_for_each_lid(lid, fabric) {
			const uint8_t entry = lid < now->tables->lft_stride ? new[lid] : HD_NO_PATH;

			if (old[lid] == entry)
				continue;
			old[lid] = entry;
			if (fabric->lids[lid].port != HD_NONE &&
			    is_host(carried->view, fabric->lids[lid].port))
				hd_model_set_entry(carried->model, s, (uint16_t)lid, entry);
		}
	}
}

/* The rows of packets that leave by @out; false: the model lacks a VL. */
static bool renew_rows(struct hd_carried *carried, const struct hd_carried_view *now, uint32_t out)
{
	const struct hd_fabric *fabric = &carried->view->fabric;
	const struct hd_port *port = &fabric->ports[out];
	const struct hd_node *node = &fabric->nodes[port->node];
	const bool is_switch = hd_is_switch(fabric, port->node);

	for (unsigned in = 0; in <= (is_switch ? node->n_ports : 0u); in++) {
		const size_t i =
			is_switch ? hd_sl2vl_index(now->tables, port->node, in, port->number)
				  : hd_sl2vl_host_index(now->tables, port->node, port->number);
		hd_sl2vl_row *old = &carried->view->tables->sl2vl[i];

		if (*old == now->tables->sl2vl[i])
			continue;
		*old = now->tables->sl2vl[i];
		if (!hd_model_set_row(carried->model, out,
				      is_switch ? node->first_port + in : HD_NONE, *old))
			return false;
	}
	return true;
}

static void renew_links(struct hd_carried *carried, const struct hd_carried_view *now)
{
	struct hd_carried_view *view = carried->view;

	hd_for_each_port(p, &view->fabric) {
		view->fabric.ports[p].vls = now->fabric.ports[p].vls;
		if (view->active[p] == now->active[p])
			continue;
		view->active[p] = now->active[p];
		hd_model_set_link(carried->model, p, view->active[p]);
	}
}

/* VL arbitration: @now has the old one then. */
static int renew_arbitration(struct hd_carried *carried, struct hd_carried_view *now,
			     struct hd_error *err)
{
	struct hd_tables *tables = carried->view->tables, before = *tables;

	if (hd_carried_view_same_vlarbs(carried->view, now))
		return 0;
	tables->n_vlarbs = now->tables->n_vlarbs;
	tables->vlarbs = now->tables->vlarbs;
	tables->vlarb_of_port = now->tables->vlarb_of_port;
	now->tables->n_vlarbs = before.n_vlarbs;
	now->tables->vlarbs = before.vlarbs;
	now->tables->vlarb_of_port = before.vlarb_of_port;
	return hd_model_renew_arbitration(carried->model, err);
}

void hd_carried_see_hosts(struct hd_carried *carried, const struct hd_carried_view *now)
{
	for (uint32_t i = 0; i < carried->n_hosts; i++) {
		struct hd_carried_host *host = &carried->hosts[i];

		host->is_up = host->in_model != HD_NONE && now->active[host->port] &&
			      now->fabric.ports[host->port].lid;
	}
}

int hd_carried_renew(struct hd_carried *carried, struct hd_carried_view *now, bool *is_renewed,
		     struct hd_error *err)
{
	int ret;

	*is_renewed = is_same_fabric(carried->view, now);
	if (!*is_renewed)
		return 0;
	renew_entries(carried, now);
	hd_for_each_port(p, &carried->view->fabric)
		if (!renew_rows(carried, now, p))
			*is_renewed = false;
	if (!*is_renewed)
		return 0;
	renew_links(carried, now);
	hd_carried_see_hosts(carried, now);
	ret = hd_carried_view_take_sets(carried->view, carried->emulator, 1, err);
	if (!ret)
		ret = hd_carried_choose(carried, err);
	if (ret)
		return ret;
	hd_carried_wake_hosts(carried);
	return renew_arbitration(carried, now, err);
}
