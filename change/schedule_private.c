// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Schedules of tables with private LFTs or VL2VL. A round is known by the tables behind it. Private
 * LFTs that only the new tables have come first, where no map names them. Then, the first of these
 * that is proved:
 *
 * 1. everything in one round;
 * 2. entries, maps and lanes, of switches with hosts and of those without, in whatever order is
 * proved
 *    (change/kinds.h);
 * 3. by way of the LFTs alone: static entries, no maps, no VL2VL, by kinds; the rounds of these
 * LFTs;
 *    and the new private LFTs, by kinds;
 * 4. entries that change are dropped, all entries of switches whose map or kind of lanes changes,
 * and
 *    SLs and VLs of rows that change; behind that, everything gets its new value.
 */
#include <stdlib.h>
#include <string.h>

#include "change/kinds.h"
#include "change/mixtures.h"
#include "change/rounds.h"
#include "support/error.h"
#include "tables/ar_copy.h"

struct planned {
	const struct hd_tables *now, *old;
	struct hd_tables *before; /* old, with what the rounds until now changed */
	struct hd_tables *goal;   /* as now, with the path SLs of before, and its private LFTs */
	struct hd_schedule *schedule;
	struct hd_error *err;
};

/* Counts what changes from @from to @to, in round @number. */
static void count(const struct planned *planned, const struct hd_tables *from,
		  const struct hd_tables *to, struct hd_round *round)
{
	const struct hd_tables *now = planned->now;
	const struct hd_fabric *fabric = now->fabric;

	hd_for_each_node(node, fabric) {
		struct hd_ar_changes changes = { .groups = false };
		uint64_t n = 0;

		for (size_t i = now->sl2vl_first[node]; i < now->sl2vl_first[node + 1]; i++) {
			if (from->sl2vl[i] == to->sl2vl[i])
				continue;
			n++;
			round->n_rows += to->sl2vl[i] == now->sl2vl[i];
			round->n_dropped_rows += to->sl2vl[i] != now->sl2vl[i];
		}
		for (size_t i = node * now->lft_stride;
		     hd_is_switch(fabric, node) && i < (node + (size_t)1) * now->lft_stride; i++) {
			if (from->lft[i] == to->lft[i])
				continue;
			n++;
			round->n_entries += to->lft[i] == now->lft[i];
			round->n_dropped_entries += to->lft[i] != now->lft[i];
		}
		if (hd_is_switch(fabric, node))
			hd_ar_compare(from, to, node, &changes);
		round->n_sets += changes.n_sets;
		round->n_private += changes.n_private;
		round->n_map_rows += changes.n_map;
		round->n_vl2vl_rows += changes.n_vl2vl;
		round->n_nodes += n || changes.n_sets || changes.n_private || changes.n_map ||
				  changes.n_vl2vl || changes.groups;
	}
}

/* Adds a round from @from to @to, which the schedule then owns. */
static int add_round(struct planned *planned, const struct hd_tables *from, struct hd_tables *to)
{
	struct hd_schedule *schedule = planned->schedule;

	if (schedule->n_rounds == HD_MAX_ROUNDS) {
		hd_tables_free(to);
		return hd_error_set(planned->err, HD_EREFUSED,
				    "more than %u rounds would be needed", HD_MAX_ROUNDS);
	}
	count(planned, from, to, &schedule->rounds[schedule->n_rounds]);
	schedule->stages[schedule->n_rounds++] = to;
	return 0;
}

/* Takes back all rounds behind the first @n. */
static void take_back(struct planned *planned, unsigned n)
{
	struct hd_schedule *schedule = planned->schedule;

	while (schedule->n_rounds > n) {
		hd_tables_free(schedule->stages[--schedule->n_rounds]);
		schedule->stages[schedule->n_rounds] = NULL;
		schedule->rounds[schedule->n_rounds] = (struct hd_round){ 0 };
	}
}

/* Rounds by kinds from @from to @to; *@found: there are some. */
static int add_kinds(struct planned *planned, const struct hd_tables *from,
		     const struct hd_tables *to, bool *found)
{
	struct hd_tables *stages[HD_MOST_KIND_ROUNDS] = { NULL };
	unsigned n;
	int ret = hd_kinds_find(from, to, stages, &n, found, planned->err);

	for (unsigned r = 0; r < n; r++) {
		if (ret) {
			hd_tables_free(stages[r]);
			continue;
		}
		ret = add_round(planned, from, stages[r]);
		from = stages[r];
	}
	return ret;
}

