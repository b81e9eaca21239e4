// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From coordinates to struct hd_grid; here it is checked that every link fits. */
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/grid_search.h"

#define MISSING_SHARE 4 /* where more than one part in this many is missing, there is no grid */

/* Sets the point of every switch. */
static int set_points(const struct hd_grid_net *net, const struct hd_grid_places *places,
		      struct hd_grid *grid, struct hd_error *err)
{
	for (uint32_t v = 0; v < net->n; v++) {
		uint32_t point = 0, stride = 1, s = net->switch_of[v];

		for (unsigned d = 0; d < grid->n_dimensions; d++) {
			point += places->at[d][v] * stride;
			stride *= grid->size[d];
		}
		if (grid->switch_at[point] != HD_NONE)
			return hd_error_set(err, HD_EREFUSED,
					    "not a grid: %.64s and %.64s have the same coordinates",
					    hd_node_name(net->fabric, grid->switch_at[point]),
					    hd_node_name(net->fabric, s));
		grid->point[s] = point;
		grid->switch_at[point] = s;
	}
	return 0;
}

/* The dimension in which two points are joined; HD_NO_DIMENSION: they are not. */
static uint8_t joining(const struct hd_grid *grid, const struct hd_grid_places *places, uint32_t a,
		       uint32_t b)
{
	uint8_t found = HD_NO_DIMENSION;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		uint32_t x = a % grid->size[d], y = b % grid->size[d];

		a /= grid->size[d];
		b /= grid->size[d];
		if (x == y)
			continue;
		if (found != HD_NO_DIMENSION || !hd_grid_adjacent(places, d, x, y))
			return HD_NO_DIMENSION;
		found = (uint8_t)d;
	}
	return found;
}

static int refuse_link(const struct hd_fabric *fabric, uint32_t s, uint32_t t, struct hd_error *err)
{
	return hd_error_set(err, HD_EREFUSED,
			    "not a grid: %.64s and %.64s are linked, but not neighbours on it",
			    hd_node_name(fabric, s), hd_node_name(fabric, t));
}

/*
 * The dimension of a line switch, from the switches that it is linked to; HD_EREFUSED as for links.
 */
static int find_line_dimension(const struct hd_grid_net *net, const struct hd_grid_places *places,
			       const struct hd_grid *grid, uint32_t bus, uint8_t *dimension,
			       struct hd_error *err)
{
	const uint32_t *member = net->member + net->first[bus];
	uint32_t n = net->first[bus + 1] - net->first[bus];

	*dimension = net->label[bus];
	for (uint32_t i = 1; i < n; i++) {
		uint8_t d = joining(grid, places, grid->point[net->switch_of[member[0]]],
				    grid->point[net->switch_of[member[i]]]);

		if (d == HD_NO_DIMENSION || (i > 1 && d != *dimension))
			return refuse_link(net->fabric, net->switch_of[member[i]],
					   net->bus_switch[bus], err);
		*dimension = d;
	}
	for (uint8_t d = 0; *dimension >= grid->n_dimensions && d < grid->n_dimensions; d++)
		if (n && grid->line_switch[(size_t)d * grid->n_points +
					   grid->point[net->switch_of[member[0]]]] == HD_NONE)
			*dimension = d;
	if (*dimension >= grid->n_dimensions)
		return hd_error_set(err, HD_EREFUSED, "not a grid: switch %.64s serves no line",
				    hd_node_name(net->fabric, net->bus_switch[bus]));
	return 0;
}

/* Makes the line switch of @bus that of all points of its line. */
static int set_line(const struct hd_grid_net *net, const struct hd_grid_places *places,
		    struct hd_grid *grid, uint32_t bus, struct hd_error *err)
{
	uint8_t dimension;
	int ret = find_line_dimension(net, places, grid, bus, &dimension, err);
	uint32_t point, *line_switch;

	if (ret)
		return ret;
	point = grid->point[net->switch_of[net->member[net->first[bus]]]];
	line_switch = grid->line_switch + (size_t)dimension * grid->n_points;
	if (line_switch[point] != HD_NONE)
		return hd_error_set(err, HD_EREFUSED,
				    "not a grid: switches %.64s and %.64s serve the same line",
				    hd_node_name(net->fabric, line_switch[point]),
				    hd_node_name(net->fabric, net->bus_switch[bus]));
	for (uint32_t c = 0; c < grid->size[dimension]; c++)
		line_switch[hd_grid_move(grid, point, dimension, c)] = net->bus_switch[bus];
	return 0;
}

