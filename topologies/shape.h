/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What all generated fabrics share: names and GUIDs that follow from an index, one kind of link,
 * and the limits of InfiniBand. docs/topologies.md states the numbering.
 */
#ifndef HD_TOPOLOGIES_SHAPE_H
#define HD_TOPOLOGIES_SHAPE_H

#include "fabric/builder.h"
#include "fabric/fabric.h"
#include "topologies/topology.h"

struct hd_error;
struct hd_params;

/* Switch i has node GUID HD_SWITCH_GUID + i, adapter i has HD_HOST_GUID + HD_HOST_GUID_STEP * i. */
#define HD_SWITCH_GUID    UINT64_C(0x0001000000000000)
#define HD_HOST_GUID      UINT64_C(0x0002000000000000)
#define HD_HOST_GUID_STEP 16 /* room for the GUIDs of ports */

/*
 * A topology that is being built. After the first failure, which stays in `ret`, calls do nothing.
 * So callers check only hd_shape_begin() and hd_shape_finish().
 */
struct hd_shape {
	struct hd_builder *builder;
	struct hd_error *err;
	uint32_t n_switches; /* declared number; their ids in the builder are 0 .. n_switches - 1 */
	uint32_t n_added;    /* switches so far */
	uint32_t n_hosts;    /* adapters so far */
	int ret;
};

/*
 * Begins a topology of these counts. HD_ERANGE, with the arithmetic: more ports on a switch than
 * HD_MAX_PORTS, more hosts and switches than there are unicast LIDs; HD_ENOMEM.
 */
int hd_shape_begin(struct hd_shape *shape, uint64_t n_switches, uint64_t n_hosts,
		   uint64_t switch_ports, struct hd_error *err);

/* Adds the next switch. All switches come before the first host. */
void hd_shape_add_switch(struct hd_shape *shape, unsigned n_ports, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds the next host, H-00000, H-00001, ..., and links its port 1 to @port of @switch_id. */
void hd_shape_add_host(struct hd_shape *shape, uint32_t switch_id, unsigned port);

/* Adds the next host with @n_ports ports, which hd_shape_link() links; returns its id. */
uint32_t hd_shape_add_adapter(struct hd_shape *shape, unsigned n_ports);

/*
 * As hd_shape_add_host() for an aggregation node, "A-00012 Aggregation Node"; it counts as a host.
 */
void hd_shape_add_aggregation(struct hd_shape *shape, uint32_t switch_id, unsigned port);

/* Links two switches, or a switch and an adapter, 4x HDR. */
void hd_shape_link(struct hd_shape *shape, uint32_t switch_id, unsigned port, uint32_t peer_id,
		   unsigned peer_port);

/* The same by @trunk parallel cables: @port + i to @peer_port + i. */
void hd_shape_link_trunk(struct hd_shape *shape, uint32_t switch_id, unsigned port,
			 uint32_t peer_id, unsigned peer_port, unsigned trunk);

/* The option of topologies that may have such trunks, and its value. */
#define HD_SHAPE_TRUNK_OPTION                                                     \
	{                                                                         \
		"trunk", "1", "cables", "parallel cables between linked switches" \
	}
int hd_shape_trunk(const struct hd_params *params, uint32_t *trunk, struct hd_error *err);

/* Gives the fabric, or returns the first failure; frees the builder in both cases. */
int hd_shape_finish(struct hd_shape *shape, struct hd_fabric **fabric);

/*
 * Adds a switch for every point of a grid, dimension 0 counting fastest. Its name is @prefix and
 * its coordinates: "S3.0.12". Without dimensions, adds one switch named @prefix.
 */
void hd_shape_add_grid(struct hd_shape *shape, const char *prefix, const uint32_t *sizes,
		       unsigned n_sizes, unsigned n_ports);

/* @x * @y, or UINT64_MAX >> 1 if that is beyond any fabric. */
uint64_t hd_shape_product(uint64_t x, uint64_t y);

/*
 * The number of digits of the largest of the numbers 0 .. @n - 1, for names that sort as their
 * numbers do.
 */
int hd_shape_digits(uint64_t n);

/*
 * Sizes such as "8x8x4" in @sizes (at most HD_MAX_DIMENSIONS); @what names them in messages.
 * HD_EINVAL: no such list, or @text is NULL; HD_ERANGE: a size below @min or above @max.
 */
int hd_shape_parse_sizes(const char *text, const char *what, uint32_t min, uint32_t max,
			 uint32_t sizes[HD_MAX_DIMENSIONS], unsigned *n_sizes,
			 struct hd_error *err);

/* hd_params_number() for a 32-bit count. */
int hd_shape_number(const struct hd_params *params, const char *key, uint32_t min, uint32_t max,
		    uint32_t *value, struct hd_error *err);

#endif
