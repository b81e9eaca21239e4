// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/builder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/names.h"
#include "support/error.h"

struct hd_builder {
	struct hd_node *nodes;
	unsigned *lines;       /* [node] line of the file that it comes from */
	struct hd_port *ports; /* peer and node are builder numbers until finished */
	char *names;
	size_t n_nodes, nodes_capacity, lines_capacity;
	size_t n_switches;
	size_t n_ports, ports_capacity;
	size_t names_size, names_capacity;
};

struct hd_builder *hd_builder_new(void)
{
	return calloc(1, sizeof(struct hd_builder));
}

void hd_builder_free(struct hd_builder *builder)
{
	if (!builder)
		return;
	free(builder->nodes);
	free(builder->lines);
	free(builder->ports);
	free(builder->names);
	free(builder);
}

/* Makes room for @more elements of @size bytes beyond @used. */
static bool reserve(void *array, size_t size, size_t used, size_t more, size_t *capacity)
{
	size_t wanted = *capacity ? *capacity : 64;
	void *grown;

	if (used + more <= *capacity)
		return true;
	while (wanted < used + more)
		wanted *= 2;
	grown = realloc(*(void **)array, wanted * size);
	if (!grown)
		return false;
	*(void **)array = grown;
	*capacity = wanted;
	return true;
}

int hd_builder_add(struct hd_builder *builder, const struct hd_node_spec *spec, uint32_t *id,
		   struct hd_error *err)
{
	const char *name = spec->name ? spec->name : "";
	size_t length = strlen(name) + 1;
	struct hd_node *node;

	if (spec->n_ports > HD_MAX_PORTS || (spec->n_ports == 0 && spec->type != HD_SWITCH))
		return hd_error_set(err, HD_ERANGE, "node '%s' has %u ports: not in 1..%u", name,
				    spec->n_ports, HD_MAX_PORTS);
	if (length > HD_MAX_NAME + 1)
		return hd_error_set(err, HD_ERANGE, "a node's name is longer than %u bytes",
				    HD_MAX_NAME);
	if (builder->n_switches + (spec->type == HD_SWITCH) > HD_MAX_LID)
		return hd_error_set(err, HD_ERANGE,
				    "more than %u switches: InfiniBand has no more unicast LIDs",
				    HD_MAX_LID);
	/* adapters without a link need no LID */
	if (builder->n_nodes >= HD_MAX_NODES)
		return hd_error_set(err, HD_ERANGE,
				    "more than %u nodes: InfiniBand has %u unicast LIDs",
				    HD_MAX_NODES, HD_MAX_LID);
	if (builder->names_size + length > UINT32_MAX ||
	    builder->n_ports + spec->n_ports + 1 >= HD_NONE)
		return hd_error_set(err, HD_ERANGE, "the fabric is too large");
	if (!reserve(&builder->nodes, sizeof(*builder->nodes), builder->n_nodes, 1,
		     &builder->nodes_capacity) ||
	    !reserve(&builder->lines, sizeof(*builder->lines), builder->n_nodes, 1,
		     &builder->lines_capacity) ||
	    !reserve(&builder->ports, sizeof(*builder->ports), builder->n_ports, spec->n_ports + 1,
		     &builder->ports_capacity) ||
	    !reserve(&builder->names, 1, builder->names_size, length, &builder->names_capacity))
		return hd_error_nomem(err);

	*id = (uint32_t)builder->n_nodes++;
	builder->n_switches += spec->type == HD_SWITCH;
	node = &builder->nodes[*id];
	builder->lines[*id] = spec->line;
	*node = (struct hd_node){
		.guid = spec->guid,
		.sysimg_guid = spec->sysimg_guid,
		.first_port = (uint32_t)builder->n_ports,
		.name = (uint32_t)builder->names_size,
		.vendor_id = spec->vendor_id,
		.device_id = spec->device_id,
		.n_ports = (uint8_t)spec->n_ports,
		.type = (uint8_t)spec->type,
		.enhanced_port0 = spec->type == HD_SWITCH && spec->enhanced_port0,
	};
	memcpy(builder->names + builder->names_size, name, length);
	builder->names_size += length;
	for (unsigned number = 0; number <= spec->n_ports; number++) {
		builder->ports[builder->n_ports++].peer = HD_NONE;
		hd_builder_reset_port(builder, *id, number);
	}
	return 0;
}