static int set_lines(const struct hd_grid_net *net, const struct hd_grid_places *places,
		     struct hd_grid *grid, struct hd_error *err)
{
	for (int single = 0; single < 2; single++) /* line switches with one member take the
						      lines that are left */
		for (uint32_t bus = 0; bus < net->n_buses; bus++) {
			int ret;

			if ((net->first[bus + 1] - net->first[bus] == 1) != single)
				continue;
			ret = set_line(net, places, grid, bus, err);
			if (ret)
				return ret;
		}
	return 0;
}

/* The dimension of a link between switches. */
static uint8_t link_dimension(const struct hd_grid *grid, const struct hd_grid_places *places,
			      uint32_t s, uint32_t t)
{
	uint32_t router = grid->point[s] == HD_NONE ? t : s, line = router == s ? t : s;
	uint32_t point = grid->point[router];

	if (grid->point[line] != HD_NONE)
		return joining(grid, places, point, grid->point[line]);
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		if (grid->line_switch[(size_t)d * grid->n_points + point] == line)
			return (uint8_t)d;
	return HD_NO_DIMENSION;
}

static int set_ports(const struct hd_fabric *fabric, const struct hd_grid_places *places,
		     struct hd_grid *grid, struct hd_error *err)
{
	hd_for_each_switch(s, fabric)
		hd_for_each_number(port, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, port);
			uint8_t dimension;

			if (peer == HD_NONE || !hd_is_switch(fabric, peer) || peer == s)
				continue;
			dimension = link_dimension(grid, places, s, peer);
			if (dimension == HD_NO_DIMENSION)
				return refuse_link(fabric, s, peer, err);
			grid->port_dimension[hd_port_index(fabric, s, port)] = dimension;
		}
	return 0;
}

/* Pairs of present switches along @dimension that a perfect grid links. */
static uint64_t count_pairs(const struct hd_grid *grid, unsigned dimension)
{
	const uint32_t size = grid->size[dimension];
	uint64_t n = 0;

	for (uint32_t point = 0; point < grid->n_points; point++) {
		uint32_t c = hd_grid_coordinate(grid, point, dimension), begin = c + 1, end = size;

		if (grid->switch_at[point] == HD_NONE)
			continue;
		switch (grid->kind[dimension]) {
		case HD_GRID_SWITCHED:
			n += grid->line_switch[(size_t)dimension * grid->n_points + point] !=
			     HD_NONE;
			continue;
		case HD_GRID_LINE:
			end = begin < size ? begin + 1 : begin;
			break;
		case HD_GRID_RING:
			begin %= size;
			end = begin + 1;
			break;
		case HD_GRID_FULL:
			break;
		}
		for (uint32_t to = begin; to < end; to++)
			n += grid->switch_at[hd_grid_move(grid, point, dimension, to)] != HD_NONE;
	}
	return n;
}

static int count_missing(const struct hd_grid_net *net, struct hd_grid *grid, struct hd_error *err)
{
	uint64_t pairs = 0, switches = grid->n_points, links;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		pairs += count_pairs(grid, d);
		if (grid->kind[d] == HD_GRID_SWITCHED)
			switches += grid->n_points / grid->size[d];
	}
	links = net->switched ? net->first[net->n_buses] : net->n_buses;
	grid->n_missing_links = (uint32_t)(pairs - links);
	grid->n_missing_switches = (uint32_t)(switches - net->fabric->n_switches);
	if ((uint64_t)grid->n_missing_links * MISSING_SHARE > pairs ||
	    (uint64_t)grid->n_missing_switches * MISSING_SHARE > switches)
		return hd_error_set(err, HD_EREFUSED,
				    "not a grid: the nearest one lacks %u of %u switches and %u of "
				    "%u links",
				    grid->n_missing_switches, (unsigned)switches,
				    grid->n_missing_links, (unsigned)pairs);
	return 0;
}

