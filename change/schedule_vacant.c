// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Schedules of tables with entries for vacant LIDs: these go first (change/schedule.h). */
#include <stdlib.h>

#include "change/rounds.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/classes.h"
#include "tables/onto.h"

/* Counts in @n_vacated[switch] the entries that go; false: none does. */
static bool count_vacated(const struct hd_tables *now, const struct hd_tables *before,
			  uint32_t *n_vacated)
{
	bool any = false;

	hd_for_each_vacant_lid(lid, now)
		hd_for_each_switch(s, now->fabric)
			if (hd_rounds_is_vacated(now, before, s * now->lft_stride + lid)) {
				n_vacated[s]++;
				any = true;
			}
	return any;
}

/* *@without gets @before after those entries went. Free with hd_tables_free(). */
static int take_away(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_tables **without, struct hd_error *err)
{
	int ret = hd_tables_onto(before, before->fabric, without, NULL, err);

	if (!ret)
		hd_rounds_vacate(*without, now, before);
	return ret;
}

/* Whether anything of switch @s is in round 1. */
static bool is_in_first(const struct hd_schedule *schedule, const struct hd_tables *now, uint32_t s)
{
	for (size_t i = s * now->lft_stride; i < (s + (size_t)1) * now->lft_stride; i++)
		if (schedule->entry_drop[i] == 1 || schedule->entry_new[i] == 1)
			return true;
	for (size_t i = now->sl2vl_first[s]; i < now->sl2vl_first[s + 1]; i++)
		if (schedule->row_drop[i] == 1 || schedule->row_new[i] == 1)
			return true;
	return false;
}

/*
 * The entries go in the first round: in one of their own, or in one that takes away what old tables
 * with a loop have.
 */
static void take_first(struct hd_schedule *schedule, const struct hd_tables *now,
		       const struct hd_tables *before, const uint32_t *n_vacated)
{
	struct hd_round *first = &schedule->rounds[0];
	const bool is_shared = schedule->old_loops && schedule->n_rounds;

	if (!is_shared)
		hd_rounds_shift(schedule, now);
	hd_for_each_switch(s, now->fabric) {
		first->n_entries += n_vacated[s];
		first->n_nodes += n_vacated[s] && !(is_shared && is_in_first(schedule, now, s));
	}
	hd_for_each_vacant_lid(lid, now)
		hd_for_each_switch(s, now->fabric)
			if (hd_rounds_is_vacated(now, before, s * now->lft_stride + lid))
				schedule->entry_new[s * now->lft_stride + lid] = 1;
	/* a switch may also lose port sets in a round that is shared */
	if (first->n_nodes > now->fabric->n_switches)
		first->n_nodes = now->fabric->n_switches;
	schedule->is_at_once &= schedule->n_rounds == 1;
	if (schedule->sets_on > schedule->n_rounds)
		schedule->sets_on = schedule->n_rounds;
}

/* With entries that go: the schedule of the others, behind them. */
static int make_behind(const struct hd_tables *now, const struct hd_tables *before,
		       const uint32_t *n_vacated, struct hd_schedule *schedule,
		       struct hd_error *err)
{
	struct hd_tables *without;
	int ret = take_away(now, before, &without, err);

	if (!ret)
		ret = hd_schedule_make_any(now, without, schedule, err);
	hd_tables_free(without);
	if (ret || schedule->needs_new_sls)
		return ret;
	if (schedule->n_rounds == HD_MAX_ROUNDS && !schedule->old_loops) {
		hd_schedule_clear(schedule);
		return hd_error_set(err, HD_EREFUSED, "more than %u rounds would be needed",
				    HD_MAX_ROUNDS);
	}
	take_first(schedule, now, before, n_vacated);
	return 0;
}

int hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, struct hd_error *err)
{
	uint32_t *n_vacated;
	int ret;

	*schedule = (struct hd_schedule){ .n_rounds = 0 };
	if (now->n_lft_unknown)
		return hd_error_set(err, HD_EINVAL, "the new tables lack LFTs");
	if (hd_classes_count_changes(before->classes, now->classes))
		return hd_error_set(err, HD_EINVAL,
				    "old and new tables have different service classes: no "
				    "rounds are planned");
	if (hd_ar_is_private(now) || hd_ar_is_private(before))
		return hd_schedule_make_private(now, before, schedule, err);
	n_vacated = calloc(now->fabric->n_switches + (size_t)1, sizeof(*n_vacated));
	if (!n_vacated)
		ret = hd_error_nomem(err);
	else if (!count_vacated(now, before, n_vacated))
		ret = hd_schedule_make_any(now, before, schedule, err);
	else
		ret = make_behind(now, before, n_vacated, schedule, err);
	free(n_vacated);
	return ret;
}