struct hd_port *hd_builder_port(struct hd_builder *builder, uint32_t id, unsigned number)
{
	if (id >= builder->n_nodes || number > builder->nodes[id].n_ports)
		return NULL;
	return &builder->ports[builder->nodes[id].first_port + number];
}

void hd_builder_reset_port(struct hd_builder *builder, uint32_t id, unsigned number)
{
	const struct hd_node *node = &builder->nodes[id];
	struct hd_port *port = &builder->ports[node->first_port + number];
	const bool endport = (node->type == HD_SWITCH) == (number == 0);

	*port = (struct hd_port){
		.guid = endport ? node->guid + number : 0,
		.peer = port->peer,
		.node = id,
		.number = (uint8_t)number,
		.vls = HD_DEFAULT_VLS,
	};
}

void hd_builder_set_switch_guid(struct hd_builder *builder, uint32_t id, uint64_t guid)
{
	struct hd_node *node = &builder->nodes[id];
	struct hd_port *port = &builder->ports[node->first_port];

	if (port->guid == node->guid)
		port->guid = guid;
	node->guid = guid;
}

void hd_builder_set_enhanced_port0(struct hd_builder *builder, uint32_t id)
{
	builder->nodes[id].enhanced_port0 = true;
}

int hd_builder_link(struct hd_builder *builder, uint32_t id, unsigned number, uint32_t peer_id,
		    unsigned peer_number, struct hd_error *err)
{
	const uint32_t ids[] = { id, peer_id };
	const unsigned numbers[] = { number, peer_number };
	uint32_t index[2];

	for (int end = 0; end < 2; end++) {
		const struct hd_port *port = hd_builder_port(builder, ids[end], numbers[end]);

		if (!port || numbers[end] == 0)
			return hd_error_set(err, HD_ERANGE, "'%s' has no port %u to link",
					    ids[end] < builder->n_nodes
						    ? builder->names + builder->nodes[ids[end]].name
						    : "?",
					    numbers[end]);
		index[end] = (uint32_t)(port - builder->ports);
	}
	if (index[0] == index[1])
		return hd_error_set(err, HD_EINVAL, "'%s' port %u is linked to itself",
				    builder->names + builder->nodes[id].name, number);
	for (int end = 0; end < 2; end++) {
		uint32_t peer = builder->ports[index[end]].peer;

		if (peer != HD_NONE && peer != index[!end])
			return hd_error_set(
				err, HD_EINVAL,
				"'%s' port %u is linked to '%s' port %u as well as to "
				"'%s' port %u",
				builder->names + builder->nodes[ids[end]].name, numbers[end],
				builder->names + builder->nodes[builder->ports[peer].node].name,
				builder->ports[peer].number,
				builder->names + builder->nodes[ids[!end]].name, numbers[!end]);
	}
	builder->ports[index[0]].peer = index[1];
	builder->ports[index[1]].peer = index[0];
	return 0;
}

static int copy_node(const struct hd_fabric *fabric, uint32_t n, struct hd_builder *builder,
		     uint32_t *id, struct hd_error *err)
{
	const struct hd_node *node = &fabric->nodes[n];
	const struct hd_node_spec spec = {
		.type = node->type,
		.guid = node->guid,
		.sysimg_guid = node->sysimg_guid,
		.vendor_id = node->vendor_id,
		.device_id = node->device_id,
		.n_ports = node->n_ports,
		.enhanced_port0 = node->enhanced_port0,
		.name = hd_node_name(fabric, n),
	};
	int ret = hd_builder_add(builder, &spec, id, err);

	for (unsigned number = 0; !ret && number <= node->n_ports; number++) {
		struct hd_port *port = hd_builder_port(builder, *id, number);

		*port = fabric->ports[node->first_port + number];
		port->node = *id;
		port->peer = HD_NONE; /* links come when all nodes are there */
	}
	return ret;
}

