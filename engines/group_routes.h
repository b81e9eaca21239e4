/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routes from group to group, which engines for dragonflies share. Nearly all pairs of groups are
 * linked; groups are nearly fully connected, or have given paths inside. If the link of the rule
 * below is missing, the entry is HD_NO_PATH, the structure is marked as degraded, and hd_repair()
 * finds detours. The route to a LID leads first to a chosen group, and from there to the
 * destination's group. The decision at a switch, as in Figure 4 of Maglione-Mathey et al., DLA in
 * OpenSM:
 *
 *     another group, no global link to it here   the local link to a switch that has one
 *     another group                              the global link
 *     this group, another switch                 the local link to it
 *     this switch                                the terminal port
 *
 * If several global links join two groups, the paper leaves the choice open. Here every switch that
 * owns such links uses its own, and the other switches balance the links, destination by
 * destination. (The far ends of links do not count here: see engines/group_even.h.) If an owner is
 * several links away, the switches on the path have to agree: they balance as one.
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

/* The patterns of links in groups that an engine serves. */
enum hd_groups_kind {
	HD_GROUPS_FULL, /* every switch with every other */
	HD_GROUPS_ANY,
};

/*
 * Finds the groups of @fabric, or reads them from the file that @params name. Free @dragonfly, also
 * after an error. HD_EREFUSED: no dragonfly, or more than an eighth of the pairs of switches of a
 * group (HD_GROUPS_FULL), or of groups, lack a link, and the message names them; HD_ENOMEM; errors
 * of the file.
 */
int hd_group_routes_recognise(const struct hd_fabric *fabric, const struct hd_params *params,
			      enum hd_groups_kind kind, struct hd_dragonfly **dragonfly,
			      struct hd_error *err);

/* Paths other than the shortest. NULL stands for the shortest. */
struct hd_group_ways {
	const uint16_t *via;  /* [lft_stride] the group through which the route to each LID leads
				 from all groups but the destination's; the destination's group
				 itself for minimal routes */
	const uint8_t *local; /* [switch a + position] out-port towards another switch of the group,
				 HD_NO_PATH at the switch itself; NULL: groups are fully
				 connected */
};

/* Fills the LFTs. @ways may be NULL. HD_ENOMEM. */
int hd_group_routes_fill(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
			 const struct hd_route_targets *targets, const struct hd_group_ways *ways,
			 struct hd_tables *tables, struct hd_error *err);

#endif
