/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What switches that choose packets' paths know of the fabric: its links and groups, and the
 * tables' paths between switches. All switches share it, and it never changes. (In names, "shape"
 * is this struct.) Ports of a switch are local, as in the performance model: its linked ports in
 * order, from 0.
 */
#ifndef HD_ADAPTIVE_SWITCH_VIEW_H
#define HD_ADAPTIVE_SWITCH_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/forwarding.h"
#include "topologies/link_class.h"
#include "topologies/structure.h"

struct hd_error;
struct hd_rings;

#define HD_SHAPE_PORTS 64          /* linked ports of a switch, at most: masks are words */
#define HD_NO_PORT     HD_HOP_NONE /* the tables have no path */
#define HD_FAR         255         /* distance of switches without a path */

#define HD_NO_COORDINATE UINT16_MAX

struct hd_shape {
	const struct hd_fabric *fabric;
	uint32_t n_switches;
	uint32_t n_ports;      /* most local ports of a switch */
	uint8_t *n_locals;     /* [switch] */
	uint32_t *fabric_port; /* [switch * n_ports + port] HD_NONE: it has no such port */
	uint32_t *neighbour;   /* [switch * n_ports + port] the switch there; HD_NONE: a host, or no
				  port */
	uint8_t *far_port;     /* [switch * n_ports + port] its local port at the other end */
	uint8_t *link_class;   /* [switch * n_ports + port] enum hd_link_class */
	uint64_t *of_class;    /* [switch * HD_LINK_CLASSES + class] local ports, a bit each */

	/*
	 * The tables' paths. A target is a set of LIDs of hosts at one switch for which every other
	 * switch has one out-port: a class of struct hd_forwarding, of which the last, of hosts
	 * that no switch leads to, are no targets.
	 */
	struct hd_forwarding forwarding;
	size_t n_targets;
	uint32_t *target_switch; /* [target] */
	uint32_t *first_target; /* [switch] of its first host; HD_NONE: it has no host with a LID */
	uint8_t *distance;      /* [at * n_targets + target] links; HD_FAR */

	/*
	 * The tables, and the sets of their AR tables as masks of local ports: those of switch `at`
	 * begin at sets[first_set[at]], by number of the group. NULL: they have none.
	 */
	const struct hd_tables *tables;
	const struct hd_structure *structure;
	uint64_t *sets;
	size_t *first_set;

	/* Groups; NULL and 0: there are none. */
	uint32_t n_groups;
	uint32_t *group;       /* [switch] */
	uint32_t *group_first; /* [group + 1] where its part of members begins */
	uint32_t *members;     /* [switch] by group: only switches with targets */
	uint64_t *to_group;    /* [switch n_groups + group] ports whose links lead to the group */

	/* A grid; 0 and NULL: there is none. */
	unsigned n_dimensions;
	bool is_degraded; /* switches or links of the intact grid are missing */
	uint32_t size[HD_MAX_DIMENSIONS];
	enum hd_grid_kind kind[HD_MAX_DIMENSIONS];
	uint16_t *coordinate;   /* [switch * n_dimensions + dimension]; HD_NO_COORDINATE: the
				   dimension is that of a line switch */
	uint8_t *dimension;     /* [switch * n_ports + port] of its link; HD_NO_DIMENSION */
	uint64_t *of_dimension; /* [switch * n_dimensions + dimension] ports, a bit each */

	/* Rings with bubble flow control; 0 and NULL: there are none. */
	uint32_t n_rings;
	uint32_t *ring; /* [switch * n_ports + port] ring of its link, 1 .. n_rings; 0: none */
};

/*
 * @structure is of @tables' fabric; both must exist longer than the result. Free with
 * hd_shape_free(). HD_ERANGE: a switch with more ports than a mask, or too many switches;
 * HD_ENOMEM.
 */
int hd_shape_new(const struct hd_tables *tables, const struct hd_structure *structure,
		 struct hd_shape **shape, struct hd_error *err);
void hd_shape_free(struct hd_shape *shape);

/* @rings of its fabric have bubble flow control. HD_ENOMEM. */
int hd_shape_set_rings(struct hd_shape *shape, const struct hd_rings *rings, struct hd_error *err);

static inline size_t hd_shape_port(const struct hd_shape *shape, uint32_t at, unsigned port)
{
	return at * (size_t)shape->n_ports + port;
}

/* The tables' local out-port from @at to @target, which is at another switch; or HD_NO_PORT. */
static inline unsigned hd_shape_next(const struct hd_shape *shape, uint32_t at, uint32_t target)
{
	return shape->forwarding.hops[at * shape->forwarding.n_classes + target];
}

/* The local ports of AR group @group of switch @at. */
static inline uint64_t hd_shape_set(const struct hd_shape *shape, uint32_t at, unsigned group)
{
	return shape->sets[shape->first_set[at] + group];
}

/* Links between switches on that path. */
static inline unsigned hd_shape_distance(const struct hd_shape *shape, uint32_t at, uint32_t target)
{
	return shape->distance[at * shape->n_targets + target];
}

static inline uint64_t hd_shape_ports(const struct hd_shape *shape, uint32_t at,
				      enum hd_link_class link_class)
{
	return shape->of_class[at * (size_t)HD_LINK_CLASSES + link_class];
}

static inline unsigned hd_shape_class(const struct hd_shape *shape, uint32_t at, unsigned port)
{
	return shape->link_class[hd_shape_port(shape, at, port)];
}

/* The ring of that link; 0: none. */
static inline uint32_t hd_shape_ring(const struct hd_shape *shape, uint32_t at, unsigned port)
{
	return shape->ring ? shape->ring[hd_shape_port(shape, at, port)] : 0;
}

/* The ring of the link into @port of @at; 0: none, or there are no rings. */
static inline uint32_t hd_shape_ring_into(const struct hd_shape *shape, uint32_t at, unsigned port)
{
	const size_t index = hd_shape_port(shape, at, port);

	return hd_shape_ring(shape, shape->neighbour[index], shape->far_port[index]);
}

static inline unsigned hd_shape_dimension(const struct hd_shape *shape, uint32_t at, unsigned port)
{
	return shape->dimension[hd_shape_port(shape, at, port)];
}

static inline unsigned hd_shape_coordinate(const struct hd_shape *shape, uint32_t at,
					   unsigned dimension)
{
	return shape->coordinate[at * (size_t)shape->n_dimensions + dimension];
}

static inline uint64_t hd_shape_along(const struct hd_shape *shape, uint32_t at, unsigned dimension)
{
	return shape->of_dimension[at * (size_t)shape->n_dimensions + dimension];
}

#endif