static int copy_link(const struct hd_fabric *fabric, uint32_t p, const uint32_t *ids,
		     const bool *without_links, struct hd_builder *builder, struct hd_error *err)
{
	const struct hd_port *port = &fabric->ports[p], *peer;

	if (port->peer == HD_NONE || port->peer < p)
		return 0;
	peer = &fabric->ports[port->peer];
	if (ids[port->node] == HD_NONE || ids[peer->node] == HD_NONE ||
	    (without_links && (without_links[p] || without_links[port->peer])))
		return 0;
	return hd_builder_link(builder, ids[port->node], port->number, ids[peer->node],
			       peer->number, err);
}

int hd_builder_copy(const struct hd_fabric *fabric, const bool *without_nodes,
		    const bool *without_links, struct hd_builder **result, struct hd_error *err)
{
	struct hd_builder *builder = hd_builder_new();
	uint32_t *ids = malloc((fabric->n_nodes + 1) * sizeof(*ids));
	int ret = builder && ids ? 0 : hd_error_nomem(err);

	for (uint32_t n = 0; !ret && n < fabric->n_nodes; n++) {
		ids[n] = HD_NONE;
		if (!without_nodes || !without_nodes[n])
			ret = copy_node(fabric, n, builder, &ids[n], err);
	}
	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++)
		ret = copy_link(fabric, p, ids, without_links, builder, err);
	free(ids);
	if (ret) {
		hd_builder_free(builder);
		builder = NULL;
	}
	*result = builder;
	return ret;
}

/* Canonical order: switches first, then ascending by GUID. */
struct sort_key {
	uint64_t guid;
	uint32_t index;
	bool end_node;
};

static int compare_keys(const void *a, const void *b)
{
	const struct sort_key *x = a, *y = b;

	if (x->end_node != y->end_node)
		return x->end_node ? 1 : -1;
	return x->guid < y->guid ? -1 : x->guid > y->guid;
}

/* Gives the error in @err the line of the later of two nodes, and returns its code. */
static int at_later(const unsigned *lines, uint32_t node, uint32_t other, int code,
		    struct hd_error *err)
{
	if (err)
		err->line = lines[node] > lines[other] ? lines[node] : lines[other];
	return code;
}

static int check_unique(const struct sort_key *keys, size_t n, const unsigned *lines,
			struct hd_error *err)
{
	int ret;

	for (size_t i = 0; i < n; i++) {
		if (keys[i].guid == 0)
			return hd_error_set(err, HD_EINVAL, "a node has GUID 0");
		if (i && keys[i].guid == keys[i - 1].guid &&
		    keys[i].end_node == keys[i - 1].end_node) {
			ret = hd_error_set(err, HD_EINVAL,
					   "GUID 0x%016" PRIx64 " belongs to two nodes",
					   keys[i].guid);
			return at_later(lines, keys[i].index, keys[i - 1].index, ret, err);
		}
	}
	return 0;
}

/* Switches and end nodes are sorted apart; a GUID must not be in both. */
static int check_disjoint(const struct sort_key *keys, uint32_t n, const unsigned *lines,
			  struct hd_error *err)
{
	uint32_t other = 0, middle = 0;
	int ret;

	while (middle < n && !keys[middle].end_node)
		middle++;
	for (uint32_t i = middle; i < n; i++) {
		while (other < middle && keys[other].guid < keys[i].guid)
			other++;
		if (other < middle && keys[other].guid == keys[i].guid) {
			ret = hd_error_set(err, HD_EINVAL,
					   "GUID 0x%016" PRIx64 " belongs to a switch and to an "
					   "end node",
					   keys[i].guid);
			return at_later(lines, keys[i].index, keys[other].index, ret, err);
		}
	}
	return 0;
}

/* Copies nodes and ports in canonical order; keys[i].index is the builder's number of node i. */
static int place_nodes(const struct hd_builder *builder, const struct sort_key *keys,
		       struct hd_fabric *fabric, struct hd_error *err)
{
	uint32_t *moved = malloc((builder->n_ports + 1) * sizeof(*moved));
	uint32_t n_ports = 0;

