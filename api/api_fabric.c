// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fabrics of libheddle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "fabric/netfile.h"
#include "support/output.h"
#include "tables/open.h"
#include "topologies/topology.h"

struct heddle_fabric *hd_api_fabric(struct hd_fabric *fabric, char *notes)
{
	struct heddle_fabric *handle = calloc(1, sizeof(*handle));

	if (!handle) {
		hd_fabric_free(fabric);
		free(notes);
		return NULL;
	}
	atomic_init(&handle->n_refs, 1);
	handle->fabric = fabric;
	handle->notes = notes;
	return handle;
}

struct heddle_fabric *hd_api_hold_fabric(struct heddle_fabric *fabric)
{
	atomic_fetch_add(&fabric->n_refs, 1);
	return fabric;
}

void heddle_fabric_free(struct heddle_fabric *fabric)
{
	if (!fabric || atomic_fetch_sub(&fabric->n_refs, 1) > 1)
		return;
	hd_fabric_free(fabric->fabric);
	free(fabric->notes);
	free(fabric);
}

/* Makes a handle of what @ret says is a fabric. Returns the status. */
static enum heddle_status hand_out(int ret, struct hd_fabric *made, char *notes,
				   struct heddle_fabric **fabric, struct hd_error *err,
				   struct heddle_error *error)
{
	if (ret) {
		free(notes);
		return hd_api_done(error, ret, err);
	}
	*fabric = hd_api_fabric(made, notes);
	return hd_api_done(error, *fabric ? 0 : hd_error_nomem(err), err);
}

enum heddle_status heddle_fabric_open(const char *path, const struct heddle_open_request *request,
				      struct heddle_fabric **fabric, struct heddle_error *error)
{
	struct heddle_open_request own;
	struct hd_reading how = { 0 };
	struct hd_fabric *made = NULL;
	struct hd_error err = { 0 };
	char *notes = NULL;
	size_t size;
	locale_t locale = hd_api_enter();
	int ret = hd_api_take_optional(&own, sizeof(own), request, &err);

	*fabric = NULL;
	if (!ret) {
		how.strict = own.strict;
		how.name_map = own.node_name_map;
		how.notes = open_memstream(&notes, &size);
		ret = how.notes ? hd_fabric_open(path, &how, &made, &err) : hd_error_nomem(&err);
	}
	if (how.notes && fclose(how.notes) && !ret)
		ret = hd_error_nomem(&err);
	if (ret)
		hd_fabric_free(made);
	hd_api_leave(locale);
	return hand_out(ret, made, notes, fabric, &err, error);
}

enum heddle_status heddle_fabric_build(const char *spec, struct heddle_fabric **fabric,
				       struct heddle_error *error)
{
	struct hd_fabric *made = NULL;
	struct hd_error err = { 0 };
	locale_t locale = hd_api_enter();
	int ret = hd_topology_build(spec, &made, &err);

	*fabric = NULL;
	hd_api_leave(locale);
	return hand_out(ret, made, NULL, fabric, &err, error);
}

/* The first port of @node that has a link; of a switch port 0. HD_NONE: there is none. */
static uint32_t first_port(const struct hd_fabric *fabric, uint32_t node)
{
	if (hd_is_switch(fabric, node))
		return hd_port_index(fabric, node, 0);
	hd_for_each_number(number, fabric, node)
		if (hd_peer_node(fabric, node, number) != HD_NONE)
			return hd_port_index(fabric, node, number);
	return HD_NONE;
}

enum heddle_status heddle_fabric_assign_lids(const struct heddle_fabric *fabric,
					     const struct heddle_lid_request *request,
					     struct heddle_fabric **result,
					     struct heddle_error *error)
{
	struct heddle_lid_request own;
	struct hd_fabric *made = NULL;
	struct hd_error err = { 0 };
	uint32_t node, port = HD_NONE;
	int ret = hd_api_take_optional(&own, sizeof(own), request, &err);

	*result = NULL;
	if (!ret && own.sm) {
		ret = hd_fabric_find(fabric->fabric, own.sm, &node, &err);
		port = ret ? HD_NONE : first_port(fabric->fabric, node);
		if (!ret && port == HD_NONE)
			ret = hd_error_set(&err, HD_ENOTFOUND, "'%s' has no port with a link",
					   own.sm);
	}
	if (!ret)
		ret = hd_fabric_assign_lids(fabric->fabric, port, own.lmc, &made, &err);
	return hand_out(ret, made, NULL, result, &err, error);
}

/* Indices that a caller gives are less than @n. */
static int check_indices(const uint32_t *list, size_t n_list, uint32_t n, const char *what,
			 struct hd_error *err)
{
	for (size_t i = 0; i < n_list; i++)
		if (list[i] >= n)
			return hd_error_set(err, HD_EINVAL, "there is no %s %u", what, list[i]);
	return 0;
}

