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

int hd_plan_prove(struct hd_plan *plan, const struct hd_values *a, const struct hd_values *b,
		  bool *is_sound)
{
	int ret = hd_plan_prepare(plan);

	return ret ? ret : hd_change_is_sound(&plan->change, a, b, is_sound, plan->err);
}

/* What changes at the nodes of a part: places in change->entries and change->rows. */
struct range {
	size_t first_entry, end_entry, first_row, end_row;
};

static struct range range_of(const struct hd_plan *plan, const struct hd_part *part)
{
	const struct hd_schedule_list *entries = &plan->schedule->entries;
	const struct hd_schedule_list *rows = &plan->schedule->rows;
	const size_t stride = plan->now->lft_stride, *first_row = plan->now->sl2vl_first;

	return (struct range){
		.first_entry = hd_schedule_place(entries, part->first * stride),
		.end_entry = hd_schedule_place(entries, part->end * stride),
		.first_row = hd_schedule_place(rows, first_row[part->first]),
		.end_row = hd_schedule_place(rows, first_row[part->end]),
	};
}

/* Whether entry @k of those that change is of @part, one of its nodes'. */
static bool has_entry(const struct hd_plan *plan, const struct hd_part *part, size_t k)
{
	const size_t lid = plan->change.entries[k] % plan->now->lft_stride;

	return plan->entry_step[k] == part->step && lid >= part->first_lid && lid < part->end_lid;
}

bool hd_plan_apply(struct hd_plan *plan, const struct hd_part *part, const struct hd_values *from)
{
	const struct range range = range_of(plan, part);
	bool any = false;

	for (size_t k = range.first_entry; k < range.end_entry; k++) {
		if (!has_entry(plan, part, k))
			continue;
		plan->next.entry[k] = from->entry[k];
		any = true;
	}
	for (size_t k = range.first_row; k < range.end_row; k++) {
		if (plan->row_step[k] != part->step)
			continue;
		plan->next.row[k] = from->row[k];
		any = true;
	}
	return any;
}

void hd_plan_note(struct hd_plan *plan, const struct hd_part *part, uint8_t round, uint8_t step)
{
	const struct range range = range_of(plan, part);

	for (size_t k = range.first_entry; k < range.end_entry; k++) {
		if (!has_entry(plan, part, k))
			continue;
		plan->schedule->entries.new[k] = round;
		plan->entry_step[k] = step;
	}
	for (size_t k = range.first_row; k < range.end_row; k++) {
		if (plan->row_step[k] != part->step)
			continue;
		plan->schedule->rows.new[k] = round;
		plan->row_step[k] = step;
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
	ret = hd_plan_prove(plan, &plan->change.before, &plan->change.before, &is_sound);
	plan->schedule->old_loops = !ret && !is_sound;
	return ret ? ret : is_sound ? 0 : HD_PLAN_OLD_LOOPS;
}

int hd_plan_add(struct hd_plan *plan, const struct hd_part *part, bool *done)
{
	int ret;

	*done = true;
	if (!hd_plan_apply(plan, part, &plan->change.now))
		return 0;
	ret = hd_plan_prove(plan, &plan->next, &plan->base, done);
	if (!ret && !*done && plan->is_open) {
		/* the round is closed without it */
		hd_plan_apply(plan, part, &plan->change.before);
		hd_values_copy(&plan->change, &plan->base, &plan->next);
		plan->is_open = false;
		hd_plan_apply(plan, part, &plan->change.now);
		ret = hd_plan_prove(plan, &plan->next, &plan->base, done);
	}
	if (ret)
		return ret;
	if (!*done) {
		hd_plan_apply(plan, part, &plan->change.before);
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
		if (has_entry(plan, part, k))
			return true;
	for (size_t k = range.first_row; k < range.end_row; k++)
		if (plan->row_step[k] == part->step)
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
