/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What an engine found out about the topology that it routes on. Layer rules, queue rules and the
 * performance model use it. Every part may be absent.
 */
#ifndef HD_TOPOLOGIES_STRUCTURE_H
#define HD_TOPOLOGIES_STRUCTURE_H

#include "fabric/fabric.h"
#include "topologies/topology.h"

/* How the switches of a line along one dimension of a grid are linked. */
enum hd_grid_kind {
	HD_GRID_LINE,     /* each with the next: mesh */
	HD_GRID_RING,     /* each with the next, the last with the first: torus */
	HD_GRID_FULL,     /* each with every other: HyperX */
	HD_GRID_SWITCHED, /* all with one switch that serves this line alone: KNS */
};

/* The ports along a grid among which packets may choose (tables/ar.h, engines/sets.h). */
enum hd_grid_sets {
	HD_GRID_SETS_NONE,
	HD_GRID_SETS_NEGATIVE_FIRST, /* those to lower coordinates, then those to higher ones */
	HD_GRID_SETS_MINIMAL,        /* all that lead nearer */
};

struct hd_dragonfly;
struct hd_dragonfly_plus;
struct hd_error;

#define HD_NO_DIMENSION 0xFFu

/*
 * Switches on a grid. Point x + y X + z X Y + ... has the coordinates (x, y, z, ...): dimension 0
 * counts fastest. Dimension d of a line switch (HD_GRID_SWITCHED) is that of its line.
 */
struct hd_grid {
	unsigned n_dimensions;
	uint32_t size[HD_MAX_DIMENSIONS];
	enum hd_grid_kind kind[HD_MAX_DIMENSIONS];
	uint32_t n_points;        /* product of the sizes */
	uint32_t *switch_at;      /* [point] HD_NONE: that switch is missing */
	uint32_t *point;          /* [switch] HD_NONE: a line switch */
	uint32_t *line_switch;    /* [d * n_points + point] the line switch of the point's line
				    along d; HD_NONE: missing, or the dimension has no line
				    switches */
	uint8_t *port_dimension;  /* [port] the dimension of a link between switches;
				    HD_NO_DIMENSION for other ports */
	uint32_t n_missing_links; /* pairs that an intact grid links and this fabric does not */
	uint32_t n_missing_switches;
	uint8_t cables[HD_MAX_DIMENSIONS]; /* parallel cables that most linked pairs have */
	uint32_t n_missing_cables;         /* by which linked pairs have fewer */
};

/* Coordinate of @point along @dimension. */
uint32_t hd_grid_coordinate(const struct hd_grid *grid, uint32_t point, unsigned dimension);

/* The point that differs from @point in @dimension alone, where it has @coordinate. */
uint32_t hd_grid_move(const struct hd_grid *grid, uint32_t point, unsigned dimension,
		      uint32_t coordinate);

void hd_grid_free(struct hd_grid *grid);

/* All arrays are from malloc(). */
struct hd_structure {
	uint8_t *port_class;    /* [port] enum hd_port_class; NULL: no such classes */
	uint32_t n_groups;      /* of a dragonfly or Dragonfly+ */
	uint32_t *group;        /* [switch] 0 .. n_groups - 1; NULL: no groups */
	uint16_t *via;          /* [top_lid + 1] the group through which routes from all other
				   groups lead to a LID; the LID's own group for minimal routes;
				   NULL: all are minimal */
	bool has_relays;        /* routes between groups have any three links, also through a third
				   group */
	bool *is_spine;         /* [switch] of a group that is a tree of two levels; NULL: no such
				   groups */
	uint8_t *layer;         /* [top_lid + 1] the layer that the route to a LID is made for;
				   NULL: routes are made for no layer */
	struct hd_grid *grid;   /* NULL: no grid */
	enum hd_grid_sets sets; /* of entries on the grid */
	bool is_degraded;       /* parts of the topology are missing: routes take detours, and
				   layers that fit the intact topology may not fit */
};

void hd_structure_clear(struct hd_structure *structure);

/* Moves the groups of @dragonfly, of @plus, to @structure, which has none. */
void hd_structure_take_groups(struct hd_structure *structure, struct hd_dragonfly *dragonfly);
void hd_structure_take_plus(struct hd_structure *structure, struct hd_dragonfly_plus *plus);

/*
 * Finds the groups of @fabric for @structure, which has none, if @fabric is a dragonfly or a
 * Dragonfly+; else there are none. HD_ENOMEM.
 */
int hd_structure_find_groups(struct hd_structure *structure, const struct hd_fabric *fabric,
			     struct hd_error *err);

#endif