/* The entry of pLFT @plft of switch @s for @lid leads nowhere. */
static void drop_entry(struct hd_tables *at, uint32_t s, unsigned plft, uint32_t lid)
{
	const size_t i = s * at->lft_stride + lid;

	if (!plft)
		at->lft[i] = HD_NO_PATH;
	if (!at->ar)
		return;
	if (plft) {
		const struct hd_ar_lft *lft = &at->ar->switches[s].lfts[plft - 1];

		lft->port[lid] = HD_NO_PATH;
		lft->state[lid] = HD_AR_STATIC;
		lft->group[lid] = HD_AR_NO_GROUP;
	} else {
		at->ar->state[i] = HD_AR_STATIC;
		at->ar->group[i] = HD_AR_NO_GROUP;
	}
}

/* Entries for LIDs that no port has any more go first, as change/schedule.h says. */
static bool leads(const struct hd_tables *tables, uint32_t s, unsigned plft, uint32_t lid)
{
	struct hd_ar_entry entry;

	if (plft >= hd_ar_n_plfts(tables, s))
		return false;
	entry = hd_ar_entry(tables, s, plft, lid);
	return entry.port != HD_NO_PATH ||
	       (entry.state != HD_AR_STATIC && entry.group != HD_AR_NO_GROUP);
}

static bool vacate(const struct hd_tables *now, struct hd_tables *at)
{
	bool any = false;

	hd_for_each_vacant_lid(lid, now)
		hd_for_each_switch(s, now->fabric)
			for (unsigned plft = 0; plft < hd_ar_n_plfts(at, s); plft++) {
				if (!leads(at, s, plft, lid) || leads(now, s, plft, lid))
					continue;
				drop_entry(at, s, plft, lid);
				any = true;
			}
	return any;
}

/* Replaces planned->before by @tables, behind a round with them. */
static int go_to(struct planned *planned, struct hd_tables *tables)
{
	struct hd_tables *stage = NULL;
	int ret = hd_kinds_copy(tables, &stage, planned->err);

	if (!ret)
		ret = add_round(planned, planned->before, stage);
	if (ret) {
		hd_tables_free(tables);
		return ret;
	}
	hd_tables_free(planned->before);
	planned->before = tables;
	return 0;
}

static int add_vacated(struct planned *planned)
{
	struct hd_tables *without;
	int ret = hd_kinds_copy(planned->before, &without, planned->err);

	if (ret)
		return ret;
	if (vacate(planned->now, without))
		return go_to(planned, without);
	hd_tables_free(without);
	return 0;
}

/* Gives @to the private LFTs that only @from has; *@any: there are some. */
static int add_missing(struct hd_tables *to, const struct hd_tables *from, bool *any,
		       struct hd_error *err)
{
	int ret = 0;

	*any = false;
	hd_for_each_switch(s, to->fabric)
		*any |= hd_ar_n_plfts(to, s) < hd_ar_n_plfts(from, s);
	if (*any && !to->ar)
		ret = hd_ar_new(to, err);
	for (uint32_t s = 0; *any && !ret && s < to->fabric->n_switches; s++)
		if (hd_ar_add_missing(to, from, s))
			ret = hd_error_nomem(err);
	return ret;
}

/*
 * Private LFTs that only one side has: the new ones are sent before a map names them, and the old
 * ones stay until the end.
 */
static int add_private_lfts(struct planned *planned)
{
	struct hd_tables *with;
	bool any, is_sound = false;
	int ret = add_missing(planned->goal, planned->before, &any, planned->err);

	if (!ret)
		ret = hd_kinds_copy(planned->before, &with, planned->err);
	if (ret)
		return ret;
	ret = add_missing(with, planned->goal, &any, planned->err);
	if (!ret && any)
		ret = hd_mixtures_are_sound(with, planned->before, &is_sound, planned->err);
	if (!ret && is_sound)
		return go_to(planned, with);
	hd_tables_free(with);
	return ret;
}