	if (!moved)
		return hd_error_nomem(err);
	hd_for_each_node(n, fabric) {
		struct hd_node *node = &fabric->nodes[n];

		*node = builder->nodes[keys[n].index];
		fabric->n_switches += node->type == HD_SWITCH;
		for (unsigned number = 0; number <= node->n_ports; number++) {
			struct hd_port *port = &fabric->ports[n_ports];

			*port = builder->ports[node->first_port + number];
			port->node = n;
			moved[node->first_port + number] = n_ports++;
		}
		node->first_port = n_ports - node->n_ports - 1u;
	}
	for (uint32_t p = 0; p < n_ports; p++) {
		if (fabric->ports[p].peer == HD_NONE)
			continue;
		fabric->ports[p].peer = moved[fabric->ports[p].peer];
		fabric->n_links += fabric->ports[p].peer < p;
	}
	free(moved);
	return 0;
}

struct endport_key {
	uint64_t guid;
	uint32_t index;
	bool unlinked;
};

static int compare_endports(const void *a, const void *b)
{
	const struct endport_key *x = a, *y = b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	if (x->unlinked != y->unlinked)
		return x->unlinked ? 1 : -1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/*
 * Lists the end ports. The GUID of an adapter's port without a link is a guess, since no tool sees
 * such a port: where another port has that GUID, the guess is dropped.
 */
static int list_endports(struct hd_fabric *fabric, const struct endport_key *keys, size_t n,
			 const unsigned *lines, struct hd_error *err)
{
	uint64_t last = 0;
	int ret;

	for (size_t i = 0; i < n; i++) {
		if (keys[i].unlinked && (keys[i].guid == 0 || keys[i].guid == last)) {
			fabric->ports[keys[i].index].guid = 0;
			continue;
		}
		if (keys[i].guid == 0)
			return hd_error_set(err, HD_EINVAL, "a port has GUID 0");
		if (keys[i].guid == last) {
			ret = hd_error_set(err, HD_EINVAL,
					   "GUID 0x%016" PRIx64 " belongs to two ports", last);
			return at_later(lines, fabric->ports[keys[i].index].node,
					fabric->ports[keys[i - 1].index].node, ret, err);
		}
		last = keys[i].guid;
		fabric->endports[fabric->n_endports++] = keys[i].index;
	}
	return 0;
}

static int index_endports(struct hd_fabric *fabric, const unsigned *lines, struct hd_error *err)
{
	struct endport_key *keys = malloc((fabric->n_ports + 1) * sizeof(*keys));
	size_t n = 0;
	int ret;

	fabric->endports = malloc((fabric->n_ports + 1) * sizeof(*fabric->endports));
	if (!keys || !fabric->endports) {
		free(keys);
		return hd_error_nomem(err);
	}
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		if ((port->number == 0) == hd_is_switch(fabric, port->node))
			keys[n++] = (struct endport_key){
				.guid = port->guid,
				.index = p,
				.unlinked = port->number != 0 && port->peer == HD_NONE,
			};
	}
	qsort(keys, n, sizeof(*keys), compare_endports);
	ret = list_endports(fabric, keys, n, lines, err);
	free(keys);
	return ret;
}

static int check_lid_range(const struct hd_fabric *fabric, const struct hd_port *port,
			   struct hd_error *err)
{
	char label[320];

	if (port->lmc <= HD_MAX_LMC && port->lid + (1u << port->lmc) - 1 <= HD_MAX_LID)
		return 0;
	hd_port_label(fabric, (uint32_t)(port - fabric->ports), label, sizeof(label));
	return hd_error_set(err, HD_ERANGE, "%s: LID %u with LMC %u exceeds LID %u or LMC %u",
			    label, port->lid, port->lmc, HD_MAX_LID, HD_MAX_LMC);
}

static void place_lid(const struct hd_fabric *fabric, uint32_t p, struct hd_lid *place)
{
	const struct hd_port *port = &fabric->ports[p];

	*place = (struct hd_lid){ .port = p, .via_switch = HD_NONE };
	if (hd_is_switch(fabric, port->node)) {
		place->via_switch = port->node;
	} else if (port->peer != HD_NONE && hd_is_switch(fabric, fabric->ports[port->peer].node)) {
		place->via_switch = fabric->ports[port->peer].node;
		place->via_port = fabric->ports[port->peer].number;
	}
}

