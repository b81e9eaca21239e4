/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The order in which new tables may be sent, so that no mixture has a forwarding loop or a credit
 * loop.
 *
 * A schedule is a list of rounds. In each, some LFT entries and SL2VL rows change, in any order,
 * and all have changed before the next begins. So the fabric states of a round are mixtures of the
 * tables before and after the round; the check proves all of them at once (check.h, `before`).
 * Hosts have the old path SLs in all rounds but the last one of LFTs and rows; in that one, some
 * have the new ones.
 *
 * - An entry changes behind those that change on the way from it to the destination, by the new
 *   tables. So a switch that gets its new entry forwards to a switch that keeps its entry or
 *   already has its new one, and packets arrive: no subset of a round makes a loop. Where that
 *   takes more than two rounds, or is not proved, entries change in the order of their distance
 *   from the destination in links: more steps, but sometimes fewer rounds.
 * - SL2VL rows that no packet takes by the old tables change first, then entries, then rows that
 *   packets take by both, last rows that no packet takes by the new tables.
 * - As many of these steps as are proved together make one round.
 * - If not all distances of all LIDs are proved, LIDs of hosts go through all distances, then LIDs
 *   of switches; if that is not proved either, one half of the LIDs, then the other. LIDs that are
 *   not split any more go step by step, in halves of the switches. An entry or row that is not
 *   proved alone is tried again at the end. If that fails, it is dropped first: from the first
 *   round to the last, the entry leads nowhere, or the row leads to VL 15. Packets that need it are
 *   lost meanwhile; dropping removes paths and adds none. If splitting makes very many rounds, the
 *   planner splits less.
 * - Entries for vacant LIDs, which no port has any more, go in a round before all others. (Engines
 *   give vacant LIDs no path; where other tables do, nothing is proved of packets to them.) Packets
 *   to them are under way as long as hosts send to who has failed, and hold buffers up to where the
 *   link is down. When their entries are gone, and packets under way have left, nothing of them is
 *   in any mixture, so the proofs of the other rounds do not follow them.
 * - Before anything is dropped, the planner tries a schedule in which every LID goes through its
 *   distances at its own pace: each round gets all entries that are proved together with those in
 *   it.
 */
#ifndef HD_CHANGE_SCHEDULE_H
#define HD_CHANGE_SCHEDULE_H

#include "check/check.h"

#define HD_MAX_ROUNDS 64

/*
 * Entries or rows that change, and when. A change of a large fabric touches few of them, so what is
 * known of each is kept by its place in the list: a byte for each entry of all LFTs would be as much
 * as the tables.
 */
struct hd_schedule_list {
	uint32_t *at; /* ascending: [as lft], or [as sl2vl] */
	size_t n;
	/* [place in the list] the round in which it gets its new value, and the round from which it
	 * is dropped; 0: none */
	uint8_t *new, *drop;
};

struct hd_round {
	uint64_t n_entries, n_rows;                 /* that get new values */
	uint64_t n_dropped_entries, n_dropped_rows; /* that lead nowhere from this round on */
	uint64_t n_sets;                            /* entries that lose or get port sets */
	uint64_t n_private;                         /* entries of private LFTs that change */
	uint64_t n_map_rows, n_vl2vl_rows;
	uint32_t n_nodes; /* with any of these */
	bool path_sls;    /* hosts may take new path SLs */
};

struct hd_schedule {
	/* The rounds, from the first, number 1. None: nothing changes. */
	unsigned n_rounds;
	struct hd_round rounds[HD_MAX_ROUNDS];

	/* all mixtures of old and new are sound, and all is in one round: any order does */
	bool is_at_once;

	/*
	 * The new tables with the old path SLs have a loop. No order of tables avoids it: hosts
	 * must take new path SLs before they send.
	 */
	bool needs_new_sls;

	/*
	 * The old tables have a loop. So the first round, which drops all that changes, is not
	 * proved; the others are.
	 */
	bool old_loops;

	/*
	 * Some entries could change only behind others on whose way they are. A switch that held no
	 * entry there loses packets meanwhile.
	 */
	bool is_out_of_order;

	struct hd_schedule_list entries, rows; /* that change */

