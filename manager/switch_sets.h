/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Port sets from switch to switch, for a subnet manager whose sets are not those of LIDs: it takes
 * one set for all LIDs of the destination switch and of what is on it.
 */
#ifndef HD_MANAGER_SWITCH_SETS_H
#define HD_MANAGER_SWITCH_SETS_H

#include "engines/engine.h"
#include "manager/plugin_options.h"
#include "tables/ar.h"

/* Whether the site asks @engine for port sets. */
bool hd_switch_sets_are_wanted(const struct hd_engine *engine,
			       const struct hd_engine_settings *settings);

/*
 * The ports by which packets from switch @s to any LID on switch @d may leave, by subgroup
 * @subgroup of pLFT @plft: those that are in the sets of all these LIDs, so each choice is one that
 * was proved. A LID whose entry leaves no choice has a set of one port, its first subgroup. False:
 * there is no such port, no such pLFT, no LID, or @s is @d.
 */
bool hd_switch_sets_find(const struct hd_tables *tables, uint32_t s, uint32_t d, unsigned plft,
			 unsigned subgroup, struct hd_port_set *set);

/* The most subgroups that a group has; 1: there are no groups. */
unsigned hd_switch_sets_subgroups(const struct hd_tables *tables);

#endif
