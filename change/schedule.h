/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * In which order new tables may be sent, so that no packet ever circles or waits in a circle.
 *
 * A schedule is a succession of rounds. In each, some LFT entries and SL2VL rows change, in any
 * order, and all have changed before the next begins; so what a fabric passes through in a round
 * are mixtures of the tables before it and behind it, which the check proves all at once
 * (check.h, `before`). Hosts have the old path SLs in all rounds but the last, and both in that.
 *
 * - Entries go in the order of their distance from the destination by the new tables. A switch that
 *   gets its new entry then forwards to one that has its own already, so that packets which come to
 *   it arrive: no subset of a round makes a loop.
 * - SL2VL rows that no packet takes by the old tables change first, those that no packet takes by
 *   the new ones last, the others behind the entries.
 * - Of these steps as many as are proved together make one round.
 * - Where not all distances of all LIDs are proved, those of hosts go through all distances, then
 *   those of switches; or else one half of them, then the other. What is not split any more goes step by step, in halves of the switches. What
 *   is not proved alone is tried again at the end and, if it is not then, dropped first: the entry
 *   leads nowhere, or the row to VL 15, from the first round on, until the last. Packets that need
 *   it are lost meanwhile. That takes away ways and adds none. Where splitting comes to very many
 *   rounds, less is split.
 * - Before anything is dropped, every LID goes through its distances at its own pace: in each
 *   round whatever goes with what is in it already.
 */
#ifndef HD_CHANGE_SCHEDULE_H
#define HD_CHANGE_SCHEDULE_H

#include "check/check.h"

#define HD_MAX_ROUNDS 64

struct hd_round {
	uint64_t n_entries, n_rows;                 /* that get their new values */
	uint64_t n_dropped_entries, n_dropped_rows; /* that lead nowhere from this round on */
	uint32_t n_nodes;                           /* with any of these */
	bool path_sls;                              /* hosts may take new path SLs */
};

struct hd_schedule {
	/* The rounds, from the first, number 1. None: nothing changes. */
	unsigned n_rounds;
	struct hd_round rounds[HD_MAX_ROUNDS];

	bool is_at_once; /* all mixtures of old and new are sound: the order does not matter */

	/*
	 * The new tables with the old path SLs have a loop. No order of tables mends that: hosts
	 * must take new path SLs before they send.
	 */
	bool needs_new_sls;

	/*
	 * The old tables have a loop, so that the first round, in which all that changes is dropped,
	 * is not proved. The others are.
	 */
	bool old_loops;

	/* In which round each gets its new value, and from which on it is dropped; 0: in none. */
	uint8_t *entry_new, *entry_drop; /* [as lft] */
	uint8_t *row_new, *row_drop;     /* [as sl2vl] */
};

/*
 * Plans how nodes get from @before to @now, tables on one fabric (tables/onto.h); every round is
 * proved. HD_EREFUSED: the new tables have a loop by themselves, or more than HD_MAX_ROUNDS rounds are
 * needed; HD_EINVAL: AR tables, LFTs that are not known, other service classes; HD_ENOMEM. Clear with hd_schedule_clear().
 */
int hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, struct hd_error *err);
void hd_schedule_clear(struct hd_schedule *schedule);

/*
 * The plan that always is: all that changes is dropped in round 1 and gets its new value in round 2.
 * What is proved of round 1 is `old_loops`, of round 2 *@is_proved: it is not where the new tables
 * with the old path SLs have a loop. Tables as above, but of any service classes. HD_ENOMEM. Clear
 * with hd_schedule_clear().
 */
int hd_schedule_drop(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, bool *is_proved, struct hd_error *err);

/*
 * Pairs of hosts that are served by @before and by @now and not by the tables behind each round,
 * in @lost[HD_MAX_ROUNDS]. Where nothing is dropped there are none: who gets a new entry reaches
 * the destination by new ones. HD_ENOMEM.
 */
int hd_schedule_count_lost(const struct hd_schedule *schedule, const struct hd_tables *now,
			   const struct hd_tables *before, uint64_t *lost, struct hd_error *err);

/* The tables behind round @round (0: @before). Free with hd_tables_free(). HD_ENOMEM. */
int hd_schedule_tables(const struct hd_schedule *schedule, const struct hd_tables *now,
		       const struct hd_tables *before, unsigned round, struct hd_tables **tables,
		       struct hd_error *err);

#endif
