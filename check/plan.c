// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/plan.h"

#include <string.h>

#include "check/mixtures.h"
#include "support/error.h"

/* Behind the last switch of @part. */
static uint32_t end_switch(const struct hd_plan *plan, const struct hd_part *part)
{
	const uint32_t n = plan->now->fabric->n_switches;

	return part->end < n ? part->end : n;
}

bool hd_plan_apply(struct hd_plan *plan, const struct hd_part *part, const struct hd_tables *from)
{
	const size_t *first_row = plan->now->sl2vl_first;
	bool any = false;

	for (uint32_t s = part->first; s < end_switch(plan, part); s++) {
		const size_t row = s * plan->now->lft_stride;

		for (size_t i = row + part->first_lid; i < row + part->end_lid; i++) {
			if (plan->entry_step[i] != part->step)
				continue;
			plan->next->lft[i] = from->lft[i];
			any = true;
		}
	}
	for (size_t i = first_row[part->first]; i < first_row[part->end]; i++) {
		if (plan->row_step[i] != part->step)
			continue;
		plan->next->sl2vl[i] = from->sl2vl[i];
		any = true;
	}
	return any;
}

void hd_plan_note(struct hd_plan *plan, const struct hd_part *part, uint8_t round, uint8_t step)
{
	const size_t *first_row = plan->now->sl2vl_first;

	for (uint32_t s = part->first; s < end_switch(plan, part); s++) {
		const size_t row = s * plan->now->lft_stride;

		for (size_t i = row + part->first_lid; i < row + part->end_lid; i++) {
			if (plan->entry_step[i] != part->step)
				continue;
			plan->schedule->entry_new[i] = round;
			plan->entry_step[i] = step;
		}
	}
	for (size_t i = first_row[part->first]; i < first_row[part->end]; i++) {
		if (plan->row_step[i] != part->step)
			continue;
		plan->schedule->row_new[i] = round;
		plan->row_step[i] = step;
	}
}

int hd_plan_begin_round(struct hd_plan *plan)
{
	if (plan->schedule->n_rounds == plan->most_rounds)
		return hd_error_set(plan->err, HD_EREFUSED, "it takes more than %u rounds",
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
	ret = hd_mixtures_are_sound(plan->before, plan->before, &is_sound, plan->err);
	plan->schedule->old_loops = !ret && !is_sound;
	return ret ? ret : is_sound ? 0 : HD_PLAN_OLD_LOOPS;
}

int hd_plan_add(struct hd_plan *plan, const struct hd_part *part, bool *done)
{
	int ret;

	*done = true;
	if (!hd_plan_apply(plan, part, plan->now))
		return 0;
	ret = hd_mixtures_are_sound(plan->next, plan->base, done, plan->err);
	if (!ret && !*done && plan->is_open) {
		/* the round is closed without it */
		hd_plan_apply(plan, part, plan->before);
		hd_rounds_copy(plan->base, plan->next);
		plan->is_open = false;
		hd_plan_apply(plan, part, plan->now);
		ret = hd_mixtures_are_sound(plan->next, plan->base, done, plan->err);
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

/* Whether anything changes in @part. */
static bool has_any(const struct hd_plan *plan, const struct hd_part *part)
{
	const size_t *first_row = plan->now->sl2vl_first;

	for (uint32_t s = part->first; s < end_switch(plan, part); s++)
		if (memchr(plan->entry_step + s * plan->now->lft_stride + part->first_lid,
			   (int)part->step, part->end_lid - part->first_lid))
			return true;
	return memchr(plan->row_step + first_row[part->first], (int)part->step,
		      first_row[part->end] - first_row[part->first]);
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
		if (has_any(plan, &low) && has_any(plan, &high)) {
			*part = low;
			return high;
		}
		*part = has_any(plan, &low) ? low : high;
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
