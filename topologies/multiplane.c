// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Planes: as many copies of another topology's switches as a host has ports, and port n of every
 * host is on plane n. Switch P1.NAME is switch NAME of plane 1. Planes have no links in common, so
 * packets that come in at a port of one plane leave at a port of the same one. An aggregation node
 * is in a switch, so each plane has its own.
 */
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/options.h"
#include "support/text.h"
#include "topologies/no_hosts.h"
#include "topologies/shape.h"

#define PLANES      ",planes="
#define MOST_PLANES 8

static const struct hd_option options[] = {
	{ "topology", "tree:k=4,n=2", "",
	  "spec of a plane, then ,planes=2 to 8: their number; default 2" },
	{ 0 },
};

/* Splits "SPEC,planes=P"; the caller frees @spec. */
static int parse(const struct hd_params *params, char **spec, unsigned *n_planes,
		 struct hd_error *err)
{
	const char *text = hd_params_get(params, "topology"), *at = text, *next;
	uint64_t number = 2;
	int ret = 0;

	while ((next = strstr(at + 1, PLANES)))
		at = next;
	if (at > text)
		ret = hd_parse_number(at + strlen(PLANES), "planes", 2, MOST_PLANES, &number, err);
	if (ret)
		return ret;
	*n_planes = (unsigned)number;
	*spec = at > text ? strndup(text, (size_t)(at - text)) : strdup(text);
	return *spec ? 0 : hd_error_nomem(err);
}

static int build_plane(const char *spec, struct hd_fabric **plane, struct hd_error *err)
{
	int ret;

	*plane = NULL;
	if (strncmp(spec, "multiplane", strlen("multiplane")) == 0)
		return hd_error_set(err, HD_EINVAL, "a plane has no planes of its own");
	ret = hd_topology_build(spec, plane, err);
	for (uint32_t node = ret ? 0 : (*plane)->n_switches; !ret && node < (*plane)->n_nodes;
	     node++)
		if ((*plane)->nodes[node].n_ports != 1)
			ret = hd_error_set(err, HD_EINVAL, "hosts of '%.64s' have several ports",
					   spec);
	return ret;
}

static void add_switches(struct hd_shape *out, const struct hd_fabric *plane, unsigned n_planes)
{
	for (unsigned i = 0; i < n_planes; i++)
		hd_for_each_switch(s, plane)
			hd_shape_add_switch(out, plane->nodes[s].n_ports, "P%u.%s", i,
					    hd_node_name(plane, s));
}

static void add_end_nodes(struct hd_shape *out, const struct hd_fabric *plane, unsigned n_planes)
{
	for (uint32_t node = plane->n_switches; node < plane->n_nodes; node++) {
		const struct hd_port *port =
			&plane->ports[plane->ports[hd_port_index(plane, node, 1)].peer];
		const bool is_host = !hd_is_aggregation_node(plane, node);
		const uint32_t id = is_host ? hd_shape_add_adapter(out, n_planes) : 0;

		for (unsigned i = 0; i < n_planes; i++) {
			const uint32_t switch_id = i * plane->n_switches + port->node;

			if (is_host)
				hd_shape_link(out, switch_id, port->number, id, i + 1);
			else
				hd_shape_add_aggregation(out, switch_id, port->number);
		}
	}
}

static void add_links(struct hd_shape *out, const struct hd_fabric *plane, unsigned n_planes)
{
	hd_for_each_switch(s, plane)
		hd_for_each_number(number, plane, s) {
			const uint32_t peer = plane->ports[hd_port_index(plane, s, number)].peer;
			const struct hd_port *end = peer == HD_NONE ? NULL : &plane->ports[peer];

			if (!end || end->node >= plane->n_switches || end->node < s)
				continue;
			for (unsigned i = 0; i < n_planes; i++)
				hd_shape_link(out, i * plane->n_switches + s, number,
					      i * plane->n_switches + end->node, end->number);
		}
}

static int make(const struct hd_fabric *plane, unsigned n_planes, struct hd_fabric **fabric,
		struct hd_error *err)
{
	struct hd_shape out;
	int ret = hd_shape_begin(&out, (uint64_t)plane->n_switches * n_planes,
				 (plane->n_nodes - (uint64_t)plane->n_switches) * n_planes, 0, err);

	if (ret)
		return ret;
	add_switches(&out, plane, n_planes);
	add_end_nodes(&out, plane, n_planes);
	add_links(&out, plane, n_planes);
	return hd_shape_finish(&out, fabric);
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_fabric *plane = NULL;
	char *spec = NULL;
	unsigned n_planes;
	int ret = parse(params, &spec, &n_planes, err);

	if (!ret)
		ret = build_plane(spec, &plane, err);
	if (!ret)
		ret = make(plane, n_planes, fabric, err);
	hd_fabric_free(plane);
	free(spec);
	return ret;
}

const struct hd_topology hd_topology_multiplane = {
	.policy.name = "multiplane",
	.policy.summary = "planes: copies of another topology, with a port of every host on each",
	.example = "multiplane:slimfly:q=5,planes=2",
	.policy.options = options,
	.policy.is_text = true,
	.build = build,
};
