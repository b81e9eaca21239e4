// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle_fabric_make(): a fabric from arrays. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "fabric/builder.h"
#include "fabric/link_rate.h"
#include "topologies/shape.h"

_Static_assert((int)HEDDLE_XDR == HD_XDR && (int)HEDDLE_ROUTER == HD_ROUTER, "the same numbers");

struct making {
	const struct heddle_new_node *nodes;
	const struct heddle_new_link *links;
	size_t n_nodes, n_links;
	unsigned *highest; /* [node] port number that links give; then the last that is taken */
	struct hd_builder *builder;
	struct hd_error *err;
};

static int check_arrays(const struct making *m)
{
	if (m->n_nodes > HD_MAX_NODES)
		return hd_error_set(m->err, HD_ERANGE, "%zu nodes are more than %u", m->n_nodes,
				    HD_MAX_NODES);
	for (size_t i = 0; i < m->n_nodes; i++)
		if (m->nodes[i].type > HD_ROUTER || m->nodes[i].reserved ||
		    m->nodes[i].lid > HD_MAX_LID)
			return hd_error_set(m->err, HD_EINVAL,
					    "node %zu: an impossible type, LID or reserved member",
					    i);
	for (size_t i = 0; i < m->n_links; i++) {
		const struct heddle_new_link *link = &m->links[i];

		if (link->node >= m->n_nodes || link->peer >= m->n_nodes)
			return hd_error_set(m->err, HD_EINVAL, "link %zu: there are %zu nodes", i,
					    m->n_nodes);
		if ((link->width && !hd_is_width(link->width)) || link->speed > HD_XDR ||
		    link->vls > HD_MAX_VLS || link->reserved[0] || link->reserved[1] ||
		    link->reserved[2])
			return hd_error_set(m->err, HD_EINVAL,
					    "link %zu: an impossible width, speed, number of VLs "
					    "or reserved member",
					    i);
	}
	return 0;
}

static void raise_to(unsigned *highest, unsigned number)
{
	if (*highest < number)
		*highest = number;
}

/* Ports that each node needs: those that links number, and above them those they do not. */
static unsigned *count_ports(const struct making *m)
{
	unsigned *n = calloc(m->n_nodes + 1, sizeof(*n));

	for (size_t i = 0; n && i < m->n_links; i++) {
		raise_to(&m->highest[m->links[i].node], m->links[i].port);
		raise_to(&m->highest[m->links[i].peer], m->links[i].peer_port);
	}
	for (size_t i = 0; n && i < m->n_nodes; i++)
		n[i] = m->highest[i];
	for (size_t i = 0; n && i < m->n_links; i++) {
		n[m->links[i].node] += !m->links[i].port;
		n[m->links[i].peer] += !m->links[i].peer_port;
	}
	return n;
}

static int add_nodes(const struct making *m, const unsigned *n_ports)
{
	uint64_t n_switches = 0, n_hosts = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < m->n_nodes; i++) {
		const struct heddle_new_node *node = &m->nodes[i];
		const bool is_switch = node->type == HEDDLE_SWITCH;
		const uint64_t guid = is_switch ? HD_SWITCH_GUID + n_switches++
						: HD_HOST_GUID + HD_HOST_GUID_STEP * n_hosts++;
		const struct hd_node_spec spec = {
			.type = (enum hd_node_type)node->type,
			.guid = node->guid ? node->guid : guid,
			.n_ports = node->n_ports > n_ports[i]     ? node->n_ports
				   : n_ports[i] < 1 && !is_switch ? 1
								  : n_ports[i],
			.name = node->name,
		};
		uint32_t id;

		ret = hd_builder_add(m->builder, &spec, &id, m->err);
		if (!ret)
			hd_builder_port(m->builder, id, is_switch ? 0 : 1)->lid =
				(uint16_t)node->lid;
	}
	return ret;
}

/* The end @number of a link of @node, or the next one. */
static unsigned take_port(const struct making *m, uint32_t node, unsigned number,
			  const struct heddle_new_link *link)
{
	const unsigned at = number ? number : ++m->highest[node];
	struct hd_port *port = hd_builder_port(m->builder, node, at);

	if (port) {
		port->width = link->width ? link->width : 4;
		port->speed = link->speed ? link->speed : HD_HDR;
		port->vls = link->vls ? link->vls : HD_DEFAULT_VLS;
	}
	return at;
}

static int add_links(const struct making *m)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < m->n_links; i++) {
		const struct heddle_new_link *link = &m->links[i];
		const unsigned at = take_port(m, link->node, link->port, link);
		const unsigned peer_at = take_port(m, link->peer, link->peer_port, link);

		ret = hd_builder_link(m->builder, link->node, at, link->peer, peer_at, m->err);
	}
	return ret;
}

static int make(struct making *m, struct hd_fabric **fabric)
{
	unsigned *n_ports = NULL;
	int ret = check_arrays(m);

	if (ret)
		return ret;
	m->highest = calloc(m->n_nodes + 1, sizeof(*m->highest));
	m->builder = hd_builder_new();
	if (m->highest)
		n_ports = count_ports(m);
	if (!n_ports || !m->builder)
		ret = hd_error_nomem(m->err);
	if (!ret)
		ret = add_nodes(m, n_ports);
	if (!ret)
		ret = add_links(m);
	if (!ret) {
		ret = hd_builder_finish(m->builder, fabric, m->err);
		m->builder = NULL;
	}
	hd_builder_free(m->builder);
	free(m->highest);
	free(n_ports);
	return ret;
}

enum heddle_status heddle_fabric_make(const struct heddle_new_node *nodes, size_t n_nodes,
				      const struct heddle_new_link *links, size_t n_links,
				      struct heddle_fabric **fabric, struct heddle_error *error)
{
	struct hd_error err = { 0 };
	struct making m = {
		.nodes = nodes, .links = links, .n_nodes = n_nodes, .n_links = n_links, .err = &err
	};
	struct hd_fabric *made = NULL;
	int ret = make(&m, &made);

	*fabric = ret ? NULL : hd_api_fabric(made, NULL);
	if (!ret && !*fabric)
		ret = hd_error_nomem(&err);
	return hd_api_done(error, ret, &err);
}
