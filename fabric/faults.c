// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/faults.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "support/error.h"

static int mark_links(const struct hd_fabric *fabric, const uint32_t *links, size_t n_links,
		      bool *without_links, struct hd_error *err)
{
	char label[320];

	for (size_t i = 0; i < n_links; i++) {
		if (links[i] >= fabric->n_ports)
			return hd_error_set(err, HD_EINVAL, "link %zu to remove is not there", i);
		if (fabric->ports[links[i]].peer == HD_NONE)
			return hd_error_set(err, HD_EINVAL, "%s has no link to remove",
					    hd_port_label(fabric, links[i], label, sizeof(label)));
		without_links[links[i]] = true;
		without_links[fabric->ports[links[i]].peer] = true;
	}
	return 0;
}

static int mark_switches(const struct hd_fabric *fabric, const uint32_t *switches,
			 size_t n_switches, bool *without_nodes, struct hd_error *err)
{
	for (size_t i = 0; i < n_switches; i++) {
		if (switches[i] >= fabric->n_nodes)
			return hd_error_set(err, HD_EINVAL, "switch %zu to remove is not there", i);
		if (!hd_is_switch(fabric, switches[i]))
			return hd_error_set(err, HD_EINVAL,
					    "'%s' is no switch: it cannot be removed",
					    hd_node_name(fabric, switches[i]));
		without_nodes[switches[i]] = true;
	}
	return 0;
}

/* Switches are marked by now; end nodes go when they had links and all of them are gone. */
static void mark_end_nodes(const struct hd_fabric *fabric, const bool *without_links,
			   bool *without_nodes)
{
	hd_for_each_end_node(n, fabric) {
		unsigned before = 0, after = 0;

		hd_for_each_number(number, fabric, n) {
			uint32_t p = hd_port_index(fabric, n, number), peer = fabric->ports[p].peer;

			if (peer == HD_NONE)
				continue;
			before++;
			after += !without_links[p] &&
				 !(hd_is_switch(fabric, fabric->ports[peer].node) &&
				   without_nodes[fabric->ports[peer].node]);
		}
		without_nodes[n] = before && !after;
	}
}

/* Whether all of @links are links between switches. */
static bool are_between_switches(const struct hd_fabric *fabric, const uint32_t *links, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!hd_is_switch_link(fabric, links[i]))
			return false;
	return true;
}

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *copy = malloc((n + 1) * size);

	if (copy && n)
		memcpy(copy, from, n * size);
	return copy;
}

/* The bytes of all names. */
static size_t names_size(const struct hd_fabric *fabric)
{
	size_t size = 0;

	hd_for_each_node(n, fabric)
		if (fabric->nodes[n].name >= size)
			size = fabric->nodes[n].name + strlen(hd_node_name(fabric, n)) + 1;
	return size;
}

static int copy_fabric(const struct hd_fabric *fabric, struct hd_fabric **result,
		       struct hd_error *err)
{
	struct hd_fabric *copy = malloc(sizeof(*copy));

	if (!copy)
		return hd_error_nomem(err);
	*copy = *fabric;
	copy->nodes = copy_of(fabric->nodes, fabric->n_nodes, sizeof(*copy->nodes));
	copy->ports = copy_of(fabric->ports, fabric->n_ports, sizeof(*copy->ports));
	copy->lids = copy_of(fabric->lids, fabric->top_lid + (size_t)1, sizeof(*copy->lids));
	copy->endports = copy_of(fabric->endports, fabric->n_endports, sizeof(*copy->endports));
	copy->names = copy_of(fabric->names, names_size(fabric), 1);
	if (!copy->nodes || !copy->ports || !copy->lids || !copy->endports || !copy->names) {
		hd_fabric_free(copy);
		return hd_error_nomem(err);
	}
	*result = copy;
	return 0;
}

/* A copy without links between switches: nodes, ports and LIDs stay as they are. */
static int copy_without(const struct hd_fabric *fabric, const uint32_t *links, size_t n,
			struct hd_fabric **result, struct hd_error *err)
{
	int ret = copy_fabric(fabric, result, err);

	for (size_t i = 0; !ret && i < n; i++) {
		struct hd_port *port = &(*result)->ports[links[i]];

		if (port->peer == HD_NONE) /* listed twice */
			continue;
		(*result)->ports[port->peer].peer = HD_NONE;
		port->peer = HD_NONE;
		(*result)->n_links--;
	}
	return ret;
}

int hd_fabric_without(const struct hd_fabric *fabric, const uint32_t *links, size_t n_links,
		      const uint32_t *switches, size_t n_switches, struct hd_fabric **result,
		      struct hd_error *err)
{
	bool *without_nodes = calloc(fabric->n_nodes + 1, sizeof(*without_nodes));
	bool *without_links = calloc(fabric->n_ports + 1, sizeof(*without_links));
	struct hd_builder *builder = NULL;
	int ret = without_nodes && without_links ? 0 : hd_error_nomem(err);

	*result = NULL;
	if (!ret)
		ret = mark_links(fabric, links, n_links, without_links, err);
	if (!ret)
		ret = mark_switches(fabric, switches, n_switches, without_nodes, err);
	if (!ret && !n_switches && are_between_switches(fabric, links, n_links)) {
		ret = copy_without(fabric, links, n_links, result, err);
	} else if (!ret) {
		mark_end_nodes(fabric, without_links, without_nodes);
		ret = hd_builder_copy(fabric, without_nodes, without_links, &builder, err);
		if (!ret)
			ret = hd_builder_finish(builder, result, err);
	}
	free(without_nodes);
	free(without_links);
	return ret;
}

static bool same_nodes(const struct hd_fabric *whole, const struct hd_fabric *rest)
{
	if (whole->n_nodes != rest->n_nodes || whole->n_switches != rest->n_switches ||
	    whole->n_ports != rest->n_ports || whole->top_lid != rest->top_lid)
		return false;
	hd_for_each_node(n, whole)
		if (whole->nodes[n].guid != rest->nodes[n].guid ||
		    whole->nodes[n].first_port != rest->nodes[n].first_port)
			return false;
	return true;
}

bool hd_fabric_lost_links(const struct hd_fabric *whole, const struct hd_fabric *rest,
			  uint32_t *ports, uint32_t *n)
{
	*n = 0;
	if (!same_nodes(whole, rest))
		return false;
	hd_for_each_port(p, whole) {
		const struct hd_port *a = &whole->ports[p], *b = &rest->ports[p];

		if (a->lid != b->lid || a->lmc != b->lmc || a->vls != b->vls)
			return false;
		if (a->peer == b->peer)
			continue;
		if (b->peer != HD_NONE || !hd_is_switch_link(whole, p))
			return false;
		ports[(*n)++] = p;
	}
	return true;
}
