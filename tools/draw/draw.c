// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/draw/draw.h"

#include <stdlib.h>
#include <string.h>

#include "check/load.h"
#include "support/error.h"
#include "tools/link_classes.h"
#include "topologies/recognise.h"
#include "topologies/switch_levels.h"

#define MOST_NODES_WITH_HOSTS 3000

/*
 * Forgets groups: in a picture of a grid no link is local or global, even if the grid is a
 * dragonfly, too.
 */
static void forget_groups(struct hd_drawing *drawing)
{
	hd_for_each_port(p, drawing->fabric)
		if (drawing->class[p] == HD_LOAD_LOCAL || drawing->class[p] == HD_LOAD_GLOBAL)
			drawing->class[p] = HD_LOAD_SWITCH;
}

static void mark_failed(struct hd_drawing *drawing, const struct hd_fabric *after)
{
	const struct hd_fabric *fabric = drawing->fabric;

	hd_for_each_node(node, fabric) {
		uint32_t now = hd_fabric_find_node(after, fabric->nodes[node].guid);

		drawing->failed_node[node] = now == HD_NONE;
		for (unsigned number = 0; number <= fabric->nodes[node].n_ports; number++)
			drawing->failed_port[hd_port_index(fabric, node, number)] =
				now == HD_NONE || hd_peer_node(after, now, number) == HD_NONE;
	}
}

static int count_flows(struct hd_drawing *drawing, const struct hd_tables *tables,
		       struct hd_error *err)
{
	const struct hd_fabric *fabric = drawing->fabric;
	struct hd_load load = { 0 };
	int ret = hd_load_compute(tables, &load, err);

	if (ret)
		return ret;
	drawing->flows = malloc((fabric->n_ports + (size_t)1) * sizeof(*drawing->flows));
	if (!drawing->flows) {
		hd_load_clear(&load);
		return hd_error_nomem(err);
	}
	hd_for_each_port(p, fabric) {
		drawing->flows[p] = hd_load_port(&load, p);
		if (drawing->flows[p] > drawing->most && hd_is_switch_link(fabric, p))
			drawing->most = drawing->flows[p];
	}
	hd_load_clear(&load);
	return 0;
}

/*
 * Draws a tree as a tree even where it is so small that it is a grid as well: two leaves and a
 * spine are a line. The line switches of a KNS have no hosts either: a KNS of several dimensions,
 * of which little is missing, is drawn as a grid.
 */
static int prefer_tree(const struct hd_fabric *fabric, const struct hd_grid **grid,
		       struct hd_error *err)
{
	struct hd_switch_levels levels;
	bool is_kns;
	int ret;

	if (!*grid)
		return 0;
	is_kns = (*grid)->kind[0] == HD_GRID_SWITCHED && (*grid)->n_dimensions > 1 &&
		 (*grid)->n_missing_switches * UINT64_C(8) <= (*grid)->n_points &&
		 (*grid)->n_missing_links * UINT64_C(8) <= (*grid)->n_points;
	if (is_kns)
		return 0;
	ret = hd_switch_levels_find(fabric, &levels, err);
	if (!ret && hd_switch_levels_are_of_tree(&levels))
		*grid = NULL;
	hd_switch_levels_clear(&levels);
	return ret;
}

int hd_drawing_make(const struct hd_fabric *fabric, const struct hd_fabric *after,
		    const struct hd_tables *tables, const struct hd_dragonfly *dragonfly,
		    const struct hd_grid *grid, const struct hd_low_diameter *low,
		    struct hd_drawing *drawing, struct hd_error *err)
{
	int ret;