/* The LFTs and lanes of @lfts alone, beside private LFTs of @tables that no map names. */
static int make_still(const struct hd_tables *tables, const struct hd_tables *lfts,
		      struct hd_tables **still, struct hd_error *err)
{
	int ret = hd_kinds_copy(tables, still, err);

	if (ret)
		return ret;
	memcpy((*still)->lft, lfts->lft, hd_rounds_lft_size(lfts));
	memcpy((*still)->sl2vl, lfts->sl2vl, hd_rounds_n_rows(lfts) * sizeof(*lfts->sl2vl));
	for (uint32_t s = 0; (*still)->ar && s < lfts->fabric->n_switches; s++) {
		struct hd_ar_switch *own = &(*still)->ar->switches[s];
		const size_t stride = lfts->lft_stride;

		memset((*still)->ar->state + s * stride, HD_AR_STATIC, stride);
		memset((*still)->ar->group + s * stride, 0xFF, stride * sizeof(uint16_t));
		for (unsigned i = 0; i + 1 < own->n_plfts; i++) {
			memset(own->lfts[i].state, HD_AR_STATIC, stride);
			memset(own->lfts[i].group, 0xFF, stride * sizeof(uint16_t));
		}
		if (own->plft)
			memset(own->plft, 0,
			       (lfts->fabric->nodes[s].n_ports + (size_t)1) * HD_MAX_SLS);
		free(own->vl2vl);
		own->vl2vl = NULL;
	}
	return 0;
}

/* @still with the LFTs and SL2VL rows of @at. */
static int put_on(const struct hd_tables *still, const struct hd_tables *at,
		  struct hd_tables **stage, struct hd_error *err)
{
	int ret = hd_kinds_copy(still, stage, err);

	if (ret)
		return ret;
	memcpy((*stage)->lft, at->lft, hd_rounds_lft_size(at));
	memcpy((*stage)->sl2vl, at->sl2vl, hd_rounds_n_rows(at) * sizeof(*at->sl2vl));
	return 0;
}

/*
 * The rounds of LFTs and SL2VL alone; *@found: there are some. Private LFTs, which no packet uses
 * meanwhile, stay as in @still.
 */
static int add_static(struct planned *planned, const struct hd_tables *still,
		      struct hd_tables *from, struct hd_tables *to, bool *found)
{
	struct hd_schedule schedule = { 0 };
	const struct hd_tables *last = still;
	int ret;

	hd_ar_drop(from);
	hd_ar_drop(to);
	ret = hd_schedule_make_static(to, from, &schedule, planned->err);
	*found = !ret && !schedule.old_loops && !schedule.needs_new_sls;
	for (unsigned r = 1; !ret && *found && r <= schedule.n_rounds; r++) {
		struct hd_tables *at = NULL, *stage;

		ret = hd_schedule_tables(&schedule, to, from, r, &at, planned->err);
		if (!ret)
			ret = put_on(still, at, &stage, planned->err);
		hd_tables_free(at);
		if (ret)
			break;
		ret = add_round(planned, last, stage);
		last = stage;
	}
	hd_schedule_clear(&schedule);
	if (ret != HD_EREFUSED)
		return ret;
	*found = false;
	return 0;
}

/* By way of the LFTs alone. */
static int go_by_lfts(struct planned *planned, bool *found)
{
	const unsigned n_rounds = planned->schedule->n_rounds;
	struct hd_tables *from = NULL, *to = NULL, *from_lfts = NULL, *to_lfts = NULL;
	int ret = make_still(planned->before, planned->before, &from, planned->err);

	if (!ret)
		ret = make_still(planned->before, planned->goal, &to, planned->err);
	if (!ret)
		ret = hd_kinds_copy(from, &from_lfts, planned->err);
	if (!ret)
		ret = hd_kinds_copy(to, &to_lfts, planned->err);
	*found = true;
	if (!ret)
		ret = add_kinds(planned, planned->before, from, found);
	if (!ret && *found)
		ret = add_static(planned, from, from_lfts, to_lfts, found);
	if (!ret && *found)
		ret = add_kinds(planned, to, planned->goal, found);
	if (!*found)
		take_back(planned, n_rounds);
	hd_tables_free(from);
	hd_tables_free(to);
	hd_tables_free(from_lfts);
	hd_tables_free(to_lfts);
	return ret;
}