static int index_lids(struct hd_fabric *fabric, const unsigned *lines, struct hd_error *err)
{
	int ret;

	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];
		uint32_t top = port->lid + (1u << (port->lmc & 7)) - 1;

		if (!port->lid)
			continue;
		ret = check_lid_range(fabric, port, err);
		if (ret)
			return at_later(lines, port->node, port->node, ret, err);
		if (top > fabric->top_lid)
			fabric->top_lid = top;
	}
	fabric->lids = malloc((fabric->top_lid + 1) * sizeof(*fabric->lids));
	if (!fabric->lids)
		return hd_error_nomem(err);
	for (uint32_t lid = 0; lid <= fabric->top_lid; lid++)
		fabric->lids[lid] = (struct hd_lid){ .port = HD_NONE, .via_switch = HD_NONE };
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		uint32_t p = fabric->endports[i];
		const struct hd_port *port = &fabric->ports[p];

		for (uint32_t offset = 0; port->lid && offset < 1u << port->lmc; offset++) {
			struct hd_lid *place = &fabric->lids[port->lid + offset];
			char mine[320], theirs[320];

			if (place->port != HD_NONE) {
				ret = hd_error_set(
					err, HD_EINVAL, "LID %u belongs to %s and to %s",
					port->lid + offset,
					hd_port_label(fabric, place->port, theirs, sizeof(theirs)),
					hd_port_label(fabric, p, mine, sizeof(mine)));
				return at_later(lines, port->node, fabric->ports[place->port].node,
						ret, err);
			}
			place_lid(fabric, p, place);
		}
	}
	return 0;
}

/* Every switch and every linked port of other nodes needs a LID of its own, whoever gives them. */
static int check_lids_suffice(const struct hd_fabric *fabric, struct hd_error *err)
{
	uint64_t n = fabric->n_switches;

	hd_for_each_port(p, fabric)
		n += fabric->ports[p].peer != HD_NONE &&
		     !hd_is_switch(fabric, fabric->ports[p].node);
	if (n <= HD_MAX_LID)
		return 0;
	return hd_error_set(err, HD_ERANGE,
			    "%" PRIu64 " switches and linked end ports: InfiniBand has %u unicast "
			    "LIDs",
			    n, HD_MAX_LID);
}

int hd_builder_finish(struct hd_builder *builder, struct hd_fabric **result, struct hd_error *err)
{
	struct hd_fabric *fabric = calloc(1, sizeof(*fabric));
	struct sort_key *keys = malloc((builder->n_nodes + 1) * sizeof(*keys));
	unsigned *lines = malloc((builder->n_nodes + 1) * sizeof(*lines)); /* by node of @fabric */
	int ret = 0;

	*result = NULL;
	if (!fabric || !keys || !lines) {
		ret = hd_error_nomem(err);
		goto out;
	}
	fabric->n_nodes = (uint32_t)builder->n_nodes;
	fabric->n_ports = (uint32_t)builder->n_ports;
	fabric->nodes = malloc((builder->n_nodes + 1) * sizeof(*fabric->nodes));
	fabric->ports = malloc((builder->n_ports + 1) * sizeof(*fabric->ports));
	if (!fabric->nodes || !fabric->ports) {
		ret = hd_error_nomem(err);
		goto out;
	}
	fabric->names = builder->names;
	builder->names = NULL;

	hd_for_each_node(n, fabric)
		keys[n] = (struct sort_key){ .guid = builder->nodes[n].guid,
					     .index = n,
					     .end_node = builder->nodes[n].type != HD_SWITCH };
	qsort(keys, fabric->n_nodes, sizeof(*keys), compare_keys);
	hd_for_each_node(n, fabric)
		lines[n] = builder->lines[keys[n].index];
	ret = check_unique(keys, fabric->n_nodes, builder->lines, err);
	if (!ret)
		ret = check_disjoint(keys, fabric->n_nodes, builder->lines, err);
	if (!ret)
		ret = place_nodes(builder, keys, fabric, err);
	if (!ret)
		ret = hd_fabric_mark_names(fabric, err);
	if (!ret)
		ret = check_lids_suffice(fabric, err);
	if (!ret)
		ret = index_endports(fabric, lines, err);
	if (!ret)
		ret = index_lids(fabric, lines, err);
	if (!ret) {
		*result = fabric;
		fabric = NULL;
	}
out:
	hd_fabric_free(fabric);
	free(keys);
	free(lines);
	hd_builder_free(builder);
	return ret;
}
