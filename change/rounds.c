// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "change/kinds.h"
#include "change/mixtures.h"
#include "support/error.h"
#include "support/memory.h"
#include "tables/ar.h"
#include "tables/onto.h"

#define BLOCK 64 /* entries that are compared together: a line of an LFT */

static bool push(struct hd_schedule_list *list, size_t *allocated, size_t at)
{
	uint32_t *grown = hd_make_room(list->at, list->n, allocated, sizeof(*grown));

	if (!grown)
		return false;
	list->at = grown;
	list->at[list->n++] = (uint32_t)at;
	return true;
}

static bool find_entries(struct hd_schedule_list *list, const struct hd_tables *now,
			 const struct hd_tables *before)
{
	size_t allocated = 0;

	for (size_t first = 0; first < hd_rounds_lft_size(now); first += BLOCK) {
		if (memcmp(now->lft + first, before->lft + first, BLOCK) == 0)
			continue;
		for (size_t i = first; i < first + BLOCK; i++)
			if (now->lft[i] != before->lft[i] && !push(list, &allocated, i))
				return false;
	}
	return true;
}

static bool find_rows(struct hd_schedule_list *list, const struct hd_tables *now,
		      const struct hd_tables *before)
{
	size_t allocated = 0;

	for (size_t i = 0; i < hd_rounds_n_rows(now); i++)
		if (now->sl2vl[i] != before->sl2vl[i] && !push(list, &allocated, i))
			return false;
	return true;
}

static bool make_numbers(struct hd_schedule_list *list)
{
	list->new = calloc(list->n + 1, 1);
	list->drop = calloc(list->n + 1, 1);
	return list->new && list->drop;
}

int hd_rounds_new(struct hd_schedule *schedule, const struct hd_tables *now,
		  const struct hd_tables *before, struct hd_error *err)
{
	*schedule = (struct hd_schedule){ .n_rounds = 0 };
	return find_entries(&schedule->entries, now, before) &&
			       find_rows(&schedule->rows, now, before) &&
			       make_numbers(&schedule->entries) && make_numbers(&schedule->rows)
		       ? 0
		       : hd_error_nomem(err);
}

hd_sl2vl_row hd_rounds_drop_row(hd_sl2vl_row row, hd_sl2vl_row new)
{
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (hd_row_vl(row, sl) != hd_row_vl(new, sl))
			row = hd_row_set(row, sl, HD_VL_DROP);
	return row;
}

/* Gives @at, which has the entries and rows of @before, those after round @round. */
static void fill(const struct hd_schedule *schedule, const struct hd_tables *now,
		 const struct hd_tables *before, unsigned round, struct hd_tables *at)
{
	for (size_t k = 0; k < schedule->entries.n; k++) {
		const size_t i = schedule->entries.at[k];

		at->lft[i] = hd_rounds_entry(schedule, now->lft[i], before->lft[i], round, k);
	}
	for (size_t k = 0; k < schedule->rows.n; k++) {
		const size_t i = schedule->rows.at[k];

		at->sl2vl[i] = hd_rounds_row(schedule, now->sl2vl[i], before->sl2vl[i], round, k);
	}
}

/* Counts entry or row @place of @list where it changes, and notes in which rounds it does. */
static void count(const struct hd_schedule_list *list, size_t place, uint64_t n_new[],
		  uint64_t n_dropped[], bool is_in[])
{
	if (list->new[place]) {
		n_new[list->new[place] - 1]++;
		is_in[list->new[place] - 1] = true;
	}
	if (list->drop[place]) {
		n_dropped[list->drop[place] - 1]++;
		is_in[list->drop[place] - 1] = true;
	}
}