/* How many cables join @s and @peer, by the lowest port of @s alone; by others 0. */
static unsigned count_trunk(const struct hd_fabric *fabric, uint32_t s, unsigned port)
{
	const uint32_t peer = hd_peer_node(fabric, s, port);
	unsigned n = 0;

	hd_for_each_number(other, fabric, s) {
		if (hd_peer_node(fabric, s, other) != peer)
			continue;
		if (other < port)
			return 0;
		n++;
	}
	return n;
}

static void count_cables(const struct hd_fabric *fabric, struct hd_grid *grid)
{
	uint32_t pairs[HD_MAX_DIMENSIONS][HD_MAX_PORTS + 1] = { { 0 } };

	hd_for_each_switch(s, fabric)
		hd_for_each_number(port, fabric, s) {
			const unsigned d = grid->port_dimension[hd_port_index(fabric, s, port)];

			if (d != HD_NO_DIMENSION && hd_peer_node(fabric, s, port) > s)
				pairs[d][count_trunk(fabric, s, port)]++;
		}
	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		unsigned most = 1;

		for (unsigned n = 2; n <= HD_MAX_PORTS; n++)
			if (pairs[d][n] > pairs[d][most])
				most = n;
		for (unsigned n = 1; n < most; n++)
			grid->n_missing_cables += (most - n) * pairs[d][n];
		grid->cables[d] = (uint8_t)most;
	}
}

/* A ring of three is a full mesh: it gets the kind of the longer lines of its dimension. */
static void settle_triangles(struct hd_grid *grid)
{
	bool full = false, ring = false;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		full |= grid->kind[d] == HD_GRID_FULL;
		ring |= grid->kind[d] == HD_GRID_RING && grid->size[d] > 3;
	}
	for (unsigned d = 0; d < grid->n_dimensions; d++)
		if (grid->kind[d] == HD_GRID_RING && grid->size[d] == 3 && full && !ring)
			grid->kind[d] = HD_GRID_FULL;
}

static struct hd_grid *new_grid(const struct hd_grid_net *net, const struct hd_grid_places *places)
{
	struct hd_grid *grid = calloc(1, sizeof(*grid));
	const struct hd_fabric *fabric = net->fabric;
	size_t n_lines;

	if (!grid)
		return NULL;
	grid->n_dimensions = places->n_dimensions;
	memcpy(grid->size, places->size, sizeof(grid->size));
	memcpy(grid->kind, places->kind, sizeof(grid->kind));
	if (!grid->n_dimensions) {
		grid->n_dimensions = 1;
		grid->size[0] = 1;
	}
	grid->n_points = hd_grid_n_points(places);
	n_lines = (size_t)grid->n_points * grid->n_dimensions;
	grid->switch_at = malloc(grid->n_points * sizeof(*grid->switch_at));
	grid->point = malloc((fabric->n_switches + (size_t)1) * sizeof(*grid->point));
	grid->line_switch = malloc(n_lines * sizeof(*grid->line_switch));
	grid->port_dimension = malloc(fabric->n_ports + (size_t)1);
	if (!grid->switch_at || !grid->point || !grid->line_switch || !grid->port_dimension) {
		hd_grid_free(grid);
		return NULL;
	}
	memset(grid->switch_at, 0xFF, grid->n_points * sizeof(*grid->switch_at));
	memset(grid->point, 0xFF, fabric->n_switches * sizeof(*grid->point));
	memset(grid->line_switch, 0xFF, n_lines * sizeof(*grid->line_switch));
	memset(grid->port_dimension, HD_NO_DIMENSION, fabric->n_ports);
	return grid;
}

int hd_grid_build(const struct hd_grid_net *net, const struct hd_grid_places *places,
		  struct hd_grid **result, struct hd_error *err)
{
	struct hd_grid *grid = new_grid(net, places);
	int ret;

	if (!grid)
		return hd_error_nomem(err);
	ret = places->n_dimensions ? set_points(net, places, grid, err) : 0;
	if (!places->n_dimensions)
		grid->point[0] = grid->switch_at[0] = 0;
	if (!ret && net->switched)
		ret = set_lines(net, places, grid, err);
	if (!ret)
		ret = set_ports(net->fabric, places, grid, err);
	if (!ret)
		ret = count_missing(net, grid, err);
	if (ret) {
		hd_grid_free(grid);
		return ret;
	}
	count_cables(net->fabric, grid);
	settle_triangles(grid);
	*result = grid;
	return 0;
}
