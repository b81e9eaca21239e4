/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Recognition of a dragonfly (Kim et al., 2008; Maglione-Mathey et al., DLA in OpenSM, section 2.1)
 * in any fabric, for any order of nodes, names and ports. Fully connected groups are found by
 * closed neighbourhoods, other groups by the small number of links between them.
 */
#ifndef HD_TOPOLOGIES_DRAGONFLY_H
#define HD_TOPOLOGIES_DRAGONFLY_H

#include <stdbool.h>

#include "fabric/fabric.h"
#include "topologies/topology.h"

struct hd_error;

/*
 * Groups are numbered by the lowest switch index in them, and switches[] lists each group's
 * switches in ascending order, so that the numbering is a property of the fabric.
 */
struct hd_dragonfly {
	uint32_t n_groups;
	uint32_t a;          /* switches of the largest group */
	uint32_t p;          /* most end-node ports on one switch */
	uint32_t h;          /* most global links on one switch */
	uint32_t *group;     /* [switch] */
	uint32_t *position;  /* [switch] index within its group's part of switches[] */
	uint32_t *first;     /* [group + 1] where a group's part of switches[] begins */
	uint32_t *switches;  /* [switch] grouped */
	uint8_t *port_class; /* [port] enum hd_port_class; HD_PORT_UNUSED off the switches */

	/* What this fabric lacks to be a fully connected dragonfly of these groups. */
	uint32_t n_missing_local;    /* pairs of switches of one group without a link */
	uint32_t n_missing_global;   /* pairs of groups without a link */
	uint32_t n_missing_switches; /* switches by which groups are smaller than a */
	uint32_t missing_local[2];   /* the first such pair, as switches; HD_NONE when none */
	uint32_t missing_global[2];  /* the first such pair, as groups */

	/*
	 * Groups are fully connected if at most an eighth of their pairs of switches has no link.
	 * Other groups have a pattern of links: that of the group of size a with the most links.
	 */
	bool is_full;
	uint32_t n_pattern_links;   /* linked pairs of the group with the most links */
	uint32_t n_missing_pattern; /* the number of these that other groups of size a lack */
};

/* What the caller knows and recognition cannot see. */
struct hd_dragonfly_hints {
	/*
	 * NULL, or [switch] the group (any number) that a file gives; overrides the neighbourhoods
	 */
	const uint64_t *group_of_switch;
};

/*
 * Finds the groups of @fabric. @hints may be NULL. Free with hd_dragonfly_free(). Trees are
 * refused, although some are dragonflies by definition: in a tree, the upper levels would join the
 * groups, and these have no hosts. HD_EREFUSED: no dragonfly, with the reason, or several that are
 * as likely, with their groups; HD_ENOMEM.
 */
int hd_dragonfly_recognise(const struct hd_fabric *fabric, const struct hd_dragonfly_hints *hints,
			   struct hd_dragonfly **dragonfly, struct hd_error *err);
void hd_dragonfly_free(struct hd_dragonfly *dragonfly);

/*
 * Reads a GUID-to-group file: lines "GUID GROUP" (GROUP a number, '#' comments). The file must name
 * every switch of @fabric. @group_of_switch is [n_switches]; the caller frees it. HD_EIO, HD_EPARSE
 * with file and line, HD_ENOMEM.
 */
int hd_dragonfly_read_groups(const char *path, const struct hd_fabric *fabric,
			     uint64_t **group_of_switch, struct hd_error *err);

#endif
