// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/text.h"
#include "topologies/grid_search.h"

/* Finds the grid of @net, and clears it. */
static int search(struct hd_grid_net *net, struct hd_grid **grid, struct hd_error *err)
{
	struct hd_grid_places places = { 0 };
	int ret = hd_grid_label(net, err);

	if (!ret)
		ret = hd_grid_place(net, &places, err);
	if (!ret)
		ret = hd_grid_order(net, &places, err);
	if (!ret && places.n_dimensions > HD_MAX_DIMENSIONS)
		ret = hd_error_set(err, HD_EREFUSED,
				   "a grid of %u dimensions, at most %d are served",
				   places.n_dimensions, HD_MAX_DIMENSIONS);
	if (!ret)
		ret = hd_grid_build(net, &places, grid, err);
	hd_grid_places_clear(&places);
	hd_grid_net_clear(net);
	return ret;
}

/* Infers the kinds of dimensions from the links between switches of given coordinates. */
static void infer_kinds(const struct hd_grid_net *net, struct hd_grid_places *places)
{
	for (unsigned d = 0; d < places->n_dimensions; d++)
		places->kind[d] = net->switched ? HD_GRID_SWITCHED : HD_GRID_LINE;
	for (uint32_t bus = 0; !net->switched && bus < net->n_buses; bus++) {
		const uint32_t *pair = net->member + net->first[bus];

		for (unsigned d = 0; d < places->n_dimensions; d++) {
			uint32_t a = places->at[d][pair[0]], b = places->at[d][pair[1]];
			uint32_t distance = a < b ? b - a : a - b;

			if (distance < 2)
				continue;
			if (distance + 1 < places->size[d])
				places->kind[d] = HD_GRID_FULL;
			else if (places->kind[d] == HD_GRID_LINE)
				places->kind[d] = HD_GRID_RING;
		}
	}
}

static int take_coordinates(const struct hd_grid_net *net,
			    const struct hd_grid_coordinates *coordinates,
			    struct hd_grid_places *places, struct hd_error *err)
{
	int ret = hd_grid_places_new(places, coordinates->n_dimensions, net->n, err);

	for (unsigned d = 0; !ret && d < places->n_dimensions; d++) {
		places->size[d] = 1;
		for (uint32_t v = 0; v < net->n; v++) {
			uint32_t s = net->switch_of[v];
			uint32_t at = coordinates->at[(size_t)s * HD_MAX_DIMENSIONS + d];

			if (at == HD_NONE)
				return hd_error_set(err, HD_EREFUSED,
						    "no coordinates for switch 0x%016" PRIx64
						    " '%.64s', which is no line switch",
						    net->fabric->nodes[s].guid,
						    hd_node_name(net->fabric, s));
			places->at[d][v] = at;
			if (at >= places->size[d])
				places->size[d] = at + 1;
		}
	}
	if (!ret && hd_grid_n_points(places) / 2 > net->n)
		ret = hd_error_set(err, HD_EREFUSED,
				   "coordinates that span more than twice the %u switches that "
				   "have some",
				   net->n);
	if (!ret)
		infer_kinds(net, places);
	return ret;
}

/* Makes a grid by the coordinates of a file, in which line switches have none. */
static int follow(const struct hd_fabric *fabric, const struct hd_grid_coordinates *coordinates,
		  struct hd_grid **grid, struct hd_error *err)
{
	struct hd_grid_places places = { 0 };
	struct hd_grid_net net;
	bool lines = false;
	int ret;

	hd_for_each_switch(s, fabric)
		lines |= coordinates->at[(size_t)s * HD_MAX_DIMENSIONS] == HD_NONE;
	ret = hd_grid_net_new(fabric, lines, &net, err);
	if (ret)
		return ret;
	ret = take_coordinates(&net, coordinates, &places, err);
	if (!ret)
		ret = hd_grid_build(&net, &places, grid, err);
	hd_grid_places_clear(&places);
	hd_grid_net_clear(&net);
	return ret;
}

int hd_grid_recognise(const struct hd_fabric *fabric, const struct hd_grid_coordinates *coordinates,
		      struct hd_grid **grid, struct hd_error *err)
{
	struct hd_grid_net net;
	int ret;

	*grid = NULL;
	if (fabric->n_switches == 0)
		return hd_error_set(err, HD_EREFUSED, "not a grid: the fabric has no switches");
	if (coordinates)
		return follow(fabric, coordinates, grid, err);
	ret = hd_grid_net_new(fabric, true, &net, err);
	if (!ret)
		return search(&net, grid, err);
	if (ret == HD_EREFUSED)
		ret = hd_grid_net_new(fabric, false, &net, err);
	return ret ? ret : search(&net, grid, err);
}

const char *hd_grid_name(const struct hd_grid *grid)
{
	static const char *const names[] = { "mesh", "torus", "hyperx", "kns" };
	const char *name = NULL;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		const char *mine = names[grid->kind[d]];

		if (grid->size[d] == 2 && grid->kind[d] == HD_GRID_LINE)
			continue; /* a line of two switches is a mesh, a ring and a full mesh */
		if (name && name != mine)
			return "grid";
		name = mine;
	}
	return name ? name : "mesh";
}

