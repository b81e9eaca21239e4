// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "change/kinds.h"
#include "change/mixtures.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tables/onto.h"

int hd_rounds_new(struct hd_schedule *schedule, const struct hd_tables *now, struct hd_error *err)
{
	*schedule = (struct hd_schedule){ .n_rounds = 0 };
	schedule->entry_new = calloc(hd_rounds_lft_size(now) + 1, 1);
	schedule->entry_drop = calloc(hd_rounds_lft_size(now) + 1, 1);
	schedule->row_new = calloc(hd_rounds_n_rows(now) + 1, 1);
	schedule->row_drop = calloc(hd_rounds_n_rows(now) + 1, 1);
	if (!schedule->entry_new || !schedule->entry_drop || !schedule->row_new ||
	    !schedule->row_drop)
		return hd_error_nomem(err);
	return 0;
}

hd_sl2vl_row hd_rounds_drop_row(hd_sl2vl_row row, hd_sl2vl_row new)
{
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (hd_row_vl(row, sl) != hd_row_vl(new, sl))
			row = hd_row_set(row, sl, HD_VL_DROP);
	return row;
}

/*
 * The first of @n numbers of rounds in either list that is not 0, at index @i or behind it; or @n.
 */
static size_t next_change(const uint8_t *a, const uint8_t *b, size_t i, size_t n)
{
	uint64_t x, y;

	for (; i + sizeof(x) <= n; i += sizeof(x)) {
		memcpy(&x, a + i, sizeof(x));
		memcpy(&y, b + i, sizeof(y));
		if (x | y)
			break;
	}
	while (i < n && !a[i] && !b[i])
		i++;
	return i;
}

/* The loops over what changes in any round, in [@begin, @end) of entries or rows. */
#define for_each_change(i, new, drop, begin, end)                              \
	for (size_t i = next_change(new, drop, begin, end); i < (size_t)(end); \
	     i = next_change(new, drop, i + 1, end))

/* Gives @at, which has the entries and rows of @before, those after round @round. */
static void fill(const struct hd_schedule *schedule, const struct hd_tables *now,
		 const struct hd_tables *before, unsigned round, struct hd_tables *at)
{
	const size_t n_entries = hd_rounds_lft_size(now), n_rows = hd_rounds_n_rows(now);

	for_each_change(i, schedule->entry_new, schedule->entry_drop, 0, n_entries) at->lft[i] =
		hd_rounds_entry(schedule, now, before, round, i);
	for_each_change(i, schedule->row_new, schedule->row_drop, 0, n_rows) at->sl2vl[i] =
		hd_rounds_row(schedule, now, before, round, i);
}

void hd_rounds_count(struct hd_schedule *schedule, const struct hd_tables *now)
{
	const struct hd_fabric *fabric = now->fabric;

	hd_for_each_node(node, fabric) {
		const size_t end_row = now->sl2vl_first[node + 1];
		const size_t end_entry =
			hd_is_switch(fabric, node) ? (node + (size_t)1) * now->lft_stride : 0;
		bool is_in[HD_MAX_ROUNDS] = { false };

		for_each_change(i, schedule->entry_new, schedule->entry_drop,
				node * now->lft_stride, end_entry)
		{
			if (schedule->entry_new[i]) {
				schedule->rounds[schedule->entry_new[i] - 1].n_entries++;
				is_in[schedule->entry_new[i] - 1] = true;
			}
			if (schedule->entry_drop[i]) {
				schedule->rounds[schedule->entry_drop[i] - 1].n_dropped_entries++;
				is_in[schedule->entry_drop[i] - 1] = true;
			}
		}
		for_each_change(i, schedule->row_new, schedule->row_drop, now->sl2vl_first[node],
				end_row)
		{
			if (schedule->row_new[i]) {
				schedule->rounds[schedule->row_new[i] - 1].n_rows++;
				is_in[schedule->row_new[i] - 1] = true;
			}
			if (schedule->row_drop[i]) {
				schedule->rounds[schedule->row_drop[i] - 1].n_dropped_rows++;
				is_in[schedule->row_drop[i] - 1] = true;
			}
		}
		for (unsigned round = 0; round < schedule->n_rounds; round++)
			schedule->rounds[round].n_nodes += is_in[round];
	}
}

/* Moves each of @n rounds to the next one; 0: none. */
static void shift_numbers(uint8_t *rounds, size_t n)
{
	for_each_change(i, rounds, rounds, 0, n) rounds[i]++;
}

void hd_rounds_shift(struct hd_schedule *schedule, const struct hd_tables *now)
{
	shift_numbers(schedule->entry_new, hd_rounds_lft_size(now));
	shift_numbers(schedule->entry_drop, hd_rounds_lft_size(now));
	shift_numbers(schedule->row_new, hd_rounds_n_rows(now));
	shift_numbers(schedule->row_drop, hd_rounds_n_rows(now));
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

void hd_schedule_clear(struct hd_schedule *schedule)
{
	free(schedule->entry_new);
	free(schedule->entry_drop);
	free(schedule->row_new);
	free(schedule->row_drop);
	for (unsigned r = 0; schedule->stages && r < schedule->n_rounds; r++)
		hd_tables_free(schedule->stages[r]);
	free(schedule->stages);
	hd_tables_free(schedule->spares[0]);
	hd_tables_free(schedule->spares[1]);
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

int hd_schedule_take_tables(struct hd_schedule *schedule, const struct hd_tables *now,
			    const struct hd_tables *before, unsigned round,
			    struct hd_tables **tables, struct hd_error *err)
{
	struct hd_tables **spare = &schedule->spares[!schedule->spares[0]];
	const bool has_new_sls = round && schedule->rounds[round - 1].path_sls;

	if (!*spare || has_new_sls || now->ar || before->ar)
		return hd_schedule_tables(schedule, now, before, round, tables, err);
	*tables = *spare;
	*spare = NULL;
	fill(schedule, now, before, round, *tables);
	return 0;
}

/* Drops all that changes in round 1, and sets it in round 2. */
static void drop_all(struct hd_schedule *schedule, const struct hd_tables *now,
		     const struct hd_tables *before)
{
	for (size_t i = 0; i < hd_rounds_lft_size(now); i++)
		if (now->lft[i] != before->lft[i]) {
			schedule->entry_drop[i] = before->lft[i] != HD_NO_PATH;
			schedule->entry_new[i] = 2;
		}
	for (size_t i = 0; i < hd_rounds_n_rows(now); i++)
		if (now->sl2vl[i] != before->sl2vl[i]) {
			schedule->row_drop[i] = 1;
			schedule->row_new[i] = 2;
		}
	schedule->n_rounds = 2;
	schedule->rounds[1].path_sls = hd_rounds_sls_differ(now, before);
	hd_rounds_count(schedule, now);
}

int hd_schedule_drop(const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_schedule *schedule, bool *is_proved, struct hd_error *err)
{
	struct hd_tables *dropped = NULL;
	bool is_sound = false;
	int ret = hd_rounds_new(schedule, now, err);

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
