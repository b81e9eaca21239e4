// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/cable_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "fabric/ibnl.h"
#include "support/error.h"
#include "topologies/no_hosts.h"

#define MOST_END_NODE_PORTS 2

/* GUIDs that nobody sees: switches first, adapters with room for their ports. */
#define FIRST_SWITCH_GUID  UINT64_C(0x200000)
#define FIRST_ADAPTER_GUID UINT64_C(0x100000000)
#define ADAPTER_GUID_STEP  256

/* The number of the node @end->node, which is added where it is new. */
static int take_node(struct hd_cable_list *list, unsigned line, const struct hd_device_port *end,
		     uint32_t *node, struct hd_error *err)
{
	struct hd_listed_node *listed;
	char folded[HD_MAX_NAME + 1];
	size_t length = strlen(end->node);

	for (size_t i = 0; i < length; i++)
		folded[i] = (char)tolower((unsigned char)end->node[i]);
	*node = hd_symbols_intern(&list->ids, folded, length);
	if (*node == UINT32_MAX)
		return hd_error_nomem(err);
	if (list->ids.n_symbols > HD_MAX_NODES)
		return hd_error_at(err, HD_EPARSE, list->file, line,
				   "more than %u nodes: InfiniBand has %u unicast LIDs",
				   HD_MAX_NODES, HD_MAX_LID);
	if (*node == list->n_nodes) {
		listed = hd_ibnl_add((void **)&list->nodes, &list->n_nodes, sizeof(*listed));
		if (!listed)
			return hd_error_nomem(err);
		listed->name = strdup(end->node);
		listed->line = line;
		if (!listed->name)
			return hd_error_nomem(err);
	}
	listed = &list->nodes[*node];
	if (listed->kind == HD_DEVICE_UNKNOWN)
		listed->kind = (uint8_t)end->kind;
	if (end->number > listed->n_ports)
		listed->n_ports = (uint8_t)end->number;
	return 0;
}

int hd_cable_list_add(struct hd_cable_list *list, unsigned line,
		      const struct hd_device_port ends[2], uint8_t width, uint8_t speed,
		      struct hd_error *err)
{
	struct hd_listed_cable cable = { .width = width, .speed = speed, .line = line };
	struct hd_listed_cable *place;
	int ret = 0;

	/* all of a subnet have one name */
	if (hd_names_aggregation_node(ends[0].node) || hd_names_aggregation_node(ends[1].node))
		return 0;
	for (int end = 0; !ret && end < 2; end++) {
		ret = take_node(list, line, &ends[end], &cable.node[end], err);
		cable.port[end] = (uint8_t)ends[end].number;
	}
	if (ret)
		return ret;
	place = hd_ibnl_add((void **)&list->cables, &list->n_cables, sizeof(*place));
	if (!place)
		return hd_error_nomem(err);
	*place = cable;
	return 0;
}

/* Whether a node that has few ports is linked to one that has few, too, or to an end node. */
static void mark_peers(const struct hd_cable_list *list, bool *has_small_peer)
{
	for (size_t i = 0; i < list->n_cables; i++) {
		const struct hd_listed_cable *cable = &list->cables[i];

		for (int end = 0; end < 2; end++) {
			const struct hd_listed_node *peer = &list->nodes[cable->node[!end]];

			if (peer->kind == HD_DEVICE_END_NODE ||
			    (peer->kind == HD_DEVICE_UNKNOWN &&
			     peer->n_ports <= MOST_END_NODE_PORTS))
				has_small_peer[cable->node[end]] = true;
		}
	}
}

static bool is_switch(const struct hd_listed_node *node, bool has_small_peer)
{
	if (node->kind != HD_DEVICE_UNKNOWN)
		return node->kind == HD_DEVICE_SWITCH;
	return node->n_ports > MOST_END_NODE_PORTS || has_small_peer;
}

static int add_nodes(const struct hd_cable_list *list, struct hd_builder *builder,
		     struct hd_error *err)
{
	bool *has_small_peer = calloc(list->n_nodes + 1, sizeof(*has_small_peer));
	struct hd_error cause;
	int ret = 0;

	if (!has_small_peer)
		return hd_error_nomem(err);
	mark_peers(list, has_small_peer);
	for (size_t n = 0; !ret && n < list->n_nodes; n++) {
		const struct hd_listed_node *node = &list->nodes[n];
		bool switch_too = is_switch(node, has_small_peer[n]);
		struct hd_node_spec spec = {
			.type = switch_too ? HD_SWITCH : HD_CA,
			.guid = switch_too ? FIRST_SWITCH_GUID + n
					   : FIRST_ADAPTER_GUID + n * ADAPTER_GUID_STEP,
			.n_ports = node->n_ports || switch_too ? node->n_ports : 1,
			.name = node->name,
			.line = node->line,
		};
		uint32_t id;

		ret = hd_builder_add(builder, &spec, &id, &cause);
		if (ret)
			ret = hd_error_at(err, ret == HD_ENOMEM ? ret : HD_EPARSE, list->file,
					  node->line, "%s", cause.text);
	}
	free(has_small_peer);
	return ret;
}

static int add_cable(const struct hd_cable_list *list, const struct hd_listed_cable *cable,
		     struct hd_builder *builder, struct hd_error *err)
{
	struct hd_error cause;
	int ret = hd_builder_link(builder, cable->node[0], cable->port[0], cable->node[1],
				  cable->port[1], &cause);

	if (ret)
		return hd_error_at(err, ret == HD_ENOMEM ? ret : HD_EPARSE, list->file, cable->line,
				   "%s", cause.text);
	for (int end = 0; end < 2; end++) {
		struct hd_port *port = hd_builder_port(builder, cable->node[end], cable->port[end]);

		port->width = cable->width;
		port->speed = cable->speed;
	}
	return 0;
}

static int make(const struct hd_cable_list *list, struct hd_fabric **fabric, struct hd_error *err)
{
	struct hd_builder *builder;
	struct hd_error cause;
	int ret;

	if (!list->n_cables)
		return hd_error_at(err, HD_EPARSE, list->file, 0, "no cable");
	builder = hd_builder_new();
	if (!builder)
		return hd_error_nomem(err);
	ret = add_nodes(list, builder, err);
	for (size_t i = 0; !ret && i < list->n_cables; i++)
		ret = add_cable(list, &list->cables[i], builder, err);
	if (ret) {
		hd_builder_free(builder);
		return ret;
	}
	ret = hd_builder_finish(builder, fabric, &cause);
	return ret ? hd_error_at(err, ret == HD_ENOMEM ? ret : HD_EPARSE, list->file, cause.line,
				 "%s", cause.text)
		   : 0;
}

int hd_cable_list_finish(struct hd_cable_list *list, int ret, struct hd_fabric **fabric,
			 struct hd_error *err)
{
	*fabric = NULL;
	if (!ret)
		ret = make(list, fabric, err);
	for (size_t n = 0; n < list->n_nodes; n++)
		free(list->nodes[n].name);
	free(list->nodes);
	free(list->cables);
	hd_symbols_free(&list->ids);
	return ret;
}
