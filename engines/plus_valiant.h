/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Progressive adaptive routing on a Dragonfly+ (Shpiner et al., 2017), as private LFTs and VL2VL:
 * the leaf and the spine where a packet begins choose among minimal ports and ports to any other
 * group; behind the first link between groups, the packet goes on by minimal paths alone.
 *
 * The links that a packet takes, each with its VL, ascend in this order:
 *
 *     up 0, between groups 0, down 0, up 1, between groups 1, down 1, up 1 from the first leaf
 *
 * So no packet waits for one that is behind it, with 2 VLs, whatever is missing and wherever
 * packets begin and end. The last step is for packets that end at a spine; all others turn upwards
 * at the other leaves of a group. In-port and in-VL tell how far a packet has come, and VL2VL
 * raises the VL where a packet turns upwards at a leaf, or goes on to a third group at once. A
 * private LFT has the choices of packets that have not left their group; another one has those of
 * packets that came down or from another group, or that are on VL 1.
 */
#ifndef HD_ENGINES_PLUS_VALIANT_H
#define HD_ENGINES_PLUS_VALIANT_H

#include "engines/targets.h"
#include "tables/ar.h"
#include "topologies/dragonfly_plus.h"

struct hd_error;

/*
 * Adds the pLFTs 1 (of packets in their first group) and 2, and VL2VL, to @tables, which have AR
 * tables. pLFT 0, the LFT, stays, and no packet goes by it. Minimal ports are the first subgroup of
 * an entry. HD_EREFUSED: between two switches no path is in that order; HD_ENOMEM, HD_ERANGE.
 */
int hd_plus_valiant(const struct hd_fabric *fabric, const struct hd_dragonfly_plus *plus,
		    const struct hd_route_targets *targets, enum hd_ar_state state,
		    struct hd_tables *tables, struct hd_error *err);

#endif
