// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/switch_view.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"
#include "tables/ar.h"
#include "topologies/rings.h"

/* Bytes of distances, at most. */
#define MOST_BYTES (UINT64_C(1) << 32)

/* enum hd_link_class of the link at @port of @structure's fabric. */
static unsigned class_of(const struct hd_fabric *fabric, const struct hd_structure *structure,
			 uint32_t port)
{
	if (!hd_is_switch(fabric, fabric->ports[fabric->ports[port].peer].node))
		return HD_LINK_TERMINAL;
	if (structure->port_class && structure->port_class[port] == HD_PORT_GLOBAL)
		return HD_LINK_GLOBAL;
	return HD_LINK_LOCAL;
}

/* @locals: [fabric port] its local number. */
static int number_ports(struct hd_shape *shape, uint8_t *locals, struct hd_error *err)
{
	const struct hd_fabric *fabric = shape->fabric;

	for (uint32_t at = 0; at < shape->n_switches; at++) {
		const struct hd_node *node = &fabric->nodes[at];
		unsigned n = 0;

		for (unsigned i = 0; i <= node->n_ports; i++)
			if (fabric->ports[node->first_port + i].peer != HD_NONE)
				locals[node->first_port + i] = (uint8_t)n++;
		if (n > HD_SHAPE_PORTS)
			return hd_error_set(err, HD_ERANGE,
					    "a switch has %u links, and switches that choose paths "
					    "can have %u",
					    n, HD_SHAPE_PORTS);
		shape->n_locals[at] = (uint8_t)n;
		if (n > shape->n_ports)
			shape->n_ports = n;
	}
	return 0;
}

static int fill_ports(struct hd_shape *shape, const struct hd_structure *structure,
		      const uint8_t *locals)
{
	const struct hd_fabric *fabric = shape->fabric;
	size_t n = shape->n_switches * (size_t)shape->n_ports + 1;

	shape->fabric_port = malloc(n * sizeof(*shape->fabric_port));
	shape->neighbour = malloc(n * sizeof(*shape->neighbour));
	shape->far_port = calloc(n, 1);
	shape->link_class = calloc(n, 1);
	shape->of_class =
		calloc(shape->n_switches * (size_t)HD_LINK_CLASSES + 1, sizeof(*shape->of_class));
	if (!shape->fabric_port || !shape->neighbour || !shape->far_port || !shape->link_class ||
	    !shape->of_class)
		return HD_ENOMEM;
	for (size_t i = 0; i < n; i++)
		shape->fabric_port[i] = shape->neighbour[i] = HD_NONE;
	for (uint32_t at = 0; at < shape->n_switches; at++) {
		const struct hd_node *node = &fabric->nodes[at];

		for (unsigned i = 0; i <= node->n_ports; i++) {
			uint32_t port = node->first_port + i, peer = fabric->ports[port].peer;
			size_t index;

			if (peer == HD_NONE)
				continue;
			index = hd_shape_port(shape, at, locals[port]);
			shape->fabric_port[index] = port;
			shape->link_class[index] = (uint8_t)class_of(fabric, structure, port);
			shape->of_class[at * HD_LINK_CLASSES + shape->link_class[index]] |=
				UINT64_C(1) << locals[port];
			if (!hd_is_switch(fabric, fabric->ports[peer].node))
				continue;
			shape->neighbour[index] = fabric->ports[peer].node;
			shape->far_port[index] = locals[peer];
		}
	}
	return 0;
}

/* Targets of the LIDs of @host, which is at switch @at. */
static void add_targets(struct hd_shape *shape, size_t n_lids, uint32_t at,
			const struct hd_port *host)
{
	for (unsigned i = 0; host->lid && i < 1u << host->lmc && host->lid + i < n_lids; i++) {
		unsigned target = shape->forwarding.class_of[host->lid + i];

		shape->target_switch[target] = at;
		if (shape->first_target[at] == HD_NONE)
			shape->first_target[at] = target;
	}
}

/* Links from @at to @target's switch; HD_FAR where the way does not arrive. */
static unsigned walk(const struct hd_shape *shape, uint32_t at, uint32_t target)
{
	unsigned n = 0;

	while (at != shape->target_switch[target]) {
		unsigned next = hd_shape_next(shape, at, target);

		if (next >= shape->n_locals[at] || ++n == HD_FAR)
			return HD_FAR;
		at = shape->neighbour[hd_shape_port(shape, at, next)];
		if (at == HD_NONE)
			return HD_FAR;
	}
	return n;
}

