/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detours around what is missing. An engine fills LFTs by the rule of its perfect shape and leaves
 * HD_NO_PATH where the next hop of that rule is missing; this connects the rest.
 *
 * For each destination, the switches from which its LFT entries arrive keep them: a repair changes
 * only entries that lead nowhere, itself or further on. The others are connected to these by shortest
 * detours, the switches with the shortest first. Among detours of one length, local links of a
 * dragonfly go before global ones, then the one whose busiest link carries the fewest flows. Paths
 * get shorter by one at every hop of a detour, so that there are no loops.
 */
#ifndef HD_ENGINES_REPAIR_H
#define HD_ENGINES_REPAIR_H

#include "tables/tables.h"
#include "topologies/structure.h"

struct hd_error;

/*
 * Connects every switch with every LID of @tables. Entries of an owner's own switch are there
 * already, and the entries that an engine fills are free of loops. @structure may lack everything.
 * @n_repaired, if not NULL, gets the number of entries set. Deterministic.
 * HD_EREFUSED: the fabric is in parts, naming two that are; HD_ENOMEM.
 */
int hd_repair(struct hd_tables *tables, const struct hd_structure *structure, uint64_t *n_repaired,
	      struct hd_error *err);

#endif
