/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detours around what is missing. An engine fills LFTs by the rule of its perfect shape and leaves
 * HD_NO_PATH where the next hop of that rule is missing; this connects the rest.
 *
 * For each destination, the switches from which its LFT entries arrive keep them: a repair changes
 * only entries that lead nowhere, themselves or further on. The others are connected to these by
 * the cheapest detours. A link costs 1, a global one of a dragonfly 3, so that detours stay within
 * a group as long as that takes no more than two links more: global links are what there is least
 * of, and a second one is where credit loops come from. Among detours of one cost, local links go
 * before global ones, then the one whose busiest link carries the fewest flows between hosts. What
 * a way costs falls at every hop of a detour, so that there are no loops.
 */
#ifndef HD_ENGINES_REPAIR_H
#define HD_ENGINES_REPAIR_H

#include "tables/tables.h"
#include "topologies/structure.h"

struct hd_error;
struct hd_kept_now;

/*
 * Connects every switch with every LID of @tables. The entries of a LID's own switch must be there
 * already, and the entries that an engine fills must be free of loops. Every part of @structure may
 * be absent. @n_repaired, if not NULL, gets the number of entries set. Deterministic. HD_EREFUSED:
 * the fabric is in parts, naming two of them; HD_ENOMEM.
 */
int hd_repair(struct hd_tables *tables, const struct hd_structure *structure, uint64_t *n_repaired,
	      struct hd_error *err);

/*
 * The same by what is kept of the whole fabric in @now: its loads, and which destinations need no
 * detour.
 */
int hd_repair_rest(struct hd_tables *tables, const struct hd_structure *structure,
		   struct hd_kept_now *now, struct hd_error *err);

/* Which detours will do, and who gets them first. */
struct hd_repair_guard {
	/*
	 * Whether what switch @s sends to @lid may go as the entries say. The answer counts: what
	 * was accepted stays.
	 */
	bool (*accepts)(void *context, uint32_t s, uint16_t lid);
	/*
	 * NULL, or how many dependencies would be new. Then detours without any go before cheaper
	 * ones, and of those that are as good goes the one over the first point of a grid, not the
	 * one with the fewest flows: detours turn at the same places as far as they can.
	 */
	uint32_t (*count_new)(void *context, uint32_t s, uint16_t lid);
	void *context;
	const uint32_t *order; /* numbers of the targets (engines/targets.h) */
};

/*
 * The same with detours that @guard accepts, the cheapest first. HD_EREFUSED also where it accepts
 * none: @failed is the place in the order of the target, and @tables are in between then.
 */
int hd_repair_within(struct hd_tables *tables, const struct hd_structure *structure,
		     const struct hd_repair_guard *guard, uint64_t *n_repaired, size_t *failed,
		     struct hd_error *err);

#endif