const char *hd_grid_describe(const struct hd_grid *grid, char *buffer, size_t size)
{
	static const char *const kinds[] = { "line", "ring", "full", "switched" };
	const char *name = hd_grid_name(grid);
	size_t length = (size_t)snprintf(buffer, size, "%s", name);

	for (unsigned d = 0; d < grid->n_dimensions && length < size; d++)
		length += (size_t)snprintf(buffer + length, size - length, "%c%u", d ? 'x' : ' ',
					   grid->size[d]);
	if (strcmp(name, "grid") != 0)
		return buffer;
	for (unsigned d = 0; d < grid->n_dimensions && length < size; d++)
		length += (size_t)snprintf(buffer + length, size - length, "%s%s%s",
					   d ? ", " : " (", kinds[grid->kind[d]],
					   d + 1 == grid->n_dimensions ? ")" : "");
	return buffer;
}

/* Reads "GUID X Y ..." from the current line; *@node is HD_NONE on a line without content. */
static int read_line(const struct hd_lines *lines, const struct hd_fabric *fabric, uint32_t *node,
		     uint32_t at[HD_MAX_DIMENSIONS], unsigned *n, struct hd_error *err)
{
	const char *cursor = lines->begin, *end = lines->end;
	const char *comment = memchr(cursor, '#', (size_t)(end - cursor));
	uint64_t guid, value;

	*node = HD_NONE;
	*n = 0;
	if (comment)
		end = comment;
	hd_scan_blanks(&cursor, end);
	if (cursor == end)
		return 0;
	if (!hd_scan_word(&cursor, end, "0x"))
		hd_scan_word(&cursor, end, "0X");
	if (!hd_scan_number(&cursor, end, 16, UINT64_MAX, &guid))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "a line is 'GUID X Y ...', such as '0x0002c90200400120 3 0'");
	for (hd_scan_blanks(&cursor, end); cursor < end; hd_scan_blanks(&cursor, end)) {
		if (*n == HD_MAX_DIMENSIONS ||
		    !hd_scan_number(&cursor, end, 10, HD_MAX_LID, &value))
			return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
					   "the coordinates of 0x%016" PRIx64
					   " are not 1 to %d numbers",
					   guid, HD_MAX_DIMENSIONS);
		at[(*n)++] = (uint32_t)value;
	}
	*node = hd_fabric_find_node(fabric, guid);
	if (*node == HD_NONE || !hd_is_switch(fabric, *node))
		return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
				   "0x%016" PRIx64 " is no switch of this fabric", guid);
	return 0;
}

static int parse(const char *path, const struct hd_text *text, const struct hd_fabric *fabric,
		 struct hd_grid_coordinates *coordinates, struct hd_error *err)
{
	struct hd_lines lines;

	hd_lines_begin(&lines, path, text->data, text->size);
	while (hd_lines_next(&lines)) {
		uint32_t at[HD_MAX_DIMENSIONS] = { 0 }, node, *mine;
		unsigned n;
		int ret = read_line(&lines, fabric, &node, at, &n, err);

		if (ret)
			return ret;
		if (node == HD_NONE)
			continue;
		if (!n || (coordinates->n_dimensions && n != coordinates->n_dimensions))
			return hd_error_at(err, HD_EPARSE, path, lines.number,
					   "%u coordinates, where there should be %u", n,
					   n ? coordinates->n_dimensions : 1);
		coordinates->n_dimensions = n;
		mine = coordinates->at + (size_t)node * HD_MAX_DIMENSIONS;
		if (mine[0] != HD_NONE)
			return hd_error_at(err, HD_EPARSE, path, lines.number,
					   "switch 0x%016" PRIx64 " was named before",
					   fabric->nodes[node].guid);
		memcpy(mine, at, sizeof(at));
	}
	if (!coordinates->n_dimensions)
		return hd_error_at(err, HD_EPARSE, path, 0, "no coordinates in it");
	return 0;
}

int hd_grid_read_coordinates(const char *path, const struct hd_fabric *fabric,
			     struct hd_grid_coordinates *coordinates, struct hd_error *err)
{
	size_t bytes = (fabric->n_switches + (size_t)1) * HD_MAX_DIMENSIONS * sizeof(uint32_t);
	struct hd_text text;
	int ret;

	*coordinates = (struct hd_grid_coordinates){ 0 };
	ret = hd_text_read_file(path, HD_TEXT_FILE_MAX, &text, err);
	if (ret)
		return ret;
	coordinates->at = malloc(bytes);
	if (coordinates->at) {
		memset(coordinates->at, 0xFF, bytes);
		ret = parse(path, &text, fabric, coordinates, err);
	} else {
		ret = hd_error_nomem(err);
	}
	hd_text_free(&text);
	if (ret) {
		free(coordinates->at);
		*coordinates = (struct hd_grid_coordinates){ 0 };
	}
	return ret;
}
