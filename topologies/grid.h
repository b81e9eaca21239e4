/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds a grid - mesh, torus, HyperX, KNS, or rings and full meshes mixed, of 1 to 6 dimensions -
 * in any fabric, from its links alone, for any order of nodes, names and ports. Links and switches
 * may be missing.
 *
 * The numbering follows from the GUIDs: coordinates ascend as GUIDs do along most lines, and the
 * dimension along which GUIDs are nearest is the first. So generated fabrics get the coordinates
 * that they were made with. If a graph is several grids, the GUIDs decide too: a ring of four
 * counts as two dimensions of two, unless the GUIDs ascend around it.
 */
#ifndef HD_TOPOLOGIES_GRID_H
#define HD_TOPOLOGIES_GRID_H

#include "topologies/structure.h"

struct hd_error;

/* Coordinates from a file. */
struct hd_grid_coordinates {
	unsigned n_dimensions;
	uint32_t *at; /* [switch * HD_MAX_DIMENSIONS + dimension]; HD_NONE: a line switch */
};

/*
 * Reads a file of lines "GUID X [Y [Z ...]]" ('#' comments). Switches that it does not name are
 * line switches. HD_EIO; HD_EPARSE with file and line; HD_ENOMEM. Free `at` with free().
 */
int hd_grid_read_coordinates(const char *path, const struct hd_fabric *fabric,
			     struct hd_grid_coordinates *coordinates, struct hd_error *err);

/*
 * Finds the grid of @fabric; @coordinates (or NULL) replaces the search. Free with hd_grid_free().
 * HD_EREFUSED: no grid, with the reason; HD_ENOMEM.
 */
int hd_grid_recognise(const struct hd_fabric *fabric, const struct hd_grid_coordinates *coordinates,
		      struct hd_grid **grid, struct hd_error *err);

/* The name that the kinds of dimensions give @grid: "torus", "kns", "mesh", "hyperx" or "grid". */
const char *hd_grid_name(const struct hd_grid *grid);

/* "torus 8x8"; "grid 8x4 (ring, full)". Returns @buffer. */
const char *hd_grid_describe(const struct hd_grid *grid, char *buffer, size_t size);

#endif
