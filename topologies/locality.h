/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which hosts are near one another: a tree of places, for schedulers of jobs. A place of level 0 is
 * what hosts are linked to: one switch, or all switches of hosts that have several adapters
 * (rails). Places join to larger ones by what the topology has: groups of a dragonfly or
 * Dragonfly+, lines and blocks of a grid, subtrees of a tree. The largest place is a connected part
 * of the fabric.
 *
 * Where hosts are linked to several parts that no cable joins, these parts are planes, each with a
 * tree of its own. Parts without a common host are trees side by side in one plane.
 */
#ifndef HD_TOPOLOGIES_LOCALITY_H
#define HD_TOPOLOGIES_LOCALITY_H

#include "topologies/recognise.h"

/* What a place of level 1 and above is, but for the largest. */
enum hd_place_kind {
	HD_PLACE_SWITCHES, /* level 0 */
	HD_PLACE_GROUP,    /* of a dragonfly or Dragonfly+ */
	HD_PLACE_BLOCK,    /* of a grid */
	HD_PLACE_SUBTREE,
	HD_PLACE_PART, /* a connected part of the fabric */
};

struct hd_near_place {
	uint32_t parent; /* index in places[]; HD_NONE: none */
	uint32_t plane;
	uint32_t level; /* 1 + the highest level of the places in it; 0: machines */
	enum hd_place_kind kind;
	uint32_t first_switch; /* the first by name */
	uint32_t n_switches;   /* level 0: that its machines are linked to */
	uint32_t n_machines;
};

struct hd_locality {
	uint32_t n_machines;
	char **machines;     /* names, ascending: the first words of the adapters' names */
	uint32_t n_nameless; /* adapters that are left out: no host has given them its name */
	uint32_t n_planes;
	uint32_t n_places;
	struct hd_near_place *places; /* a place before the one that it is in */
	uint32_t *place_of;           /* [plane * n_machines + machine] of level 0; HD_NONE: none */
};

/*
 * @group_of_switch (or NULL) is that of hd_dragonfly_hints; end nodes that @no_host marks ([node],
 * or NULL) are left out, and so are aggregation nodes, routers and adapters that no switch is
 * linked to. The result depends on cabling and names; on GUIDs only where switches share a name.
 * HD_ENOMEM, and what hd_recognise() returns. Clear with hd_locality_clear(), also after an error.
 */
int hd_locality_find(const struct hd_fabric *fabric, const uint64_t *group_of_switch,
		     const bool *no_host, struct hd_locality *locality, struct hd_error *err);
void hd_locality_clear(struct hd_locality *locality);

/* Whether @name is what the vendor gives adapters, until a host gives them its own. */
bool hd_is_vendor_name(const char *name);

#endif
