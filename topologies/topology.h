/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Topologies that a spec builds ("dragonfly:a=4,p=2,h=2"). Each is one file that exports a const
 * struct hd_topology. Its recogniser, which finds the topology in any fabric, has a header of its
 * own (topologies/dragonfly.h).
 */
#ifndef HD_TOPOLOGIES_TOPOLOGY_H
#define HD_TOPOLOGIES_TOPOLOGY_H

#include "fabric/fabric.h"
#include "support/policy.h"

struct hd_error;
struct hd_params;

struct hd_topology {
	struct hd_policy policy; /* first */
	const char *example;     /* a spec */
	/*
	 * Builds without LIDs. HD_EINVAL, HD_ERANGE: options that make no such topology; HD_ENOMEM.
	 */
	int (*build)(const struct hd_params *params, struct hd_fabric **fabric,
		     struct hd_error *err);
};

extern const struct hd_registry hd_topologies;

/* Whether @text looks like a spec, "NAME:..." with the name of a topology, or just that name. */
bool hd_topology_is_spec(const char *text);

/* Builds what @spec says. HD_EINVAL: no such topology or option; what build() returns. */
int hd_topology_build(const char *spec, struct hd_fabric **fabric, struct hd_error *err);

#define HD_MAX_DIMENSIONS 6 /* of grids: tori, meshes, HyperX, KNS */

/* The class of a port in a topology with groups, such as the dragonfly. */
enum hd_port_class {
	HD_PORT_UNUSED,   /* no link */
	HD_PORT_TERMINAL, /* to an end node; port 0 too */
	HD_PORT_LOCAL,    /* within the group */
	HD_PORT_GLOBAL,   /* to another group */
};

/* The topologies there are: one file each, listed in topology.c and nowhere else. */
extern const struct hd_topology hd_topology_director;
extern const struct hd_topology hd_topology_dragonfly;
extern const struct hd_topology hd_topology_dragonflyplus;
extern const struct hd_topology hd_topology_hyperx;
extern const struct hd_topology hd_topology_jellyfish;
extern const struct hd_topology hd_topology_kns;
extern const struct hd_topology hd_topology_mesh;
extern const struct hd_topology hd_topology_multiplane;
extern const struct hd_topology hd_topology_oft;
extern const struct hd_topology hd_topology_pgft;
extern const struct hd_topology hd_topology_polarfly;
extern const struct hd_topology hd_topology_slimfly;
extern const struct hd_topology hd_topology_torus;
extern const struct hd_topology hd_topology_tree;

#endif
