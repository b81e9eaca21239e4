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

/*
 * Adds the entries that go to the list of those that change, in round 1. All others that change are
 * in the list already. HD_ENOMEM.
 */
static int list_vacated(struct hd_schedule *schedule, const struct hd_tables *now,
			const struct hd_tables *before, struct hd_error *err)
{
	struct hd_schedule all;
	int ret = hd_rounds_new(&all, now, before, err);
	size_t place = 0; /* in the list that there is */

	for (size_t k = 0; !ret && k < all.entries.n; k++) {
		const struct hd_schedule_list *others = &schedule->entries;

		if (place < others->n && others->at[place] == all.entries.at[k]) {
			all.entries.new[k] = others->new[place];
			all.entries.drop[k] = others->drop[place++];
		} else {
			all.entries.new[k] = 1;
		}
	}
	if (!ret) {
		const struct hd_schedule_list others = schedule->entries;

		schedule->entries = all.entries;
		all.entries = others;
	}
	hd_schedule_clear(&all);
	return ret;
}

/*
 * The entries go in the first round: in one of their own, or in one that takes away what old tables
 * with a loop have. HD_ENOMEM.
 */
static int take_first(struct hd_schedule *schedule, const struct hd_tables *now,
		      const struct hd_tables *before, const uint32_t *n_vacated,
		      struct hd_error *err)
{
	struct hd_round *first = &schedule->rounds[0];
	const bool is_shared = schedule->old_loops && schedule->n_rounds;

	if (!is_shared)
		hd_rounds_shift(schedule);
	hd_for_each_switch(s, now->fabric) {
		first->n_entries += n_vacated[s];
		first->n_nodes +=
			n_vacated[s] && !(is_shared && hd_rounds_has_switch(schedule, now, s, 1));
	}
	/* a switch may also lose port sets in a round that is shared */
	if (first->n_nodes > now->fabric->n_switches)
		first->n_nodes = now->fabric->n_switches;
	schedule->is_at_once &= schedule->n_rounds == 1;
	if (schedule->sets_on > schedule->n_rounds)
		schedule->sets_on = schedule->n_rounds;
	return list_vacated(schedule, now, before, err);
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
	ret = take_first(schedule, now, before, n_vacated, err);
	if (ret)
		hd_schedule_clear(schedule);
	return ret;
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
