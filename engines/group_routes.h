/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes from group to group, what engines for dragonflies share. Pairs of groups are linked, and
 * groups fully connected or given ways inside, or nearly: where the link of the rule below is
 * missing, the entry is HD_NO_PATH, the structure says that it is degraded, and hd_repair() finds
 * detours. Every LID heads for a group of its own choice first, and from there for the group of its
 * destination. The decision at a switch, as in Figure 4 of Maglione-Mathey et al., DLA in OpenSM:
 *
 *     another group, no global link to it here   the local link to a switch that has one
 *     another group                              the global link
 *     this group, another switch                 the local link to it
 *     this switch                                the terminal port
 *
 * Where several global links join two groups, the paper leaves the choice open: here every switch
 * that owns such links uses its own, and the rest even the links out, destination by destination.
 * (Where these end is not looked at: engines/group_even.h does that.)
 * Where it takes several links to get to an owner, those on the way have to agree: they even out as
 * one.
 */
#ifndef HD_ENGINES_GROUP_ROUTES_H
#define HD_ENGINES_GROUP_ROUTES_H

#include "engines/targets.h"
#include "tables/tables.h"
#include "topologies/dragonfly.h"
#include "topologies/structure.h"

struct hd_error;
struct hd_params;

/* The option that hd_group_routes_recognise() reads. */
#define HD_GROUPS_OPTION                                                                \
	{                                                                               \
		"groups", NULL, "file", "GUID-to-group file that overrides recognition" \
	}

/* Which patterns of links in groups an engine serves. */
enum hd_groups_kind {
	HD_GROUPS_FULL, /* every switch with every other */
	HD_GROUPS_ANY,
};

/*
 * Finds the groups of @fabric, or reads them from the file that @params name. Free @dragonfly,
 * which may be set whatever the outcome. HD_EREFUSED: no dragonfly, or links are missing between
 * more than an eighth of the pairs of switches of a group (HD_GROUPS_FULL) or of groups, which the
 * message names; HD_ENOMEM; errors of the file.
 */
int hd_group_routes_recognise(const struct hd_fabric *fabric, const struct hd_params *params,
			      enum hd_groups_kind kind, struct hd_dragonfly **dragonfly,
			      struct hd_error *err);

/* Ways other than the shortest. NULL stands for the shortest ways. */
struct hd_group_ways {
	const uint16_t *via;  /* [lft_stride] the group that each LID goes through from all
			         groups but that of its destination; the destination's group
			         itself for minimal routes */
	const uint8_t *local; /* [switch * a + position] out-port towards another switch of the
			         group, HD_NO_PATH at the switch itself; NULL where groups are
			         fully connected */
};

/* Fills the LFTs. @ways may be NULL. HD_ENOMEM. */
int hd_group_routes_fill(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			 const struct hd_route_targets *targets, const struct hd_group_ways *ways,
			 struct hd_tables *tables, struct hd_error *err);

#endif