	*drawing = (struct hd_drawing){
		.fabric = fabric,
		.failed_node = calloc(fabric->n_nodes + (size_t)1, sizeof(bool)),
		.failed_port = calloc(fabric->n_ports + (size_t)1, sizeof(bool)),
		.with_hosts = fabric->n_nodes <= MOST_NODES_WITH_HOSTS,
	};
	if (!drawing->failed_node || !drawing->failed_port)
		return hd_error_nomem(err);
	ret = prefer_tree(fabric, &grid, err);
	if (!ret)
		ret = hd_load_classes(fabric, &drawing->class, err);
	if (!ret && dragonfly) {
		ret = hd_draw_place_dragonfly(fabric, dragonfly, &drawing->at, err);
	} else if (!ret && low && low->kind == HD_LOW_SLIMFLY) {
		forget_groups(drawing);
		ret = hd_draw_place_slimfly(fabric, low, &drawing->at, err);
	} else if (!ret && grid) {
		forget_groups(drawing);
		ret = hd_draw_place_grid(fabric, grid, &drawing->at, err);
	}
	if (!ret && after)
		mark_failed(drawing, after);
	else if (!ret && tables)
		ret = count_flows(drawing, tables, err);
	if (!ret && !drawing->at)
		ret = hd_draw_boxes_make(drawing, err);
	return ret;
}

int hd_drawing_of_shapes(const struct hd_fabric *fabric, const struct hd_fabric *after,
			 const struct hd_tables *tables, const struct hd_shapes *shapes,
			 struct hd_drawing *drawing, struct hd_error *err)
{
	return hd_drawing_make(fabric, after, tables,
			       hd_shapes_prefer_grid(shapes) ? NULL : shapes->dragonfly,
			       shapes->grid, shapes->low, drawing, err);
}

void hd_drawing_clear(struct hd_drawing *drawing)
{
	free(drawing->failed_node);
	free(drawing->failed_port);
	free(drawing->flows);
	free(drawing->class);
	free(drawing->at);
	free(drawing->absent);
	hd_draw_boxes_free(drawing->boxes);
	*drawing = (struct hd_drawing){ 0 };
}

static bool is_drawn(const struct hd_drawing *drawing, uint32_t port)
{
	return drawing->with_hosts ||
	       hd_is_switch(drawing->fabric, drawing->fabric->ports[port].node);
}

bool hd_drawing_has_link(const struct hd_drawing *drawing, uint32_t port)
{
	uint32_t peer = drawing->fabric->ports[port].peer;

	return peer != HD_NONE && port < peer && is_drawn(drawing, port) && is_drawn(drawing, peer);
}

/* From pale to dark, over the share of the most loaded link. */
static const char *colour_of_load(double share, char colour[8])
{
	static const unsigned char ramp[][3] = {
		{ 0xd9, 0xe6, 0xf2 }, { 0x74, 0xad, 0xd1 }, { 0xfe, 0xc4, 0x4f },
		{ 0xf4, 0x6d, 0x43 }, { 0xa5, 0x00, 0x26 },
	};
	const unsigned last = sizeof(ramp) / sizeof(ramp[0]) - 1;
	double place = (share > 1 ? 1 : share) * last;
	unsigned step = place >= last ? last - 1 : (unsigned)place;
	unsigned char mixed[3];

	for (unsigned i = 0; i < 3; i++)
		mixed[i] =
			(unsigned char)(ramp[step][i] +
					(place - step) * (ramp[step + 1][i] - ramp[step][i]) + 0.5);
	snprintf(colour, 8, "#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
	return colour;
}

const char *hd_drawing_colour(const struct hd_drawing *drawing, uint32_t port, char colour[8])
{
	uint32_t peer = drawing->fabric->ports[port].peer;

	if (drawing->failed_port[port])
		return HD_RED;
	switch (drawing->class[port]) {
	case HD_LOAD_INJECTION:
	case HD_LOAD_TERMINAL:
		return "#bbbbbb";
	default:
		break;
	}
	if (drawing->flows && drawing->most) {
		uint32_t one = drawing->flows[port], other = drawing->flows[peer];

		return colour_of_load((double)(one > other ? one : other) / drawing->most, colour);
	}
	return drawing->class[port] == HD_LOAD_GLOBAL ? "#4575b4" : "#777777";
}

double hd_drawing_width(const struct hd_drawing *drawing, uint32_t port)
{
	if (drawing->failed_port[port])
		return 2.5;
	switch (drawing->class[port]) {
	case HD_LOAD_INJECTION:
	case HD_LOAD_TERMINAL:
		return 0.7;
	default:
		return drawing->flows ? 1.8 : 1.2;
	}
}
