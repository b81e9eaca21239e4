// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/plan.h"

#include "support/error.h"

int hd_plan_prepare(struct hd_plan *plan)
{
	if (plan->is_prepared)
		return 0;
	plan->is_prepared = true;
	return hd_change_prepare(&plan->change, plan->now, plan->before, plan->err);
}

int hd_plan_prove(struct hd_plan *plan, const struct hd_tables *a, const struct hd_tables *b,
		  bool *is_sound)
{
	int ret = hd_plan_prepare(plan);

	return ret ? ret : hd_change_is_sound(&plan->change, a, b, is_sound, plan->err);
}

void hd_plan_copy(const struct hd_plan *plan, struct hd_tables *to, const struct hd_tables *from)
{
	const struct hd_change *change = &plan->change;

	hd_for_each_changed_entry(i, change)
		to->lft[i] = from->lft[i];
	hd_for_each_changed_row(i, change)
		to->sl2vl[i] = from->sl2vl[i];
}

/* The first of @n places in @list, ascending, that is not below @value. */
static size_t find_place(const size_t *list, size_t n, size_t value)
{
	size_t low = 0;

	while (low < n) {
		const size_t middle = low + (n - low) / 2;

		if (list[middle] < value)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* What changes at the nodes of a part: places in change->entries and change->rows. */
struct range {
	size_t first_entry, end_entry, first_row, end_row;
};

static struct range range_of(const struct hd_plan *plan, const struct hd_part *part)
{
	const struct hd_change *change = &plan->change;
	const size_t stride = plan->now->lft_stride, *first_row = plan->now->sl2vl_first;

	return (struct range){
		.first_entry = find_place(change->entries, change->n_entries, part->first * stride),
		.end_entry = find_place(change->entries, change->n_entries, part->end * stride),
		.first_row = find_place(change->rows, change->n_rows, first_row[part->first]),
		.end_row = find_place(change->rows, change->n_rows, first_row[part->end]),
	};
}

/* Whether entry @i is of @part, one of its nodes'. */
static bool has_entry(const struct hd_plan *plan, const struct hd_part *part, size_t i)
{
	const size_t lid = i % plan->now->lft_stride;

	return plan->entry_step[i] == part->step && lid >= part->first_lid && lid < part->end_lid;
}

bool hd_plan_apply(struct hd_plan *plan, const struct hd_part *part, const struct hd_tables *from)
{
	const struct range range = range_of(plan, part);
	bool any = false;

	for (size_t k = range.first_entry; k < range.end_entry; k++) {
		const size_t i = plan->change.entries[k];

		if (!has_entry(plan, part, i))
			continue;
		plan->next->lft[i] = from->lft[i];
		any = true;
	}
	for (size_t k = range.first_row; k < range.end_row; k++) {
		const size_t i = plan->change.rows[k];

		if (plan->row_step[i] != part->step)
			continue;
		plan->next->sl2vl[i] = from->sl2vl[i];
		any = true;
	}
	return any;
}

void hd_plan_note(struct hd_plan *plan, const struct hd_part *part, uint8_t round, uint8_t step)
{
	const struct range range = range_of(plan, part);

	for (size_t k = range.first_entry; k < range.end_entry; k++) {
		const size_t i = plan->change.entries[k];

		if (!has_entry(plan, part, i))
			continue;
		plan->schedule->entry_new[i] = round;
		plan->entry_step[i] = step;
	}
	for (size_t k = range.first_row; k < range.end_row; k++) {
		const size_t i = plan->change.rows[k];

		if (plan->row_step[i] != part->step)
			continue;
		plan->schedule->row_new[i] = round;
		plan->row_step[i] = step;
	}
}

int hd_plan_begin_round(struct hd_plan *plan)
{
	if (plan->schedule->n_rounds == plan->most_rounds)
		return hd_error_set(plan->err, HD_EREFUSED, "the change takes more than %u rounds",
				    plan->most_rounds);
	plan->schedule->n_rounds++;
	plan->is_open = true;
	return 0;
}

/*
 * Something was not proved, for the first time: whether that is because the old tables loop by
 * themselves. No mixture with them is sound then, and splitting would go on for long.
 */
static int judge_old(struct hd_plan *plan)
{
	bool is_sound;
	int ret;

	if (plan->old_judged)
		return 0;
	plan->old_judged = true;
	ret = hd_plan_prove(plan, plan->before, plan->before, &is_sound);
	plan->schedule->old_loops = !ret && !is_sound;
	return ret ? ret : is_sound ? 0 : HD_PLAN_OLD_LOOPS;
}

int hd_plan_add(struct hd_plan *plan, const struct hd_part *part, bool *done)
{
	int ret;

	*done = true;
	if (!hd_plan_apply(plan, part, plan->now))
		return 0;
	ret = hd_plan_prove(plan, plan->next, plan->base, done);
	if (!ret && !*done && plan->is_open) {
		/* the round is closed without it */
		hd_plan_apply(plan, part, plan->before);
		hd_plan_copy(plan, plan->base, plan->next);
		plan->is_open = false;
		hd_plan_apply(plan, part, plan->now);
		ret = hd_plan_prove(plan, plan->next, plan->base, done);
	}
	if (ret)
		return ret;
	if (!*done) {
		hd_plan_apply(plan, part, plan->before);
		return judge_old(plan);
	}
	if (!plan->is_open)
		ret = hd_plan_begin_round(plan);
	if (!ret)
		hd_plan_note(plan, part, (uint8_t)plan->schedule->n_rounds, 0);
	return ret;
}

bool hd_plan_has_any(const struct hd_plan *plan, const struct hd_part *part)
{
	const struct range range = range_of(plan, part);

	for (size_t k = range.first_entry; k < range.end_entry; k++)
		if (has_entry(plan, part, plan->change.entries[k]))
			return true;
	for (size_t k = range.first_row; k < range.end_row; k++)
		if (plan->row_step[plan->change.rows[k]] == part->step)
			return true;
	return false;
}

/*
 * Halves @part at the middle of its nodes, and so on in the half that has all that changes,
 * until both have something: the second is returned, with a step of 0 if there is no such middle.
 */
static struct hd_part split(const struct hd_plan *plan, struct hd_part *part)
{
	while (part->end - part->first > 1) {
		struct hd_part low = *part, high = *part;

		low.end = high.first = part->first + (part->end - part->first) / 2;
		if (hd_plan_has_any(plan, &low) && hd_plan_has_any(plan, &high)) {
			*part = low;
			return high;
		}
		*part = hd_plan_has_any(plan, &low) ? low : high;
	}
	return (struct hd_part){ .step = 0 };
}

int hd_plan_place(struct hd_plan *plan, struct hd_part part, unsigned n_splits, uint8_t failed)
{
	struct hd_part rest;
	bool done;
	int ret = hd_plan_add(plan, &part, &done);

	if (ret || done)
		return ret;
	rest = n_splits ? split(plan, &part) : (struct hd_part){ .step = 0 };
	if (!rest.step) {
		hd_plan_note(plan, &part, 0, failed);
		plan->any_again = true;
		return 0;
	}
	ret = hd_plan_place(plan, part, n_splits - 1, failed);
	return ret ? ret : hd_plan_place(plan, rest, n_splits - 1, failed);
}