static int fill_ways(struct hd_shape *shape, const struct hd_tables *tables, const uint8_t *locals,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = shape->fabric;
	int ret = hd_forwarding_new(&shape->forwarding, tables, locals, shape->n_locals, err);
	size_t n_classes;
	uint64_t bytes;

	if (ret)
		return ret;
	n_classes = shape->forwarding.n_classes;
	bytes = (uint64_t)shape->n_switches * n_classes;
	if (bytes > MOST_BYTES)
		return hd_error_set(
			err, HD_ERANGE,
			"%u switches and %zu targets are too many for paths of packets' own",
			shape->n_switches, n_classes);
	shape->target_switch = malloc((n_classes + 1) * sizeof(*shape->target_switch));
	shape->first_target =
		malloc((shape->n_switches + (size_t)1) * sizeof(*shape->first_target));
	shape->distance = hd_alloc_large(bytes + 1);
	if (!shape->target_switch || !shape->first_target || !shape->distance)
		return HD_ENOMEM;
	for (uint32_t at = 0; at < shape->n_switches; at++)
		shape->first_target[at] = HD_NONE;
	memset(shape->target_switch, 0xFF, n_classes * sizeof(*shape->target_switch));
	for (uint32_t at = 0; at < shape->n_switches; at++)
		for (unsigned port = 0; port < shape->n_locals[at]; port++) {
			size_t index = hd_shape_port(shape, at, port);

			if (shape->neighbour[index] == HD_NONE)
				add_targets(shape, tables->lft_stride, at,
					    &fabric->ports[fabric->ports[shape->fabric_port[index]]
								   .peer]);
		}
	/*
	 * the last classes are of hosts that no switch leads to, wherever entries send packets to
	 * them
	 */
	shape->n_targets = n_classes;
	while (shape->n_targets && shape->target_switch[shape->n_targets - 1] == HD_NONE)
		shape->n_targets--;
	for (uint32_t at = 0; at < shape->n_switches; at++)
		memset(shape->forwarding.hops + at * n_classes + shape->n_targets, HD_HOP_NONE,
		       n_classes - shape->n_targets);
	for (uint32_t at = 0; at < shape->n_switches; at++)
		for (size_t target = 0; target < shape->n_targets; target++)
			shape->distance[at * shape->n_targets + target] =
				(uint8_t)walk(shape, at, (uint32_t)target);
	return 0;
}

static int fill_sets(struct hd_shape *shape, const struct hd_tables *tables, const uint8_t *locals)
{
	size_t n = 0;

	if (!tables->ar)
		return 0;
	shape->first_set = malloc((shape->n_switches + (size_t)1) * sizeof(*shape->first_set));
	if (!shape->first_set)
		return HD_ENOMEM;
	for (uint32_t at = 0; at < shape->n_switches; at++) {
		shape->first_set[at] = n;
		n += tables->ar->groups[at].n;
	}
	shape->sets = calloc(n + 1, sizeof(*shape->sets));
	if (!shape->sets)
		return HD_ENOMEM;
	for (uint32_t at = 0; at < shape->n_switches; at++)
		for (uint32_t i = 0; i < tables->ar->groups[at].n; i++)
			hd_for_each_in_set(port, &tables->ar->groups[at].sets[i]) {
				unsigned local = locals[hd_port_index(shape->fabric, at, port)];

				/* what leads to a host is no way to others */
				if (local != HD_HOP_NONE &&
				    shape->neighbour[hd_shape_port(shape, at, local)] != HD_NONE)
					shape->sets[shape->first_set[at] + i] |= UINT64_C(1)
										 << local;
			}
	return 0;
}

static int fill_groups(struct hd_shape *shape, const struct hd_structure *structure)
{
	uint32_t n = structure->n_groups, used = 0;

	shape->n_groups = n;
	shape->group = malloc((shape->n_switches + (size_t)1) * sizeof(*shape->group));
	shape->group_first = calloc(n + (size_t)1, sizeof(*shape->group_first));
	shape->members = malloc((shape->n_switches + (size_t)1) * sizeof(*shape->members));
	shape->to_group = calloc(shape->n_switches * (size_t)n + 1, sizeof(*shape->to_group));
	if (!shape->group || !shape->group_first || !shape->members || !shape->to_group)
		return HD_ENOMEM;
	memcpy(shape->group, structure->group, shape->n_switches * sizeof(*shape->group));
	for (uint32_t group = 0; group < n; group++) {
		shape->group_first[group] = used;
		for (uint32_t at = 0; at < shape->n_switches; at++)
			if (shape->group[at] == group && shape->first_target[at] != HD_NONE)
				shape->members[used++] = at;
	}
	shape->group_first[n] = used;
	for (uint32_t at = 0; at < shape->n_switches; at++)
		for (unsigned port = 0; port < shape->n_locals[at]; port++) {
			uint32_t there = shape->neighbour[hd_shape_port(shape, at, port)];

			if (there != HD_NONE)
				shape->to_group[at * (size_t)n + shape->group[there]] |= UINT64_C(1)
											 << port;
		}
	return 0;
}