enum heddle_status heddle_fabric_fail(const struct heddle_fabric *fabric,
				      const struct heddle_fail_request *request,
				      struct heddle_fabric **result, struct heddle_error *error)
{
	const struct hd_fabric *whole = fabric->fabric;
	struct heddle_fail_request own;
	struct hd_fabric *made = NULL;
	struct hd_error err = { 0 };
	int ret = hd_api_take(&own, sizeof(own), request, &err);

	*result = NULL;
	if (!ret)
		ret = check_indices(own.links, own.n_links, whole->n_ports, "port", &err);
	if (!ret)
		ret = check_indices(own.switches, own.n_switches, whole->n_nodes, "node", &err);
	if (!ret)
		ret = hd_fabric_without(whole, own.links, own.n_links, own.switches, own.n_switches,
					&made, &err);
	return hand_out(ret, made, NULL, result, &err, error);
}

enum heddle_status heddle_fabric_write(const struct heddle_fabric *fabric, const char *path,
				       struct heddle_error *error)
{
	struct hd_output output;
	struct hd_error err = { 0 };
	int ret = hd_output_open(&output, path, &err);

	if (ret)
		return hd_api_done(error, ret, &err);
	ret = hd_netfile_write(fabric->fabric, output.stream, &err);
	if (ret)
		hd_output_abort(&output);
	else
		ret = hd_output_commit(&output, &err);
	return hd_api_done(error, ret, &err);
}

enum heddle_status heddle_fabric_info(const struct heddle_fabric *fabric,
				      struct heddle_fabric_info *info, struct heddle_error *error)
{
	const struct hd_fabric *f = fabric->fabric;
	struct heddle_fabric_info own;
	struct hd_error err = { 0 };
	int ret = hd_api_take(&own, sizeof(own), info, &err);

	own.n_nodes = f->n_nodes;
	own.n_switches = f->n_switches;
	own.n_ports = f->n_ports;
	own.n_links = f->n_links;
	own.top_lid = f->top_lid;
	own.notes = fabric->notes ? fabric->notes : "";
	if (!ret)
		hd_api_give(&own, sizeof(own), info);
	return hd_api_done(error, ret, &err);
}

enum heddle_status heddle_fabric_node(const struct heddle_fabric *fabric, uint32_t number,
				      struct heddle_node *node, struct heddle_error *error)
{
	const struct hd_fabric *f = fabric->fabric;
	struct heddle_node own;
	struct hd_error err = { 0 };
	uint32_t port;
	int ret = hd_api_take(&own, sizeof(own), node, &err);

	if (!ret && number >= f->n_nodes)
		ret = hd_error_set(&err, HD_ERANGE, "there is no node %u", number);
	if (ret)
		return hd_api_done(error, ret, &err);
	port = first_port(f, number);
	own.guid = f->nodes[number].guid;
	own.name = hd_node_name(f, number);
	own.type = f->nodes[number].type;
	own.first_port = f->nodes[number].first_port;
	own.n_ports = f->nodes[number].n_ports;
	own.lid = port == HD_NONE ? 0 : f->ports[port].lid;
	hd_api_give(&own, sizeof(own), node);
	return hd_api_done(error, 0, &err);
}

enum heddle_status heddle_fabric_port(const struct heddle_fabric *fabric, uint32_t number,
				      struct heddle_port *port, struct heddle_error *error)
{
	const struct hd_port *p;
	struct heddle_port own;
	struct hd_error err = { 0 };
	int ret = hd_api_take(&own, sizeof(own), port, &err);

	if (!ret && number >= fabric->fabric->n_ports)
		ret = hd_error_set(&err, HD_ERANGE, "there is no port %u", number);
	if (ret)
		return hd_api_done(error, ret, &err);
	p = &fabric->fabric->ports[number];
	own.guid = p->guid;
	own.node = p->node;
	own.number = p->number;
	own.peer = p->peer;
	own.lid = p->lid;
	own.lmc = p->lmc;
	own.width = p->width;
	own.speed = p->speed;
	own.vls = p->vls;
	hd_api_give(&own, sizeof(own), port);
	return hd_api_done(error, 0, &err);
}

enum heddle_status heddle_fabric_find(const struct heddle_fabric *fabric, const char *what,
				      uint32_t *node, struct heddle_error *error)
{
	struct hd_error err = { 0 };
	int ret = hd_fabric_find(fabric->fabric, what, node, &err);

	if (ret)
		*node = HEDDLE_NONE;
	return hd_api_done(error, ret, &err);
}