static bool has_vl2vl(const struct hd_tables *tables, uint32_t s)
{
	return hd_ar_vl2vl(tables, s);
}

/* Empties the entries of @at that change from planned->before to planned->goal. */
static void drop_entries(const struct planned *planned, struct hd_tables *at)
{
	const struct hd_tables *before = planned->before, *goal = planned->goal;

	hd_for_each_switch(s, at->fabric) {
		const bool all = !hd_ar_is_same_map(before, goal, s) ||
				 has_vl2vl(before, s) != has_vl2vl(goal, s);

		for (unsigned plft = 0; plft < hd_ar_n_plfts(at, s); plft++)
			for (uint32_t lid = 1; lid < at->lft_stride; lid++)
				if (all || !hd_ar_is_same_entry(before, goal, s, plft, lid))
					drop_entry(at, s, plft, lid);
	}
}

/* Rows of @at, tables as before, in which what changes is dropped. */
static void drop_rows(const struct planned *planned, struct hd_tables *at)
{
	const struct hd_tables *goal = planned->goal;

	for (size_t i = 0; i < hd_rounds_n_rows(at); i++)
		at->sl2vl[i] = hd_rounds_drop_row(at->sl2vl[i], goal->sl2vl[i]);
	hd_for_each_switch(s, at->fabric) {
		const size_t n_ins = at->fabric->nodes[s].n_ports + (size_t)1;
		hd_sl2vl_row *rows = hd_ar_vl2vl(at, s);
		const hd_sl2vl_row *new = hd_ar_vl2vl(goal, s);

		for (size_t i = 0; rows && new &&i < n_ins *n_ins; i++)
			rows[i] = hd_rounds_drop_row(rows[i], new[i]);
	}
}

/* Drops what changes, and sets it. */
static int drop_first(struct planned *planned, bool *found)
{
	const unsigned n_rounds = planned->schedule->n_rounds;
	struct hd_tables *dropped = NULL, *new = NULL;
	bool is_sound = false;
	int ret = hd_kinds_copy(planned->before, &dropped, planned->err);

	if (!ret)
		ret = hd_kinds_copy(planned->goal, &new, planned->err);
	if (!ret) {
		drop_entries(planned, dropped);
		drop_rows(planned, dropped);
		drop_entries(planned, new);
		ret = hd_mixtures_are_sound(dropped, planned->before, &is_sound, planned->err);
	}
	planned->schedule->old_loops = !is_sound;
	if (!ret)
		ret = go_to(planned, dropped);
	else
		hd_tables_free(dropped);
	dropped = NULL;
	if (!ret)
		ret = add_kinds(planned, planned->before, planned->goal, found);
	if (!ret && !*found) {
		/* maps and rows first, then entries, which now lead nowhere */
		ret = add_kinds(planned, planned->before, new, found);
		if (!ret && *found)
			ret = add_kinds(planned, new, planned->goal, found);
	}
	hd_tables_free(new);
	if (!ret && !*found)
		take_back(planned, n_rounds);
	return ret;
}

/* Why there are no rounds. */
static int refuse(struct planned *planned)
{
	bool is_sound;
	int ret = hd_mixtures_are_sound(planned->goal, planned->goal, &is_sound, planned->err);

	if (ret)
		return ret;
	return hd_error_set(planned->err, HD_EREFUSED,
			    is_sound ? "no order of rounds was found"
				     : "the new tables have a loop by themselves");
}

/* Old tables that loop lose what changes in the first round, with what would have gone before. */
static int begin_again(struct planned *planned)
{
	take_back(planned, 0);
	hd_tables_free(planned->before);
	return hd_kinds_copy(planned->old, &planned->before, planned->err);
}

/* All rounds but those that take new path SLs. */
static int add_rounds(struct planned *planned)
{
	struct hd_schedule *schedule = planned->schedule;
	bool found = false, is_sound = true;
	int ret = add_vacated(planned);

	if (!ret)
		ret = add_private_lfts(planned);
	if (!ret)
		ret = add_kinds(planned, planned->before, planned->goal, &found);
	if (ret || found)
		return ret;
	ret = hd_mixtures_are_sound(planned->old, planned->old, &is_sound, planned->err);
	if (!ret && is_sound)
		ret = go_by_lfts(planned, &found);
	else if (!ret)
		ret = begin_again(planned);
	if (!ret && !found)
		ret = drop_first(planned, &found);
	if (!ret && !found)
		ret = refuse(planned);
	schedule->old_loops = !ret && !is_sound;
	return ret;
}

