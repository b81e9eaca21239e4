// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rounds that each take all that goes with them. Every LID goes through its distances at its own
 * pace: in a round, whatever is proved together with what is in the round already goes along, and
 * what is not waits for the next. That takes many more proofs than to go through distances with
 * many LIDs together, but drops less.
 */
#include "change/plan.h"

#include "support/error.h"

/* Steps of entries, beside those of change/plan.h. */
enum {
	CANDIDATE = HD_PLAN_DROPPED + 1, /* all before it on the way to the LID have theirs */
	WAITING,                         /* for the next round */
};

/* Switches of regions that are followed for one schedule at most. */
#define MOST_WORK 40000000

struct greedy {
	struct hd_plan *plan;
	uint64_t n_proofs, most_proofs;
	bool any;         /* something is in the round */
	bool is_backward; /* the highest LIDs come first */
};

/*
 * Marks the next entries of all LIDs that do not wait: those of the lowest step that is left.
 * false: there are none.
 */
static bool find_candidates(struct greedy *greedy)
{
	struct hd_plan *plan = greedy->plan;
	const struct hd_change *change = &plan->change;
	const struct hd_tables *now = plan->now;
	bool any = false;

	for (uint32_t lid = 0; lid <= now->fabric->top_lid; lid++) {
		unsigned lowest = WAITING;

		for (uint32_t i = change->first_change[lid]; i < change->first_change[lid + 1];
		     i++) {
			const unsigned step = plan->entry_step[change->changes[i].place];

			if (step == WAITING) {
				lowest = WAITING;
				break;
			}
			if (step && step < lowest)
				lowest = step;
		}
		for (uint32_t i = change->first_change[lid];
		     lowest != WAITING && i < change->first_change[lid + 1]; i++) {
			uint8_t *step = &plan->entry_step[change->changes[i].place];

			if (*step != lowest)
				continue;
			*step = CANDIDATE;
			any = true;
		}
	}
	return any;
}

/* Halves @part by its LIDs, or else by its switches; false: it is a single entry. */
static bool halve(const struct hd_plan *plan, struct hd_part *part, struct hd_part *rest)
{
	while (part->end_lid - part->first_lid > 1 || part->end - part->first > 1) {
		struct hd_part low = *part;

		*rest = *part;
		if (part->end_lid - part->first_lid > 1)
			low.end_lid = rest->first_lid =
				part->first_lid + (part->end_lid - part->first_lid) / 2;
		else
			low.end = rest->first = part->first + (part->end - part->first) / 2;
		if (hd_plan_has_any(plan, &low) && hd_plan_has_any(plan, rest)) {
			*part = low;
			return true;
		}
		*part = hd_plan_has_any(plan, &low) ? low : *rest;
	}
	return false;
}

/* Puts into the round what of @part goes with it; the rest waits. */
static int take(struct greedy *greedy, struct hd_part part)
{
	struct hd_plan *plan = greedy->plan;
	struct hd_part rest;
	bool is_sound;
	int ret;

	if (++greedy->n_proofs > greedy->most_proofs)
		return hd_error_set(plan->err, HD_EREFUSED, "the change takes too many proofs");
	hd_plan_apply(plan, &part, &plan->change.now);
	ret = hd_plan_prove(plan, &plan->next, &plan->base, &is_sound);
	if (ret)
		return ret;
	if (is_sound) {
		greedy->any = true;
		hd_plan_note(plan, &part, (uint8_t)plan->schedule->n_rounds, 0);
		return 0;
	}
	hd_plan_apply(plan, &part, &plan->change.before);
	if (!halve(plan, &part, &rest)) {
		hd_plan_note(plan, &part, 0, WAITING);
		return 0;
	}
	ret = take(greedy, greedy->is_backward ? rest : part);
	return ret ? ret : take(greedy, greedy->is_backward ? part : rest);
}

/* One round; *@is_last: nothing is left. HD_EREFUSED: nothing goes. */
static int make_round(struct greedy *greedy, bool *is_last)
{
	struct hd_plan *plan = greedy->plan;
	const struct hd_part all = { .step = CANDIDATE,
				     .end = plan->now->fabric->n_nodes,
				     .end_lid = plan->now->fabric->top_lid + 1 };
	int ret = 0;

	greedy->any = plan->is_open; /* with rows */
	if (!plan->is_open)
		ret = hd_plan_begin_round(plan);
	while (!ret && find_candidates(greedy))
		ret = take(greedy, all);
	*is_last = true;
	hd_for_each_changed_entry(i, &plan->change)
		if (plan->entry_step[i] == WAITING) {
			plan->entry_step[i] = plan->due.entry[i];
			*is_last = false;
		}
	if (!ret && !*is_last && !greedy->any)
		ret = hd_error_set(plan->err, HD_EREFUSED, "no entry can change even alone");
	if (!ret && !*is_last) {
		hd_values_copy(&plan->change, &plan->base, &plan->next);
		plan->is_open = false;
	}
	return ret;
}

int hd_plan_place_greedily(struct hd_plan *plan, bool is_backward)
{
	struct greedy greedy = { .plan = plan, .is_backward = is_backward };
	bool is_last = true;
	int ret = 0;

	hd_for_each_changed_entry(i, &plan->change)
		is_last &= !plan->entry_step[i];
	greedy.most_proofs = MOST_WORK / (plan->change.n_region_nodes + 1);
	while (!ret && !is_last)
		ret = make_round(&greedy, &is_last);
	return ret;
}