void hd_rounds_count(struct hd_schedule *schedule, const struct hd_tables *now)
{
	const struct hd_schedule_list *entries = &schedule->entries, *rows = &schedule->rows;
	uint64_t n_entries[HD_MAX_ROUNDS] = { 0 }, n_dropped_entries[HD_MAX_ROUNDS] = { 0 };
	uint64_t n_rows[HD_MAX_ROUNDS] = { 0 }, n_dropped_rows[HD_MAX_ROUNDS] = { 0 };
	size_t entry = 0, row = 0;

	hd_for_each_node(node, now->fabric) {
		bool is_in[HD_MAX_ROUNDS] = { false };

		for (; entry < entries->n &&
		       entries->at[entry] < (node + (size_t)1) * now->lft_stride;
		     entry++)
			count(entries, entry, n_entries, n_dropped_entries, is_in);
		for (; row < rows->n && rows->at[row] < now->sl2vl_first[node + 1]; row++)
			count(rows, row, n_rows, n_dropped_rows, is_in);
		for (unsigned r = 0; r < schedule->n_rounds; r++)
			schedule->rounds[r].n_nodes += is_in[r];
	}
	for (unsigned r = 0; r < schedule->n_rounds; r++) {
		schedule->rounds[r].n_entries += n_entries[r];
		schedule->rounds[r].n_dropped_entries += n_dropped_entries[r];
		schedule->rounds[r].n_rows += n_rows[r];
		schedule->rounds[r].n_dropped_rows += n_dropped_rows[r];
	}
}

static bool has_round(const struct hd_schedule_list *list, size_t begin, size_t end, unsigned round)
{
	for (size_t k = hd_schedule_place(list, begin); k < list->n && list->at[k] < end; k++)
		if (list->new[k] == round || list->drop[k] == round)
			return true;
	return false;
}

bool hd_rounds_has_switch(const struct hd_schedule *schedule, const struct hd_tables *now,
			  uint32_t s, unsigned round)
{
	return has_round(&schedule->entries, s * now->lft_stride, (s + (size_t)1) * now->lft_stride,
			 round) ||
	       has_round(&schedule->rows, now->sl2vl_first[s], now->sl2vl_first[s + 1], round);
}

/* Moves each round to the next one; 0: none. */
static void shift_numbers(const struct hd_schedule_list *list)
{
	for (size_t k = 0; k < list->n; k++) {
		if (list->new[k])
			list->new[k]++;
		if (list->drop[k])
			list->drop[k]++;
	}
}

void hd_rounds_shift(struct hd_schedule *schedule)
{
	shift_numbers(&schedule->entries);
	shift_numbers(&schedule->rows);
	memmove(schedule->rounds + 1, schedule->rounds,
		schedule->n_rounds * sizeof(*schedule->rounds));
	schedule->rounds[0] = (struct hd_round){ 0 };
	schedule->n_rounds++;
	schedule->sets_off += schedule->sets_off > 0;
	schedule->sets_on += schedule->sets_on > 0;
}

/* Whether two rows of path SLs differ in that of a LID that somebody has. */
static bool rows_differ(const struct hd_fabric *fabric, const uint8_t *a, const uint8_t *b,
			uint32_t port)
{
	hd_for_each_lid(lid, fabric)
		if (a[lid] != b[lid] && fabric->lids[lid].port != HD_NONE &&
		    fabric->lids[lid].port != port)
			return true;
	return false;
}

bool hd_rounds_sls_differ(const struct hd_tables *now, const struct hd_tables *before)
{
	uint32_t alike[] = { HD_NONE, HD_NONE }; /* rows that were compared last */

	hd_for_each_port(p, now->fabric) {
		const uint32_t a = now->sl_row_of_port[p], b = before->sl_row_of_port[p];

		if (!hd_is_end_port(now->fabric, p) || (a == alike[0] && b == alike[1]))
			continue;
		if (rows_differ(now->fabric, now->sl_rows + a * now->lft_stride,
				before->sl_rows + b * before->lft_stride, p))
			return true;
		/* only rows that differ in nothing at all are alike for every port */
		if (!rows_differ(now->fabric, now->sl_rows + a * now->lft_stride,
				 before->sl_rows + b * before->lft_stride, HD_NONE)) {
			alike[0] = a;
			alike[1] = b;
		}
	}
	return false;
}