	/*
	 * Port sets (tables/ar.h): the round in which all entries become static, on their old
	 * default ports, and the round in which they get their new sets. Groups are written in
	 * between, when no entry names one. 0: there are none to lose, or to get.
	 */
	unsigned sets_off, sets_on;

	/*
	 * With private LFTs or VL2VL: [round - 1] the tables after the round. Then the lists above
	 * are empty, and sets_off and sets_on are 0. NULL: there are neither.
	 */
	struct hd_tables **stages;
};

/* The place in @list of the first entry or row that is not below @at; or its end. */
static inline size_t hd_schedule_place(const struct hd_schedule_list *list, size_t at)
{
	size_t low = 0, n = list->n;

	while (low < n) {
		const size_t middle = low + (n - low) / 2;

		if (list->at[middle] < at)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* The round in which entry or row @at gets its new value, and from which it is dropped; 0: none. */
static inline unsigned hd_schedule_new_round(const struct hd_schedule_list *list, size_t at)
{
	const size_t place = hd_schedule_place(list, at);

	return place < list->n && list->at[place] == at ? list->new[place] : 0;
}

static inline unsigned hd_schedule_drop_round(const struct hd_schedule_list *list, size_t at)
{
	const size_t place = hd_schedule_place(list, at);

	return place < list->n && list->at[place] == at ? list->drop[place] : 0;
}

/*
 * Plans how nodes get from @before to @now, tables on one fabric (tables/onto.h); proves every
 * round, but the one that takes entries for vacant LIDs away, which adds no path. If not all
 * mixtures are sound, the first round takes the old port sets away, and the last round brings the
 * new ones. A default port is one of its set's, so in between packets take fewer paths.
 * Private LFTs and VL2VL change by kinds of tables (change/schedule_private.c).
 * HD_EREFUSED: the new tables have a loop by themselves, or need more than HD_MAX_ROUNDS rounds, or
 * no order of rounds was found; HD_EINVAL: LFTs that are not known, other service classes;
 * HD_ENOMEM. Clear with hd_schedule_clear().
 */
int hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, struct hd_error *err);
void hd_schedule_clear(struct hd_schedule *schedule);

/*
 * The same where LFTs are known, service classes are alike, and no entry for a vacant LID changes;
 * and for such tables without port sets.
 */
int hd_schedule_make_any(const struct hd_tables *now, const struct hd_tables *before,
			 struct hd_schedule *schedule, struct hd_error *err);
int hd_schedule_make_static(const struct hd_tables *now, const struct hd_tables *before,
			    struct hd_schedule *schedule, struct hd_error *err);

/*
 * The same as hd_schedule_make() where LFTs are known, service classes are alike, and one of the
 * two has private LFTs or VL2VL.
 */
int hd_schedule_make_private(const struct hd_tables *now, const struct hd_tables *before,
			     struct hd_schedule *schedule, struct hd_error *err);

/*
 * The plan that always exists: round 1 drops all that changes, round 2 gives it its new value.
 * Round 1 is proved unless `old_loops`. Round 2 is proved if *@is_proved: the new tables with the
 * old path SLs have no loop. Tables as above, but with any service classes. HD_ENOMEM. Clear with
 * hd_schedule_clear().
 */
int hd_schedule_drop(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, bool *is_proved, struct hd_error *err);

/*
 * Counts in @lost[HD_MAX_ROUNDS], for each round, pairs of hosts whose packets arrive by @before
 * and by @now, and do not by the tables after the round (docs/changes.md, "Who loses packets").
 * @is_dark: [port] whether its link, between switches, carries no packets yet: only @now goes over
 * these; NULL: all links carry packets. HD_ENOMEM.
 */
int hd_schedule_count_lost(const struct hd_schedule *schedule, const struct hd_tables *now,
			   const struct hd_tables *before, const bool *is_dark, uint64_t *lost,
			   struct hd_error *err);

/* The tables after round @round (0: @before). Free with hd_tables_free(). HD_ENOMEM. */
int hd_schedule_tables(const struct hd_schedule *schedule, const struct hd_tables *now,
		       const struct hd_tables *before, unsigned round, struct hd_tables **tables,
		       struct hd_error *err);

#endif
