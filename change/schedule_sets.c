// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Schedules of tables with port sets: rounds of the tables without sets, behind a round in which
 * the old sets go, and before one in which the new sets come. Both take nothing but choices of one
 * set of tables, so they are sound where these tables are; that is proved all the same.
 */
#include <string.h>

#include "change/mixtures.h"
#include "change/rounds.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/onto.h"

/* Copies of tables whose entries are all static. */
struct bare {
	struct hd_tables *now, *before;
	struct hd_tables *now_by_old_sls; /* hosts have the path SLs of before */
};

static int make_bare(const struct hd_tables *tables, struct hd_tables **bare, struct hd_error *err)
{
	int ret = hd_tables_onto(tables, tables->fabric, bare, NULL, err);

	if (!ret)
		hd_ar_drop(*bare);
	return ret;
}

static int bare_init(struct bare *bare, const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_error *err)
{
	int ret = make_bare(now, &bare->now, err);

	if (!ret)
		ret = make_bare(before, &bare->before, err);
	if (!ret)
		ret = make_bare(before, &bare->now_by_old_sls, err);
	if (ret)
		return ret;
	memcpy(bare->now_by_old_sls->lft, now->lft, hd_rounds_lft_size(now));
	memcpy(bare->now_by_old_sls->sl2vl, now->sl2vl,
	       hd_rounds_n_rows(now) * sizeof(*now->sl2vl));
	return 0;
}

/* Whether the entries of switch @s for @lid have the same choices. */
static bool same_set(const struct hd_tables *a, const struct hd_tables *b, uint32_t s, uint32_t lid)
{
	const struct hd_ar_entry x = hd_ar_entry(a, s, 0, lid), y = hd_ar_entry(b, s, 0, lid);

	if (x.state != y.state || !x.set != !y.set)
		return false;
	return !x.set || memcmp(x.set, y.set, sizeof(*x.set)) == 0;
}

/* Counts the sets that change from @a to @b, in round @number. */
static void count_sets(struct hd_schedule *schedule, const struct hd_tables *a,
		       const struct hd_tables *b, unsigned number)
{
	struct hd_round *round = &schedule->rounds[number - 1];

	hd_for_each_switch(s, a->fabric) {
		uint64_t n = 0;

		hd_for_each_lid(lid, a->fabric)
			n += !same_set(a, b, s, lid);
		round->n_sets += n;
		round->n_nodes += n && !hd_rounds_has_switch(schedule, a, s, number);
	}
}

/* Everything in one round, or none if nothing changes. */
static void take_at_once(struct hd_schedule *schedule, const struct hd_tables *now,
			 const struct hd_tables *before)
{
	schedule->sets_on = 1;
	count_sets(schedule, before, now, 1);
	if (!schedule->n_rounds && schedule->rounds[0].n_sets)
		schedule->n_rounds = 1;
}

/* The round in which old sets go, and the one in which new ones come, around the others. */
static int add_rounds(struct hd_schedule *schedule, const struct bare *bare,
		      const struct hd_tables *now, const struct hd_tables *before,
		      struct hd_error *err)
{
	bool is_sound = true;
	int ret = 0;

	if (schedule->n_rounds + 2 > HD_MAX_ROUNDS)
		return hd_error_set(err, HD_EREFUSED, "more than %u rounds would be needed",
				    HD_MAX_ROUNDS);
	schedule->is_at_once = false;
	if (before->ar) {
		/* from old entries that loop, all that changes is dropped first: sets go with it */
		if (!schedule->old_loops)
			hd_rounds_shift(schedule);
		schedule->sets_off = 1;
		count_sets(schedule, before, bare->before, 1);
		ret = hd_mixtures_are_sound(bare->before, before, &is_sound, err);
		schedule->old_loops |= !is_sound;
	}
	if (ret || !now->ar)
		return ret;
	schedule->sets_on = ++schedule->n_rounds;
	count_sets(schedule, bare->now, now, schedule->sets_on);
	ret = hd_mixtures_are_sound(now, bare->now_by_old_sls, &is_sound, err);
	if (ret || is_sound)
		return ret;
	ret = hd_mixtures_are_sound(now, now, &is_sound, err);
	if (!ret && !is_sound)
		return hd_error_set(err, HD_EREFUSED, "the new tables have a loop by themselves");
	schedule->needs_new_sls = true;
	return ret;
}

int hd_schedule_make_any(const struct hd_tables *now, const struct hd_tables *before,
			 struct hd_schedule *schedule, struct hd_error *err)
{
	struct bare bare = { 0 };
	bool is_sound = false;
	int ret;

	if (!now->ar && !before->ar)
		return hd_schedule_make_static(now, before, schedule, err);
	*schedule = (struct hd_schedule){ .n_rounds = 0 };
	ret = bare_init(&bare, now, before, err);
	if (!ret)
		ret = hd_schedule_make_static(bare.now, bare.before, schedule, err);
	if (!ret && schedule->is_at_once)
		ret = hd_mixtures_are_sound(now, before, &is_sound, err);
	if (!ret && is_sound)
		take_at_once(schedule, now, before);
	else if (!ret && !schedule->needs_new_sls)
		ret = add_rounds(schedule, &bare, now, before, err);
	hd_tables_free(bare.now);
	hd_tables_free(bare.before);
	hd_tables_free(bare.now_by_old_sls);
	if (ret)
		hd_schedule_clear(schedule);
	return ret;
}
