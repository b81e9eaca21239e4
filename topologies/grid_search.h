/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The search for a grid in a bare graph. Other rooms call topologies/grid.h. Its steps:
 *
 *	grid_lines.c   which links run along the same dimension
 *	grid_points.c  where along each dimension every switch is
 *	grid_order.c   the numbering that the GUIDs ask for
 *	grid_build.c   struct hd_grid, and whether every link fits
 */
#ifndef HD_TOPOLOGIES_GRID_SEARCH_H
#define HD_TOPOLOGIES_GRID_SEARCH_H

#include "topologies/structure.h"

struct hd_error;

/* The search finds a ring of four as two dimensions of two, and joins them later. */
#define HD_GRID_RAW_DIMENSIONS (2 * HD_MAX_DIMENSIONS)
#define HD_GRID_NO_LABEL       0xFFu

/*
 * The switches to place, and the buses that join them: a bus is a pair of linked switches (parallel
 * links counted once) or, on a fabric with line switches, a line switch with all switches that it
 * is linked to.
 */
struct hd_grid_net {
	const struct hd_fabric *fabric;
	bool switched; /* buses are line switches */
	uint32_t n;    /* vertices: switches to place, ascending by index */
	uint32_t n_buses;
	uint32_t *switch_of;    /* [vertex] */
	uint32_t *bus_switch;   /* [bus] the line switch; NULL unless switched */
	uint32_t *first;        /* [bus + 1] in member[] */
	uint32_t *member;       /* vertices, ascending for each bus */
	uint32_t *vertex_first; /* [vertex + 1] in bus_of[] */
	uint32_t *bus_of;       /* buses of each vertex */
	uint8_t *label;         /* [bus] dimension; HD_GRID_NO_LABEL: not known */
	unsigned n_dimensions;
};

/* Coordinates during the search. */
struct hd_grid_places {
	unsigned n_dimensions;
	uint32_t size[HD_GRID_RAW_DIMENSIONS];
	enum hd_grid_kind kind[HD_GRID_RAW_DIMENSIONS];
	uint32_t *at[HD_GRID_RAW_DIMENSIONS]; /* [vertex] HD_NONE: not known */
};

/*
 * Lists vertices and buses. @with_line_switches: the switches without end nodes are line switches;
 * HD_EREFUSED: that cannot be. HD_ENOMEM.
 */
int hd_grid_net_new(const struct hd_fabric *fabric, bool with_line_switches,
		    struct hd_grid_net *net, struct hd_error *err);
void hd_grid_net_clear(struct hd_grid_net *net);

/* Labels each bus of @net with its dimension. HD_EREFUSED, HD_ENOMEM. */
int hd_grid_label(struct hd_grid_net *net, struct hd_error *err);

/* Gives every vertex its coordinates, in any order. HD_EREFUSED, HD_ENOMEM. */
int hd_grid_place(const struct hd_grid_net *net, struct hd_grid_places *places,
		  struct hd_error *err);

/* Joins rings of four and brings dimensions and coordinates in canonical order. HD_ENOMEM. */
int hd_grid_order(const struct hd_grid_net *net, struct hd_grid_places *places,
		  struct hd_error *err);

/*
 * Makes the grid of @places; every link must fit. HD_EREFUSED: a link does not fit, or much of the
 * grid is missing; HD_ENOMEM.
 */
int hd_grid_build(const struct hd_grid_net *net, const struct hd_grid_places *places,
		  struct hd_grid **grid, struct hd_error *err);

/* Allocates coordinates of @n_dimensions, all unknown. HD_ENOMEM. */
int hd_grid_places_new(struct hd_grid_places *places, unsigned n_dimensions, uint32_t n,
		       struct hd_error *err);
void hd_grid_places_clear(struct hd_grid_places *places);

/* The product of the sizes, at most UINT32_MAX. */
uint32_t hd_grid_n_points(const struct hd_grid_places *places);

/* Whether an intact grid joins coordinates @a and @b along @dimension. */
bool hd_grid_adjacent(const struct hd_grid_places *places, unsigned dimension, uint32_t a,
		      uint32_t b);

#endif