/* Coordinates of the switches that are points; line switches have those of their neighbours. */
static void fill_coordinates(struct hd_shape *shape, const struct hd_grid *grid)
{
	unsigned n = shape->n_dimensions;

	for (uint32_t at = 0; at < shape->n_switches; at++) {
		uint32_t point = grid->point[at];

		for (unsigned d = 0; d < n; d++)
			shape->coordinate[at * (size_t)n + d] =
				point == HD_NONE ? HD_NO_COORDINATE
						 : (uint16_t)hd_grid_coordinate(grid, point, d);
	}
	for (size_t i = 0; i < n * (size_t)grid->n_points; i++) {
		uint32_t line = grid->line_switch[i], point = (uint32_t)(i % grid->n_points);

		if (line == HD_NONE)
			continue;
		for (unsigned d = 0; d < n; d++)
			if (d != i / grid->n_points)
				shape->coordinate[line * (size_t)n + d] =
					(uint16_t)hd_grid_coordinate(grid, point, d);
	}
}

static int fill_grid(struct hd_shape *shape, const struct hd_grid *grid)
{
	size_t n = shape->n_switches * (size_t)grid->n_dimensions + 1;

	shape->n_dimensions = grid->n_dimensions;
	shape->is_degraded = grid->n_missing_links || grid->n_missing_switches;
	memcpy(shape->size, grid->size, sizeof(shape->size));
	memcpy(shape->kind, grid->kind, sizeof(shape->kind));
	shape->coordinate = malloc(n * sizeof(*shape->coordinate));
	shape->dimension = malloc(shape->n_switches * (size_t)shape->n_ports + 1);
	shape->of_dimension = calloc(n, sizeof(*shape->of_dimension));
	if (!shape->coordinate || !shape->dimension || !shape->of_dimension)
		return HD_ENOMEM;
	fill_coordinates(shape, grid);
	for (uint32_t at = 0; at < shape->n_switches; at++)
		for (unsigned port = 0; port < shape->n_ports; port++) {
			size_t index = hd_shape_port(shape, at, port);
			unsigned d = HD_NO_DIMENSION;

			if (shape->fabric_port[index] != HD_NONE)
				d = grid->port_dimension[shape->fabric_port[index]];
			shape->dimension[index] = (uint8_t)d;
			if (d != HD_NO_DIMENSION)
				shape->of_dimension[at * (size_t)shape->n_dimensions + d] |=
					UINT64_C(1) << port;
		}
	return 0;
}

int hd_shape_new(const struct hd_tables *tables, const struct hd_structure *structure,
		 struct hd_shape **result, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_shape *shape = calloc(1, sizeof(*shape));
	uint8_t *locals = malloc(fabric->n_ports + (size_t)1);
	int ret = HD_ENOMEM;

	*result = NULL;
	if (shape && locals) {
		memset(locals, HD_HOP_NONE, fabric->n_ports);
		shape->fabric = fabric;
		shape->tables = tables;
		shape->structure = structure;
		shape->n_switches = fabric->n_switches;
		shape->n_locals = calloc(fabric->n_switches + (size_t)1, 1);
		if (shape->n_locals)
			ret = number_ports(shape, locals, err);
	}
	if (!ret)
		ret = fill_ports(shape, structure, locals);
	if (!ret)
		ret = fill_ways(shape, tables, locals, err);
	if (!ret)
		ret = fill_sets(shape, tables, locals);
	if (!ret && structure->group)
		ret = fill_groups(shape, structure);
	if (!ret && structure->grid)
		ret = fill_grid(shape, structure->grid);
	free(locals);
	if (ret) {
		hd_shape_free(shape);
		return ret == HD_ENOMEM ? hd_error_nomem(err) : ret;
	}
	*result = shape;
	return 0;
}

int hd_shape_set_rings(struct hd_shape *shape, const struct hd_rings *rings, struct hd_error *err)
{
	const size_t n = shape->n_switches * (size_t)shape->n_ports;

	shape->n_rings = rings->n;
	shape->ring = calloc(n + 1, sizeof(*shape->ring));
	if (!shape->ring)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++)
		if (shape->fabric_port[i] != HD_NONE)
			shape->ring[i] = rings->of[shape->fabric_port[i]];
	return 0;
}

void hd_shape_free(struct hd_shape *shape)
{
	if (!shape)
		return;
	free(shape->n_locals);
	free(shape->fabric_port);
	free(shape->neighbour);
	free(shape->far_port);
	free(shape->link_class);
	free(shape->of_class);
	hd_forwarding_free(&shape->forwarding);
	free(shape->target_switch);
	free(shape->first_target);
	free(shape->distance);
	free(shape->sets);
	free(shape->first_set);
	free(shape->group);
	free(shape->group_first);
	free(shape->members);
	free(shape->to_group);
	free(shape->coordinate);
	free(shape->dimension);
	free(shape->of_dimension);
	free(shape->ring);
	free(shape);
}