/* Hosts take new path SLs in the last round: those of the new tables, or of both, must be sound. */
static int judge_sls(struct planned *planned)
{
	bool is_sound;
	int ret = hd_mixtures_are_sound(planned->now, planned->goal, &is_sound, planned->err);

	if (ret || is_sound)
		return ret;
	ret = hd_mixtures_are_sound(planned->now, planned->now, &is_sound, planned->err);
	if (!ret && !is_sound)
		ret = hd_error_set(planned->err, HD_EREFUSED,
				   "the new tables have a loop by themselves");
	planned->schedule->needs_new_sls = !ret;
	return ret;
}

/*
 * The last round ends with the new tables, which may lack old private LFTs, and have new path SLs.
 */
static int finish(struct planned *planned, bool differ)
{
	struct hd_schedule *schedule = planned->schedule;
	struct hd_tables *last;
	int ret = 0;

	if (!differ && !schedule->n_rounds)
		return 0;
	ret = hd_kinds_copy(planned->now, &last, planned->err);
	if (ret)
		return ret;
	if (differ) {
		ret = add_round(planned, planned->now, last);
		if (!ret)
			schedule->rounds[schedule->n_rounds - 1].path_sls = true;
		return ret;
	}
	hd_tables_free(schedule->stages[schedule->n_rounds - 1]);
	schedule->stages[schedule->n_rounds - 1] = last;
	return 0;
}

/* Whether all of it may change at once: private LFTs that only new tables have come first. */
static int try_at_once(struct planned *planned, bool differ, bool *done)
{
	struct hd_tables *last;
	bool any, found = false;
	int ret = hd_kinds_copy(planned->before, &last, planned->err);

	*done = false;
	if (ret)
		return ret;
	any = vacate(planned->now, last);
	hd_tables_free(last);
	hd_for_each_switch(s, planned->now->fabric)
		any |= hd_ar_n_plfts(planned->before, s) < hd_ar_n_plfts(planned->now, s);
	if (any)
		return 0;
	ret = hd_mixtures_are_sound(planned->now, planned->before, &found, planned->err);
	if (ret || !found)
		return ret;
	*done = true;
	planned->schedule->is_at_once = true;
	ret = hd_kinds_copy(planned->now, &last, planned->err);
	if (!ret)
		ret = add_round(planned, planned->before, last);
	if (ret)
		return ret;
	planned->schedule->rounds[0].path_sls = differ;
	if (!planned->schedule->rounds[0].n_nodes && !differ)
		take_back(planned, 0);
	return 0;
}

static int make(struct planned *planned)
{
	const bool differ = hd_rounds_sls_differ(planned->now, planned->before);
	bool done;
	int ret = try_at_once(planned, differ, &done);

	if (ret || done)
		return ret;
	if (differ)
		ret = judge_sls(planned);
	if (ret || planned->schedule->needs_new_sls)
		return ret;
	ret = add_rounds(planned);
	if (!ret)
		ret = finish(planned, differ);
	planned->schedule->is_at_once = !ret && planned->schedule->n_rounds == 1;
	return ret;
}

int hd_schedule_make_private(const struct hd_tables *now, const struct hd_tables *before,
			     struct hd_schedule *schedule, struct hd_error *err)
{
	struct planned planned = { .now = now, .old = before, .schedule = schedule, .err = err };
	int ret = 0;

	*schedule = (struct hd_schedule){ .n_rounds = 0 };
	schedule->stages = calloc(HD_MAX_ROUNDS, sizeof(struct hd_tables *));
	ret = schedule->stages ? hd_kinds_copy(before, &planned.before, err) : hd_error_nomem(err);
	if (!ret)
		ret = hd_kinds_copy_by_sls(now, before, &planned.goal, err);
	if (!ret)
		ret = make(&planned);
	hd_tables_free(planned.before);
	hd_tables_free(planned.goal);
	if (ret)
		hd_schedule_clear(schedule);
	return ret;
}
