/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Detours around missing parts. An engine fills LFTs by the rule of its intact topology, and leaves
 * HD_NO_PATH where the next hop of that rule is missing. These functions then find detours.
 *
 * For each destination, a switch whose packets arrive keeps its entry: a repair changes only
 * entries that lead nowhere, at once or further on. The other switches get the cheapest detours. A
 * link costs 1, a global link of a dragonfly 3, so that a detour stays within a group if that takes
 * at most two more links: global links are scarce, and a second one on a path causes credit loops.
 * Among detours of equal cost, local links go before global links; then the detour wins whose
 * busiest link carries the fewest flows between hosts. The cost of the rest of the path falls at
 * every hop of a detour, so there are no forwarding loops.
 */
#ifndef HD_ENGINES_REPAIR_H
#define HD_ENGINES_REPAIR_H

#include "tables/tables.h"
#include "topologies/structure.h"

struct hd_error;
struct hd_variant;

/*
 * Connects every switch with every LID of @tables. The entries of a LID's own switch must be set
 * already, and the engine's entries must be free of loops. Every part of @structure may be absent.
 * @n_repaired, if not NULL, gets the number of entries set. Deterministic. HD_EREFUSED: the fabric
 * is in parts, and the message names two of them; HD_ENOMEM.
 */
int hd_repair(struct hd_tables *tables, const struct hd_structure *structure, uint64_t *n_repaired,
	      struct hd_error *err);

/*
 * The same from the baseline of the whole fabric. @variant has its loads, and knows which
 * destinations need no detour.
 */
int hd_repair_rest(struct hd_tables *tables, const struct hd_structure *structure,
		   struct hd_variant *variant, struct hd_error *err);

/* Which detours will do, and who gets them first. */
struct hd_repair_guard {
	/*
	 * Whether packets from switch @s to @lid may take the path of the entries. An accepted path
	 * stays.
	 */
	bool (*accepts)(void *context, uint32_t s, uint16_t lid);
	/*
	 * NULL, or the number of new dependencies. Then a detour without new dependencies wins over
	 * a cheaper one; among equal detours, the one over the first point of a grid wins, not the
	 * one with the fewest flows: so detours turn at the same places if possible.
	 */
	uint32_t (*count_new)(void *context, uint32_t s, uint16_t lid);
	void *context;
	const uint32_t *order; /* numbers of the targets (engines/targets.h) */
};

/*
 * The same with detours that @guard accepts, the cheapest first. HD_EREFUSED also if it accepts
 * none: then @failed gets the target's place in the order, and @tables are half changed.
 */
int hd_repair_within(struct hd_tables *tables, const struct hd_structure *structure,
		     const struct hd_repair_guard *guard, uint64_t *n_repaired, size_t *failed,
		     struct hd_error *err);

#endif
