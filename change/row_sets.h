/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The SLs whose packets SL2VL rows let through, as bits, before a change, in its rounds and at the
 * end. Internal to change/.
 */
#ifndef HD_CHANGE_ROW_SETS_H
#define HD_CHANGE_ROW_SETS_H

#include "change/rounds.h"

#define HD_ALL_SLS 0xFFFFu

typedef uint16_t hd_sl_set;

struct hd_row_sets {
	/* SLs of pairs of hosts, before and at the end; whether every pair has one, both times. */
	unsigned old_sls, new_sls;
	bool have_sls;

	/*
	 * Whether no row drops packets with one of these, at any time. Else [as sl2vl] the SLs that
	 * rows let through: the old ones, the new ones, and those that are dropped. Rows at links
	 * that are not there let nothing through.
	 */
	bool is_plain;
	hd_sl_set *old, *new, *dropped;
	uint8_t *new_round, *drop_round; /* as in the schedule's list; 0: none */
	uint64_t rounds;                 /* bit r - 1: rows change in round r */
};

/* Both tables are on one fabric. HD_ENOMEM; clear it also then. */
int hd_row_sets_init(struct hd_row_sets *sets, const struct hd_schedule *schedule,
		     const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_error *err);
void hd_row_sets_clear(struct hd_row_sets *sets);

/* The SLs that row @i lets through after round @round, where rows are not plain. */
static inline hd_sl_set hd_row_sets_at(const struct hd_row_sets *sets, unsigned round, size_t i)
{
	if (sets->new_round[i] && sets->new_round[i] <= round)
		return sets->new[i];
	if (sets->drop_round[i] && sets->drop_round[i] <= round)
		return sets->dropped[i];
	return sets->old[i];
}

#endif
