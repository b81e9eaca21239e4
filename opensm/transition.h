/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How new tables get into a fabric in use (docs/changes.md): in rounds, each of which is proved
 * with all of its mixtures, and is confirmed by all switches before the next is sent.
 *
 * A sweep that routes plans from what nodes hold, as they have answered it (opensm/programmed.h),
 * and hands OpenSM the tables of the first round. When these are confirmed, the others follow
 * within the sweep, by the functions that OpenSM itself sends tables with. Nothing of a plan
 * outlives a sweep: where something is lost, or fails meanwhile, the next sweep reads and plans
 * anew.
 *
 * Where entries are to lead over links that are not up yet, OpenSM gets what nodes hold already,
 * else packets would be lost that the old entries still deliver. When that is confirmed, the links
 * are brought up, by OpenSM's own function, and the rest is planned anew, or goes on by the
 * schedule that there is if nodes hold what they held. Once in a change: where links do not come up
 * by that, OpenSM is asked to route again after the sweep.
 */
#ifndef HD_OPENSM_TRANSITION_H
#define HD_OPENSM_TRANSITION_H

#include "opensm/plugin.h"

/*
 * Plans how the subnet gets to @goal, tables of @engine, which OpenSM will be handed in this sweep.
 * If the goal is a new one, the engine's last tables keep only their path SLs from then on. *@first
 * are the tables of the first round; NULL: @goal itself. Call while routes are built.
 */
void hd_osm_transition_plan(struct hd_osm_engine *engine, const struct hd_tables *goal,
			    struct hd_tables **first);

/*
 * The tables that were handed out last are in the fabric, and @is_confirmed or not. True: those of
 * the next round have been sent, and their transactions are complete. Call without OpenSM's lock.
 */
bool hd_osm_transition_go_on(struct hd_osm_engine *engine, bool is_confirmed);

/* Forgets the plan; what nodes hold is read again. */
void hd_osm_transition_stop(struct hd_osm_transition *transition);

#endif