static void clear_list(struct hd_schedule_list *list)
{
	free(list->at);
	free(list->new);
	free(list->drop);
}

void hd_schedule_clear(struct hd_schedule *schedule)
{
	clear_list(&schedule->entries);
	clear_list(&schedule->rows);
	for (unsigned r = 0; schedule->stages && r < schedule->n_rounds; r++)
		hd_tables_free(schedule->stages[r]);
	free(schedule->stages);
	*schedule = (struct hd_schedule){ .n_rounds = 0 };
}

bool hd_rounds_any_vacated(const struct hd_tables *now, const struct hd_tables *before)
{
	hd_for_each_vacant_lid(lid, now)
		hd_for_each_switch(s, now->fabric)
			if (hd_rounds_is_vacated(now, before, s * now->lft_stride + lid))
				return true;
	return false;
}

void hd_rounds_vacate(struct hd_tables *at, const struct hd_tables *now,
		      const struct hd_tables *before)
{
	hd_for_each_vacant_lid(lid, now)
		hd_for_each_switch(s, now->fabric) {
			const size_t i = s * now->lft_stride + lid;

			if (!hd_rounds_is_vacated(now, before, i))
				continue;
			at->lft[i] = HD_NO_PATH;
			if (!at->ar)
				continue;
			at->ar->state[i] = HD_AR_STATIC;
			at->ar->group[i] = HD_AR_NO_GROUP;
		}
}

int hd_schedule_tables(const struct hd_schedule *schedule, const struct hd_tables *now,
		       const struct hd_tables *before, unsigned round, struct hd_tables **tables,
		       struct hd_error *err)
{
	const bool new_sls = round && schedule->rounds[round - 1].path_sls;
	/* tables with new path SLs are made from @now, whose sets may come later */
	const bool has_old_sets = !new_sls && (!schedule->sets_off || round < schedule->sets_off);
	const bool has_new_sets = schedule->sets_on && round >= schedule->sets_on;
	struct hd_tables *at;
	int ret;

	*tables = NULL;
	if (schedule->stages)
		return hd_kinds_copy(round ? schedule->stages[round - 1] : before, tables, err);
	ret = hd_tables_onto_entries(new_sls || has_new_sets ? now : before, before, &at, err);
	if (ret)
		return ret;
	*tables = at;
	fill(schedule, now, before, round, at);
	if (!has_new_sets && !has_old_sets)
		hd_ar_drop(at);
	if (round && at->ar && !has_new_sets)
		hd_rounds_vacate(at, now, before);
	return 0;
}

/* Drops all that changes in round 1, and sets it in round 2. */
static void drop_all(struct hd_schedule *schedule, const struct hd_tables *now,
		     const struct hd_tables *before)
{
	for (size_t k = 0; k < schedule->entries.n; k++)
		schedule->entries.drop[k] = before->lft[schedule->entries.at[k]] != HD_NO_PATH;
	memset(schedule->entries.new, 2, schedule->entries.n);
	memset(schedule->rows.drop, 1, schedule->rows.n);
	memset(schedule->rows.new, 2, schedule->rows.n);
	schedule->n_rounds = 2;
	schedule->rounds[1].path_sls = hd_rounds_sls_differ(now, before);
	hd_rounds_count(schedule, now);
}

int hd_schedule_drop(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, bool *is_proved, struct hd_error *err)
{
	struct hd_tables *dropped = NULL;
	bool is_sound = false;
	int ret = hd_rounds_new(schedule, now, before, err);

	*is_proved = false;
	if (!ret) {
		drop_all(schedule, now, before);
		ret = hd_schedule_tables(schedule, now, before, 1, &dropped, err);
	}
	if (!ret)
		ret = hd_mixtures_are_sound(dropped, before, &is_sound, err);
	schedule->old_loops = !is_sound;
	if (!ret)
		ret = hd_mixtures_are_sound(now, dropped, is_proved, err);
	hd_tables_free(dropped);
	if (ret)
		hd_schedule_clear(schedule);
	return ret;
}
